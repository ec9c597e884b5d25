// A mask comes before softmax.
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
  return mask(w, window<T>(3));  // error: mask: weights [B,T,H,Read<T>] are weights already; mask works on scores: put it before softmax<Read<T>>  [N0014]
}

// In a helper.
auto helper(auto w) {
  return causal_mask(w);  // error: causal_mask: weights [B,T,G,Read<T>] are weights already; causal_mask works on scores: put it before softmax<Read<T>>  [N0014]
}
auto by_helper(Heads<G> q) { return helper(softmax<S>(causal_mask(scores<D>(q, read<T>(q))))); }

// In a module of a module.
struct Inner {
  auto operator()(auto q, auto m) const {
    auto w = softmax<S>(causal_mask(scores<D>(q, read<T>(q))));
    return w * allowed_where_true(m);  // error: operator*: weights [B,T,K,Read<T>] are weights already; a mask goes before softmax: softmax<Read<T>>(mask(scores, m))  [N0014]
  }
};
struct Outer {
  Inner inner;
  auto operator()(Heads<K> q, Tensor<boolean, B, S> m) const { return inner(q, m); }
};

// The boolean first.
auto turned(Heads<J> q, Tensor<boolean, B, S> m) {
  auto w = softmax<S>(causal_mask(scores<D>(q, read<T>(q))));
  return m * w;  // error: operator*: weights [B,T,J,Read<T>] are weights already; a mask goes before softmax: softmax<Read<T>>(mask(scores, m))  [N0014]
}
