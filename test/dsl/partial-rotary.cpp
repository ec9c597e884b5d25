// Rope on the first components only, in both pairings, and over documents that restart positions.
// RUN: %nax-cxx %s %build/lib/libnaxemit.a -o %t && %t %t.mlir
// RUN: nax-opt %t.mlir --nax-check-causality -o %t.opt && FileCheck %s --input-file=%t.opt
// RUN: %if gxx12 %{ %gxx %s %build/lib/libnaxemit.a -o %t && %t %t.gxx.mlir && nax-opt %t.gxx.mlir | diff %t.opt - %}
// REQUIRES: lowering, clang22
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct N : Causal<"N", Packed> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 16> {};
using S = Read<T>;
inline constexpr Rope gptj{.base = 10000, .pairing = Rope::interleaved, .dims = 8};
inline constexpr Rope neox{.base = 10000, .pairing = Rope::halves, .dims = 4};

struct Rotary {
  auto matches(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, H, D> k, Tensor<f32, B, T, H, D> v) const {
    auto a = softmax<S>(causal_mask(scores<D>(rope<T, D, gptj>(q), read<T>(rope<T, D, gptj>(k)))));
    // What is read may be rotated too.
    auto b = softmax<S>(causal_mask(scores<D>(rope<T, D, neox>(q), rope<S, D, neox>(read<T>(k)))));
    return dot<S>(a, read<T>(v)) + dot<S>(b, read<T>(v));
  }
  auto packed(Tensor<f32, B, N, H, D> q, Tensor<f32, B, N, H, D> k, Tensor<f32, B, N, H, D> v) const {
    auto w = softmax<Read<N>>(causal_mask(scores<D>(rope<N, D, gptj>(q), read<N>(rope<N, D, gptj>(k)))));
    return dot<Read<N>>(w, read<N>(v));
  }
};
NAX_MODEL(rotary, Rotary, (matches, (q, k, v), (out)), (packed, (q, k, v), (out)));

// CHECK: #[[GPTJ:rope[_0-9]*]] = #nax.rope<base = 1.000000e+04, pairing = interleaved, scaling = 1.000000e+00, dims = 8>
// CHECK: #[[NEOX:rope[_0-9]*]] = #nax.rope<base = 1.000000e+04, pairing = halves, scaling = 1.000000e+00, dims = 4>
// CHECK: func.func @matches
// CHECK: nax.rope %arg0 positions #T features #D by #[[GPTJ]]
// CHECK: nax.rope %arg1 positions #T features #D by #[[GPTJ]]
// CHECK: nax.rope %arg0 positions #T features #D by #[[NEOX]]
// CHECK: %[[K:.*]] = nax.read %arg1 along #T
// CHECK: nax.rope %[[K]] positions #ReadT features #D by #[[NEOX]]

// CHECK: func.func @packed({{.*}}, %[[DOC:.*]]: !nax.tensor<[#B, #N], i32> {nax.data = #N, nax.name = "N_documents"})
// CHECK: nax.rope %arg0 data %[[DOC]] positions #N
// CHECK: nax.softmax %{{.*}} data %[[DOC]] along #ReadN
