// SPDX-License-Identifier: Apache-2.0
// Functions of one element, and what else leaves the axes alone:
//   neg silu gelu gelu_tanh relu exp tanh sigmoid sqrt      gelu is by erf, gelu_tanh the approximation
//   to<bf16>(x)                                             the same numbers in another type
//   dropout(training, 0.1, x)                               only an entry that takes a Training can
#pragma once
#pragma GCC system_header
#include "nax/result.h"

namespace nax {

template <FixedString Op, class X>
inline constexpr rule::Text map_says = rule::map(Op.view(), ten<X>);

} // namespace nax

#define NAX_OP neg
#include "nax/ops/unary.h"
#define NAX_OP silu
#include "nax/ops/unary.h"
#define NAX_OP gelu
#include "nax/ops/unary.h"
#define NAX_OP gelu_tanh
#include "nax/ops/unary.h"
#define NAX_OP relu
#include "nax/ops/unary.h"
#define NAX_OP exp
#include "nax/ops/unary.h"
#define NAX_OP tanh
#include "nax/ops/unary.h"
#define NAX_OP sigmoid
#include "nax/ops/unary.h"
#define NAX_OP sqrt
#include "nax/ops/unary.h"

namespace nax {

// ---------------------------------------------------------------- to<E>(x)
template <class E, class X>
inline constexpr rule::Text to_says = rule::cast(ten<X>, KindOf<E>::value);
template <class E, AnyTensor X>
NAX_RIGHT(to_says<E, X>)
auto to(X const& x, Site at = Site::current()) {
  if constexpr (refused_among<X>) {
    return Refused{};
  } else if constexpr (bool(to_says<E, X>)) {
    NAX_SAY(false, ShownText{to_says<E, X>});
    return Refused{};
  } else if constexpr (std::is_same_v<E, number_t<X>>) {
    return tensor_t<X>(x, at);
  } else {
    return made<like_t<typename with_number<bare_t<X>, E>::type, X>>("cast", at, {x.id});
  }
}
NAX_WRONG((class E, AnyTensor X), (to_says<E, X>), to, (X const&))

// ---------------------------------------------------------------- dropout(training, p, x)
// Comes only as an argument of an entry, which has an argument `seed` for it.
struct Training {
  int seed = -1;
};

template <class X>
inline constexpr rule::Text dropout_says = rule::dropout(ten<X>);
template <AnyTensor X>
NAX_RIGHT(dropout_says<X>)
auto dropout(Training training, double p, X const& x, Site at = Site::current()) {
  if constexpr (refused_among<X>) {
    return Refused{};
  } else if constexpr (bool(dropout_says<X>)) {
    NAX_SAY(false, ShownText{dropout_says<X>});
    return Refused{};
  } else {
    return made<like_t<bare_t<X>, X>>("dropout", at, {x.id, training.seed}, {{"p", p}});
  }
}
NAX_WRONG((AnyTensor X), (dropout_says<X>), dropout, (Training, double, X const&))

} // namespace nax
