// The axis of the weight is another declaration of the name.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct D : Axis<"D", 8> {};
struct F : Axis<"F", 64> {};
namespace old {
struct F : Axis<"F", 64> {};
}

auto model(Tensor<f32, B, F> x, Param<f32, old::F, D> w, Param<f32, F, D> u) {
  auto result = dot<F>(x, u);
  return result;
}
