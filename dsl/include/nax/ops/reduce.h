// SPDX-License-Identifier: Apache-2.0
// Axes that go away: sum<C>(x), mean<B, T>(losses), max<P>(x), first<T>(x), last<T>(x), argmax<V>(logits),
// top_k<V, Five>(logits). Over a ragged or left-padded axis only real positions count; of losses only those with a
// label.
#pragma once
#pragma GCC system_header
#include "nax/result.h"

namespace nax {

// ---------------------------------------------------------------- sum, mean, max
template <FixedString Op, class X, class... As>
inline constexpr rule::Text reduce_says =
    rule::reduce(Op.view(), axes_of<As...>, static_cast<int>(sizeof...(As)), ten<X>);

// Losses stay losses until the axis is summed that says which of them count.
template <class Kind, class... As>
struct when_reduced {
  using type = typename KindOf<Kind>::number;
};
template <class E, class T, class... As>
struct when_reduced<Losses<E, T>, As...> {
  using type = std::conditional_t<(std::is_same_v<T, As> || ...), E, Losses<E, T>>;
};
template <class X, class... As>
using reduce_t = less_t<typename when_reduced<bare_t<X>, As...>::type, X, As...>;

} // namespace nax

#define NAX_OP sum
#include "nax/ops/reduction.h"
#define NAX_OP mean
#include "nax/ops/reduction.h"
#define NAX_OP max
#include "nax/ops/reduction.h"

namespace nax {

// ---------------------------------------------------------------- first<T>, last<T>: of the real positions
template <class T, class X>
inline constexpr rule::Text first_says = rule::first(ax<T>, ten<X>);
template <class T, AnyTensor X>
NAX_RIGHT(first_says<T, X>)
auto first(X const& x, Site at = Site::current()) {
  if constexpr (refused_among<X>) {
    return Refused{};
  } else if constexpr (bool(first_says<T, X>)) {
    NAX_SAY(false, ShownText{first_says<T, X>});
    return Refused{};
  } else {
    // No position reads less than the first: nothing of T was seen that any other may not see.
    return made<join_t<bare_t<X>, X, Tensor<f32>, T>>("first", at, {x.id}, {{"axis", ax<T>}});
  }
}
NAX_WRONG((class T, AnyTensor X), (first_says<T, X>), first, (X const&))

template <class T, class X>
inline constexpr rule::Text last_says = rule::last(ax<T>, ten<X>);
template <class T, AnyTensor X>
NAX_RIGHT(last_says<T, X>)
auto last(X const& x, Site at = Site::current()) {
  if constexpr (refused_among<X>) {
    return Refused{};
  } else if constexpr (bool(last_says<T, X>)) {
    NAX_SAY(false, ShownText{last_says<T, X>});
    return Refused{};
  } else {
    return made<less_t<bare_t<X>, X, T>>("last", at, {x.id}, {{"axis", ax<T>}});
  }
}
NAX_WRONG((class T, AnyTensor X), (last_says<T, X>), last, (X const&))

// ---------------------------------------------------------------- argmax<V>, top_k<V, K>: indices into V
template <class V, class X>
inline constexpr rule::Text argmax_says = refused_among<X> ? rule::Text{} : rule::choose("argmax", ax<V>, ten<X>);
template <class V, AnyTensor X>
NAX_RIGHT(argmax_says<V, X>)
auto argmax(X const& x, Site at = Site::current()) {
  if constexpr (refused_among<X>) {
    return Refused{};
  } else if constexpr (bool(argmax_says<V, X>)) {
    NAX_SAY(false, ShownText{argmax_says<V, X>});
    return Refused{};
  } else {
    return made<less_t<Ids<V>, X, V>>("argmax", at, {x.id}, {{"over", ax<V>}});
  }
}
NAX_WRONG((class V, AnyTensor X), (argmax_says<V, X>), argmax, (X const&))

template <class V, class K, class X>
inline constexpr rule::Text top_k_says = refused_among<X> ? rule::Text{} : rule::top_k(ax<V>, ax<K>, ten<X>);
template <class V, class K, AnyTensor X>
NAX_RIGHT(top_k_says<V, K, X>)
auto top_k(X const& x, Site at = Site::current()) {
  if constexpr (refused_among<X>) {
    return Refused{};
  } else if constexpr (bool(top_k_says<V, K, X>)) {
    NAX_SAY(false, ShownText{top_k_says<V, K, X>});
    return Refused{};
  } else {
    return made<join_t<Ids<V>, X, Tensor<f32, K>, V>>("top_k", at, {x.id}, {{"over", ax<V>}, {"k", ax<K>}});
  }
}
NAX_WRONG((class V, class K, AnyTensor X), (top_k_says<V, K, X>), top_k, (X const&))

} // namespace nax
