// SPDX-License-Identifier: Apache-2.0
// Included by activation.h once for each function NAX_OP of one element.
#pragma GCC system_header

namespace nax {

template <AnyTensor X>
NAX_RIGHT(map_says<NAX_STRING(NAX_OP), X>)
auto NAX_OP(X const& x, Site at = Site::current()) {
  if constexpr (refused_among<X>) {
    return Refused{};
  } else if constexpr (bool(map_says<NAX_STRING(NAX_OP), X>)) {
    NAX_SAY(false, ShownText{map_says<NAX_STRING(NAX_OP), X>});
    return Refused{};
  } else {
    return made<like_t<bare_t<X>, X>>(NAX_STRING(NAX_OP), at, {x.id});
  }
}
NAX_WRONG((AnyTensor X), (map_says<NAX_STRING(NAX_OP), X>), NAX_OP, (X const&))

} // namespace nax
#undef NAX_OP
