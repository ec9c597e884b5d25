// SPDX-License-Identifier: Apache-2.0
// The type of a result: which axes of the operands it keeps, and what it has seen of a causal sequence.
#pragma once
#pragma GCC system_header
#include "nax/tensor.h"
#include <utility>

namespace nax {

// ---------------------------------------------------------------- axes: indices are computed, then types are picked

// Indices into the axes of a first operand followed by those of a second. (Recursion over lists of types costs several
// times as much.)
struct ChosenAxes {
  int index[32]{};
  int n = 0;
  constexpr void add(int i) { index[n++] = i; }
};

#if __has_builtin(__type_pack_element)
template <std::size_t I, class... Ts>
using pick_t = __type_pack_element<I, Ts...>;
#else
template <std::size_t I, class T>
struct TypeSlot {
  using type = T;
};
template <class Is, class... Ts>
struct TypeSlots;
template <std::size_t... I, class... Ts>
struct TypeSlots<std::index_sequence<I...>, Ts...> : TypeSlot<I, Ts>... {};
template <std::size_t I, class T>
TypeSlot<I, T> slot(TypeSlot<I, T> const*);
template <std::size_t I, class... Ts>
using pick_t =
    typename decltype(slot<I>(static_cast<TypeSlots<std::index_sequence_for<Ts...>, Ts...>*>(nullptr)))::type;
#endif

template <class E, ChosenAxes const& S, class L, class M, class Is = std::make_index_sequence<std::size_t(S.n)>>
struct PickedTensor;
template <class E, ChosenAxes const& S, class... As, class... Bs, std::size_t... I>
struct PickedTensor<E, S, TypeList<As...>, TypeList<Bs...>, std::index_sequence<I...>> {
  using type = Tensor<E, pick_t<std::size_t(S.index[I]), As..., Bs...>...>;
};

template <std::size_t I, class L>
struct nth_type;
template <std::size_t I, class... As>
struct nth_type<I, TypeList<As...>> {
  using type = pick_t<I, As...>;
};

constexpr int index_of(rule::Ten x, rule::Ax a) {
  for (int i = 0; i < x.n; ++i)
    if (x.ax[i] == a) return i;
  return 0;
}
// x's axes, then y's new ones, less those dropped.
constexpr ChosenAxes join(rule::Ten x, rule::Ten y, rule::Ax const* drop, int n) {
  auto dropped = [&](rule::Ax a) {
    for (int i = 0; i < n; ++i)
      if (drop[i] == a) return true;
    return false;
  };
  ChosenAxes c;
  for (int i = 0; i < x.n; ++i)
    if (!dropped(x.ax[i])) c.add(i);
  for (int i = 0; i < y.n; ++i)
    if (!dropped(y.ax[i]) && !rule::has(x, y.ax[i])) c.add(x.n + i);
  return c;
}
// x's axes with `count` new ones in the place of `old`.
constexpr ChosenAxes replace(rule::Ten x, rule::Ax old, int count) {
  ChosenAxes c;
  for (int i = 0; i < x.n; ++i) {
    if (x.ax[i] != old) c.add(i);
    for (int j = 0; x.ax[i] == old && j < count; ++j) c.add(x.n + j);
  }
  return c;
}
// x's axes with one new axis in the place of the first part of it.
constexpr ChosenAxes gather(rule::Ten x, rule::Ax whole) {
  ChosenAxes c;
  bool placed = false;
  for (int i = 0; i < x.n; ++i) {
    if (!rule::is_part(whole, x.ax[i]))
      c.add(i);
    else if (!placed)
      c.add(x.n), placed = true;
  }
  return c;
}
// x's axes that the table lacks, then the table's v.
constexpr ChosenAxes look_back(rule::Ten x, rule::Ten table, rule::Ax v) {
  ChosenAxes c;
  for (int i = 0; i < x.n; ++i)
    if (!rule::has(table, x.ax[i])) c.add(i);
  c.add(x.n + index_of(table, v));
  return c;
}

template <class X, class Y, class... Drop>
inline constexpr ChosenAxes joined_axes = join(ten<X>, ten<Y>, axes_of<Drop...>, static_cast<int>(sizeof...(Drop)));
template <class X, class Old, int Count>
inline constexpr ChosenAxes replaced_axes = replace(ten<X>, ax<Old>, Count);
template <class X, class C>
inline constexpr ChosenAxes gathered_axes = gather(ten<X>, ax<C>);
template <class X, class W, class V>
inline constexpr ChosenAxes looked_back_axes = look_back(ten<X>, ten<W>, ax<V>);

// ---------------------------------------------------------------- the taint, in one place

template <class E, class W>
struct with_whole {
  using type = Whole<E, W>;
};
template <class E>
struct with_whole<E, void> {
  using type = E;
};
// Of the first that has one.
template <class... Xs>
struct whole_among {
  using type = void;
};
template <class X, class... Xs>
struct whole_among<X, Xs...> {
  using type = std::conditional_t<std::is_void_v<whole_t<X>>, typename whole_among<Xs...>::type, whole_t<X>>;
};
// The causal T among axes that are summed (T, Read<T> or Next<T>), or void.
template <class A>
struct causal_of {
  using type = void;
};
template <class A>
  requires(A::kind == rule::Kind::causal)
struct causal_of<A> {
  using type = A;
};
template <class T>
  requires(T::kind == rule::Kind::causal)
struct causal_of<Read<T>> {
  using type = T;
};
template <class T>
  requires(T::kind == rule::Kind::causal)
struct causal_of<Next<T>> {
  using type = T;
};
template <class... As>
struct seen_along {
  using type = void;
};
template <class A, class... As>
struct seen_along<A, As...> {
  using type = std::conditional_t<std::is_void_v<typename causal_of<A>::type>, typename seen_along<As...>::type,
                                  typename causal_of<A>::type>;
};
// What the operands have seen, else what the operation sees along As.
template <class Operands, class... As>
struct seen_whole;
template <class... Xs, class... As>
struct seen_whole<TypeList<Xs...>, As...> {
  using before = typename whole_among<Xs...>::type;
  using type = std::conditional_t<std::is_void_v<before>, typename seen_along<As...>::type, before>;
};

// ---------------------------------------------------------------- results

template <class E, class Axes>
struct tensor_of;
template <class E, class... As>
struct tensor_of<E, TypeList<As...>> {
  using type = Tensor<E, As...>;
};
// The kind E on the axes of X; on other axes, picked from X's and Y's or New. Others taint it too.
template <class E, class X, class... Others>
using like_t =
    typename tensor_of<typename with_whole<E, typename whole_among<X, Others...>::type>::type, typename X::axes>::type;
template <class E, class X, class Y, class... Drop>
using join_t = typename PickedTensor<typename with_whole<E, typename whole_among<X, Y>::type>::type,
                                     joined_axes<X, Y, Drop...>, typename X::axes, typename Y::axes>::type;
template <class E, ChosenAxes const& S, class X, class... New>
using pick_axes_t =
    typename PickedTensor<typename with_whole<E, whole_t<X>>::type, S, typename X::axes, TypeList<New...>>::type;
// A sum over As along which a whole sequence may be seen.
template <class E, class X, class... As>
using less_t = typename PickedTensor<typename with_whole<E, typename seen_whole<TypeList<X>, As...>::type>::type,
                                     joined_axes<X, Tensor<f32>, As...>, typename X::axes, TypeList<>>::type;

template <class R>
R made(char const* op, Site at, std::initializer_list<int> operands, std::initializer_list<trace::Attr> attrs = {}) {
  return R{trace::record(op, at, operands, attrs, ten<R>), at};
}
template <class... As>
inline constexpr trace::Axes axis_list{axes_of<As...>, static_cast<int>(sizeof...(As))};

// The user's line of an operator: that of the last operand which was copied in the expression.
template <class X>
Site site_of(X const& x) {
  return x.at;
}
template <class X, class Y, class... Zs>
Site site_of(X const& x, Y const& y, Zs const&... zs) {
  Site rest = site_of(y, zs...);
  bool copied = (y.copied || ... || zs.copied);
  return !copied && x.copied ? x.at : rest;
}

// What Tensor::values() calls.
template <class E, class... As>
auto as_values(Tensor<E, As...> const& x, Site at) {
  if constexpr (ten<Tensor<E, As...>>.is == rule::Is::number)
    return x;
  else
    return made<like_t<typename KindOf<E>::number, Tensor<E, As...>>>("values", at, {x.id});
}

} // namespace nax
