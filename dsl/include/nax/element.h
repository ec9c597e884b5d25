// SPDX-License-Identifier: Apache-2.0
// What the numbers of a tensor are: the first argument of Tensor<E, Axes...>.
#pragma once
#pragma GCC system_header
#include "nax/axis.h"

namespace nax {

// Numbers.
struct f16 {};
struct bf16 {};
struct f32 {};
struct f64 {};
struct i32 {};
struct i64 {};
struct boolean {};
// No tensor is of these; the rules know them by name.
struct i8 {};
struct i16 {};

// Kinds. E is one of the numbers.
template <class V, class E = i32>
struct Ids {}; // indices into V
template <class E, class T, class D, Rope R>
struct Rotated {}; // queries or keys after rope<T, D, R>
template <class E, class Q, class K, class... States>
struct Scores {}; // Q asks, K is read; States are, in this order:
struct Capped {};
struct Biased {};
struct Masked {};
struct Causally {}; // masked so that position t reads s <= t
template <class E, class K>
struct Weights {}; // sum to 1 over K
template <class E, class V>
struct Logits {}; // unnormalised, over V
template <class E, class T>
struct Losses {}; // one for each position of T that has a label
template <class Q, class K>
struct Mask { // true where Q (or Every) may read K
  Mask() = default;
  template <class X>
  Mask(X const&) {} // misapplied.h refuses what is done with it
};
struct Every {};

// Any of the above that has seen every position of the causal T. It is always outermost, and made<> in result.h is the
// one place that carries it on.
template <class E, class T>
struct Whole {};

// ---------------------------------------------------------------- descriptions

// KindOf<E>: number, the plain numbers in it; bare, E without Whole; whole, the T of Whole or void; value, for the rules.
template <class Number, class Bare>
struct KindOfBase {
  using number = Number;
  using bare = Bare;
  using whole = void;
};

template <class E>
struct KindOf : KindOfBase<E, E> {
  static constexpr rule::TensorInfo value{.number = type_name<E>(), .is = rule::Is::none};
};
#define NAX_NUMBER(E, KIND)                                                                                            \
  template <>                                                                                                          \
  struct KindOf<E> : KindOfBase<E, E> {                                                                                \
    static constexpr rule::TensorInfo value{.number = #E, .is = rule::Is::KIND};                                       \
  };
NAX_NUMBER(f16, number)
NAX_NUMBER(bf16, number)
NAX_NUMBER(f32, number)
NAX_NUMBER(f64, number)
NAX_NUMBER(i32, number)
NAX_NUMBER(i64, number)
NAX_NUMBER(boolean, boolean)
NAX_NUMBER(i8, none)
NAX_NUMBER(i16, none)
#undef NAX_NUMBER

template <class E>
inline constexpr std::string_view number_name = KindOf<E>::value.number;

template <class V, class E>
struct KindOf<Ids<V, E>> : KindOfBase<E, Ids<V, E>> {
  static constexpr rule::TensorInfo value{.number = number_name<E>, .is = rule::Is::ids, .a = ax<V>};
};
template <class E, class T, class D, Rope R>
struct KindOf<Rotated<E, T, D, R>> : KindOfBase<E, Rotated<E, T, D, R>> {
  static constexpr rule::TensorInfo value{
      .number = number_name<E>, .is = rule::Is::rotated, .a = ax<T>, .b = ax<D>, .rope = R};
};
template <class E, class K>
struct KindOf<Weights<E, K>> : KindOfBase<E, Weights<E, K>> {
  static constexpr rule::TensorInfo value{.number = number_name<E>, .is = rule::Is::weights, .a = ax<K>};
};
template <class E, class V>
struct KindOf<Logits<E, V>> : KindOfBase<E, Logits<E, V>> {
  static constexpr rule::TensorInfo value{.number = number_name<E>, .is = rule::Is::logits, .a = ax<V>};
};
template <class E, class T>
struct KindOf<Losses<E, T>> : KindOfBase<E, Losses<E, T>> {
  static constexpr rule::TensorInfo value{.number = number_name<E>, .is = rule::Is::losses, .a = ax<T>};
};
template <class Q>
inline constexpr rule::Ax query_of = ax<Q>;
template <>
inline constexpr rule::Ax query_of<Every> = nullptr;
template <class Q, class K>
struct KindOf<Mask<Q, K>> : KindOfBase<boolean, Mask<Q, K>> {
  static constexpr rule::TensorInfo value{.number = "boolean", .is = rule::Is::mask, .a = query_of<Q>, .b = ax<K>};
};

template <class State>
inline constexpr unsigned state_bits = 0;
template <>
inline constexpr unsigned state_bits<Capped> = rule::capped;
template <>
inline constexpr unsigned state_bits<Biased> = rule::biased;
template <>
inline constexpr unsigned state_bits<Masked> = rule::masked;
template <>
inline constexpr unsigned state_bits<Causally> = rule::masked | rule::causally;

template <class E, class Q, class K, class... States>
struct KindOf<Scores<E, Q, K, States...>> : KindOfBase<E, Scores<E, Q, K, States...>> {
  static constexpr rule::TensorInfo value{.number = number_name<E>,
                                          .is = rule::Is::scores,
                                          .a = ax<Q>,
                                          .b = ax<K>,
                                          .state = (0u | ... | state_bits<States>)};
};

template <class E, class T>
struct KindOf<Whole<E, T>> : KindOf<E> {
  using whole = T;
  static constexpr rule::TensorInfo value = [] {
    rule::TensorInfo info = KindOf<E>::value;
    info.whole = ax<T>;
    return info;
  }();
};

// ---------------------------------------------------------------- kinds made from kinds

// The tags of a set of states, in their order: Scores<f32, T, Read<T>, Capped, Causally>.
template <class Scores, bool Wanted, class State>
struct with_tag {
  using type = Scores;
};
template <class E, class Q, class K, class... Ss, class State>
struct with_tag<Scores<E, Q, K, Ss...>, true, State> {
  using type = Scores<E, Q, K, Ss..., State>;
};
constexpr bool has_state(unsigned bits, unsigned state) { return (bits & state) == state; }
template <class E, class Q, class K, unsigned Bits>
struct scores_with {
  static constexpr bool causally = has_state(Bits, rule::causally);
  static constexpr bool only_masked = has_state(Bits, rule::masked) && !causally;
  using capped = typename with_tag<Scores<E, Q, K>, has_state(Bits, rule::capped), Capped>::type;
  using biased = typename with_tag<capped, has_state(Bits, rule::biased), Biased>::type;
  using masked = typename with_tag<biased, only_masked, Masked>::type;
  using type = typename with_tag<masked, causally, Causally>::type;
};
// The scores S after one more state.
template <class S, unsigned More>
struct with_state {
  using type = S;
};
template <class E, class Q, class K, class... Ss, unsigned More>
struct with_state<Scores<E, Q, K, Ss...>, More> : scores_with<E, Q, K, (More | ... | state_bits<Ss>)> {};

// The kind with another type of number: to<E>(x).
template <class K, class E>
struct with_number {
  using type = E;
};
template <class F, class K, class E>
struct with_number<Weights<F, K>, E> {
  using type = Weights<E, K>;
};
template <class F, class V, class E>
struct with_number<Logits<F, V>, E> {
  using type = Logits<E, V>;
};
template <class F, class T, class D, Rope R, class E>
struct with_number<Rotated<F, T, D, R>, E> {
  using type = Rotated<E, T, D, R>;
};

// The kind once T is read: what was rotated by T is rotated by Read<T>.
template <class K, class T>
struct when_read {
  using type = K;
};
template <class E, class T, class D, Rope R>
struct when_read<Rotated<E, T, D, R>, T> {
  using type = Rotated<E, Read<T>, D, R>;
};

} // namespace nax
