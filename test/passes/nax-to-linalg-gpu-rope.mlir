// For a GPU the kernel of an attention rotates its queries where nobody else has them.
// Keys, which each block of queries reads again, are rotated once, by a loop. On a CPU
// both have a loop.
// RUN: nax-opt %s --nax-to-linalg="target=gpu type=bf16" --canonicalize | FileCheck %s
// RUN: nax-opt %s --nax-to-linalg --canonicalize | FileCheck %s --check-prefix=CPU
// CPU-NOT: rotate(

#B = #nax.axis<"B">
#T = #nax.axis<"T", causal>
#ReadT = #nax.axis<read #T>
#P = #nax.axis<"P", causal, packed>
#ReadP = #nax.axis<read #P>
#T_new = #nax.axis<"T", causal, continued>
#ReadT_new = #nax.axis<read #T_new>
#T_cache = #nax.axis<"T.cache">
#T_span = #nax.axis<"T.span", 2>
#C = #nax.axis<"C", 32>
#K = #nax.axis<"K", 3>
#G = #nax.axis<"G", 2>
#H = #nax.axis<"H" = #K * #G>
#D = #nax.axis<"D", 16>
#rope = #nax.rope<base = 1.0e5, pairing = halves, scaling = 1.0, dims = 0>
#some = #nax.rope<base = 1.0e5, pairing = interleaved, scaling = 1.0, dims = 8>

// CHECK-DAG: [[T:#.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d3)>
// CHECK-DAG: [[ROW:#.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d3)>

