// Padding hides what is read.
// RUN: %python %S/check.py ways %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct P : Positions<"P"> {};
struct U : Positions<"U"> {};
struct D : Axis<"D", 8> {};
struct G : Axis<"G", 3> {};
template <class N>
using Heads = Tensor<f32, B, T, N, D>;

// A value held in auto.
auto by_value(Tensor<boolean, B, T> m) {
  auto real = m;
  return allowed_where_true(real);  // error: allowed_where_true: bool [B,T] stands on T; a mask is about what is read: Read<T>  [N0019]
}

// In a helper.
auto helper(auto s, auto lengths) {
  return mask(s, shorter_than<T>(lengths));  // error: mask: mask [B,Read<T>] is about the querying T; padding hides what is read: build it on Read<P>  [N0019]
}
auto by_helper(Heads<G> q, Tensor<f32, B, P, G, D> k, Tensor<i32, B> lengths) { return helper(scores<D>(q, read<P>(k)), lengths); }

// In a module of a module.
struct Inner {
  auto operator()(auto m) const {
    return blocked_where_true(m);  // error: blocked_where_true: bool [B,P] stands on P; a mask is about what is read: Read<P>  [N0019]
  }
};
struct Outer {
  Inner inner;
  auto operator()(Tensor<boolean, B, P> m) const { return inner(m); }
};

// Two masks, both about who asks.
auto turned(Tensor<f32, B, U, D> q, Tensor<f32, B, P, D> k, Tensor<i32, B> lengths) {
  auto s = scores<D>(q, read<P>(k));
  return mask(s, shorter_than<U>(lengths) & prefix<U>(3));  // error: mask: mask [B,Read<U>] is about the querying U; padding hides what is read: build it on Read<P>  [N0019]
}
