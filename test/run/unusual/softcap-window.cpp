// Cap, bias, window, causal, in this order; a window larger than the sequence and one of a single position.
// REQUIRES: lowering, cpu-v3
// RUN: naxc check %s --decode=forward --size T=37
// RUN: naxc check %s --size T=1
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 8> {};
struct C : Axis<"C", 12> {};
using S = Read<T>;

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, C, H, D>, wq), (Param<f32, C, H, D>, wk), (Param<f32, H>, by_head));
  template <int Window>
  auto attend(Tensor<f32, B, T, C> x) const {
    auto s = softcap(scores<D>(dot<C>(x, wq), read<T>(dot<C>(x, wk)), Scale{1.5}), 3.0);
    return dot<S>(softmax<S>(causal_mask(mask(bias(s, by_head), window<T>(Window)))), read<T>(x));
  }
  auto forward(Tensor<f32, B, T, C> x) const {
    return std::tuple(attend<5>(x), attend<1>(x), attend<100000>(x), 30.0 * tanh(x / 30.0));
  }
};
NAX_MODEL(capped, Model, (forward, (x), (five, one, all, tame)));
