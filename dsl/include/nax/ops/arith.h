// SPDX-License-Identifier: Apache-2.0
// x + y, x - y, x * y, x / y: the axes of one side contain the other's, and the result has the larger side's. An outer
// product is spelled: spread<F>(x) * y. With a number: x * 0.5, x / 8, x + 1, 1 - x.
#pragma once
#pragma GCC system_header
#include "nax/result.h"

namespace nax {

// ---------------------------------------------------------------- two tensors
template <FixedString Sign, class X, class Y>
inline constexpr rule::Text arith_says = rule::arith(Sign.view(), ten<X>, ten<Y>);

template <class X, class Y>
using larger_t = std::conditional_t<(X::rank >= Y::rank), X, Y>;
template <class X, class Y>
using arith_t = like_t<number_t<X>, larger_t<X, Y>, X, Y>;

} // namespace nax

#define NAX_SIGN +
#define NAX_IR "add"
#include "nax/ops/binary.h"
#define NAX_SIGN -
#define NAX_IR "sub"
#include "nax/ops/binary.h"
#define NAX_SIGN *
#define NAX_IR "mul"
#include "nax/ops/binary.h"
#define NAX_SIGN /
#define NAX_IR "div"
#include "nax/ops/binary.h"

// ---------------------------------------------------------------- a tensor and a number
namespace nax {

template <FixedString Sign, class X>
inline constexpr rule::Text constant_says = rule::by_constant(Sign.view(), ten<X>);
template <class X>
using unchanged_t = like_t<bare_t<X>, X>;

} // namespace nax

#define NAX_SIGN *
#define NAX_TENSOR_AND_NUMBER made<unchanged_t<X>>("scale", x.at, {x.id}, {{"by", by}})
#define NAX_NUMBER_AND_TENSOR NAX_TENSOR_AND_NUMBER
#include "nax/ops/by_number.h"
#define NAX_SIGN +
#define NAX_TENSOR_AND_NUMBER made<unchanged_t<X>>("offset", x.at, {x.id}, {{"by", by}})
#define NAX_NUMBER_AND_TENSOR NAX_TENSOR_AND_NUMBER
#include "nax/ops/by_number.h"
#define NAX_SIGN -
#define NAX_TENSOR_AND_NUMBER made<unchanged_t<X>>("offset", x.at, {x.id}, {{"by", -by}})
#define NAX_NUMBER_AND_TENSOR                                                                                          \
  made<unchanged_t<X>>("offset", x.at, {made<unchanged_t<X>>("neg", x.at, {x.id}).id}, {{"by", by}})
#include "nax/ops/by_number.h"

namespace nax {

template <AnyTensor X>
NAX_RIGHT(constant_says<"/", X>)
auto operator/(X x, double by) {
  if constexpr (refused_among<X>) {
    return Refused{};
  } else if constexpr (bool(constant_says<"/", X>)) {
    NAX_SAY(false, ShownText{constant_says<"/", X>});
    return Refused{};
  } else {
    return made<unchanged_t<X>>("scale", x.at, {x.id}, {{"by", 1 / by}});
  }
}
NAX_WRONG((AnyTensor X), (constant_says<"/", X>), operator/, (X, double))

template <AnyTensor X>
NAX_RIGHT(constant_says<"-", X>)
auto operator-(X x) {
  if constexpr (refused_among<X>) {
    return Refused{};
  } else if constexpr (bool(constant_says<"-", X>)) {
    NAX_SAY(false, ShownText{constant_says<"-", X>});
    return Refused{};
  } else {
    return made<unchanged_t<X>>("neg", x.at, {x.id});
  }
}
NAX_WRONG((AnyTensor X), (constant_says<"-", X>), operator-, (X))

} // namespace nax

// ---------------------------------------------------------------- x += y, which there is not
namespace nax {

template <FixedString Sign, class X>
inline constexpr rule::Text in_place_says = rule::in_place(Sign.view(), ten<X>);

} // namespace nax

#define NAX_SIGN +=
#include "nax/ops/in_place.h"
#define NAX_SIGN -=
#include "nax/ops/in_place.h"
#define NAX_SIGN *=
#include "nax/ops/in_place.h"
#define NAX_SIGN /=
#include "nax/ops/in_place.h"
