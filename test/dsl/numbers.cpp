// Arithmetic, with tensors of fewer axes and with numbers; element functions; norms; reductions; choices.
// RUN: %nax-cxx %s %build/lib/libnaxemit.a -o %t && %t %t.mlir
// RUN: nax-opt %t.mlir --nax-check-causality -o %t.opt && FileCheck %s --input-file=%t.opt
// RUN: %if gxx12 %{ %gxx %s %build/lib/libnaxemit.a -o %t && %t %t.gxx.mlir && nax-opt %t.gxx.mlir | diff %t.opt - %}
// REQUIRES: lowering, clang22
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct P : Positions<"P"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
struct C : Axis<"C", 32> {};
struct F : Axis<"F", 3> {};
struct Two : Axis<"Two", 2> {};

struct Numbers {
  BOOST_HANA_DEFINE_STRUCT(Numbers, (Param<f32, C>, gain), (Param<f32, H, D>, pair), (Param<f32, F>, f));
  auto arithmetic(Tensor<f32, B, P, C> x) const {
    auto a = gain * x - x / (x * x + 1);
    auto b = 1 - (2 + (0.5 * a - 3) / 4) * 8;
    return -b;
  }
  auto functions(Tensor<f32, B, P, C> x) const {
    auto y = neg(silu(gelu(gelu_tanh(relu(exp(tanh(sigmoid(sqrt(x)))))))));
    return to<f64>(to<bf16>(to<bf16>(y)));
  }
  auto norms(Tensor<f32, B, P, C> x, Tensor<f32, B, P, H, D> y) const {
    auto z = layer_norm<C>(rms_norm_unit_offset<C>(x, gain, Eps{1e-6}), gain, Eps{0});
    return std::tuple(z, rms_norm<H, D>(y, pair, Eps{1e-5}));
  }
  auto reductions(Tensor<f32, B, P, C> x) const {
    auto n = softmax<C>(x).values();
    return std::tuple(sum<C>(n), mean<B, P>(x), max<C>(x * 2), spread<F>(sum<C>(n)) * f);
  }
  auto choices(Tensor<f32, B, P, C> x) const {
    auto l = logits<C>(x + gain);
    return std::tuple(argmax<C>(l), top_k<C, Two>(l), argmax<C>(softmax<C>(l)), tanh(l * 0.1) * 10);
  }
};
NAX_MODEL(numbers, Numbers, (arithmetic, (x), (y)), (functions, (x), (y)), (norms, (x, y), (z, w)),
          (reductions, (x), (sum, mean, max, outer)), (choices, (x), (best, two, likely, capped)));

// CHECK: func.func @arithmetic
// CHECK: %[[GX:.*]] = nax.mul %0, %arg0 : (!nax.tensor<[#C], f32>, !nax.tensor<[#B, #P, #C], f32>) -> !nax.tensor<[#B, #P, #C], f32>
// CHECK-NEXT: %[[XX:.*]] = nax.mul %arg0, %arg0
// CHECK-NEXT: %[[XX1:.*]] = nax.offset %[[XX]] by 1.000000e+00
// CHECK-NEXT: %[[Q:.*]] = nax.div %arg0, %[[XX1]]
// CHECK-NEXT: %[[A:.*]] = nax.sub %[[GX]], %[[Q]]
// CHECK-NEXT: %[[A1:.*]] = nax.scale %[[A]] by 5.000000e-01
// CHECK-NEXT: %[[A2:.*]] = nax.offset %[[A1]] by -3.000000e+00
// CHECK-NEXT: %[[A3:.*]] = nax.scale %[[A2]] by 2.500000e-01
// CHECK-NEXT: %[[A4:.*]] = nax.offset %[[A3]] by 2.000000e+00
// CHECK-NEXT: %[[A5:.*]] = nax.scale %[[A4]] by 8.000000e+00
// CHECK-NEXT: %[[A6:.*]] = nax.neg %[[A5]]
// CHECK-NEXT: %[[A7:.*]] = nax.offset %[[A6]] by 1.000000e+00
// CHECK-NEXT: nax.neg %[[A7]]

// CHECK: func.func @functions
// CHECK: nax.sqrt
// CHECK: nax.sigmoid
// CHECK: nax.tanh
// CHECK: nax.exp
// CHECK: nax.relu
// CHECK: nax.gelu_tanh
// CHECK: nax.gelu %
// CHECK: nax.silu
// CHECK: nax.neg
// CHECK-NEXT: %[[HALF:.*]] = nax.cast %{{.*}} -> !nax.tensor<[#B, #P, #C], bf16>
// CHECK-NEXT: nax.cast %[[HALF]] {{.*}} -> !nax.tensor<[#B, #P, #C], f64>

// CHECK: func.func @norms
// CHECK: nax.rms_norm %arg0, %0 over [#C] eps 9.9{{[0-9]*}}E-7 one_plus
// CHECK: nax.layer_norm %{{.*}}, %0 over [#C] eps 0.000000e+00
// CHECK: nax.rms_norm %arg1, %1 over [#H, #D] eps 1.000000e-05

// CHECK: func.func @reductions
// CHECK: nax.values {{.*}} weights<#C>>) -> !nax.tensor<[#B, #P, #C], f32>
// CHECK: nax.mean %arg0 over [#B, #P] {{.*}} -> !nax.tensor<[#C], f32>
// CHECK: nax.max
// CHECK: %[[SP:.*]] = nax.spread %{{.*}} axis #F {{.*}} -> !nax.tensor<[#B, #P, #F], f32>
// CHECK: nax.mul %[[SP]]

// CHECK: func.func @choices
// CHECK: nax.logits {{.*}} over #C
// CHECK: nax.argmax {{.*}} over #C {{.*}} -> !nax.tensor<[#B, #P], i32, ids<#C>>
// CHECK: nax.top_k {{.*}} over #C to #Two {{.*}} -> !nax.tensor<[#B, #P, #Two], i32, ids<#C>>
// CHECK: nax.argmax
// CHECK: nax.scale {{.*}} logits<#C>>
