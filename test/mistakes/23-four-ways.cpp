// Weights are mixed over the axis that they sum to 1 over.
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
  return dot<H>(w, read<T>(q));  // error: dot<H>: weights [B,T,H,Read<T>] sum to 1 over Read<T>, so only Read<T> may be mixed away: write dot<Read<T>>(w, v)  [N0023]
}

// In a helper.
auto helper(auto w, auto gate) {
  return w * gate;  // error: operator*: weights [B,T,G,Read<T>] are weights over Read<T>; mix values with dot<Read<T>>, or take them as plain numbers with .values()  [N0023]
}
auto by_helper(Heads<G> q, Tensor<f32, B, T, G> gate) { return helper(softmax<S>(causal_mask(scores<D>(q, read<T>(q)))), gate); }

// In a module of a module.
struct Inner {
  auto operator()(auto q) const {
    auto w = softmax<S>(causal_mask(scores<D>(q, read<T>(q))));
    return sum<S>(w);  // error: sum: weights [B,T,K,Read<T>] are weights over Read<T>; mix values with dot<Read<T>>, or take them as plain numbers with .values()  [N0023]
  }
};
struct Outer {
  Inner inner;
  auto operator()(Heads<K> q) const { return inner(q); }
};

// The values first.
auto turned(Heads<J> q) {
  auto w = softmax<S>(causal_mask(scores<D>(q, read<T>(q))));
  return dot<J>(read<T>(q), w);  // error: dot<J>: weights [B,T,J,Read<T>] sum to 1 over Read<T>, so only Read<T> may be mixed away: write dot<Read<T>>(w, v)  [N0023]
}
