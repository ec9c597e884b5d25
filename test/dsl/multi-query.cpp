// One key head, D that is not C/H, values of another size than keys, a cap, a bias, an axis named like a keyword.
// RUN: %nax-cxx %s %build/lib/libnaxemit.a -o %t && %t %t.mlir
// RUN: nax-opt %t.mlir --nax-check-causality -o %t.opt && FileCheck %s --input-file=%t.opt
// RUN: %if gxx12 %{ %gxx %s %build/lib/libnaxemit.a -o %t && %t %t.gxx.mlir && nax-opt %t.gxx.mlir | diff %t.opt - %}
// REQUIRES: lowering, clang22
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 8> {};
struct D : Axis<"D", 24> {};
struct Dv : Axis<"Dv", 20> {};
struct C : Axis<"class", 96> {};
using S = Read<T>;

struct Attention {
  BOOST_HANA_DEFINE_STRUCT(Attention, (Param<f32, C, H, D>, wq), (Param<f32, C, D>, wk), (Param<f32, C, Dv>, wv),
                           (Param<f32, H, Dv, C>, wo));
  auto forward(Tensor<f32, B, T, C> x, Tensor<f32, H, T, S> distance) const {
    auto q = rope<T, D>(dot<C>(x, wq));
    auto k = rope<T, D>(dot<C>(x, wk));
    auto s = causal_mask(bias(softcap(scores<D>(q, read<T>(k), Scale{0.1}), 50.0), distance));
    return dot<H, Dv>(dot<S>(softmax<S>(s), read<T>(dot<C>(x, wv))), wo);
  }
};
NAX_MODEL(mqa, Attention, (forward, (x, distance), (y)));

// CHECK: #class = #nax.axis<"class", 96>
// CHECK: %[[S:.*]] = nax.scores {{.*}} over #D scale 1.000000e-01 {{.*}} -> !nax.tensor<[#B, #T, #H, #ReadT], f32, scores<#T, #ReadT>>
// CHECK: %[[CAP:.*]] = nax.softcap %[[S]] at 5.000000e+01 {{.*}} scores<#T, #ReadT, capped>>
// CHECK: %[[BIAS:.*]] = nax.bias %[[CAP]], %arg1 {{.*}} scores<#T, #ReadT, capped, biased>>
// CHECK: nax.causal_mask %[[BIAS]] {{.*}} scores<#T, #ReadT, capped, biased, masked, causally>>
// CHECK: nax.dot {{.*}} over [#H, #Dv]
