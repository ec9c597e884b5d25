// Scores of a causal axis are masked before softmax.
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
auto by_value(Heads<H> q) {
  auto s = scores<D>(q, read<T>(q));
  return softmax<S>(s);  // error: softmax<Read<T>>: scores [B,T,H,Read<T>] are not masked, and T is causal: write softmax<Read<T>>(causal_mask(scores))  [N0022]
}

// In a helper.
auto helper(auto s) {
  return softmax<S>(softcap(s, 30.0));  // error: softmax<Read<T>>: scores [B,T,G,Read<T>] are not masked, and T is causal: write softmax<Read<T>>(causal_mask(scores))  [N0022]
}
auto by_helper(Heads<G> q) { return helper(scores<D>(q, read<T>(q))); }

// In a module of a module.
struct Inner {
  auto operator()(auto q) const {
    auto s = scores<D>(q, read<T>(q));
    return softmax<S>(mask(s, window<T>(3)));  // error: softmax<Read<T>>: scores [B,T,K,Read<T>] are not causally masked, and T is causal: write softmax<Read<T>>(causal_mask(scores))  [N0022]
  }
};
struct Outer {
  Inner inner;
  auto operator()(Heads<K> q) const { return inner(q); }
};

// After alibi.
auto turned(Heads<J> q) {
  auto s = scores<D>(q, read<T>(q));
  return softmax<S>(alibi<J>(s));  // error: softmax<Read<T>>: scores [B,T,J,Read<T>] are not masked, and T is causal: write softmax<Read<T>>(causal_mask(scores))  [N0022]
}
