// What the numbers are is said in nax's words, so that a file and C agree on it.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct C : Axis<"C", 8> {};

struct Model {
  auto forward(Tensor<float, B, C> x) const {  // error: Tensor: float does not say what the numbers are; write f32, f16, bf16, f64, i32, i64, boolean, or a kind such as Ids<V>  [N0010]
    auto result = x * 2.0;
    return result;
  }
};
NAX_MODEL(model, Model, (forward, (x), (result)));
