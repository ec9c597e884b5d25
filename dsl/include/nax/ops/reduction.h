// SPDX-License-Identifier: Apache-2.0
// Included by reduce.h once for each reduction NAX_OP. (A macro would put its expansion into every message.)
#pragma GCC system_header

namespace nax {

template <class... As, AnyTensor X>
NAX_RIGHT(reduce_says<NAX_STRING(NAX_OP), X, As...>)
auto NAX_OP(X const& x, Site at = Site::current()) {
  if constexpr (refused_among<X>) {
    return Refused{};
  } else if constexpr (bool(reduce_says<NAX_STRING(NAX_OP), X, As...>)) {
    NAX_SAY(false, ShownText{reduce_says<NAX_STRING(NAX_OP), X, As...>});
    return Refused{};
  } else {
    return made<reduce_t<X, As...>>(NAX_STRING(NAX_OP), at, {x.id}, {{"over", axis_list<As...>}});
  }
}
NAX_WRONG((class... As, AnyTensor X), (reduce_says<NAX_STRING(NAX_OP), X, As...>), NAX_OP, (X const&))

} // namespace nax
#undef NAX_OP
