// Softmax goes over what is read.
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
template <class N>
using Heads = Tensor<f32, B, T, N, D>;

// A value held in auto.
auto by_value(Heads<H> q) {
  auto s = causal_mask(scores<D>(q, read<T>(q)));
  return softmax<T>(s);  // error: softmax<T>: T is the querying axis of scores [B,T,H,Read<T>]; each query normalises over the positions it reads: write softmax<Read<T>>  [N0012]
}

// In a helper.
auto helper(auto s) {
  return softmax<G>(s);  // error: softmax<G>: G is not what is being read in scores [B,T,G,Read<T>]; each query normalises over the positions it reads: write softmax<Read<T>>  [N0012]
}
auto by_helper(Heads<G> q) { return helper(causal_mask(scores<D>(q, read<T>(q)))); }

// In a module of a module.
struct Inner {
  auto operator()(auto q) const {
    auto s = causal_mask(scores<D>(q, read<T>(q)));
    return softmax<B>(s);  // error: softmax<B>: B is not what is being read in scores [B,T,K,Read<T>]; each query normalises over the positions it reads: write softmax<Read<T>>  [N0012]
  }
};
struct Outer {
  Inner inner;
  auto operator()(Heads<K> q) const { return inner(q); }
};

// Plain numbers have a batch too.
auto turned(Heads<J> q) {
  auto gates = sum<D>(q);
  return softmax<B>(gates);  // error: softmax<B>: B of [B,T,J] has no fixed size, as rows of a batch have: write softmax<J>; declare B as Positions only if there is a choice among them  [N0012]
}
