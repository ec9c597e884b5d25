// Between two sequences there is no before and after.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct P : Positions<"P"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};

struct Model {
  auto forward(Tensor<f32, B, T, H, D> q, Tensor<f32, B, P, H, D> k, Tensor<i32, B> lengths) const {
    auto s = scores<D>(q, read<P>(k));
    auto m = causal_mask(s);  // error: causal_mask: scores [B,T,H,Read<P>] reads P from T: two sequences have no order between them; for padding write mask(scores, shorter_than<P>(lengths))  [N0030]
    return softmax<Read<P>>(m).values();
  }
};
NAX_MODEL(model, Model, (forward, (q, k, lengths), (weights)));
