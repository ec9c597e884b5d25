// No operation sees both, but in the object and in a file an axis is its name.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct C : Axis<"C", 8> {};
namespace old {
struct C : Axis<"C2", 6> {};
}

struct Model {
  auto forward(Tensor<f32, B, C> x, Tensor<f32, B, old::C> y) const { return sum<C>(x) + sum<old::C>(y); }
};
NAX_MODEL(model, Model, (forward, (x, y), (sums)));
