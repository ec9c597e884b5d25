// Each document of a row would read what another one was written for.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T", Packed> {};
struct P : Positions<"P"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};

struct Model {
  auto forward(Tensor<f32, B, T, H, D> x, Tensor<f32, B, P, H, D> y, Tensor<boolean, B, T, Read<P>> whose) const {
    auto s = scores<D>(x, read<P>(y));
    auto w = softmax<Read<P>>(s);  // naxc error: softmax<Read<P>>: each document of the packed T reads all that its row has of P; say which is whose: mask(scores, allowed_where_true(m)), m on T and Read<P>  [N0029]
    return w.values();
  }
};
NAX_MODEL(model, Model, (forward, (x, y, whose), (weights)));
