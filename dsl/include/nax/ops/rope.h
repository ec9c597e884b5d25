// SPDX-License-Identifier: Apache-2.0
// rope<T, D, rotary>(q): pairs of components of D rotate by an angle that grows with the position along T. The Rope is
// part of the type, so that queries and keys must have been rotated alike.
//   inline constexpr Rope rotary{.base = 500000, .pairing = Rope::halves};
#pragma once
#pragma GCC system_header
#include "nax/result.h"

namespace nax {

template <class T, class D, class X, Rope R>
inline constexpr rule::Text rope_says = rule::rope(ax<T>, ax<D>, ten<X>, R);
template <Rope R>
inline constexpr Rope rope_of = R;

template <class T, class D, Rope R = Rope{}, AnyTensor X>
NAX_RIGHT(rope_says<T, D, X, R>)
auto rope(X const& x, Site at = Site::current()) {
  if constexpr (refused_among<X>) {
    return Refused{};
  } else if constexpr (bool(rope_says<T, D, X, R>)) {
    NAX_SAY(false, ShownText{rope_says<T, D, X, R>});
    return Refused{};
  } else {
    using Result = like_t<Rotated<number_t<X>, T, D, R>, X>;
    return made<Result>("rope", at, {x.id}, {{"positions", ax<T>}, {"features", ax<D>}, {"rope", &rope_of<R>}});
  }
}
NAX_WRONG((class T, class D, Rope R = Rope{}, AnyTensor X), (rope_says<T, D, X, R>), rope, (X const&))

} // namespace nax
