// A bias belongs before softmax.
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
auto by_value(Heads<H> q, Tensor<f32, T, S> b) {
  auto w = softmax<S>(causal_mask(scores<D>(q, read<T>(q))));
  return w + b;  // error: operator+: [T,Read<T>] is added to weights [B,T,H,Read<T>], which would no longer sum to 1; a bias belongs before softmax: bias(scores, b)  [N0021]
}

// In a helper.
auto helper(auto w, auto b) {
  return bias(w, b);  // error: bias: weights [B,T,G,Read<T>] are weights already; bias works on scores: put it before softmax<Read<T>>  [N0021]
}
auto by_helper(Heads<G> q, Tensor<f32, T, S> b) { return helper(softmax<S>(causal_mask(scores<D>(q, read<T>(q)))), b); }

// In a module of a module.
struct Inner {
  auto operator()(auto q) const {
    auto w = softmax<S>(causal_mask(scores<D>(q, read<T>(q))));
    return w - 0.1;  // error: operator-: weights [B,T,K,Read<T>] would no longer sum to 1; a bias belongs before softmax: bias(scores, b); plain numbers are .values()  [N0021]
  }
};
struct Outer {
  Inner inner;
  auto operator()(Heads<K> q) const { return inner(q); }
};

// The bias first.
auto turned(Heads<J> q, Tensor<f32, T, S> b) {
  auto w = softmax<S>(causal_mask(scores<D>(q, read<T>(q))));
  return b + w;  // error: operator+: [T,Read<T>] is added to weights [B,T,J,Read<T>], which would no longer sum to 1; a bias belongs before softmax: bias(scores, b)  [N0021]
}
