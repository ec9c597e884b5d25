// So does a table, layers before.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct M : Axis<"M", 32> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, M, H, D>, places));
  auto forward(Tensor<f32, B, T, H, D> x, Tensor<boolean, B, Read<T>> real) const {
    auto z = embed_positions<T>(x, places);
    auto s = scores<D>(z, read<T>(z * 2));
    auto m = mask(s, window<T>(4));
    return dot<Read<T>>(softmax<Read<T>>(causal_mask(m)), read<T>(x));
  }
};
NAX_MODEL(model, Model, (forward, (x, real), (y)));
