// The packing is one after another, not a product of heads.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct F : Axis<"F", 64> {};
struct E : Axis<"E", 24> {};
struct QKV : Concat<"QKV", F, E> {};

auto model(Tensor<f32, B, T, QKV> x) {
  auto result = part<E>(x);
  return result;
}
