// SPDX-License-Identifier: Apache-2.0
// Included by misnamed.h once for each operation NAX_OP, which is called as NAX_EXAMPLE shows, with NAX_OPERANDS tensors.
// NAX_ANY_AXES is defined where it takes any number of axes, and finds itself that there is none.
#pragma GCC system_header

namespace nax {

#if defined(__clang__)
template <auto N, class... Xs>
auto NAX_OP(Xs const&...) {
  if constexpr (requires { N; })
    static_assert(false, ShownText{number_as_axis_says<NAX_STRING(NAX_OP), NAX_EXAMPLE, Xs...>});
  return Refused{};
}
template <FixedString N, class... Xs>
auto NAX_OP(Xs const&...) {
  if constexpr (requires { N; })
    static_assert(false, ShownText{text_as_axis_says<NAX_STRING(NAX_OP), NAX_EXAMPLE, Xs...>});
  return Refused{};
}
#else
template <auto N, class... Xs, auto Says = shrink<number_as_axis_says<NAX_STRING(NAX_OP), NAX_EXAMPLE>>()>
void NAX_OP(Xs const&...) = delete;
template <FixedString N, class... Xs, auto Says = shrink<text_as_axis_says<NAX_STRING(NAX_OP), NAX_EXAMPLE>>()>
void NAX_OP(Xs const&...) = delete;
#endif

#if defined(NAX_ANY_AXES)
#define NAX_AXES class... As
#define NAX_UNNAMED requires(!(AnyTensor<Xs> && ...))
#else
#define NAX_AXES class A
#define NAX_UNNAMED
#endif

#if defined(__clang__)
template <class... Xs>
NAX_UNNAMED auto NAX_OP(Xs const&...) {
  if constexpr (!refused_among<Xs...>)
    static_assert(false, ShownText{no_axis_says<NAX_STRING(NAX_OP), NAX_EXAMPLE, Xs...>});
  return Refused{};
}
#else
template <class... Xs, auto Says = shrink<no_axis_says<NAX_STRING(NAX_OP), NAX_EXAMPLE>>()>
NAX_UNNAMED void NAX_OP(Xs const&...) = delete;
#endif

#if defined(__clang__)
template <NAX_AXES, AnyTensor... Xs>
  requires(sizeof...(Xs) != NAX_OPERANDS)
auto NAX_OP(Xs const&...) {
  if constexpr (!refused_among<Xs...>)
    static_assert(false, ShownText{operands_say<NAX_STRING(NAX_OP), NAX_EXAMPLE, Xs...>});
  return Refused{};
}
#else
template <NAX_AXES, AnyTensor... Xs, auto Says = shrink<operands_say<NAX_STRING(NAX_OP), NAX_EXAMPLE>>()>
  requires(sizeof...(Xs) != NAX_OPERANDS)
void NAX_OP(Xs const&...) = delete;
#endif

} // namespace nax
#undef NAX_OP
#undef NAX_EXAMPLE
#undef NAX_OPERANDS
#undef NAX_AXES
#undef NAX_UNNAMED
