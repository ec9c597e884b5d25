// A latent shared by keys and values; a mixture of experts; depth as a template.
// RUN: %nax-cxx %s %build/lib/libnaxemit.a -o %t && %t %t.mlir
// RUN: nax-opt %t.mlir --nax-check-causality -o %t.opt && FileCheck %s --input-file=%t.opt
// RUN: %if gxx12 %{ %gxx %s %build/lib/libnaxemit.a -o %t && %t %t.gxx.mlir && nax-opt %t.gxx.mlir | diff %t.opt - %}
// REQUIRES: lowering, clang22
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
struct C : Axis<"C", 32> {};
struct L : Axis<"L", 16> {};
struct X : Axis<"X", 8> {};
struct F : Axis<"F", 64> {};
using S = Read<T>;

struct Latent {
  BOOST_HANA_DEFINE_STRUCT(Latent, (Param<f32, C, L>, down), (Param<f32, L, H, D>, uk), (Param<f32, L, H, D>, uv),
                           (Param<f32, C, H, D>, wq), (Param<f32, H, D, C>, wo));
  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> x) const {
    auto c = read<T>(dot<C>(x, down));
    auto w = softmax<S>(causal_mask(scores<D>(dot<C>(x, wq), dot<L>(c, uk))));
    return dot<H, D>(dot<S>(w, dot<L>(c, uv)), wo);
  }
};
struct Experts {
  BOOST_HANA_DEFINE_STRUCT(Experts, (Param<f32, C, X>, gate), (Param<f32, X, C, F>, up), (Param<f32, X, F, C>, down));
  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> x) const {
    auto g = softmax<X>(dot<C>(x, gate));
    return dot<X>(g, dot<F>(silu(dot<C>(x, up)), down));
  }
};
template <int Depth>
struct Stack {
  BOOST_HANA_DEFINE_STRUCT(Stack, (Latent, latent), (Experts, experts), (Stack<Depth - 1>, rest));
  Tensor<f32, B, T, C> forward(Tensor<f32, B, T, C> x) const { return rest.forward(x + experts(x + latent(x))); }
};
template <>
struct Stack<0> {
  BOOST_HANA_DEFINE_STRUCT(Stack, (Param<f32, C>, last));
  Tensor<f32, B, T, C> forward(Tensor<f32, B, T, C> x) const { return x * last; }
};
NAX_MODEL(stack, Stack<2>, (forward, (x), (y)));

// CHECK: nax.param "latent.down"
// CHECK: nax.param "rest.experts.up"
// CHECK: nax.param "rest.rest.last"
// CHECK: %[[DOWN:.*]] = nax.dot %arg0, %{{.*}} over [#C] {{.*}} -> !nax.tensor<[#B, #T, #L], f32>
// CHECK: %[[LATENT:.*]] = nax.read %[[DOWN]] along #T
// CHECK: nax.dot %[[LATENT]], %{{.*}} over [#L] {{.*}} -> !nax.tensor<[#B, #ReadT, #H, #D], f32>
// CHECK: nax.dot %[[LATENT]]
// CHECK: %[[G:.*]] = nax.softmax %{{.*}} along #X {{.*}} weights<#X>>
// CHECK: %[[UP:.*]] = nax.dot {{.*}} over [#C] {{.*}} -> !nax.tensor<[#B, #T, #X, #F], f32>
// CHECK: nax.dot %[[G]], %{{.*}} over [#X] : (!nax.tensor<[#B, #T, #X], f32, weights<#X>>, !nax.tensor<[#B, #T, #X, #C], f32>) -> !nax.tensor<[#B, #T, #C], f32>
