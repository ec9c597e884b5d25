// Values are those of the positions being read.
// RUN: %python %S/check.py ways %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct P : Positions<"P"> {};
struct D : Axis<"D", 8> {};
struct H : Axis<"H", 4> {};
struct G : Axis<"G", 3> {};
struct K : Axis<"K", 2> {};
struct J : Axis<"J", 5> {};
using S = Read<T>;
using R = Read<P>;
template <class N>
using Heads = Tensor<f32, B, T, N, D>;

// A value held in auto.
auto by_value(Heads<H> q) {
  auto w = softmax<S>(causal_mask(scores<D>(q, read<T>(q))));
  return dot<S>(w, q);  // error: dot<Read<T>>: the values [B,T,H,D] stand on T, the querying positions; mix what is read: dot<Read<T>>(w, read<T>(v))  [N0024]
}

// In a helper.
auto helper(auto w, auto v) {
  return dot<S>(w, v);  // error: dot<Read<T>>: the values [B,T,G,D] stand on T, the querying positions; mix what is read: dot<Read<T>>(w, read<T>(v))  [N0024]
}
auto by_helper(Heads<G> q) { return helper(softmax<S>(causal_mask(scores<D>(q, read<T>(q)))), q); }

// In a module of a module.
struct Inner {
  auto operator()(auto q, auto k) const {
    auto w = softmax<R>(scores<D>(q, read<P>(k)));
    return dot<R>(w, read<T>(q));  // error: dot<Read<P>>: the values [B,Read<T>,K,D] stand on Read<T>, but weights [B,T,K,Read<P>] read P: mix what is read there: dot<Read<P>>(w, read<P>(v))  [N0024]
  }
};
struct Outer {
  Inner inner;
  auto operator()(Heads<K> q, Tensor<f32, B, P, K, D> k) const { return inner(q, k); }
};

// The values first.
auto turned(Heads<J> q) {
  auto w = softmax<S>(causal_mask(scores<D>(q, read<T>(q))));
  return dot<S>(q, w);  // error: dot<Read<T>>: the values [B,T,J,D] stand on T, the querying positions; mix what is read: dot<Read<T>>(w, read<T>(v))  [N0024]
}
