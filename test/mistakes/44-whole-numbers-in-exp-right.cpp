// Whole numbers have no exponential among them.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct C : Axis<"C", 8> {};

auto model(Tensor<i32, B, C> x) {
  auto result = exp(to<f32>(x));
  return result;
}
