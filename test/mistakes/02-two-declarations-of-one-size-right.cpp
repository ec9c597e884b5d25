// Equal sizes do not make two declarations one axis.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct F : Axis<"F", 6> {};
namespace old {
struct F : Axis<"F", 6> {};
}

struct Model {
  auto forward(Tensor<f32, B, F> x, Tensor<f32, F> g) const {
    auto result = x + g;
    return result;
  }
};
NAX_MODEL(model, Model, (forward, (x, g), (result)));
