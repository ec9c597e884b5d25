// SPDX-License-Identifier: Apache-2.0
// Included by arith.h once for each NAX_SIGN, which tensors have not.
#pragma GCC system_header

namespace nax {

#if defined(__clang__)
template <AnyTensor X, class Y>
auto operator NAX_SIGN(X const&, Y const&) {
  if constexpr (!refused_among<X, Y>) static_assert(false, ShownText{in_place_says<NAX_STRING(NAX_SIGN), X>});
}
#else
template <AnyTensor X, class Y, auto Says = shrink<in_place_says<NAX_STRING(NAX_SIGN), X>>()>
void operator NAX_SIGN(X const&, Y const&) = delete;
#endif

} // namespace nax
#undef NAX_SIGN
