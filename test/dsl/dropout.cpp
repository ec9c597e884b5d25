// A training entry and one for use. Each place that drops out has a number of its own, layer by layer.
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
struct D : Axis<"D", 8> {};
struct C : Axis<"C", 16> {};
using S = Read<T>;

struct Layer {
  BOOST_HANA_DEFINE_STRUCT(Layer, (Param<f32, C, H, D>, wq), (Param<f32, H, D, C>, wo));
  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> x, auto drop) const {
    auto q = dot<C>(x, wq);
    auto w = drop(softmax<S>(causal_mask(scores<D>(q, read<T>(q)))));
    return x + drop(dot<H, D>(dot<S>(w, read<T>(q)), wo));
  }
};
struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (std::array<Layer, 2>, layers));
  auto train(Tensor<f32, B, T, C> x, Training training) const {
    return repeat(layers, x, [&](auto y) { return dropout(training, 0.25, y); });
  }
  auto infer(Tensor<f32, B, T, C> x) const {
    return repeat(layers, x, [](auto y) { return y; });
  }
};
NAX_MODEL(model, Model, (train, (x, training), (y)), (infer, (x), (y)));

// CHECK: func.func private @Layer({{.*}}, %[[SEED:[a-z0-9]+]]: !nax.tensor<[], i64>)
// CHECK: nax.dropout %{{.*}}, %[[SEED]] p 2.500000e-01 site 0 {{.*}} weights<#ReadT>>
// CHECK: nax.dropout %{{.*}}, %[[SEED]] p 2.500000e-01 site 1 :
// CHECK: func.func private @Layer_1(
// CHECK: site 2
// CHECK: site 3
// CHECK: func.func @train(%arg0: {{.*}} {nax.name = "x"}, %[[SEED:.*]]: !nax.tensor<[], i64> {nax.name = "seed"})
// CHECK: call @Layer({{.*}}, %[[SEED]])
// CHECK: call @Layer_1({{.*}}, %[[SEED]])
// CHECK: func.func private @Layer_2(
// CHECK-NOT: nax.dropout
// CHECK: func.func @infer(%arg0: {{.*}} {nax.name = "x"}) ->
// CHECK: call @Layer_2(
// CHECK: call @Layer_2(
