// So has a norm over it.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
struct C : Product<"C", H, D> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, C>, gain));
  auto forward(Tensor<f32, B, T, C> x) const {
    auto y = layer_norm<C>(x, gain, Eps{1e-5});
    return y;
  }
};
NAX_MODEL(model, Model, (forward, (x), (y)));
