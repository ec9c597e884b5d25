// Features rotate in pairs.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
struct O : Axis<"O", 7> {};

auto model(Tensor<f32, B, T, H, O> q, Tensor<f32, B, T, H, D> r) {
  auto result = rope<T, D>(r);
  return result;
}
