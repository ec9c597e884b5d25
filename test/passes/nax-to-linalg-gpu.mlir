// For a GPU a matrix lies row-major, the contracted axes last, and what f32 is in
// memory is chosen; arguments and results of an entry stay what they are.
// RUN: nax-opt %s --nax-to-linalg=target=gpu --canonicalize | FileCheck %s -DT=f32
// RUN: nax-opt %s --nax-to-linalg="target=gpu type=bf16" --canonicalize | FileCheck %s --check-prefixes=CHECK,HALF -DT=bf16
// RUN: nax-opt %s --nax-to-linalg="target=gpu type=f16" --canonicalize | FileCheck %s --check-prefixes=CHECK,HALF -DT=f16
// RUN: not nax-opt %s --nax-to-linalg=target=npu 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not nax-opt %s --nax-to-linalg="target=gpu type=f8" 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not nax-opt %s --nax-to-linalg=type=bf16 2>&1 | FileCheck %s --check-prefix=CPU
// TARGET: error: expects the target cpu or gpu, but got npu
// TYPE: error: expects the type f32, f16 or bf16, but got f8
// CPU: error: expects the type f32 for a CPU, but got bf16

#B = #nax.axis<"B">
#T = #nax.axis<"T", causal>
#C = #nax.axis<"C", 8>
#F = #nax.axis<"F", 24>
#V = #nax.axis<"V", 40>

// The table is looked up and contracted as the same rows.
// CHECK: nax.slots = [
// CHECK-SAME: {k = array<i64>, n = array<i64: 0, 1>, nr = 0 : i64, offset = 0 : i64, param = "table", type = [[T]]}
// CHECK-SAME: {k = array<i64>, n = array<i64: 1, 0>, nr = 0 : i64, offset = {{[0-9]+}} : i64, param = "up", type = [[T]]}
module attributes {nax.model = "m", nax.format = 1 : i64} {
  // CHECK-LABEL: func.func @forward.body
  // CHECK: nax.kernel.norm "rms" %{{.*}} : memref<?x8x[[T]]>, memref<8x[[T]]>, memref<?x8x[[T]]>
  // CHECK: nax.kernel.dot %{{.*}} : memref<?x8x[[T]]>, memref<24x8x[[T]]>, memref<?x24x[[T]]>
  // CHECK: linalg.generic
  // HALF: arith.extf %{{.*}} : [[T]] to f32
  // HALF: arith.truncf %{{.*}} : f32 to [[T]]
  // CHECK: nax.kernel.dot %{{.*}} : memref<?x24x[[T]]>, memref<8x24x[[T]]>, memref<?x8x[[T]]>
  // CHECK: nax.kernel.dot %{{.*}} : memref<?x8x[[T]]>, memref<40x8x[[T]]>, memref<?x40xf32>
  func.func @forward(%ids: !nax.tensor<[#B, #T], i32, ids<#V>> {nax.name = "ids"}) -> (!nax.tensor<[#B, #T, #V], f32, logits<#V>> {nax.name = "logits"}) attributes {nax.entry} {
    %table = nax.param "table" : !nax.tensor<[#V, #C], f32>
    %gain = nax.param "gain" : !nax.tensor<[#C], f32>
    %up = nax.param "up" : !nax.tensor<[#C, #F], f32>
    %down = nax.param "down" : !nax.tensor<[#F, #C], f32>
    %x = nax.embed %ids, %table from #V : (!nax.tensor<[#B, #T], i32, ids<#V>>, !nax.tensor<[#V, #C], f32>) -> !nax.tensor<[#B, #T, #C], f32>
    %n = nax.rms_norm %x, %gain over [#C] eps 1.0e-5 : (!nax.tensor<[#B, #T, #C], f32>, !nax.tensor<[#C], f32>) -> !nax.tensor<[#B, #T, #C], f32>
    %h = nax.dot %n, %up over [#C] : (!nax.tensor<[#B, #T, #C], f32>, !nax.tensor<[#C, #F], f32>) -> !nax.tensor<[#B, #T, #F], f32>
    %a = nax.relu %h : !nax.tensor<[#B, #T, #F], f32>
    %o = nax.dot %a, %down over [#F] : (!nax.tensor<[#B, #T, #F], f32>, !nax.tensor<[#F, #C], f32>) -> !nax.tensor<[#B, #T, #C], f32>
    %l = nax.unembed %o, %table to #V : (!nax.tensor<[#B, #T, #C], f32>, !nax.tensor<[#V, #C], f32>) -> !nax.tensor<[#B, #T, #V], f32, logits<#V>>
    return %l : !nax.tensor<[#B, #T, #V], f32, logits<#V>>
  }
}
