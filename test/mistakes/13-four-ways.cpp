// Weights sum to 1 already.
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
  auto w = softmax<S>(causal_mask(scores<D>(q, read<T>(q))));
  return softmax<S>(w);  // error: softmax<Read<T>>: weights [B,T,H,Read<T>] are weights already (they sum to 1 over Read<T>); drop the second softmax  [N0013]
}

// In a helper.
auto helper(auto w) {
  return softmax<S>(w);  // error: softmax<Read<T>>: weights [B,T,G,Read<T>] are weights already (they sum to 1 over Read<T>); drop the second softmax  [N0013]
}
auto by_helper(Heads<G> q) { return helper(softmax<S>(causal_mask(scores<D>(q, read<T>(q))))); }

// In a module of a module.
struct Inner {
  auto operator()(auto q) const {
    auto w = softmax<S>(causal_mask(scores<D>(q, read<T>(q))));
    return softmax<S>(w);  // error: softmax<Read<T>>: weights [B,T,K,Read<T>] are weights already (they sum to 1 over Read<T>); drop the second softmax  [N0013]
  }
};
struct Outer {
  Inner inner;
  auto operator()(Heads<K> q) const { return inner(q); }
};

// Over another axis, weights are no more.
auto turned(Heads<J> q) {
  auto w = softmax<J>(sum<D>(q));
  return softmax<D>(w);  // error: softmax<D>: weights [B,T,J] are weights already (they sum to 1 over J); drop the second softmax  [N0013]
}
