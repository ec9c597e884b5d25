// Values become memrefs whose dimensions are axes; operations become loops.
// RUN: nax-opt %s --nax-to-linalg --canonicalize --split-input-file | FileCheck %s

#B = #nax.axis<"B">
#C = #nax.axis<"C", 8>
!x = !nax.tensor<[#B, #C], f32>
!c = !nax.tensor<[#C], f32>

// A chain of elementwise operations is one loop, and it writes the result.
// CHECK-DAG:   #[[XMAP:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG:   #[[CMAP:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func.func @forward.body(
// CHECK-SAME:    %{{.*}}: !llvm.ptr, %[[PARAMS:.*]]: memref<?xi8>, %[[B:.*]]: index, %[[XB:.*]]: memref<?xi8>, %[[YB:.*]]: memref<?xi8>, %{{.*}}: memref<?xi8>)
// CHECK-DAG:     %[[X:.*]] = memref.view %[[XB]][%{{.*}}][%[[B]]] : memref<?xi8> to memref<?x8xf32>
// CHECK-DAG:     %[[Y:.*]] = memref.view %[[YB]][%{{.*}}][%[[B]]] : memref<?xi8> to memref<?x8xf32>
// CHECK-DAG:     %[[G:.*]] = memref.view %[[PARAMS]][%{{.*}}][] : memref<?xi8> to memref<8xf32>
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.generic
// CHECK-SAME:      indexing_maps = [#[[XMAP]], #[[CMAP]], #[[XMAP]]]
// CHECK-SAME:      ins(%[[X]], %[[G]] : memref<?x8xf32>, memref<8xf32>) outs(%[[Y]] : memref<?x8xf32>)
// CHECK:           arith.addf
// CHECK:           arith.mulf
// CHECK-NOT:     linalg.generic
// CHECK-NOT:     nax.add
// CHECK:         return
func.func @forward(%x: !x {nax.name = "x"}) -> (!x {nax.name = "y"}) attributes {nax.entry} {
  %g = nax.param "gain" : !c
  %0 = nax.add %x, %g : (!x, !c) -> !x
  %1 = nax.scale %0 by 2.0 : !x
  return %1 : !x
}

// -----

// A weight is stored as panels of the CPU's width; its dot is a kernel. A table
// that is looked up and contracted is stored once.
#B = #nax.axis<"B">
#V = #nax.axis<"V", 20>
#C = #nax.axis<"C", 8>
!ids = !nax.tensor<[#B], i32, ids<#V>>
!table = !nax.tensor<[#V, #C], f32>

// CHECK:       module attributes {nax.block_bytes = 1024 : i64, nax.slots = [{k = array<i64: 1>, n = array<i64: 0>, nr = 16 : i64, offset = 0 : i64, param = "tokens"}]}
// CHECK-LABEL: func.func @forward.body(
// CHECK:         %[[TABLE:.*]] = memref.view %{{.*}} : memref<?xi8> to memref<2x8x16xf32>
// CHECK:         linalg.generic
// CHECK:           memref.load %[[TABLE]]
// CHECK:         nax.kernel.dot %{{.*}}, %[[TABLE]] into
func.func @forward(%ids: !ids {nax.name = "ids"}) -> (!nax.tensor<[#B, #V], f32, logits<#V>> {nax.name = "y"}) attributes {nax.entry} {
  %t = nax.param "tokens" : !table
  %x = nax.embed %ids, %t from #V : (!ids, !table) -> !nax.tensor<[#B, #C], f32>
  %y = nax.unembed %x, %t to #V : (!nax.tensor<[#B, #C], f32>, !table) -> !nax.tensor<[#B, #V], f32, logits<#V>>
  return %y : !nax.tensor<[#B, #V], f32, logits<#V>>
}

// -----

// Splitting, reading and merging cost nothing where the factors lie together.
#B = #nax.axis<"B">
#T = #nax.axis<"T", causal>
#K = #nax.axis<"K", 2>
#G = #nax.axis<"G", 3>
#H = #nax.axis<"H" = #K * #G>
!h = !nax.tensor<[#B, #T, #H], f32>
!kg = !nax.tensor<[#B, #T, #K, #G], f32>

// CHECK-LABEL: func.func @forward.body(
// CHECK-NOT:     memref.{{alloc|expand_shape|collapse_shape}}
// CHECK-NOT:     nax.{{split|merge}}
// CHECK:         linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @forward(%x: !h {nax.name = "x"}) -> (!h {nax.name = "y"}) attributes {nax.entry} {
  %0 = nax.split %x axis #H : (!h) -> !kg
  %1 = nax.merge %0 axis #H : (!kg) -> !h
  return %1 : !h
}

// -----

// A block is one function, called with the parameters of each layer.
#B = #nax.axis<"B">
#C = #nax.axis<"C", 8>
#F = #nax.axis<"F", 8>
!x = !nax.tensor<[#B, #C], f32>
!w = !nax.tensor<[#C, #F], f32>
!y = !nax.tensor<[#B, #F], f32>

// CHECK-LABEL: func.func private @Block.body(
// CHECK-SAME:    memref<1x8x16xf32>
// CHECK:         nax.kernel.dot
func.func private @Block(%x: !x, %w: !w {nax.param}) -> !y {
  %0 = nax.dot %x, %w over [#C] : (!x, !w) -> !y
  return %0 : !y
}
// CHECK-LABEL: func.func @forward.body(
// CHECK:         %[[BYTES:.*]] = call @Block.workspace(
// CHECK:         call @Block.body(
// CHECK-NOT:     call @Block.workspace
// CHECK:         call @Block.body(
func.func @forward(%x: !x {nax.name = "x"}) -> (!y {nax.name = "y"}, !y {nax.name = "z"}) attributes {nax.entry} {
  %a = nax.param "layers.0.w" : !w
  %b = nax.param "layers.1.w" : !w
  %y = call @Block(%x, %a) : (!x, !w) -> !y
  %z = call @Block(%x, %b) : (!x, !w) -> !y
  return %y, %z : !y, !y
}

// -----

// Weights that are returned as plain numbers are computed in the result.
#T = #nax.axis<"T", causal>
#S = #nax.axis<read #T>
#C = #nax.axis<"C", 4>
!x = !nax.tensor<[#T, #C], f32>
!k = !nax.tensor<[#S, #C], f32>
!w = !nax.tensor<[#T, #S], f32, weights<#S>>
!y = !nax.tensor<[#T, #S], f32>
module attributes {nax.model = "m", nax.format = 1 : i64} {
// CHECK-LABEL: func.func @forward.body(
// CHECK:         %[[RESULT:.*]] = memref.view %arg4
// CHECK-NOT:     nax.axes
// CHECK:         nax.kernel.attention_weights({{.*}}) into %[[RESULT]]
// CHECK-NOT:     linalg
func.func @forward(%x: !x {nax.name = "x"}) -> (!y {nax.name = "w"}) attributes {nax.entry} {
  %k = nax.read %x along #T : (!x) -> !k
  %w = nax.attention_weights %x, %k over #C along #S scale 0.5 causal : (!x, !k) -> !w
  %y = nax.values %w : (!w) -> !y
  return %y : !y
}
}
