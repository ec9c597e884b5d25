// SPDX-License-Identifier: Apache-2.0
// Included by misnamed.h once for each operation NAX_OP that takes nothing in angle brackets, as NAX_EXAMPLE shows.
#pragma GCC system_header

namespace nax {

#if defined(__clang__)
template <class A, class... As, class... Xs>
auto NAX_OP(Xs const&...) {
  if constexpr (!refused_among<Xs...>)
    static_assert(false, ShownText{too_many_say<NAX_STRING(NAX_OP), NAX_EXAMPLE, A, Xs...>});
  return Refused{};
}
template <auto N, auto... Ns, class... Xs>
auto NAX_OP(Xs const&...) {
  if constexpr (!refused_among<Xs...>)
    static_assert(false, ShownText{too_many_say<NAX_STRING(NAX_OP), NAX_EXAMPLE, Xs...>});
  return Refused{};
}
#else
template <class A, class... As, class... Xs, auto Says = shrink<too_many_say<NAX_STRING(NAX_OP), NAX_EXAMPLE>>()>
void NAX_OP(Xs const&...) = delete;
template <auto N, auto... Ns, class... Xs, auto Says = shrink<too_many_say<NAX_STRING(NAX_OP), NAX_EXAMPLE>>()>
void NAX_OP(Xs const&...) = delete;
#endif

} // namespace nax
#undef NAX_OP
#undef NAX_EXAMPLE
