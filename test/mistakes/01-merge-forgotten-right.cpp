// The heads are still split; the projection wants them merged.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct K : Axis<"K", 2> {};
struct G : Axis<"G", 3> {};
struct H : Product<"H", K, G> {};
struct D : Axis<"D", 4> {};
struct C : Axis<"C", 8> {};

struct Model {
  auto forward(Tensor<f32, B, T, K, G, D> mixed, Tensor<f32, H, D, C> wo) const {
    auto result = dot<H, D>(merge<H>(mixed), wo);
    return result;
  }
};
NAX_MODEL(model, Model, (forward, (mixed, wo), (result)));
