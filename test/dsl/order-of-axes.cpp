// The order of axes is free between operations. A result has the declared one, and so does a repeated body.
// RUN: %nax-cxx %s %build/lib/libnaxemit.a -o %t && %t %t.mlir
// RUN: nax-opt %t.mlir --nax-check-causality -o %t.opt && FileCheck %s --input-file=%t.opt
// RUN: %if gxx12 %{ %gxx %s %build/lib/libnaxemit.a -o %t && %t %t.gxx.mlir && nax-opt %t.gxx.mlir | diff %t.opt - %}
// REQUIRES: lowering, clang22
#include <nax/nax.h>
#include <array>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};
struct C : Axis<"C", 8> {};
using S = Read<T>;

struct Layer {
  BOOST_HANA_DEFINE_STRUCT(Layer, (Param<f32, C>, gain));
  Tensor<f32, C, T, B> operator()(Tensor<f32, T, B, C> x) const { return x * gain; }
};
struct Order {
  BOOST_HANA_DEFINE_STRUCT(Order, (Param<f32, C, H, D>, wq), (std::array<Layer, 2>, layers));
  auto heads(Tensor<f32, B, T, C> x) const {
    Tensor<f32, B, H, T, D> q = dot<C>(x, wq);
    Tensor<f32, B, H, S, D> k = read<T>(dot<C>(x, wq));
    Tensor<Weights<f32, S>, H, B, T, S> w = softmax<S>(causal_mask(scores<D>(q, k)));
    Tensor<f32, T, D, H, B> r = silu(q * 2);
    return std::tuple(q, w, r);
  }
  // What is given cannot be computed in another order.
  Tensor<f32, C, T, B> same(Tensor<f32, B, T, C> x) const { return x; }
  Tensor<f32, C, T, B> layered(Tensor<f32, B, T, C> x) const { return repeat(layers, x); }
};
NAX_MODEL(order, Order, (heads, (x), (q, w, r)), (same, (x), (y)), (layered, (x), (y)));

// CHECK: func.func @heads
// CHECK: %[[Q:.*]] = nax.dot %arg0, %0 over [#C] {{.*}} -> !nax.tensor<[#B, #H, #T, #D], f32>
// CHECK: %[[W:.*]] = nax.softmax {{.*}} -> !nax.tensor<[#H, #B, #T, #ReadT], f32, weights<#ReadT>>
// CHECK: %[[Q2:.*]] = nax.scale %[[Q]] by {{.*}} : !nax.tensor<[#B, #H, #T, #D], f32>
// CHECK: %[[R:.*]] = nax.silu %[[Q2]] : !nax.tensor<[#B, #H, #T, #D], f32>
// CHECK: %[[RC:.*]] = nax.cast %[[R]] {{.*}} -> !nax.tensor<[#T, #D, #H, #B], f32>
// CHECK: return %[[Q]], %[[W]], %[[RC]]
// CHECK: func.func @same
// CHECK-NEXT: nax.cast %arg0 : (!nax.tensor<[#B, #T, #C], f32>) -> !nax.tensor<[#C, #T, #B], f32>
// CHECK: func.func private @Layer(%arg0: !nax.tensor<[#B, #T, #C], f32>, {{.*}}) -> !nax.tensor<[#B, #T, #C], f32>
// CHECK-NEXT: nax.mul {{.*}} -> !nax.tensor<[#B, #T, #C], f32>
// CHECK: func.func @layered
// CHECK: call @Layer(
// CHECK: %[[Y:.*]] = call @Layer(
// CHECK-NEXT: nax.cast %[[Y]]
