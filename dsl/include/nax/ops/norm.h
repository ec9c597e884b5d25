// SPDX-License-Identifier: Apache-2.0
// Normalisation over feature axes. The eps is never defaulted: model families disagree on it.
//   rms_norm<C>(x, gain, Eps{1e-5})                   x / rms(x) * gain
//   rms_norm_unit_offset<C>(x, gain, Eps{1e-6})       x / rms(x) * (1 + gain)
//   layer_norm<C>(x, gain, shift, Eps{1e-5})          and without the shift
#pragma once
#pragma GCC system_header
#include "nax/result.h"

namespace nax {

struct Eps {
  double value = __builtin_nan(""); // Eps{} says none
};

constexpr rule::Text norm_text(std::string_view op, rule::Ax const* as, int n, rule::Ten x,
                               std::initializer_list<rule::TensorInfo const*> params) {
  if (rule::Text t = rule::norm(op, as, n, x)) return t;
  for (rule::TensorInfo const* p : params)
    if (rule::Text t = rule::norm_over(op, as, n, x, *p)) return t;
  return {};
}
template <class X, class G, class... Cs>
inline constexpr rule::Text rms_norm_says =
    norm_text("rms_norm", axes_of<Cs...>, static_cast<int>(sizeof...(Cs)), ten<X>, {&ten<G>});
template <class X, class G, class... Cs>
inline constexpr rule::Text rms_norm_unit_offset_says =
    norm_text("rms_norm_unit_offset", axes_of<Cs...>, static_cast<int>(sizeof...(Cs)), ten<X>, {&ten<G>});
template <class X, class G, class H, class... Cs>
inline constexpr rule::Text layer_norm_says =
    norm_text("layer_norm", axes_of<Cs...>, static_cast<int>(sizeof...(Cs)), ten<X>, {&ten<G>, &ten<H>});

template <class... Cs, AnyTensor X, AnyTensor G>
NAX_RIGHT(rms_norm_says<X, G, Cs...>)
auto rms_norm(X const& x, G const& gain, Eps eps, Site at = Site::current()) {
  if constexpr (refused_among<X, G>) {
    return Refused{};
  } else if constexpr (bool(rms_norm_says<X, G, Cs...>)) {
    NAX_SAY(false, ShownText{rms_norm_says<X, G, Cs...>});
    return Refused{};
  } else {
    return made<like_t<bare_t<X>, X, G>>("rms_norm", at, {x.id, gain.id},
                                         {{"over", axis_list<Cs...>}, {"eps", eps.value}});
  }
}
NAX_WRONG((class... Cs, AnyTensor X, AnyTensor G), (rms_norm_says<X, G, Cs...>), rms_norm, (X const&, G const&, Eps))

template <class... Cs, AnyTensor X, AnyTensor G>
NAX_RIGHT(rms_norm_unit_offset_says<X, G, Cs...>)
auto rms_norm_unit_offset(X const& x, G const& gain, Eps eps, Site at = Site::current()) {
  if constexpr (refused_among<X, G>) {
    return Refused{};
  } else if constexpr (bool(rms_norm_unit_offset_says<X, G, Cs...>)) {
    NAX_SAY(false, ShownText{rms_norm_unit_offset_says<X, G, Cs...>});
    return Refused{};
  } else {
    return made<like_t<bare_t<X>, X, G>>("rms_norm", at, {x.id, gain.id},
                                         {{"over", axis_list<Cs...>}, {"eps", eps.value}, {"one_plus"}});
  }
}
NAX_WRONG((class... Cs, AnyTensor X, AnyTensor G), (rms_norm_unit_offset_says<X, G, Cs...>), rms_norm_unit_offset,
          (X const&, G const&, Eps))

template <class... Cs, AnyTensor X, AnyTensor G, AnyTensor H>
NAX_RIGHT(layer_norm_says<X, G, H, Cs...>)
auto layer_norm(X const& x, G const& gain, H const& shift, Eps eps, Site at = Site::current()) {
  if constexpr (refused_among<X, G, H>) {
    return Refused{};
  } else if constexpr (bool(layer_norm_says<X, G, H, Cs...>)) {
    NAX_SAY(false, ShownText{layer_norm_says<X, G, H, Cs...>});
    return Refused{};
  } else {
    return made<like_t<bare_t<X>, X, G, H>>("layer_norm", at, {x.id, gain.id, shift.id},
                                            {{"over", axis_list<Cs...>}, {"eps", eps.value}});
  }
}
NAX_WRONG((class... Cs, AnyTensor X, AnyTensor G, AnyTensor H), (layer_norm_says<X, G, H, Cs...>), layer_norm,
          (X const&, G const&, H const&, Eps))

template <class... Cs, AnyTensor X, AnyTensor G>
NAX_RIGHT(layer_norm_says<X, G, G, Cs...>)
auto layer_norm(X const& x, G const& gain, Eps eps, Site at = Site::current()) {
  if constexpr (refused_among<X, G>) {
    return Refused{};
  } else if constexpr (bool(layer_norm_says<X, G, G, Cs...>)) {
    NAX_SAY(false, ShownText{layer_norm_says<X, G, G, Cs...>});
    return Refused{};
  } else {
    return made<like_t<bare_t<X>, X, G>>("layer_norm", at, {x.id, gain.id},
                                         {{"over", axis_list<Cs...>}, {"eps", eps.value}});
  }
}
NAX_WRONG((class... Cs, AnyTensor X, AnyTensor G), (layer_norm_says<X, G, G, Cs...>), layer_norm,
          (X const&, G const&, Eps))

} // namespace nax
