// SPDX-License-Identifier: Apache-2.0
// mean<B, T>(cross_entropy<V>(logits, next<T>(ids))): how badly each position predicts what comes next. logits<V>(x)
// says of plain numbers that they are logits (a head with a bias, say).
#pragma once
#pragma GCC system_header
#include "nax/result.h"

namespace nax {

template <class V, class X>
inline constexpr rule::Text logits_says = rule::as_logits(ax<V>, ten<X>);
template <class V, AnyTensor X>
NAX_RIGHT(logits_says<V, X>)
auto logits(X const& x, Site at = Site::current()) {
  if constexpr (refused_among<X>) {
    return Refused{};
  } else if constexpr (bool(logits_says<V, X>)) {
    NAX_SAY(false, ShownText{logits_says<V, X>});
    return Refused{};
  } else {
    return made<like_t<Logits<number_t<X>, V>, X>>("logits", at, {x.id}, {{"over", ax<V>}});
  }
}
NAX_WRONG((class V, AnyTensor X), (logits_says<V, X>), logits, (X const&))

template <class T, class X>
inline constexpr rule::Text next_says = rule::next(ax<T>, ten<X>);
template <class T, AnyTensor X>
NAX_RIGHT(next_says<T, X>)
auto next(X const& ids, Site at = Site::current()) {
  if constexpr (refused_among<X>) {
    return Refused{};
  } else if constexpr (bool(next_says<T, X>)) {
    NAX_SAY(false, ShownText{next_says<T, X>});
    return Refused{};
  } else {
    return made<pick_axes_t<bare_t<X>, replaced_axes<X, T, 1>, X, Next<T>>>("next", at, {ids.id}, {{"axis", ax<T>}});
  }
}
NAX_WRONG((class T, AnyTensor X), (next_says<T, X>), next, (X const&))

// Losses of a sequence know which positions have a label; any others are plain numbers.
template <class E, class L>
struct loss_kind {
  using type = E;
};
template <class E, class T, class... As>
struct loss_kind<E, TypeList<Next<T>, As...>> {
  using type = Losses<E, T>;
};
template <class E, class A, class... As>
struct loss_kind<E, TypeList<A, As...>> : loss_kind<E, TypeList<As...>> {};

template <class V, class X, class Y>
inline constexpr rule::Text cross_entropy_says =
    refused_among<X, Y> ? rule::Text{} : rule::cross_entropy(ax<V>, ten<X>, ten<Y>);
template <class V, class X, class Y>
using cross_entropy_t =
    typename PickedTensor<typename with_whole<typename loss_kind<number_t<X>, typename Y::axes>::type,
                                              typename whole_among<X, Y>::type>::type,
                          joined_axes<X, Tensor<f32>, V>, typename X::axes, TypeList<>>::type;
template <class V, AnyTensor X, AnyTensor Y>
NAX_RIGHT(cross_entropy_says<V, X, Y>)
auto cross_entropy(X const& logits, Y const& labels, Site at = Site::current()) {
  if constexpr (refused_among<X, Y>) {
    return Refused{};
  } else if constexpr (bool(cross_entropy_says<V, X, Y>)) {
    NAX_SAY(false, ShownText{cross_entropy_says<V, X, Y>});
    return Refused{};
  } else {
    return made<cross_entropy_t<V, X, Y>>("cross_entropy", at, {logits.id, labels.id}, {{"over", ax<V>}});
  }
}
NAX_WRONG((class V, AnyTensor X, AnyTensor Y), (cross_entropy_says<V, X, Y>), cross_entropy, (X const&, Y const&))

} // namespace nax
