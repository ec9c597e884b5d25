// The gate is of key heads, which are inside the heads of x.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct K : Axis<"K", 2> {};
struct G : Axis<"G", 3> {};
struct H : Product<"H", K, G> {};
struct D : Axis<"D", 4> {};

struct Model {
  auto forward(Tensor<f32, B, T, H, D> x, Tensor<f32, B, T, K> gate) const {
    auto result = x * gate;  // error: operator*: [B,T,H,D] has H and [B,T,K] has K, which is inside H = K x G: write split<H>(x)  [N0005]
    return result;
  }
};
NAX_MODEL(model, Model, (forward, (x, gate), (result)));
