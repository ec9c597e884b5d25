// SPDX-License-Identifier: Apache-2.0
// Included by other_names.h once for each name NAX_OP of another library, whose meaning NAX_INSTEAD says.
#pragma GCC system_header

namespace nax {

#if defined(__clang__)
template <class... As, class... Xs>
  requires(AnyTensor<Xs> || ...)
auto NAX_OP(Xs const&...) {
  if constexpr (!refused_among<Xs...>)
    static_assert(false, ShownText{other_name_says<47, NAX_STRING(NAX_OP), NAX_INSTEAD, Xs...>});
  return Refused{};
}
#else
template <class... As, class... Xs, auto Says = shrink<other_name_says<47, NAX_STRING(NAX_OP), NAX_INSTEAD>>()>
  requires(AnyTensor<Xs> || ...)
void NAX_OP(Xs const&...) = delete;
#endif

} // namespace nax
#undef NAX_OP
