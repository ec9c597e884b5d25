// A row joins or parts no axes of the model.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct C : Axis<"C", 8> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 3> {};
struct E : Product<"E", H, D> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, C, E>, up));
  auto forward(Tensor<f32, B, C> x) const { return split<E>(dot<C>(x, up)); }
};
NAX_MODEL(model, Model, (forward, (x), (y)));
NAX_NAMES(checkpoint,
          {"up", "up.weight", "H*D C"});  // naxc error: names table checkpoint: "H*D C" names H, but up [C,E] has E = H x D as one axis: write E  [N0046]
