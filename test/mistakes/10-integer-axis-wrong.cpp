// An integer is no axis.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};
using S = Read<T>;

struct Model {
  auto forward(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, H, D> k) const {
    auto s = scores<D>(q, read<T>(k));
    auto weights = softmax<-1>(causal_mask(s));  // error: softmax: an integer or a character is not an axis, which is a struct: softmax<S>(x), where struct C : Axis<"C", 64> {}, struct T : Causal<"T"> {}, using S = Read<T>  [N0010]
    return weights.values();
  }
};
NAX_MODEL(model, Model, (forward, (q, k), (weights)));
