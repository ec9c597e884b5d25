// To which document does each position of P belong?
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Positions<"T", Packed> {};
struct R : Positions<"R", Ragged> {};
struct P : Positions<"P"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};

struct Model {
  auto forward(Tensor<f32, B, P, H, D> x, Tensor<f32, B, T, H, D> y, Tensor<f32, B, R, H, D> z) const {
    auto s = scores<D>(x, read<T>(y));  // error: scores<D>: P reads the packed T and nothing says which document each of its positions is in; declare T as Ragged, one document a row  [N0029]
    return softmax<Read<R>>(s).values();
  }
};
NAX_MODEL(model, Model, (forward, (x, y, z), (weights)));
