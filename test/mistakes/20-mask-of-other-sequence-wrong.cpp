// The mask is about P, the scores read T.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct P : Positions<"P"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};
using S = Read<T>;

struct Model {
  auto forward(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, H, D> k, Tensor<f32, B, T, H, D> v, Tensor<f32, B, P> seen) const {
    auto s = causal_mask(scores<D>(q, read<T>(k)));
    auto w = softmax<S>(mask(s, prefix<P>(3)));  // error: mask: mask [Read<P>] is about Read<P>, but scores [B,T,H,Read<T>] reads Read<T>  [N0020]
    return std::tuple(dot<S>(w, read<T>(v)), seen + 1);
  }
};
NAX_MODEL(model, Model, (forward, (q, k, v, seen), (y, z)));
