// SPDX-License-Identifier: Apache-2.0
// Calls that an operation does not have, but that people write: with a number or a text for an axis, softmax<-1>(x) and
// sum<"C">(x), or without one, softmax(x); with other operands, dot<C>(x). The compilers' own words for them are long.
#pragma once
#pragma GCC system_header
#include "nax/ops/activation.h"
#include "nax/ops/attention.h"
#include "nax/ops/norm.h"
#include "nax/ops/other_names.h"

namespace nax {

// The operands' types are here so that clang composes no sentence before it needs one.
template <FixedString Op, FixedString Example, class... Xs>
inline constexpr rule::Text number_as_axis_says = rule::no_axis(Op.view(), "an integer or a character", Example.view());
template <FixedString Op, FixedString Example, class... Xs>
inline constexpr rule::Text text_as_axis_says = rule::no_axis(Op.view(), "a text", Example.view());
template <FixedString Op, FixedString Example, class... Xs>
inline constexpr rule::Text no_axis_says = rule::no_axis(Op.view(), "", Example.view());
template <FixedString Op, FixedString Example, class... Xs>
inline constexpr rule::Text too_many_say = rule::too_many_axes(Op.view(), Example.view());
// Rule 10: softmax<C>(x, -1)
template <class... Xs>
inline constexpr int number_is_axis = ((std::is_integral_v<Xs> && !std::is_same_v<Xs, bool>) || ...) ? 10 : 0;
template <FixedString Op, FixedString Example, int Number, class... Xs>
inline constexpr rule::Text operands_say = rule::operands(Number, Op.view(), Example.view());

// Whether an operation takes these operands. (The last of scores may be a Scale; what rope makes of others it says.)
template <FixedString Op, int Operands, class... Xs>
inline constexpr bool fits = sizeof...(Xs) == Operands && (AnyTensor<Xs> && ...);
template <class Q, class K, class S>
inline constexpr bool fits<"scores", 2, Q, K, S> =
    AnyTensor<Q> && AnyTensor<K> && (std::is_convertible_v<S, Scale> || std::is_arithmetic_v<S>);
template <class... Xs>
inline constexpr bool fits<"concat", 2, Xs...> = sizeof...(Xs) > 0 && (AnyTensor<Xs> && ...);
template <class N>
inline constexpr bool fits<"window", 0, N> = !AnyTensor<N>;
template <class N>
inline constexpr bool fits<"prefix", 0, N> = !AnyTensor<N>;
template <AnyTensor X, class R, class... Rs>
inline constexpr bool fits<"rope", 1, X, R, Rs...> = !AnyTensor<R>;

} // namespace nax

#define NAX_OP read
#define NAX_EXAMPLE "read<T>(k)"
#define NAX_OPERANDS 1
#include "nax/ops/no_axis.h"
#define NAX_OP scores
#define NAX_EXAMPLE "scores<D>(q, read<T>(k))"
#define NAX_OPERANDS 2
#include "nax/ops/no_axis.h"
#define NAX_OP softmax
#define NAX_EXAMPLE "softmax<S>(x)"
#define NAX_OPERANDS 1
#include "nax/ops/no_axis.h"
#define NAX_OP rope
#define NAX_EXAMPLE "rope<T, D>(q)"
#define NAX_OPERANDS 1
#define NAX_TWO_AXES 1
#include "nax/ops/no_axis.h"
#define NAX_OP window
#define NAX_EXAMPLE "window<T>(128)"
#define NAX_OPERANDS 0
#include "nax/ops/no_axis.h"
#define NAX_OP past
#define NAX_EXAMPLE "past<T>()"
#define NAX_OPERANDS 0
#include "nax/ops/no_axis.h"
#define NAX_OP prefix
#define NAX_EXAMPLE "prefix<T>(4)"
#define NAX_OPERANDS 0
#include "nax/ops/no_axis.h"
#define NAX_OP shorter_than
#define NAX_EXAMPLE "shorter_than<T>(lengths)"
#define NAX_OPERANDS 1
#include "nax/ops/no_axis.h"
#define NAX_OP same_document
#define NAX_EXAMPLE "same_document<T>(documents)"
#define NAX_OPERANDS 1
#include "nax/ops/no_axis.h"
#define NAX_OP embed
#define NAX_EXAMPLE "embed<V>(ids, table)"
#define NAX_OPERANDS 2
#include "nax/ops/no_axis.h"
#define NAX_OP embed_positions
#define NAX_EXAMPLE "embed_positions<T>(x, table)"
#define NAX_OPERANDS 2
#include "nax/ops/no_axis.h"
#define NAX_OP unembed
#define NAX_EXAMPLE "unembed<V>(x, table)"
#define NAX_OPERANDS 2
#include "nax/ops/no_axis.h"
#define NAX_OP logits
#define NAX_EXAMPLE "logits<V>(x)"
#define NAX_OPERANDS 1
#include "nax/ops/no_axis.h"
#define NAX_OP split
#define NAX_EXAMPLE "split<H>(x)"
#define NAX_OPERANDS 1
#include "nax/ops/no_axis.h"
#define NAX_OP merge
#define NAX_EXAMPLE "merge<H>(x)"
#define NAX_OPERANDS 1
#include "nax/ops/no_axis.h"
#define NAX_OP part
#define NAX_EXAMPLE "part<A>(x)"
#define NAX_OPERANDS 1
#include "nax/ops/no_axis.h"
#define NAX_OP concat
#define NAX_EXAMPLE "concat<QKV>(q, k, v)"
#define NAX_OPERANDS 2
#include "nax/ops/no_axis.h"
#define NAX_OP spread
#define NAX_EXAMPLE "spread<C>(x)"
#define NAX_OPERANDS 1
#include "nax/ops/no_axis.h"
#define NAX_OP first
#define NAX_EXAMPLE "first<T>(x)"
#define NAX_OPERANDS 1
#include "nax/ops/no_axis.h"
#define NAX_OP last
#define NAX_EXAMPLE "last<T>(x)"
#define NAX_OPERANDS 1
#include "nax/ops/no_axis.h"
#define NAX_OP argmax
#define NAX_EXAMPLE "argmax<V>(logits)"
#define NAX_OPERANDS 1
#include "nax/ops/no_axis.h"
#define NAX_OP top_k
#define NAX_EXAMPLE "top_k<V, K>(logits)"
#define NAX_OPERANDS 1
#define NAX_TWO_AXES 1
#include "nax/ops/no_axis.h"
#define NAX_OP next
#define NAX_EXAMPLE "next<T>(ids)"
#define NAX_OPERANDS 1
#include "nax/ops/no_axis.h"
#define NAX_OP cross_entropy
#define NAX_EXAMPLE "cross_entropy<V>(logits, next<T>(ids))"
#define NAX_OPERANDS 2
#include "nax/ops/no_axis.h"

