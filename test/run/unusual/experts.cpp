// A mixture of experts: dots batched over the experts, weights over them, a shared expert beside; gates that need no softmax.
// REQUIRES: lowering, cpu-v3
// RUN: naxc check %s --decode=softly,by_values,chosen --size T=7
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 10> {};
struct X : Axis<"X", 4> {};
struct F : Axis<"F", 14> {};
struct Two : Axis<"Two", 2> {};

struct Experts {
  BOOST_HANA_DEFINE_STRUCT(Experts, (Param<f32, C, X>, gate), (Param<f32, X, C, F>, up), (Param<f32, X, C, F>, open),
                           (Param<f32, X, F, C>, down), (Param<f32, C, F>, shared_up), (Param<f32, F, C>, shared_down));
  auto each(Tensor<f32, B, T, C> x) const { // [B,T,X,C]
    return dot<F>(silu(dot<C>(x, open)) * dot<C>(x, up), down);
  }
  auto softly(Tensor<f32, B, T, C> x) const {
    auto w = softmax<X>(dot<C>(x, gate));
    return x + dot<X>(w, each(x)) + dot<F>(relu(dot<C>(x, shared_up)), shared_down);
  }
  auto by_values(Tensor<f32, B, T, C> x) const {
    auto g = sigmoid(dot<C>(x, gate));
    return sum<X>(each(x) * g);
  }
  auto chosen(Tensor<f32, B, T, C> x) const { return top_k<X, Two>(softmax<X>(dot<C>(x, gate))); }
};
NAX_MODEL(experts, Experts, (softly, (x), (y)), (by_values, (x), (y)), (chosen, (x), (ids)));
