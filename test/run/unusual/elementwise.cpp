// Every function of one element, both sides of every operator, and sums over any axes.
// REQUIRES: lowering, cpu-v3
// RUN: naxc check %s --entry unary --size T=19
// RUN: naxc check %s --entry binary --size T=19
// RUN: naxc check %s --entry reduced --size T=19
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Positions<"T", Ragged> {};
struct C : Axis<"C", 21> {};
struct F : Axis<"F", 3> {};
struct N : Axis<"N", 4> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, C>, gain), (Param<f32, C, N>, head));
  auto unary(Tensor<f32, B, T, C> x) const {
    return std::tuple(silu(x), gelu(x), gelu_tanh(x), relu(x), exp(x), tanh(x), sigmoid(x), sqrt(x * x + 0.5), -x, neg(x));
  }
  auto binary(Tensor<f32, B, T, C> x, Tensor<f32, T, B> y) const {
    auto outer = spread<F>(y) * spread<F>(gain * x) / 3.0;
    return std::tuple(x + y, y - x, x * gain, x / (exp(y) + 1), 1 - x, x - 0.5, outer);
  }
  auto reduced(Tensor<f32, B, T, C> x, Tensor<Ids<N>, B> label) const {
    auto pooled = max<T>(x);
    auto z = unembed<N>(mean<T>(x), head);
    return std::tuple(sum<T, C>(x), mean<C>(x), pooled, max<B>(pooled), sum<B, T, C>(x * x), last<T>(x), first<T>(x),
                      argmax<N>(z), mean<B>(cross_entropy<N>(z, label)));
  }
};
NAX_MODEL(elementwise, Model, (unary, (x), (silu, gelu, gelu_tanh, relu, exp, tanh, sigmoid, sqrt, minus, neg)),
          (binary, (x, y), (plus, minus, times, over, one_minus, less, outer)),
          (reduced, (x, label), (sum, mean, max, most, square, last, first, best, loss)));
