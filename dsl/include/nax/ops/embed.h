// SPDX-License-Identifier: Apache-2.0
// Tables:
//   embed<V>(ids, table)               ids' axes, then the table's other than V
//   embed_positions<T>(x, table)       x + table[position]; the table's one axis that x lacks counts positions
//   unembed<V>(x, table)               logits over V: contracts every other axis of the table
#pragma once
#pragma GCC system_header
#include "nax/result.h"

namespace nax {

template <class V, class X, class W>
inline constexpr rule::Text embed_says = rule::embed(ax<V>, ten<X>, ten<W>);
template <class V, AnyTensor X, AnyTensor W>
NAX_RIGHT(embed_says<V, X, W>)
auto embed(X const& ids, W const& table, Site at = Site::current()) {
  if constexpr (refused_among<X, W>) {
    return Refused{};
  } else if constexpr (bool(embed_says<V, X, W>)) {
    NAX_SAY(false, ShownText{embed_says<V, X, W>});
    return Refused{};
  } else {
    return made<join_t<number_t<W>, X, W, V>>("embed", at, {ids.id, table.id}, {{"from", ax<V>}});
  }
}
NAX_WRONG((class V, AnyTensor X, AnyTensor W), (embed_says<V, X, W>), embed, (X const&, W const&))

template <class T, class X, class W>
inline constexpr rule::Text embed_positions_says = rule::embed_positions(ax<T>, ten<X>, ten<W>);
template <class T, AnyTensor X, AnyTensor W>
NAX_RIGHT(embed_positions_says<T, X, W>)
auto embed_positions(X const& x, W const& table, Site at = Site::current()) {
  if constexpr (refused_among<X, W>) {
    return Refused{};
  } else if constexpr (bool(embed_positions_says<T, X, W>)) {
    NAX_SAY(false, ShownText{embed_positions_says<T, X, W>});
    return Refused{};
  } else {
    return made<like_t<bare_t<X>, X, W>>("embed_positions", at, {x.id, table.id}, {{"axis", ax<T>}});
  }
}
NAX_WRONG((class T, AnyTensor X, AnyTensor W), (embed_positions_says<T, X, W>), embed_positions, (X const&, W const&))

template <class V, class X, class W>
inline constexpr rule::Text unembed_says = rule::unembed(ax<V>, ten<X>, ten<W>);
template <class V, class X, class W>
using unembed_t =
    typename PickedTensor<typename with_whole<Logits<number_t<X>, V>, typename whole_among<X, W>::type>::type,
                          looked_back_axes<X, W, V>, typename X::axes, typename W::axes>::type;
template <class V, AnyTensor X, AnyTensor W>
NAX_RIGHT(unembed_says<V, X, W>)
auto unembed(X const& x, W const& table, Site at = Site::current()) {
  if constexpr (refused_among<X, W>) {
    return Refused{};
  } else if constexpr (bool(unembed_says<V, X, W>)) {
    NAX_SAY(false, ShownText{unembed_says<V, X, W>});
    return Refused{};
  } else {
    return made<unembed_t<V, X, W>>("unembed", at, {x.id, table.id}, {{"to", ax<V>}});
  }
}
NAX_WRONG((class V, AnyTensor X, AnyTensor W), (unembed_says<V, X, W>), unembed, (X const&, W const&))

} // namespace nax
