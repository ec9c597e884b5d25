// No operation sees both, but in the object and in a file an axis is its name.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct C : Axis<"C", 8> {};
namespace old {
struct C : Axis<"C", 6> {};
}

struct Model {
  auto forward(Tensor<f32, B, C> x, Tensor<f32, B, old::C> y) const { return sum<C>(x) + sum<old::C>(y); }
};
NAX_MODEL(model, Model, (forward, (x, y), (sums)));  // naxc error: two declarations of the axis name C: C (size 8) and old::C (size 6); use one, or give them two names  [N0002]
