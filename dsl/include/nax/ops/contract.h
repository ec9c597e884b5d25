// SPDX-License-Identifier: Apache-2.0
// dot<C>(x, w), dot<H, D>(x, w): the sum of products over the named axes. Axes that both have and that are not named
// are matched one by one; the result has x's other axes, then y's new ones.
//   dot<S>(weights, read<T>(v))    mixes values: the weights' own axis goes away
#pragma once
#pragma GCC system_header
#include "nax/result.h"

namespace nax {

template <class X, class Y, class... As>
inline constexpr rule::Text dot_says = rule::dot(axes_of<As...>, static_cast<int>(sizeof...(As)), ten<X>, ten<Y>);

// A contraction of plain numbers along a causal sequence has seen all of it; weights were masked.
template <class X, class Y, class... As>
inline constexpr bool mixes_values = ten<X>.is == rule::Is::weights || ten<Y>.is == rule::Is::weights;
template <bool Mixes, class X, class Y, class... As>
struct dot_whole : whole_among<X, Y> {};
template <class X, class Y, class... As>
struct dot_whole<false, X, Y, As...> : seen_whole<TypeList<X, Y>, As...> {};
template <class X, class Y, class... As>
using dot_t = typename PickedTensor<
    typename with_whole<number_t<X>, typename dot_whole<mixes_values<X, Y>, X, Y, As...>::type>::type,
    joined_axes<X, Y, As...>, typename X::axes, typename Y::axes>::type;

template <class... As, AnyTensor X, AnyTensor Y>
NAX_RIGHT(dot_says<X, Y, As...>)
auto dot(X const& x, Y const& y, Site at = Site::current()) {
  if constexpr (refused_among<X, Y>) {
    return Refused{};
  } else if constexpr (bool(dot_says<X, Y, As...>)) {
    NAX_SAY(false, ShownText{dot_says<X, Y, As...>});
    return Refused{};
  } else {
    return made<dot_t<X, Y, As...>>("dot", at, {x.id, y.id}, {{"over", axis_list<As...>}});
  }
}
NAX_WRONG((class... As, AnyTensor X, AnyTensor Y), (dot_says<X, Y, As...>), dot, (X const&, Y const&))

} // namespace nax
