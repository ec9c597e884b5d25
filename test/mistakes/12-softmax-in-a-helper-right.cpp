// What a helper does to scores is checked where it is called with them.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};
using S = Read<T>;

auto attend(auto s, auto v) {
  auto w = softmax<S>(s);
  return dot<S>(w, read<T>(v));
}

struct Model {
  auto forward(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, H, D> k, Tensor<f32, B, T, H, D> v) const {
    return attend(causal_mask(scores<D>(q, read<T>(k))), v);
  }
};
NAX_MODEL(model, Model, (forward, (q, k, v), (y)));
