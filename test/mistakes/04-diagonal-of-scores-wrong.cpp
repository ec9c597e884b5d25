// The keys are not read: each position would match only itself.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};

struct Model {
  auto forward(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, H, D> k) const {
    auto s = scores<D>(q, k);  // error: scores<D>: the key [B,T,H,D] stands on T, as the query does (only each position with itself would meet); keys are read: write scores<D>(q, read<T>(k))  [N0004]
    auto result = softmax<Read<T>>(causal_mask(s));
    return result.values();
  }
};
NAX_MODEL(model, Model, (forward, (q, k), (result)));
