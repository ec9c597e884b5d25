// SPDX-License-Identifier: Apache-2.0
// Included by misnamed.h once for each operation NAX_OP, which is called as NAX_EXAMPLE shows, with NAX_OPERANDS tensors.
// NAX_ANY_AXES is defined where it takes any number of axes, and finds itself that there is none; NAX_TWO_AXES where it
// takes two; NAX_NUMBERS_ONLY where other calls are looked at elsewhere.
#pragma GCC system_header

namespace nax {

// ---------------------------------------------------------------- numbers and texts, alone or beside axes
#if defined(__clang__)
template <auto N, auto... Ns, class... Xs>
auto NAX_OP(Xs const&...) {
  if constexpr (requires { N; })
    static_assert(false, ShownText{number_as_axis_says<NAX_STRING(NAX_OP), NAX_EXAMPLE, Xs...>});
  return Refused{};
}
template <auto N, class A, class... As, class... Xs>
auto NAX_OP(Xs const&...) {
  if constexpr (requires { N; })
    static_assert(false, ShownText{number_as_axis_says<NAX_STRING(NAX_OP), NAX_EXAMPLE, Xs...>});
  return Refused{};
}
template <class A, auto N, auto... Ns, class... Xs>
auto NAX_OP(Xs const&...) {
  if constexpr (requires { N; })
    static_assert(false, ShownText{number_as_axis_says<NAX_STRING(NAX_OP), NAX_EXAMPLE, Xs...>});
  return Refused{};
}
template <FixedString N, FixedString... Ns, class... Xs>
auto NAX_OP(Xs const&...) {
  if constexpr (requires { N; })
    static_assert(false, ShownText{text_as_axis_says<NAX_STRING(NAX_OP), NAX_EXAMPLE, Xs...>});
  return Refused{};
}
#else
template <auto N, auto... Ns, class... Xs, auto Says = shrink<number_as_axis_says<NAX_STRING(NAX_OP), NAX_EXAMPLE>>()>
void NAX_OP(Xs const&...) = delete;
template <auto N, class A, class... As, class... Xs,
          auto Says = shrink<number_as_axis_says<NAX_STRING(NAX_OP), NAX_EXAMPLE>>()>
void NAX_OP(Xs const&...) = delete;
template <class A, auto N, auto... Ns, class... Xs,
          auto Says = shrink<number_as_axis_says<NAX_STRING(NAX_OP), NAX_EXAMPLE>>()>
void NAX_OP(Xs const&...) = delete;
template <FixedString N, FixedString... Ns, class... Xs,
          auto Says = shrink<text_as_axis_says<NAX_STRING(NAX_OP), NAX_EXAMPLE>>()>
void NAX_OP(Xs const&...) = delete;
#endif

#if !defined(NAX_NUMBERS_ONLY)
// ---------------------------------------------------------------- no axis, or not as many as it takes
#if defined(NAX_ANY_AXES)
#define NAX_AXES class A, class... As
#define NAX_UNNAMED requires(!(AnyTensor<Xs> && ...))
#elif defined(NAX_TWO_AXES)
#define NAX_AXES class A, class A2
#define NAX_TOO_MANY class A, class A2, class A3, class... As
#define NAX_UNNAMED
#else
#define NAX_AXES class A
#define NAX_TOO_MANY class A, class A2, class... As
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

#if defined(NAX_TWO_AXES)
#if defined(__clang__)
template <class A, class... Xs>
auto NAX_OP(Xs const&...) {
  if constexpr (!refused_among<Xs...>)
    static_assert(false, ShownText{no_axis_says<NAX_STRING(NAX_OP), NAX_EXAMPLE, A, Xs...>});
  return Refused{};
}
#else
template <class A, class... Xs, auto Says = shrink<no_axis_says<NAX_STRING(NAX_OP), NAX_EXAMPLE>>()>
void NAX_OP(Xs const&...) = delete;
#endif
#endif

#if defined(NAX_TOO_MANY)
#if defined(__clang__)
template <NAX_TOO_MANY, class... Xs>
auto NAX_OP(Xs const&...) {
  if constexpr (!refused_among<Xs...>)
    static_assert(false, ShownText{too_many_say<NAX_STRING(NAX_OP), NAX_EXAMPLE, A, A2, Xs...>});
  return Refused{};
}
#else
template <NAX_TOO_MANY, class... Xs, auto Says = shrink<too_many_say<NAX_STRING(NAX_OP), NAX_EXAMPLE>>()>
void NAX_OP(Xs const&...) = delete;
#endif
#endif

// ---------------------------------------------------------------- other operands: sum<C>(x, 1), dot<C>(x)
#if defined(__clang__)
template <NAX_AXES, class... Xs>
  requires(!fits<NAX_STRING(NAX_OP), NAX_OPERANDS, Xs...>)
auto NAX_OP(Xs const&...) {
  if constexpr (!refused_among<Xs...>)
    static_assert(false, ShownText{operands_say<NAX_STRING(NAX_OP), NAX_EXAMPLE, number_is_axis<Xs...>, Xs...>});
  return Refused{};
}
#else
template <NAX_AXES, class... Xs,
          auto Says = shrink<operands_say<NAX_STRING(NAX_OP), NAX_EXAMPLE, number_is_axis<Xs...>>>()>
  requires(!fits<NAX_STRING(NAX_OP), NAX_OPERANDS, Xs...>)
void NAX_OP(Xs const&...) = delete;
#endif
#endif

} // namespace nax
#undef NAX_OP
#undef NAX_EXAMPLE
#undef NAX_OPERANDS
#undef NAX_AXES
#undef NAX_UNNAMED
#undef NAX_TOO_MANY
#undef NAX_TWO_AXES
