// Attention along the rows of a picture, then along its columns; and along the time of a film, then inside each frame.
// REQUIRES: lowering, cpu-v3
// RUN: naxc check %s --decode=film --size T=4 --size Y=5 --size X=7
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct Y : Positions<"Y"> {};
struct X : Positions<"X"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};
struct C : Axis<"C", 8> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, C, H, D>, wq), (Param<f32, C, H, D>, wk), (Param<f32, C, H, D>, wv),
                           (Param<f32, H, D, C>, wo));
  template <class A>
  auto along(auto x, auto hide) const {
    auto q = rope<A, D>(dot<C>(x, wq)), k = rope<A, D>(dot<C>(x, wk));
    auto w = softmax<Read<A>>(hide(scores<D>(q, read<A>(k))));
    return x + dot<H, D>(dot<Read<A>>(w, read<A>(dot<C>(x, wv))), wo);
  }
  auto picture(Tensor<f32, B, Y, X, C> x) const {
    auto all = [](auto s) { return s; };
    return along<Y>(along<X>(x, all), all);
  }
  // A mask for each place that asks in its row; who asks is the one that is read.
  auto masked(Tensor<f32, B, Y, X, C> x, Tensor<boolean, Y, X, Read<X>> seen) const {
    return along<X>(x, [&](auto s) { return mask(s, allowed_where_true(seen)); });
  }
  auto film(Tensor<f32, B, T, X, C> x) const {
    return along<X>(along<T>(x, [](auto s) { return causal_mask(s); }), [](auto s) { return s; });
  }
};
NAX_MODEL(axial, Model, (picture, (x), (y)), (masked, (x, seen), (y)), (film, (x), (y)));
