// SPDX-License-Identifier: Apache-2.0
// From queries and keys to weights:
//   softmax<S>(causal_mask(scores<D>(q, read<T>(k))))                    S is Read<T>
//   softmax<S>(mask(bias(softcap(scores<D>(q, k), 50.0), b), m))         this order: cap, bias, masks
#pragma once
#pragma GCC system_header
#include "nax/result.h"

namespace nax {

// ---------------------------------------------------------------- read<T>(x): T becomes Read<T>
template <class T, class X>
inline constexpr rule::Text read_says = rule::read(ax<T>, ten<X>);

template <class T, AnyTensor X>
NAX_RIGHT(read_says<T, X>)
auto read(X const& x, Site at = Site::current()) {
  if constexpr (refused_among<X>) {
    return Refused{};
  } else if constexpr (bool(read_says<T, X>)) {
    NAX_SAY(false, ShownText{read_says<T, X>});
    return Refused{};
  } else {
    using Kind = typename when_read<bare_t<X>, T>::type;
    return made<pick_axes_t<Kind, replaced_axes<X, T, 1>, X, Read<T>>>("read", at, {x.id}, {{"axis", ax<T>}});
  }
}
NAX_WRONG((class T, AnyTensor X), (read_says<T, X>), read, (X const&))

// ---------------------------------------------------------------- scores<D>(q, k): q . k / sqrt(D)
struct Scale {
  double by; // instead of 1/sqrt(D)
};

template <class D, class Q, class K>
inline constexpr rule::Text scores_says = refused_among<Q, K> ? rule::Text{} : rule::scores(ax<D>, ten<Q>, ten<K>);

// Which axis asks and which is read.
template <class Q, class K>
using asking_t =
    typename nth_type<std::size_t(index_of(ten<Q>, rule::query_axis(ten<Q>, ten<K>))), typename Q::axes>::type;
template <class Q, class K>
using asked_t =
    typename nth_type<std::size_t(index_of(ten<K>, rule::read_axis(ten<Q>, ten<K>))), typename K::axes>::type;

template <class D, AnyTensor Q, AnyTensor K>
NAX_RIGHT(scores_says<D, Q, K>)
auto scores(Q const& q, K const& k, Scale scale = {trace::root_scale(ax<D>)}, Site at = Site::current()) {
  if constexpr (refused_among<Q, K>) {
    return Refused{};
  } else if constexpr (bool(scores_says<D, Q, K>)) {
    NAX_SAY(false, ShownText{scores_says<D, Q, K>});
    return Refused{};
  } else {
    using Kind = Scores<number_t<Q>, asking_t<Q, K>, asked_t<Q, K>>;
    return made<join_t<Kind, Q, K, D>>("scores", at, {q.id, k.id}, {{"over", ax<D>}, {"scale", scale.by}});
  }
}
NAX_WRONG((class D, AnyTensor Q, AnyTensor K), (scores_says<D, Q, K>), scores, (Q const&, K const&, Scale = {}))

// ---------------------------------------------------------------- softcap, bias, alibi, causal_mask, mask
template <class S, unsigned State, class... Others>
using state_t = like_t<typename with_state<bare_t<S>, State>::type, S, Others...>;

template <class S>
inline constexpr rule::Text softcap_says = rule::softcap(ten<S>);

template <AnyTensor S>
NAX_RIGHT(softcap_says<S>)
auto softcap(S const& s, double cap, Site at = Site::current()) {
  if constexpr (refused_among<S>) {
    return Refused{};
  } else if constexpr (bool(softcap_says<S>)) {
    NAX_SAY(false, ShownText{softcap_says<S>});
    return Refused{};
  } else {
    return made<state_t<S, rule::capped>>("softcap", at, {s.id}, {{"cap", cap}});
  }
}
NAX_WRONG((AnyTensor S), (softcap_says<S>), softcap, (S const&, double))

template <class S, class B>
inline constexpr rule::Text bias_says = rule::bias(ten<S>, ten<B>);

template <AnyTensor S, AnyTensor B>
NAX_RIGHT(bias_says<S, B>)
auto bias(S const& s, B const& b, Site at = Site::current()) {
  if constexpr (refused_among<S, B>) {
    return Refused{};
  } else if constexpr (bool(bias_says<S, B>)) {
    NAX_SAY(false, ShownText{bias_says<S, B>});
    return Refused{};
  } else {
    return made<state_t<S, rule::biased, B>>("bias", at, {s.id, b.id});
  }
}
NAX_WRONG((AnyTensor S, AnyTensor B), (bias_says<S, B>), bias, (S const&, B const&))

// alibi<H>(s), alibi<K, G>(s): minus the distance times the slope of each head; heads count row-major over their axes.
template <class S, class... Hs>
inline constexpr rule::Text alibi_says =
    refused_among<S> ? rule::Text{} : rule::alibi(axes_of<Hs...>, static_cast<int>(sizeof...(Hs)), ten<S>);

template <class... Hs, AnyTensor S>
NAX_RIGHT(alibi_says<S, Hs...>)
auto alibi(S const& s, Site at = Site::current()) {
  if constexpr (refused_among<S>) {
    return Refused{};
  } else if constexpr (bool(alibi_says<S, Hs...>)) {
    NAX_SAY(false, ShownText{alibi_says<S, Hs...>});
    return Refused{};
  } else {
    return made<state_t<S, rule::biased>>("alibi", at, {s.id}, {{"heads", axis_list<Hs...>}});
  }
}
NAX_WRONG((class... Hs, AnyTensor S), (alibi_says<S, Hs...>), alibi, (S const&))

template <class S>
inline constexpr rule::Text causal_mask_says = refused_among<S> ? rule::Text{} : rule::causal_mask(ten<S>);

template <AnyTensor S>
NAX_RIGHT(causal_mask_says<S>)
auto causal_mask(S const& s, Site at = Site::current()) {
  if constexpr (refused_among<S>) {
    return Refused{};
  } else if constexpr (bool(causal_mask_says<S>)) {
    NAX_SAY(false, ShownText{causal_mask_says<S>});
    return Refused{};
  } else {
    return made<state_t<S, rule::masked | rule::causally>>("causal_mask", at, {s.id});
  }
}
NAX_WRONG((AnyTensor S), (causal_mask_says<S>), causal_mask, (S const&))

template <class S, class M>
inline constexpr rule::Text mask_says = refused_among<S, M> ? rule::Text{} : rule::mask(ten<S>, ten<M>);

template <AnyTensor S, AnyTensor M>
NAX_RIGHT(mask_says<S, M>)
auto mask(S const& s, M const& m, Site at = Site::current()) {
  if constexpr (refused_among<S, M>) {
    return Refused{};
  } else if constexpr (bool(mask_says<S, M>)) {
    NAX_SAY(false, ShownText{mask_says<S, M>});
    return Refused{};
  } else {
    return made<state_t<S, rule::masked, M>>("mask", at, {s.id, m.id});
  }
}
NAX_WRONG((AnyTensor S, AnyTensor M), (mask_says<S, M>), mask, (S const&, M const&))

// ---------------------------------------------------------------- softmax<A>(x): weights over A
template <class A, class X>
inline constexpr rule::Text softmax_says = rule::softmax(ax<A>, ten<X>);

template <class A, AnyTensor X>
NAX_RIGHT(softmax_says<A, X>)
auto softmax(X const& x, Site at = Site::current()) {
  if constexpr (refused_among<X>) {
    return Refused{};
  } else if constexpr (bool(softmax_says<A, X>)) {
    NAX_SAY(false, ShownText{softmax_says<A, X>});
    return Refused{};
  } else {
    return made<like_t<Weights<number_t<X>, A>, X>>("softmax", at, {x.id}, {{"along", ax<A>}});
  }
}
NAX_WRONG((class A, AnyTensor X), (softmax_says<A, X>), softmax, (X const&))

} // namespace nax
