// A cap, a bias and a scale come before the mask.
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
  auto s = causal_mask(scores<D>(q, read<T>(q)));
  return softcap(s, 30.0);  // error: softcap: scores [B,T,H,Read<T>] are masked already, and capping would let blocked positions back in; cap before the mask  [N0015]
}

// In a helper.
auto helper(auto s, auto b) {
  return bias(s, b);  // error: bias: scores [B,T,G,Read<T>] are masked already; add the bias before the mask  [N0015]
}
auto by_helper(Heads<G> q, Tensor<f32, T, S> b) { return helper(causal_mask(scores<D>(q, read<T>(q))), b); }

// In a module of a module.
struct Inner {
  auto operator()(auto q) const {
    auto s = causal_mask(scores<D>(q, read<T>(q)));
    return s * 0.5;  // error: operator*: scores [B,T,K,Read<T>] are masked already, and a scale comes before the mask: scores<D>(q, k, Scale{s})  [N0015]
  }
};
struct Outer {
  Inner inner;
  auto operator()(Heads<K> q) const { return inner(q); }
};

// The number first.
auto turned(Heads<J> q) {
  auto s = causal_mask(scores<D>(q, read<T>(q)));
  return 0.5 * s;  // error: operator*: scores [B,T,J,Read<T>] are masked already, and a scale comes before the mask: scores<D>(q, k, Scale{s})  [N0015]
}
