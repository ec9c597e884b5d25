// Equal sizes do not make two declarations one axis.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct F : Axis<"F", 64> {};
namespace old {
struct F : Axis<"F", 64> {};
}

auto model(Tensor<f32, B, F> x, Param<f32, old::F> g, Param<f32, F> h) {
  auto result = x + g;  // error: operator+: F of [B,F] and F of [F] are two declarations of one name; use one, or give them two names  [N0002]
  return result;
}
