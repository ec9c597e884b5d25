// The axis of the weight is another declaration of the name.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct D : Axis<"D", 4> {};
struct F : Axis<"F", 6> {};
namespace old {
struct F : Axis<"F", 6> {};
}

struct Model {
  auto forward(Tensor<f32, B, F> x, Tensor<f32, F, D> w) const {
    auto result = dot<F>(x, w);
    return result;
  }
};
NAX_MODEL(model, Model, (forward, (x, w), (result)));
