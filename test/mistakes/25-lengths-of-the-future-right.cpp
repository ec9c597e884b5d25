// A length that is counted along T tells each position how many follow.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};

auto model(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, H, D> k, Tensor<i32, B> real) {
  auto result = mask(scores<D>(q, read<T>(k)), shorter_than<T>(real));
  return result;
}
