// Nor is there a distance.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct P : Positions<"P"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};

struct Model {
  auto forward(Tensor<f32, B, T, H, D> q, Tensor<f32, B, P, H, D> k, Tensor<f32, H, T, Read<P>> distances) const {
    auto s = scores<D>(q, read<P>(k));
    auto b = alibi<H>(s);  // error: alibi: scores [B,T,H,Read<P>] reads P from T: two sequences have no distance between them  [N0030]
    return softmax<Read<P>>(b).values();
  }
};
NAX_MODEL(model, Model, (forward, (q, k, distances), (weights)));
