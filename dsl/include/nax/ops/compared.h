// SPDX-License-Identifier: Apache-2.0
// Included by other_names.h once for each NAX_SIGN that tensors have not.
#pragma GCC system_header

namespace nax {

#if defined(__clang__)
template <AnyTensor X, class Y>
auto operator NAX_SIGN(X const&, Y const&) {
  if constexpr (!refused_among<X, Y>)
    static_assert(false, ShownText{compared_says<"operator" NAX_STRING(NAX_SIGN), X>});
  return Refused{};
}
template <class Y, AnyTensor X>
  requires(!AnyTensor<Y>)
auto operator NAX_SIGN(Y const&, X const&) {
  if constexpr (!refused_among<X>) static_assert(false, ShownText{compared_says<"operator" NAX_STRING(NAX_SIGN), X>});
  return Refused{};
}
#else
template <AnyTensor X, class Y, auto Says = shrink<compared_says<"operator" NAX_STRING(NAX_SIGN), X>>()>
void operator NAX_SIGN(X const&, Y const&) = delete;
template <class Y, AnyTensor X, auto Says = shrink<compared_says<"operator" NAX_STRING(NAX_SIGN), X>>()>
  requires(!AnyTensor<Y>)
void operator NAX_SIGN(Y const&, X const&) = delete;
#endif

} // namespace nax
#undef NAX_SIGN
