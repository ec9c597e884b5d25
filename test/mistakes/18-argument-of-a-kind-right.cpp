// An argument is a Tensor of masks, on axes of its own.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Positions<"T"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};
using S = Read<T>;
using Queries = Tensor<f32, B, T, H, D>;
using Keys = Tensor<f32, B, S, H, D>;

struct Attention {
  auto operator()(Queries q, Keys k, Tensor<Mask<Every, S>, B, S> m) const {
    auto s = mask(scores<D>(q, k), m);
    return dot<S>(softmax<S>(s), k);
  }
};
struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Attention, attention));
  auto forward(Queries q, Keys k, Tensor<boolean, B, S> m) const { return attention(q, k, allowed_where_true(m)); }
};
NAX_MODEL(model, Model, (forward, (q, k, m), (y)));
