// SPDX-License-Identifier: Apache-2.0
// Scores and masks with what is no tensor, with more or fewer operands than they take, joined by other signs, or under
// the names of other libraries.
#pragma once
#pragma GCC system_header
#include "nax/ops/attention.h"
#include "nax/ops/masks.h"

namespace nax {

// The type of X&&. A named whole number is left out: in g++ it may stand for an argument that was refused.
template <class X>
concept TruthOrNumber = std::is_arithmetic_v<X> || std::is_same_v<std::remove_cvref_t<X>, bool> ||
                        std::is_floating_point_v<std::remove_cvref_t<X>>;

template <FixedString Op, class S, class X>
inline constexpr rule::Text one_for_all_says =
    rule::one_for_all(Op.view(), ten<S>, std::is_same_v<std::remove_cvref_t<X>, bool>);
template <class Q, class K, class S>
inline constexpr rule::Text kind_alone_says = rule::kind_alone(query_of<Q>, ax<K>);
// Rule 18: a number that is to hide, mask(scores, m, -1e9).
template <class... Xs>
inline constexpr int number_hides = (std::is_arithmetic_v<std::remove_cvref_t<Xs>> || ...) ? 18 : 0;
template <FixedString Op, FixedString Example, int Number, class... Xs>
inline constexpr rule::Text applied_says = rule::operands(Number, Op.view(), Example.view());
template <FixedString Sign, FixedString Instead, class... Xs>
inline constexpr rule::Text sign_says = rule::mask_sign(Sign.view(), Instead.view());
template <FixedString Op, FixedString True, class... Xs>
inline constexpr rule::Text hidden_says = rule::hidden(Op.view(), True.view());

template <std::size_t Count, class... Xs>
concept OtherOperands = sizeof...(Xs) != Count && (AnyTensor<Xs> || ...);

#if defined(__clang__)
template <AnyTensor S, TruthOrNumber X>
auto mask(S const&, X&&) {
  if constexpr (!refused_among<S>) static_assert(false, ShownText{one_for_all_says<"mask", S, X>});
  return Refused{};
}
template <AnyTensor S, class Q, class K>
auto mask(S const&, Mask<Q, K> const&) {
  if constexpr (!refused_among<S>) static_assert(false, ShownText{kind_alone_says<Q, K, S>});
  return Refused{};
}
template <AnyTensor S, TruthOrNumber X>
auto bias(S const&, X&&) {
  if constexpr (!refused_among<S>) static_assert(false, ShownText{one_for_all_says<"bias", S, X>});
  return Refused{};
}
template <class... Xs>
  requires OtherOperands<1, Xs...>
auto causal_mask(Xs const&...) {
  if constexpr (!refused_among<Xs...>)
    static_assert(false, ShownText{applied_says<"causal_mask", "causal_mask(scores)", 0, Xs...>});
  return Refused{};
}
template <class... Xs>
  requires OtherOperands<2, Xs...>
auto mask(Xs const&...) {
  if constexpr (!refused_among<Xs...>)
    static_assert(false, ShownText{applied_says<"mask", "mask(scores, m)", number_hides<Xs...>, Xs...>});
  return Refused{};
}
template <class... Xs>
  requires OtherOperands<2, Xs...>
auto bias(Xs const&...) {
  if constexpr (!refused_among<Xs...>)
    static_assert(false, ShownText{applied_says<"bias", "bias(scores, b)", 0, Xs...>});
  return Refused{};
}
template <class... Xs>
  requires OtherOperands<2, Xs...>
auto softcap(Xs const&...) {
  if constexpr (!refused_among<Xs...>)
    static_assert(false, ShownText{applied_says<"softcap", "softcap(scores, 50.0)", 0, Xs...>});
  return Refused{};
}
template <class... Xs>
  requires(AnyTensor<Xs> || ...)
auto masked_fill(Xs const&...) {
  if constexpr (!refused_among<Xs...>) static_assert(false, ShownText{hidden_says<"masked_fill", "blocked", Xs...>});
  return Refused{};
}
template <class... Xs>
  requires(AnyTensor<Xs> || ...)
auto where(Xs const&...) {
  if constexpr (!refused_among<Xs...>) static_assert(false, ShownText{hidden_says<"where", "allowed", Xs...>});
  return Refused{};
}
template <AnyTensor X, AnyTensor Y>
auto operator^(X const&, Y const&) {
  if constexpr (!refused_among<X, Y>) static_assert(false, ShownText{sign_says<"operator^", "x & !y | !x & y", X>});
  return Refused{};
}
template <AnyTensor X>
auto operator~(X const&) {
  if constexpr (!refused_among<X>) static_assert(false, ShownText{sign_says<"operator~", "!x", X>});
  return Refused{};
}
template <AnyTensor X>
auto operator&(X const&, bool) {
  if constexpr (!refused_among<X>) static_assert(false, ShownText{sign_says<"operator&", "x & y of two masks", X>});
  return Refused{};
}
template <AnyTensor X>
auto operator|(X const&, bool) {
  if constexpr (!refused_among<X>) static_assert(false, ShownText{sign_says<"operator|", "x | y of two masks", X>});
  return Refused{};
}
#else
template <AnyTensor S, TruthOrNumber X, auto Says = shrink<one_for_all_says<"mask", S, X>>()>
void mask(S const&, X&&) = delete;
template <AnyTensor S, class Q, class K, auto Says = shrink<kind_alone_says<Q, K, S>>()>
void mask(S const&, Mask<Q, K> const&) = delete;
template <AnyTensor S, TruthOrNumber X, auto Says = shrink<one_for_all_says<"bias", S, X>>()>
void bias(S const&, X&&) = delete;
template <class... Xs, auto Says = shrink<applied_says<"causal_mask", "causal_mask(scores)", 0>>()>
  requires OtherOperands<1, Xs...>
void causal_mask(Xs const&...) = delete;
template <class... Xs, auto Says = shrink<applied_says<"mask", "mask(scores, m)", number_hides<Xs...>>>()>
  requires OtherOperands<2, Xs...>
void mask(Xs const&...) = delete;
template <class... Xs, auto Says = shrink<applied_says<"bias", "bias(scores, b)", 0>>()>
  requires OtherOperands<2, Xs...>
void bias(Xs const&...) = delete;
template <class... Xs, auto Says = shrink<applied_says<"softcap", "softcap(scores, 50.0)", 0>>()>
  requires OtherOperands<2, Xs...>
void softcap(Xs const&...) = delete;
template <class... Xs, auto Says = shrink<hidden_says<"masked_fill", "blocked">>()>
  requires(AnyTensor<Xs> || ...)
void masked_fill(Xs const&...) = delete;
template <class... Xs, auto Says = shrink<hidden_says<"where", "allowed">>()>
  requires(AnyTensor<Xs> || ...)
void where(Xs const&...) = delete;
template <AnyTensor X, AnyTensor Y, auto Says = shrink<sign_says<"operator^", "x & !y | !x & y">>()>
void operator^(X const&, Y const&) = delete;
template <AnyTensor X, auto Says = shrink<sign_says<"operator~", "!x">>()>
void operator~(X const&) = delete;
template <AnyTensor X, auto Says = shrink<sign_says<"operator&", "x & y of two masks">>()>
void operator&(X const&, bool) = delete;
template <AnyTensor X, auto Says = shrink<sign_says<"operator|", "x | y of two masks">>()>
void operator|(X const&, bool) = delete;
#endif

} // namespace nax
