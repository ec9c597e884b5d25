// SPDX-License-Identifier: Apache-2.0
// Names and arguments that people know from other libraries, where families of models mean different things by them or
// where a value belongs into the type here. A function of the user's with such a name is preferred to these.
#pragma once
#pragma GCC system_header
#include "nax/ops/norm.h"
#include "nax/ops/activation.h"
#include "nax/ops/rope.h"

namespace nax {

template <int Number, FixedString Op, FixedString Instead, class... Xs>
inline constexpr rule::Text other_name_says = rule::other_name(Number, Op.view(), Instead.view());

template <FixedString Op, class X>
inline constexpr rule::Text compared_says = rule::compared(Op.view(), ten<X>);

} // namespace nax

#define NAX_INSTEAD "it is called gelu_tanh(x), which is by tanh; gelu(x) is by erf"
#define NAX_OP gelu_new
#include "nax/ops/other_name.h"
#define NAX_OP gelu_fast
#include "nax/ops/other_name.h"
#define NAX_OP gelu_approx
#include "nax/ops/other_name.h"
#define NAX_OP gelu_pytorch_tanh
#include "nax/ops/other_name.h"
#undef NAX_INSTEAD
#define NAX_INSTEAD "it is called gelu(x), which is by erf; gelu_tanh(x) is by tanh"
#define NAX_OP gelu_erf
#include "nax/ops/other_name.h"
#define NAX_OP gelu_exact
#include "nax/ops/other_name.h"
#undef NAX_INSTEAD
#define NAX_INSTEAD "it is x * sigmoid(1.702 * x); gelu(x) is by erf, gelu_tanh(x) by tanh"
#define NAX_OP quick_gelu
#include "nax/ops/other_name.h"
#define NAX_OP gelu_quick
#include "nax/ops/other_name.h"
#undef NAX_INSTEAD
#define NAX_INSTEAD "x * sigmoid(x) is called silu(x); with a factor, x * sigmoid(beta * x)"
#define NAX_OP swish
#include "nax/ops/other_name.h"
#undef NAX_INSTEAD
#define NAX_INSTEAD "write rms_norm<C>(x, gain, Eps{1e-5}), or rms_norm_unit_offset where it is 1 + gain"
#define NAX_OP rmsnorm
#include "nax/ops/other_name.h"
#undef NAX_INSTEAD
#define NAX_INSTEAD "write layer_norm<C>(x, gain, shift, Eps{1e-5})"
#define NAX_OP layernorm
#include "nax/ops/other_name.h"
#undef NAX_INSTEAD