// These take any number of axes.
#define NAX_ANY_AXES
#define NAX_OP dot
#define NAX_EXAMPLE "dot<C>(x, w)"
#define NAX_OPERANDS 2
#include "nax/ops/no_axis.h"
#define NAX_OP sum
#define NAX_EXAMPLE "sum<C>(x)"
#define NAX_OPERANDS 1
#include "nax/ops/no_axis.h"
#define NAX_OP mean
#define NAX_EXAMPLE "mean<C>(x)"
#define NAX_OPERANDS 1
#include "nax/ops/no_axis.h"
#define NAX_OP max
#define NAX_EXAMPLE "max<C>(x)"
#define NAX_OPERANDS 1
#include "nax/ops/no_axis.h"
#define NAX_OP alibi
#define NAX_EXAMPLE "alibi<H>(scores)"
#define NAX_OPERANDS 1
#include "nax/ops/no_axis.h"
#undef NAX_ANY_AXES
#define NAX_NUMBERS_ONLY
#define NAX_OP rms_norm
#define NAX_EXAMPLE "rms_norm<C>(x, gain, Eps{1e-5})"
#include "nax/ops/no_axis.h"
#define NAX_OP rms_norm_unit_offset
#define NAX_EXAMPLE "rms_norm_unit_offset<C>(x, gain, Eps{1e-5})"
#include "nax/ops/no_axis.h"
#define NAX_OP layer_norm
#define NAX_EXAMPLE "layer_norm<C>(x, gain, shift, Eps{1e-5})"
#include "nax/ops/no_axis.h"
#undef NAX_NUMBERS_ONLY

// The scores know their axes.
#define NAX_OP causal_mask
#define NAX_EXAMPLE "causal_mask(scores)"
#include "nax/ops/no_brackets.h"
#define NAX_OP mask
#define NAX_EXAMPLE "mask(scores, m)"
#include "nax/ops/no_brackets.h"
#define NAX_OP bias
#define NAX_EXAMPLE "bias(scores, b)"
#include "nax/ops/no_brackets.h"
#define NAX_OP softcap
#define NAX_EXAMPLE "softcap(scores, 50.0)"
#include "nax/ops/no_brackets.h"

