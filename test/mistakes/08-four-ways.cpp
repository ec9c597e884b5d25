// Rule 8 on a held value, in a helper, in a nested module, with queries and keys swapped.
// RUN: %python %S/check.py ways %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct K : Axis<"K", 2> {};
struct G : Axis<"G", 3> {};
struct H : Product<"H", K, G> {};
struct J : Axis<"J", 5> {};
struct D : Axis<"D", 4> {};

auto on_a_value(Tensor<f32, B, T, J, D> q, Tensor<f32, B, T, K, D> k) {
  auto keys = read<T>(k);
  return scores<D>(q, keys);  // error: scores<D>: the key [B,Read<T>,K,D] has K but the query [B,T,J,D] has not, and J (5) is no multiple of K (2)  [N0008]
}

auto helper(auto q, auto k) {
  return scores<D>(q, k);  // error: scores<D>: the key rotated [B,Read<T>,K,D] has K but the query rotated [B,T,H,D] has not: write split<H>(q) first  [N0008]
}
auto in_a_helper(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, K, D> k) { return helper(rope<T, D>(q), read<T>(rope<T, D>(k))); }

struct Inner {
  auto operator()(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, D> k, Tensor<f32, B, T, K, D> v) const {
    auto w = softmax<Read<T>>(causal_mask(scores<D>(q, read<T>(k))));
    return dot<Read<T>>(w, read<T>(v));  // error: dot<Read<T>>: the values [B,Read<T>,K,D] have K, which is inside H = K x G of weights [B,T,H,Read<T>]: write split<H>(q) before scores  [N0008]
  }
};
struct Outer {
  Inner inner;
  auto operator()(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, D> k, Tensor<f32, B, T, K, D> v) const { return inner(q, k, v); }
};

auto swapped(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, K, D> k) {
  return scores<D>(k, read<T>(q));  // error: scores<D>: the key [B,Read<T>,H,D] has H but the query [B,T,K,D] has not: H = K x G would be more heads of keys than of queries  [N0008]
}
