// A row says all axes of its parameter.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct C : Axis<"C", 8> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 3> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, C, H, D>, up), (Param<f32, H, D, C>, down));
  auto forward(Tensor<f32, B, C> x) const { return dot<H, D>(dot<C>(x, up), down); }
};
NAX_MODEL(model, Model, (forward, (x), (y)));
NAX_NAMES(checkpoint,
          {"up", "up.weight", "H C"},  // naxc error: names table checkpoint: "H C" leaves out D of up [C,H,D]  [N0046]
          {"down", "down.weight", "C H*D"});
