// Numbers are added, a mask is applied.
// RUN: %python %S/check.py ways %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct D : Axis<"D", 8> {};
struct H : Axis<"H", 4> {};
struct G : Axis<"G", 3> {};
struct K : Axis<"K", 2> {};
struct J : Axis<"J", 5> {};
using S = Read<T>;
template <class N>
using Heads = Tensor<f32, B, T, N, D>;

// A value held in auto.
auto by_value(Heads<H> q, Tensor<boolean, B, S> m) {
  auto s = scores<D>(q, read<T>(q));
  return bias(s, m);  // error: bias: bool [B,Read<T>] is a mask, not numbers to add; write mask(scores, allowed_where_true(m))  [N0018]
}

// In a helper.
auto helper(auto s, auto b) {
  return mask(s, b);  // error: mask: [B,Read<T>] of f32 are numbers, not a mask; added numbers are bias(scores, b), a mask is a Mask<Q,K>  [N0018]
}
auto by_helper(Heads<G> q, Tensor<f32, B, S> b) { return helper(scores<D>(q, read<T>(q)), b); }

// In a module of a module.
struct Inner {
  auto operator()(auto q) const {
    auto s = scores<D>(q, read<T>(q));
    return s + window<T>(3);  // error: operator+: a mask is not added to scores [B,T,K,Read<T>]; write mask(scores, m)  [N0018]
  }
};
struct Outer {
  Inner inner;
  auto operator()(Heads<K> q) const { return inner(q); }
};

// The boolean first.
auto turned(Heads<J> q, Tensor<boolean, B, S> m) {
  auto s = scores<D>(q, read<T>(q));
  return m + s;  // error: operator+: a mask is not added to scores [B,T,J,Read<T>]; write mask(scores, m)  [N0018]
}
