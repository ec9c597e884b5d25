// The values have the six heads that the weights have split: each query would mix all of them.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct D : Axis<"D", 4> {};
struct K : Axis<"K", 2> {};
struct G : Axis<"G", 3> {};
struct H : Product<"H", K, G> {};

struct Model {
  auto forward(Tensor<f32, B, T, K, G, D> q, Tensor<f32, B, T, K, D> k, Tensor<f32, B, T, H, D> v) const {
    auto w = softmax<Read<T>>(causal_mask(scores<D>(q, read<T>(k))));
    auto result = dot<Read<T>>(w, read<T>(v));  // error: dot<Read<T>>: the values [B,Read<T>,H,D] have H, which is split in weights [B,T,K,G,Read<T>]: write split<H>(v)  [N0008]
    return result;
  }
};
NAX_MODEL(model, Model, (forward, (q, k, v), (result)));
