// A mixture of experts: weights over a plain axis mix what each expert gives; the best two are named by top_k.
// REQUIRES: lowering, cpu-v3
// RUN: naxc check %s --entry mix --size T=9
// RUN: naxc check %s --entry best --size T=9
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 12> {};
struct X : Axis<"X", 5> {};
struct F : Axis<"F", 18> {};
struct Two : Axis<"Two", 2> {};

struct Experts {
  BOOST_HANA_DEFINE_STRUCT(Experts, (Param<f32, C, X>, gate), (Param<f32, X, C, F>, up), (Param<f32, X, F, C>, down));
  auto mix(Tensor<f32, B, T, C> x) const {
    auto w = softmax<X>(dot<C>(x, gate));
    return dot<X>(w, dot<F>(silu(dot<C>(x, up)), down));
  }
  auto best(Tensor<f32, B, T, C> x) const { return top_k<X, Two>(logits<X>(dot<C>(x, gate))); }
};
NAX_MODEL(experts, Experts, (mix, (x), (out)), (best, (x), (ids)));
