// What a helper does to scores is checked where it is called with them.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
using S = Read<T>;

auto attend(auto s, auto v) {
  auto w = softmax<S>(s);
  return dot<S>(w, read<T>(v));
}
auto model(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, H, D> k) {
  auto result = attend(causal_mask(scores<D>(q, read<T>(k))), k);
  return result;
}
