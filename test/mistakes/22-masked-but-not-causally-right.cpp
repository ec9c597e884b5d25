// A window looks back and says nothing of what comes.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
using S = Read<T>;

auto model(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, H, D> k) {
  auto result = softmax<S>(causal_mask(mask(scores<D>(q, read<T>(k)), window<T>(128))));
  return result;
}
