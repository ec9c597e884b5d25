// SPDX-License-Identifier: Apache-2.0
// Tensor<E, Axes...> and Param<E, Axes...>. A tensor is the number of a value in the trace; all else is in its type.
#pragma once
#pragma GCC system_header
#include "nax/check.h"
#include "nax/element.h"
#include "nax/trace.h"

namespace nax {

template <class E, class... As>
struct Tensor;

template <class X>
concept AnyTensor = requires { typename std::remove_cvref_t<X>::nax_tensor; };

// What the rules know of a tensor, or of whatever stands where one is meant.
template <class X>
constexpr rule::TensorInfo describe_tensor() {
  if constexpr (AnyTensor<X>) {
    rule::TensorInfo info = KindOf<typename X::elem>::value;
    info.ax = X::nax_axes;
    info.n = X::rank;
    info.param = X::is_param;
    info.refused = !X::well_formed;
    return info;
  } else {
    return {.number = type_name<X>(), .is = rule::Is::none};
  }
}
template <class X>
inline constexpr rule::TensorInfo ten = describe_tensor<X>();

// What a refused operation returns. It converts to every tensor, and every operation on it is silent.
struct Refused {
  using nax_tensor = Refused;
  using elem = f32;
  using axes = TypeList<>;
  static constexpr int rank = 0;
  static constexpr rule::Ax const* nax_axes = axes_of<>;
  static constexpr bool is_param = false;
  static constexpr bool well_formed = false;
  int id = -1;
  bool copied = false;
  Site at{};
  template <class E, class... As>
  operator Tensor<E, As...>() const {
    return {};
  }
  explicit operator bool() const { return false; }
  Refused values() const { return {}; }
};
// What was refused, be it the declaration of the tensor.
template <class X>
inline constexpr bool was_refused = false;
template <AnyTensor X>
inline constexpr bool was_refused<X> = !X::well_formed;
template <class... Xs>
inline constexpr bool refused_among = (was_refused<Xs> || ...);

template <class E, class... As>
inline constexpr rule::Text distinct_says = rule::distinct([] {
  rule::TensorInfo info = KindOf<E>::value;
  info.ax = axes_of<As...>;
  info.n = static_cast<int>(sizeof...(As));
  return info;
}());
template <class Got, class Want>
inline constexpr rule::Text passed_says = rule::passed(ten<Got>, ten<Want>);
template <class X>
inline constexpr rule::Text values_says = rule::as_values(ten<X>);

template <class E, class... As>
struct [[nodiscard]] Tensor {
  using nax_tensor = Tensor;
  using elem = E;
  using axes = TypeList<As...>;
  static constexpr int rank = static_cast<int>(sizeof...(As));
  static constexpr rule::Ax const* nax_axes = axes_of<As...>;
  static constexpr bool is_param = false;

  static constexpr bool well_formed = !bool(distinct_says<E, As...>) && (well_formed_axis<As> && ...);
#if defined(__clang__)
  static_assert(!bool(distinct_says<E, As...>), ShownText{distinct_says<E, As...>});
#else
  static_assert(sizeof(typename well_formed_type<distinct_says<E, As...>>::type));
#endif

  int id = -1;
  // An operator takes no default argument. It takes its operands by value instead: the copy of a named operand is made
  // in the user's expression, and carries its line.
  bool copied = false;
  Site at{};

  Tensor() = default;
  Tensor(int id, Site at) : id(id), at(at) {}
  Tensor(Tensor const& o, Site at = Site::current()) : id(o.id), copied(true), at(at) {}
  Tensor& operator=(Tensor const&) = default;

  // The same axes in another order are the same tensor.
  template <class F, class... Bs>
  NAX_RIGHT(passed_says<Tensor<F, Bs...>, Tensor>)
  Tensor(Tensor<F, Bs...> const& o, CheckedSite<passed_says<Tensor<F, Bs...>, Tensor>> at = Site::current())
      : id(o.id), copied(true), at(at.at) {}
#if !defined(__clang__)
  template <class F, class... Bs, auto Says = shrink<passed_says<Tensor<F, Bs...>, Tensor>>()>
    requires(bool(passed_says<Tensor<F, Bs...>, Tensor>))
  Tensor(Tensor<F, Bs...> const& o) = delete;
#endif

  // Weights, logits and losses as plain numbers.
  auto values(Site at = Site::current()) const NAX_RIGHT(values_says<Tensor>)
  {
    if constexpr (bool(values_says<Tensor>)) {
      NAX_SAY(false, ShownText{values_says<Tensor>});
      return Refused{};
    } else {
      return as_values(*this, at);
    }
  }
#if !defined(__clang__)
  template <auto Says = shrink<values_says<Tensor>>()>
    requires(bool(values_says<Tensor>))
  void values() const = delete;
#endif
};

template <class E, class... As>
struct Param : Tensor<E, As...> {
  static constexpr bool is_param = true;
  using Tensor<E, As...>::Tensor;
  Param() = default;
  Param(Param const& o, Site at = Site::current()) : Tensor<E, As...>(o, at) {}
  Param& operator=(Param const&) = default;
};

template <class X>
using tensor_t = typename X::nax_tensor;
template <class X>
using number_t = typename KindOf<typename X::elem>::number;
template <class X>
using bare_t = typename KindOf<typename X::elem>::bare;
template <class X>
using whole_t = typename KindOf<typename X::elem>::whole;

} // namespace nax
