// What PyTorch divides by is not what a scale multiplies by.
// RUN: %python %S/check.py wrong %s
#include <cmath>
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};
struct C : Axis<"C", 6> {};
using S = Read<T>;

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, C, H, D>, wq), (Param<f32, C, H, D>, wk));
  auto forward(Tensor<f32, B, T, C> x) const {
    auto q = dot<C>(x, wq);
    auto k = dot<C>(x, wk);
    auto s = scores<D>(q, read<T>(k), Scale{std::sqrt(4.0)});  // naxc error: scores<D>: the scale is sqrt(4), by the size of D, but a scale multiplies: leave the Scale out for 1/sqrt(D)  [N0016]
    return dot<S>(softmax<S>(causal_mask(s)), read<T>(k));
  }
};
NAX_MODEL(model, Model, (forward, (x), (y)));
