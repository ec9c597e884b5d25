// SPDX-License-Identifier: Apache-2.0
// Axes that are split, merged, cut, joined or added. No data moves in a split or a merge of neighbours, and there is no
// reshape: what belongs together is declared.
//   split<H>(x)          H = K x G becomes K, G;  merge<H>(x) makes H again
//   part<A>(x)           the piece A of the Concat that x stands on;  concat<QKV>(a, b, c) joins all pieces
//   spread<F>(x)         the same value at every position of F
#pragma once
#pragma GCC system_header
#include "nax/result.h"

namespace nax {

// ---------------------------------------------------------------- split<C>, merge<C>
template <class C>
struct parts_in {
  using type = TypeList<C>;
};
template <class C>
  requires requires { typename C::parts; }
struct parts_in<C> {
  using type = typename C::parts;
};
template <class E, class X, class C, class Parts>
struct split_of;
template <class E, class X, class C, class... Ps>
struct split_of<E, X, C, TypeList<Ps...>> {
  using type = pick_axes_t<E, replaced_axes<X, C, int(sizeof...(Ps))>, X, Ps...>;
};

template <class C, class X>
inline constexpr rule::Text split_says = refused_among<X> ? rule::Text{} : rule::split(ax<C>, ten<X>);
template <class C, AnyTensor X>
NAX_RIGHT(split_says<C, X>)
auto split(X const& x, Site at = Site::current()) {
  if constexpr (refused_among<X>) {
    return Refused{};
  } else if constexpr (bool(split_says<C, X>)) {
    NAX_SAY(false, ShownText{split_says<C, X>});
    return Refused{};
  } else {
    using Result = typename split_of<bare_t<X>, X, C, typename parts_in<C>::type>::type;
    return made<Result>("split", at, {x.id}, {{"axis", ax<C>}});
  }
}
NAX_WRONG((class C, AnyTensor X), (split_says<C, X>), split, (X const&))

template <class C, class X>
inline constexpr rule::Text merge_says = rule::merge(ax<C>, ten<X>);
template <class C, AnyTensor X>
NAX_RIGHT(merge_says<C, X>)
auto merge(X const& x, Site at = Site::current()) {
  if constexpr (refused_among<X>) {
    return Refused{};
  } else if constexpr (bool(merge_says<C, X>)) {
    NAX_SAY(false, ShownText{merge_says<C, X>});
    return Refused{};
  } else {
    return made<pick_axes_t<bare_t<X>, gathered_axes<X, C>, X, C>>("merge", at, {x.id}, {{"axis", ax<C>}});
  }
}
NAX_WRONG((class C, AnyTensor X), (merge_says<C, X>), merge, (X const&))

// ---------------------------------------------------------------- part<A>, concat<C>
template <class A, class X>
inline constexpr rule::Text part_says = rule::part(ax<A>, ten<X>);
template <class A, class X>
inline constexpr rule::Ax concat_of = rule::concat_with(ten<X>, ax<A>);
template <class A, class X>
inline constexpr ChosenAxes cut_axes = replace(ten<X>, concat_of<A, X>, 1);

template <class A, AnyTensor X>
NAX_RIGHT(part_says<A, X>)
auto part(X const& x, Site at = Site::current()) {
  if constexpr (refused_among<X>) {
    return Refused{};
  } else if constexpr (bool(part_says<A, X>)) {
    NAX_SAY(false, ShownText{part_says<A, X>});
    return Refused{};
  } else {
    using Result = pick_axes_t<bare_t<X>, cut_axes<A, X>, X, A>;
    return made<Result>("part", at, {x.id}, {{"concat", concat_of<A, X>}, {"part", ax<A>}});
  }
}
NAX_WRONG((class A, AnyTensor X), (part_says<A, X>), part, (X const&))

// The pieces come by value, so that the copy of a named one carries the user's line.
template <class... Xs>
inline constexpr rule::TensorInfo const* infos_of[] = {&ten<Xs>...};
template <class C, class... Xs>
inline constexpr rule::Text concat_says = rule::concat(ax<C>, infos_of<Xs...>, static_cast<int>(sizeof...(Xs)));
template <class C, class X>
inline constexpr ChosenAxes glued_axes = replace(ten<X>, ax<C>->parts[0], 1);
template <class C, class X, class... Xs>
using concat_t = typename PickedTensor<typename with_whole<bare_t<X>, typename whole_among<X, Xs...>::type>::type,
                                       glued_axes<C, X>, typename X::axes, TypeList<C>>::type;

template <class C, AnyTensor X, AnyTensor... Xs>
NAX_RIGHT(concat_says<C, X, Xs...>)
auto concat(X x, Xs... xs) {
  if constexpr (refused_among<X, Xs...>) {
    return Refused{};
  } else if constexpr (bool(concat_says<C, X, Xs...>)) {
    NAX_SAY(false, ShownText{concat_says<C, X, Xs...>});
    return Refused{};
  } else {
    return made<concat_t<C, X, Xs...>>("concat", site_of(x, xs...), {x.id, xs.id...}, {{"axis", ax<C>}});
  }
}
NAX_WRONG((class C, AnyTensor X, AnyTensor... Xs), (concat_says<C, X, Xs...>), concat, (X, Xs...))

// ---------------------------------------------------------------- spread<A>
template <class A, AnyTensor X>
inline constexpr rule::Text spread_says = rule::spread(ax<A>, ten<X>);
template <class A, AnyTensor X>
NAX_RIGHT(spread_says<A, X>)
auto spread(X const& x, Site at = Site::current()) {
  if constexpr (refused_among<X>) {
    return Refused{};
  } else if constexpr (bool(spread_says<A, X>)) {
    NAX_SAY(false, ShownText{spread_says<A, X>});
    return Refused{};
  } else {
    return made<join_t<bare_t<X>, X, Tensor<f32, A>>>("spread", at, {x.id}, {{"axis", ax<A>}});
  }
}
NAX_WRONG((class A, AnyTensor X), (spread_says<A, X>), spread, (X const&))

} // namespace nax
