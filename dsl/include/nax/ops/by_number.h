// SPDX-License-Identifier: Apache-2.0
// Included by arith.h once for each NAX_SIGN between a tensor x and a number `by`, in either order.
#pragma GCC system_header

namespace nax {

template <AnyTensor X>
NAX_RIGHT(constant_says<NAX_STRING(NAX_SIGN), X>)
auto operator NAX_SIGN(X x, double by) {
  if constexpr (refused_among<X>) {
    return Refused{};
  } else if constexpr (bool(constant_says<NAX_STRING(NAX_SIGN), X>)) {
    NAX_SAY(false, ShownText{constant_says<NAX_STRING(NAX_SIGN), X>});
    return Refused{};
  } else {
    return NAX_TENSOR_AND_NUMBER;
  }
}
NAX_WRONG((AnyTensor X), (constant_says<NAX_STRING(NAX_SIGN), X>), operator NAX_SIGN, (X, double))

template <AnyTensor X>
NAX_RIGHT(constant_says<NAX_STRING(NAX_SIGN), X>)
auto operator NAX_SIGN(double by, X x) {
  if constexpr (refused_among<X>) {
    return Refused{};
  } else if constexpr (bool(constant_says<NAX_STRING(NAX_SIGN), X>)) {
    NAX_SAY(false, ShownText{constant_says<NAX_STRING(NAX_SIGN), X>});
    return Refused{};
  } else {
    return NAX_NUMBER_AND_TENSOR;
  }
}
NAX_WRONG((AnyTensor X), (constant_says<NAX_STRING(NAX_SIGN), X>), operator NAX_SIGN, (double, X))

} // namespace nax
#undef NAX_SIGN
#undef NAX_TENSOR_AND_NUMBER
#undef NAX_NUMBER_AND_TENSOR
