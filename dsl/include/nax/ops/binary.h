// SPDX-License-Identifier: Apache-2.0
// Included by arith.h once for each NAX_SIGN, whose operation in the IR is NAX_IR. Operands come by value: see Tensor.
#pragma GCC system_header

namespace nax {

template <AnyTensor X, AnyTensor Y>
NAX_RIGHT(arith_says<NAX_STRING(NAX_SIGN), X, Y>)
auto operator NAX_SIGN(X x, Y y) {
  if constexpr (refused_among<X, Y>) {
    return Refused{};
  } else if constexpr (bool(arith_says<NAX_STRING(NAX_SIGN), X, Y>)) {
    NAX_SAY(false, ShownText{arith_says<NAX_STRING(NAX_SIGN), X, Y>});
    return Refused{};
  } else {
    return made<arith_t<X, Y>>(NAX_IR, site_of(x, y), {x.id, y.id});
  }
}
NAX_WRONG((AnyTensor X, AnyTensor Y), (arith_says<NAX_STRING(NAX_SIGN), X, Y>), operator NAX_SIGN, (X, Y))

} // namespace nax
#undef NAX_SIGN
#undef NAX_IR
