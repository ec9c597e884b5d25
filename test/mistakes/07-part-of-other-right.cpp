// U is no part of the packed axis.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct U : Axis<"U", 2000> {};
struct F : Axis<"F", 64> {};
struct E : Axis<"E", 24> {};
struct QKV : Concat<"QKV", F, E> {};

auto model(Tensor<f32, B, T, QKV> x) {
  auto result = part<F>(x);
  return result;
}