// Through a split of the heads. Loops: the tables, and the keys.
// CHECK-LABEL: func.func @prefill.body
// CHECK: nax.kernel.dot
// CHECK: linalg.generic {{.*}} outs(%[[COS:[^,]*]], %[[SIN:[^ ]*]] : memref<?x8xf32>, memref<?x8xf32>)
// CHECK-NOT: linalg.generic
// CHECK: nax.kernel.dot
// CHECK: linalg.generic {{.*}} outs(%{{.*}}, %{{.*}} : memref<?x?x3x
// CHECK-NOT: linalg.generic
// CHECK: nax.kernel.attention(%{{.*}}, %{{.*}}, %{{.*}}) rotate("halves", %[[COS]], %[[SIN]] : memref<?x8xf32>, memref<?x8xf32>)
// CHECK-SAME: rope_map = [[T]]
// CHECK-NOT: linalg.generic
func.func @prefill(%x: !nax.tensor<[#B, #T, #C], f32> {nax.name = "x"}) -> (!nax.tensor<[#B, #T, #K, #G, #D], f32> {nax.name = "y"}) attributes {nax.entry} {
  %wq = nax.param "wq" : !nax.tensor<[#C, #H, #D], f32>
  %wk = nax.param "wk" : !nax.tensor<[#C, #K, #D], f32>
  %wv = nax.param "wv" : !nax.tensor<[#C, #K, #D], f32>
  %h = nax.relu %x : !nax.tensor<[#B, #T, #C], f32>
  %q = nax.dot %h, %wq over [#C] : (!nax.tensor<[#B, #T, #C], f32>, !nax.tensor<[#C, #H, #D], f32>) -> !nax.tensor<[#B, #T, #H, #D], f32>
  %r = nax.rope %q positions #T features #D by #rope : (!nax.tensor<[#B, #T, #H, #D], f32>) -> !nax.tensor<[#B, #T, #H, #D], f32, rotated<#T, #D, #rope>>
  %p = nax.split %r axis #H : (!nax.tensor<[#B, #T, #H, #D], f32, rotated<#T, #D, #rope>>) -> !nax.tensor<[#B, #T, #K, #G, #D], f32, rotated<#T, #D, #rope>>
  %k = nax.dot %h, %wk over [#C] : (!nax.tensor<[#B, #T, #C], f32>, !nax.tensor<[#C, #K, #D], f32>) -> !nax.tensor<[#B, #T, #K, #D], f32>
  %kr = nax.rope %k positions #T features #D by #rope : (!nax.tensor<[#B, #T, #K, #D], f32>) -> !nax.tensor<[#B, #T, #K, #D], f32, rotated<#T, #D, #rope>>
  %v = nax.dot %h, %wv over [#C] : (!nax.tensor<[#B, #T, #C], f32>, !nax.tensor<[#C, #K, #D], f32>) -> !nax.tensor<[#B, #T, #K, #D], f32>
  %keys = nax.read %kr along #T : (!nax.tensor<[#B, #T, #K, #D], f32, rotated<#T, #D, #rope>>) -> !nax.tensor<[#B, #ReadT, #K, #D], f32, rotated<#ReadT, #D, #rope>>
  %values = nax.read %v along #T : (!nax.tensor<[#B, #T, #K, #D], f32>) -> !nax.tensor<[#B, #ReadT, #K, #D], f32>
  %y = nax.attention %p, %keys, %values over #D along #ReadT scale 0.25 causal : (!nax.tensor<[#B, #T, #K, #G, #D], f32, rotated<#T, #D, #rope>>, !nax.tensor<[#B, #ReadT, #K, #D], f32, rotated<#ReadT, #D, #rope>>, !nax.tensor<[#B, #ReadT, #K, #D], f32>) -> !nax.tensor<[#B, #T, #K, #G, #D], f32>
  return %y : !nax.tensor<[#B, #T, #K, #G, #D], f32>
}

// Positions after those of a cache, as the table has them.
// CHECK-LABEL: func.func @step.body
// CHECK: nax.kernel.dot
// CHECK: linalg.generic {{.*}} outs(%[[AT:[^ ]*]] : memref<?x?xi32>)
// CHECK: linalg.generic {{.*}} ins(%[[AT]] : memref<?x?xi32>) outs(%[[COS:[^,]*]], %[[SIN:[^ ]*]] : memref<?x?x8xf32>, memref<?x?x8xf32>)
// CHECK-NOT: linalg.generic
// CHECK: nax.kernel.dot
// CHECK: linalg.generic {{.*}} outs(%{{.*}}, %{{.*}} : memref<?x?x3x
// CHECK-NOT: linalg.generic
// CHECK: nax.kernel.attention(%{{.*}}, %{{.*}}, %{{.*}}) rotate("halves", %[[COS]], %[[SIN]] : memref<?x?x8xf32>, memref<?x?x8xf32>)
// CHECK-SAME: rope_map = [[ROW]]
// CHECK-SAME: span_map
// CHECK-NOT: linalg.generic
func.func @step(%x: !nax.tensor<[#B, #T_new, #C], f32> {nax.name = "x"}, %span: !nax.tensor<[#B, #T_span], i32> {nax.name = "T_lengths", nax.span = #T_new}, %kc: !nax.tensor<[#B, #T_cache, #K, #D], f32> {nax.cache = {index = 0 : i64}, nax.name = "k_cache"}, %vc: !nax.tensor<[#B, #T_cache, #K, #D], f32> {nax.cache = {index = 1 : i64}, nax.name = "v_cache"}) -> (!nax.tensor<[#B, #T_new, #K, #G, #D], f32> {nax.name = "y"}) attributes {nax.entry} {
  %wq = nax.param "wq" : !nax.tensor<[#C, #H, #D], f32>
  %wk = nax.param "wk" : !nax.tensor<[#C, #K, #D], f32>
  %wv = nax.param "wv" : !nax.tensor<[#C, #K, #D], f32>
  %h = nax.relu %x : !nax.tensor<[#B, #T_new, #C], f32>
  %q = nax.dot %h, %wq over [#C] : (!nax.tensor<[#B, #T_new, #C], f32>, !nax.tensor<[#C, #H, #D], f32>) -> !nax.tensor<[#B, #T_new, #H, #D], f32>
  %at = nax.positions %span along #T_new : (!nax.tensor<[#B, #T_span], i32>) -> !nax.tensor<[#B, #T_new], i32>
  %r = nax.split %q axis #H : (!nax.tensor<[#B, #T_new, #H, #D], f32>) -> !nax.tensor<[#B, #T_new, #K, #G, #D], f32>
  %p = nax.rope %r data %at positions #T_new features #D by #rope : (!nax.tensor<[#B, #T_new, #K, #G, #D], f32>, !nax.tensor<[#B, #T_new], i32>) -> !nax.tensor<[#B, #T_new, #K, #G, #D], f32, rotated<#T_new, #D, #rope>>
  %k = nax.dot %h, %wk over [#C] : (!nax.tensor<[#B, #T_new, #C], f32>, !nax.tensor<[#C, #K, #D], f32>) -> !nax.tensor<[#B, #T_new, #K, #D], f32>
  %kr = nax.rope %k data %at positions #T_new features #D by #rope : (!nax.tensor<[#B, #T_new, #K, #D], f32>, !nax.tensor<[#B, #T_new], i32>) -> !nax.tensor<[#B, #T_new, #K, #D], f32, rotated<#T_new, #D, #rope>>
  %v = nax.dot %h, %wv over [#C] : (!nax.tensor<[#B, #T_new, #C], f32>, !nax.tensor<[#C, #K, #D], f32>) -> !nax.tensor<[#B, #T_new, #K, #D], f32>
  %keys = nax.cached %kr, %kc span %span along #T_new : (!nax.tensor<[#B, #T_new, #K, #D], f32, rotated<#T_new, #D, #rope>>, !nax.tensor<[#B, #T_cache, #K, #D], f32>, !nax.tensor<[#B, #T_span], i32>) -> !nax.tensor<[#B, #ReadT_new, #K, #D], f32, rotated<#ReadT_new, #D, #rope>>
  %values = nax.cached %v, %vc span %span along #T_new : (!nax.tensor<[#B, #T_new, #K, #D], f32>, !nax.tensor<[#B, #T_cache, #K, #D], f32>, !nax.tensor<[#B, #T_span], i32>) -> !nax.tensor<[#B, #ReadT_new, #K, #D], f32>
  %y = nax.attention %p, %keys, %values data %span over #D along #ReadT_new scale 0.25 causal : (!nax.tensor<[#B, #T_new, #K, #G, #D], f32, rotated<#T_new, #D, #rope>>, !nax.tensor<[#B, #ReadT_new, #K, #D], f32, rotated<#ReadT_new, #D, #rope>>, !nax.tensor<[#B, #ReadT_new, #K, #D], f32>, !nax.tensor<[#B, #T_span], i32>) -> !nax.tensor<[#B, #T_new, #K, #G, #D], f32>
  return %y : !nax.tensor<[#B, #T_new, #K, #G, #D], f32>
}

// Some of the components; each document has positions of its own.
// CHECK-LABEL: func.func @packed.body
// CHECK: nax.kernel.dot
// CHECK: linalg.generic {{.*}} outs(%[[AT:[^ ]*]] : memref<?x?xi32>)
// CHECK: linalg.generic {{.*}} ins(%[[AT]] : memref<?x?xi32>) outs(%[[COS:[^,]*]], %[[SIN:[^ ]*]] : memref<?x?x4xf32>, memref<?x?x4xf32>)
// CHECK-NOT: linalg.generic
// CHECK: nax.kernel.dot
// CHECK: linalg.generic {{.*}} outs(%{{.*}}, %{{.*}} : memref<?x?x3x
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : memref<?x?x3x8xbf16
// CHECK-NOT: linalg.generic
// CHECK: nax.kernel.attention(%{{.*}}, %{{.*}}, %{{.*}}) rotate("interleaved", %[[COS]], %[[SIN]] : memref<?x?x4xf32>, memref<?x?x4xf32>)
// CHECK-SAME: rope_map = [[ROW]]
// CHECK-NOT: linalg.generic
func.func @packed(%x: !nax.tensor<[#B, #P, #C], f32> {nax.name = "x"}, %documents: !nax.tensor<[#B, #P], i32> {nax.name = "documents"}) -> (!nax.tensor<[#B, #P, #K, #G, #D], f32> {nax.name = "y"}) attributes {nax.entry} {
  %wq = nax.param "wq" : !nax.tensor<[#C, #H, #D], f32>
  %wk = nax.param "wk" : !nax.tensor<[#C, #K, #D], f32>
  %wv = nax.param "wv" : !nax.tensor<[#C, #K, #D], f32>
  %h = nax.relu %x : !nax.tensor<[#B, #P, #C], f32>
  %q = nax.dot %h, %wq over [#C] : (!nax.tensor<[#B, #P, #C], f32>, !nax.tensor<[#C, #H, #D], f32>) -> !nax.tensor<[#B, #P, #H, #D], f32>
  %r = nax.rope %q data %documents positions #P features #D by #some : (!nax.tensor<[#B, #P, #H, #D], f32>, !nax.tensor<[#B, #P], i32>) -> !nax.tensor<[#B, #P, #H, #D], f32, rotated<#P, #D, #some>>
  %p = nax.split %r axis #H : (!nax.tensor<[#B, #P, #H, #D], f32, rotated<#P, #D, #some>>) -> !nax.tensor<[#B, #P, #K, #G, #D], f32, rotated<#P, #D, #some>>
  %k = nax.dot %h, %wk over [#C] : (!nax.tensor<[#B, #P, #C], f32>, !nax.tensor<[#C, #K, #D], f32>) -> !nax.tensor<[#B, #P, #K, #D], f32>
  %kr = nax.rope %k data %documents positions #P features #D by #some : (!nax.tensor<[#B, #P, #K, #D], f32>, !nax.tensor<[#B, #P], i32>) -> !nax.tensor<[#B, #P, #K, #D], f32, rotated<#P, #D, #some>>
  %v = nax.dot %h, %wv over [#C] : (!nax.tensor<[#B, #P, #C], f32>, !nax.tensor<[#C, #K, #D], f32>) -> !nax.tensor<[#B, #P, #K, #D], f32>
  %keys = nax.read %kr along #P : (!nax.tensor<[#B, #P, #K, #D], f32, rotated<#P, #D, #some>>) -> !nax.tensor<[#B, #ReadP, #K, #D], f32, rotated<#ReadP, #D, #some>>
  %values = nax.read %v along #P : (!nax.tensor<[#B, #P, #K, #D], f32>) -> !nax.tensor<[#B, #ReadP, #K, #D], f32>
  %y = nax.attention %p, %keys, %values data %documents over #D along #ReadP scale 0.25 causal : (!nax.tensor<[#B, #P, #K, #G, #D], f32, rotated<#P, #D, #some>>, !nax.tensor<[#B, #ReadP, #K, #D], f32, rotated<#ReadP, #D, #some>>, !nax.tensor<[#B, #ReadP, #K, #D], f32>, !nax.tensor<[#B, #P], i32>) -> !nax.tensor<[#B, #P, #K, #G, #D], f32>
  return %y : !nax.tensor<[#B, #P, #K, #G, #D], f32>
}

// The rotated queries are a result.
// CHECK-LABEL: func.func @returned.body
// CHECK: linalg.generic {{.*}} outs(%{{.*}}, %{{.*}} : memref<?x?x6x8xf32
// CHECK: nax.kernel.attention
// CHECK-NOT: rotate(
// CHECK: return
func.func @returned(%x: !nax.tensor<[#B, #T, #C], f32> {nax.name = "x"}) -> (!nax.tensor<[#B, #T, #K, #G, #D], f32> {nax.name = "y"}, !nax.tensor<[#B, #T, #H, #D], f32, rotated<#T, #D, #rope>> {nax.name = "r"}) attributes {nax.entry} {
  %wq = nax.param "wq" : !nax.tensor<[#C, #H, #D], f32>
  %wk = nax.param "wk" : !nax.tensor<[#C, #K, #D], f32>
  %wv = nax.param "wv" : !nax.tensor<[#C, #K, #D], f32>
  %h = nax.relu %x : !nax.tensor<[#B, #T, #C], f32>
  %q = nax.dot %h, %wq over [#C] : (!nax.tensor<[#B, #T, #C], f32>, !nax.tensor<[#C, #H, #D], f32>) -> !nax.tensor<[#B, #T, #H, #D], f32>
  %r = nax.rope %q positions #T features #D by #rope : (!nax.tensor<[#B, #T, #H, #D], f32>) -> !nax.tensor<[#B, #T, #H, #D], f32, rotated<#T, #D, #rope>>
  %p = nax.split %r axis #H : (!nax.tensor<[#B, #T, #H, #D], f32, rotated<#T, #D, #rope>>) -> !nax.tensor<[#B, #T, #K, #G, #D], f32, rotated<#T, #D, #rope>>
  %k = nax.dot %h, %wk over [#C] : (!nax.tensor<[#B, #T, #C], f32>, !nax.tensor<[#C, #K, #D], f32>) -> !nax.tensor<[#B, #T, #K, #D], f32>
  %kr = nax.rope %k positions #T features #D by #rope : (!nax.tensor<[#B, #T, #K, #D], f32>) -> !nax.tensor<[#B, #T, #K, #D], f32, rotated<#T, #D, #rope>>
  %v = nax.dot %h, %wv over [#C] : (!nax.tensor<[#B, #T, #C], f32>, !nax.tensor<[#C, #K, #D], f32>) -> !nax.tensor<[#B, #T, #K, #D], f32>
  %keys = nax.read %kr along #T : (!nax.tensor<[#B, #T, #K, #D], f32, rotated<#T, #D, #rope>>) -> !nax.tensor<[#B, #ReadT, #K, #D], f32, rotated<#ReadT, #D, #rope>>
  %values = nax.read %v along #T : (!nax.tensor<[#B, #T, #K, #D], f32>) -> !nax.tensor<[#B, #ReadT, #K, #D], f32>
  %y = nax.attention %p, %keys, %values over #D along #ReadT scale 0.25 causal : (!nax.tensor<[#B, #T, #K, #G, #D], f32, rotated<#T, #D, #rope>>, !nax.tensor<[#B, #ReadT, #K, #D], f32, rotated<#ReadT, #D, #rope>>, !nax.tensor<[#B, #ReadT, #K, #D], f32>) -> !nax.tensor<[#B, #T, #K, #G, #D], f32>
  return %y, %r : !nax.tensor<[#B, #T, #K, #G, #D], f32>, !nax.tensor<[#B, #T, #H, #D], f32, rotated<#T, #D, #rope>>
}