namespace nax {

#define NAX_TWO_GELUS "two functions are called so: gelu(x) is by erf, gelu_tanh(x) by tanh"
#define NAX_HOW_IT_ROTATES                                                                                             \
  "how it rotates is part of the type: rope<T, D, rotary>(q), where inline constexpr Rope rotary{.base = 10000}"
#define NAX_TWO_AXES "name the axis of positions, then that of the features which rotate: rope<T, D>(q)"
#define NAX_TRAINING                                                                                                   \
  "only a training entry, which takes a Training as an argument, drops out: dropout(training, 0.1, x)"
#define NAX_WHICH_NUMBER "name the type of number in angle brackets: to<f32>(x)"
template <auto N>
concept NoRope = !std::is_same_v<std::remove_cvref_t<decltype(N)>, Rope>;

#if defined(__clang__)
template <AnyTensor X, class Y, class... Ys>
auto gelu(X const&, Y const&, Ys const&...) {
  if constexpr (!refused_among<X>) static_assert(false, ShownText{other_name_says<47, "gelu", NAX_TWO_GELUS, X, Y>});
  return Refused{};
}
template <FixedString N, AnyTensor X>
auto gelu(X const&) {
  if constexpr (!refused_among<X>) static_assert(false, ShownText{other_name_says<47, "gelu", NAX_TWO_GELUS, X>});
  return Refused{};
}
template <class... As, AnyTensor X, class R, class... Rs>
  requires(!AnyTensor<R>)
auto rope(X const&, R const&, Rs const&...) {
  if constexpr (!refused_among<X>)
    static_assert(false, ShownText{other_name_says<34, "rope", NAX_HOW_IT_ROTATES, X, R>});
  return Refused{};
}
template <class T, class D, auto N, AnyTensor X>
  requires NoRope<N>
auto rope(X const&) {
  if constexpr (!refused_among<X>) static_assert(false, ShownText{other_name_says<34, "rope", NAX_HOW_IT_ROTATES, X>});
  return Refused{};
}
template <class A, AnyTensor X>
auto rope(X const&) {
  if constexpr (!refused_among<X>) static_assert(false, ShownText{other_name_says<10, "rope", NAX_TWO_AXES, A, X>});
  return Refused{};
}
template <class A, class B, class C, class... As, AnyTensor X>
auto rope(X const&) {
  if constexpr (!refused_among<X>) static_assert(false, ShownText{other_name_says<10, "rope", NAX_TWO_AXES, A, B, X>});
  return Refused{};
}
template <auto N, class... Xs>
auto dropout(Xs const&...) {
  if constexpr (!refused_among<Xs...>)
    static_assert(false, ShownText{other_name_says<43, "dropout", NAX_TRAINING, Xs...>});
  return Refused{};
}
template <AnyTensor X>
auto to(X const&) {
  if constexpr (!refused_among<X>) static_assert(false, ShownText{other_name_says<44, "to", NAX_WHICH_NUMBER, X>});
  return Refused{};
}
#else
template <AnyTensor X, class Y, class... Ys, auto Says = shrink<other_name_says<47, "gelu", NAX_TWO_GELUS>>()>
void gelu(X const&, Y const&, Ys const&...) = delete;
template <FixedString N, AnyTensor X, auto Says = shrink<other_name_says<47, "gelu", NAX_TWO_GELUS>>()>
void gelu(X const&) = delete;
template <class... As, AnyTensor X, class R, class... Rs,
          auto Says = shrink<other_name_says<34, "rope", NAX_HOW_IT_ROTATES>>()>
  requires(!AnyTensor<R>)
void rope(X const&, R const&, Rs const&...) = delete;
template <class T, class D, auto N, AnyTensor X, auto Says = shrink<other_name_says<34, "rope", NAX_HOW_IT_ROTATES>>()>
  requires NoRope<N>
void rope(X const&) = delete;
template <class A, AnyTensor X, auto Says = shrink<other_name_says<10, "rope", NAX_TWO_AXES>>()>
void rope(X const&) = delete;
template <class A, class B, class C, class... As, AnyTensor X,
          auto Says = shrink<other_name_says<10, "rope", NAX_TWO_AXES>>()>
void rope(X const&) = delete;
template <auto N, class... Xs, auto Says = shrink<other_name_says<43, "dropout", NAX_TRAINING>>()>
void dropout(Xs const&...) = delete;
template <AnyTensor X, auto Says = shrink<other_name_says<44, "to", NAX_WHICH_NUMBER>>()>
void to(X const&) = delete;
#endif

#undef NAX_TWO_GELUS
#undef NAX_HOW_IT_ROTATES
#undef NAX_TWO_AXES
#undef NAX_TRAINING
#undef NAX_WHICH_NUMBER

} // namespace nax

#define NAX_SIGN ==
#include "nax/ops/compared.h"
#define NAX_SIGN !=
#include "nax/ops/compared.h"
#define NAX_SIGN <
#include "nax/ops/compared.h"
#define NAX_SIGN >
#include "nax/ops/compared.h"
#define NAX_SIGN <=
#include "nax/ops/compared.h"
#define NAX_SIGN >=
#include "nax/ops/compared.h"
#define NAX_SIGN %
#include "nax/ops/compared.h"
