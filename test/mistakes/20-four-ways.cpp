// A mask is about what the scores read.
// RUN: %python %S/check.py ways %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct P : Positions<"P"> {};
struct D : Axis<"D", 8> {};
struct H : Axis<"H", 4> {};
struct G : Axis<"G", 3> {};
using R = Read<P>;
template <class N>
using Heads = Tensor<f32, B, T, N, D>;

// A value held in auto.
auto by_value(Heads<H> q) {
  auto s = causal_mask(scores<D>(q, read<T>(q)));
  return mask(s, prefix<P>(3));  // error: mask: mask [Read<P>] is about Read<P>, but scores [B,T,H,Read<T>] reads Read<T>  [N0020]
}

// In a helper.
auto helper(auto s, auto m) {
  return mask(s, allowed_where_true(m));  // error: mask: mask [B,Read<P>] is about Read<P>, but scores [B,T,G,Read<T>] reads Read<T>  [N0020]
}
auto by_helper(Heads<G> q, Tensor<boolean, B, R> m) { return helper(causal_mask(scores<D>(q, read<T>(q))), m); }

// In a module of a module.
struct Inner {
  auto operator()(auto lengths) const {
    return window<T>(3) & shorter_than<P>(lengths);  // error: operator&: mask [T,Read<T>] is about Read<T> and mask [B,Read<P>] about Read<P>  [N0020]
  }
};
struct Outer {
  Inner inner;
  auto operator()(Tensor<i32, B> lengths) const { return inner(lengths); }
};

// The other first.
auto turned(Tensor<i32, B> lengths) {
  return shorter_than<P>(lengths) & window<T>(3);  // error: operator&: mask [B,Read<P>] is about Read<P> and mask [T,Read<T>] about Read<T>  [N0020]
}
