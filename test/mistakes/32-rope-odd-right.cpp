// Features rotate in pairs.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
struct O : Axis<"O", 7> {};

struct Model {
  auto forward(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, H, O> r) const {
    auto rotated = rope<T, D>(q);
    auto s = scores<D>(rotated, read<T>(rope<T, D>(q)));
    return std::tuple(softmax<Read<T>>(causal_mask(s)).values(), r + r);
  }
};
NAX_MODEL(model, Model, (forward, (q, r), (weights, twice)));