namespace nax {

// ---------------------------------------------------------------- a norm without Eps{...}, or with it elsewhere
template <FixedString Op, bool HasEps, class... Xs>
inline constexpr rule::Text norm_says = HasEps ? rule::no_gain(Op.view()) : rule::no_eps(Op.view());
template <class... Xs>
inline constexpr bool has_eps = (std::is_same_v<Xs, Eps> || ...);
// x, gain, eps; with a shift for layer_norm.
template <class... Xs>
inline constexpr bool norm_operands = false;
template <AnyTensor X, AnyTensor G>
inline constexpr bool norm_operands<X, G, Eps> = true;
template <class... Xs>
inline constexpr bool layer_norm_operands = norm_operands<Xs...>;
template <AnyTensor X, AnyTensor G, AnyTensor H>
inline constexpr bool layer_norm_operands<X, G, H, Eps> = true;

#if defined(__clang__)
template <class... Cs, class... Xs>
  requires(!norm_operands<Xs...>)
auto rms_norm(Xs const&...) {
  if constexpr (!refused_among<Xs...>) static_assert(false, ShownText{norm_says<"rms_norm", has_eps<Xs...>, Xs...>});
  return Refused{};
}
template <class... Cs, class... Xs>
  requires(!norm_operands<Xs...>)
auto rms_norm_unit_offset(Xs const&...) {
  if constexpr (!refused_among<Xs...>)
    static_assert(false, ShownText{norm_says<"rms_norm_unit_offset", has_eps<Xs...>, Xs...>});
  return Refused{};
}
template <class... Cs, class... Xs>
  requires(!layer_norm_operands<Xs...>)
auto layer_norm(Xs const&...) {
  if constexpr (!refused_among<Xs...>) static_assert(false, ShownText{norm_says<"layer_norm", has_eps<Xs...>, Xs...>});
  return Refused{};
}
#else
template <class... Cs, class... Xs, auto Says = shrink<norm_says<"rms_norm", has_eps<Xs...>>>()>
  requires(!norm_operands<Xs...>)
void rms_norm(Xs const&...) = delete;
template <class... Cs, class... Xs, auto Says = shrink<norm_says<"rms_norm_unit_offset", has_eps<Xs...>>>()>
  requires(!norm_operands<Xs...>)
void rms_norm_unit_offset(Xs const&...) = delete;
template <class... Cs, class... Xs, auto Says = shrink<norm_says<"layer_norm", has_eps<Xs...>>>()>
  requires(!layer_norm_operands<Xs...>)
void layer_norm(Xs const&...) = delete;
#endif

// ---------------------------------------------------------------- a scale without Scale{...}
template <class D, class... Xs>
inline constexpr rule::Text bare_scale_says = rule::bare_scale(ax<D>);
#if defined(__clang__)
template <class D, AnyTensor Q, AnyTensor K, class N>
  requires std::is_arithmetic_v<N>
auto scores(Q const&, K const&, N const&) {
  if constexpr (!refused_among<Q, K>) static_assert(false, ShownText{bare_scale_says<D, Q, K>});
  return Refused{};
}
#else
template <class D, AnyTensor Q, AnyTensor K, class N, auto Says = shrink<bare_scale_says<D>>()>
  requires std::is_arithmetic_v<N>
void scores(Q const&, K const&, N const&) = delete;
#endif

// ---------------------------------------------------------------- dropout without a Training
template <class... Xs>
inline constexpr bool drops_out = false;
template <class P, class X>
inline constexpr bool drops_out<Training, P, X> = std::is_arithmetic_v<P> && AnyTensor<X>;
template <class... Xs>
inline constexpr rule::Text no_training_says = rule::no_training();

#if defined(__clang__)
template <class... Xs>
  requires(!drops_out<Xs...>)
auto dropout(Xs const&...) {
  if constexpr (!refused_among<Xs...>) static_assert(false, ShownText{no_training_says<Xs...>});
  return Refused{};
}
#else
template <class... Xs, auto Says = shrink<no_training_says<>>()>
  requires(!drops_out<Xs...>)
void dropout(Xs const&...) = delete;
#endif

// ---------------------------------------------------------------- a number over a tensor
template <class X>
inline constexpr rule::Text number_over_says = rule::number_over(ten<X>);
#if defined(__clang__)
template <AnyTensor X>
auto operator/(double, X const&) {
  if constexpr (!refused_among<X>) static_assert(false, ShownText{number_over_says<X>});
  return Refused{};
}
#else
template <AnyTensor X, auto Says = shrink<number_over_says<X>>()>
void operator/(double, X const&) = delete;
#endif

// ---------------------------------------------------------------- masks joined as bools are
template <FixedString Op, FixedString Instead, class... Xs>
inline constexpr rule::Text bool_says = rule::bool_operator(Op.view(), Instead.view());
#if defined(__clang__)
template <AnyTensor X, AnyTensor Y>
auto operator&&(X const&, Y const&) {
  if constexpr (!refused_among<X, Y>) static_assert(false, ShownText{bool_says<"operator&&", "&", X>});
  return Refused{};
}
template <AnyTensor X, AnyTensor Y>
auto operator||(X const&, Y const&) {
  if constexpr (!refused_among<X, Y>) static_assert(false, ShownText{bool_says<"operator||", "|", X>});
  return Refused{};
}
#else
template <AnyTensor X, AnyTensor Y, auto Says = shrink<bool_says<"operator&&", "&">>()>
void operator&&(X const&, Y const&) = delete;
template <AnyTensor X, AnyTensor Y, auto Says = shrink<bool_says<"operator||", "|">>()>
void operator||(X const&, Y const&) = delete;
#endif

} // namespace nax
