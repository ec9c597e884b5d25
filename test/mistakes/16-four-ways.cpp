// Scores have their scale, a plain dot has none.
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
  auto s = scores<D>(q, read<T>(q));
  return s * 0.35;  // error: operator*: scores [B,T,H,Read<T>] are scaled by 1/sqrt(D) already; another scale is scores<D>(q, k, Scale{s})  [N0016]
}

// In a helper.
auto helper(auto q, auto k) {
  return dot<D>(q, read<T>(k));  // error: dot<D>: a match of [B,T,G,D] with what is read, [B,Read<T>,G,D], lacks its scale; write scores<D>(q, k), or scores<D>(q, k, Scale{1}) if none is meant  [N0016]
}
auto by_helper(Heads<G> q) { return helper(q, q); }

// In a module of a module.
struct Inner {
  auto operator()(auto q) const {
    auto s = scores<D>(q, read<T>(q));
    return s / 8.0;  // error: operator/: scores [B,T,K,Read<T>] are scaled by 1/sqrt(D) already; another scale is scores<D>(q, k, Scale{s})  [N0016]
  }
};
struct Outer {
  Inner inner;
  auto operator()(Heads<K> q) const { return inner(q); }
};

// The key first.
auto turned(Heads<J> q) {
  auto k = read<T>(q);
  return dot<D>(k, q);  // error: dot<D>: a match of [B,T,J,D] with what is read, [B,Read<T>,J,D], lacks its scale; write scores<D>(q, k), or scores<D>(q, k, Scale{1}) if none is meant  [N0016]
}
