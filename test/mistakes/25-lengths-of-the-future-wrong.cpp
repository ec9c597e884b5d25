// A length that is counted along T tells each position how many follow.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};

auto model(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, H, D> k, Tensor<i32, B, T> real) {
  auto result = mask(scores<D>(q, read<T>(k)), shorter_than<T>(sum<T>(real)));  // error: shorter_than<T>: [B] has seen every position of the causal T, so that each would know how many follow; the lengths are an argument of the entry  [N0025]
  return result;
}
