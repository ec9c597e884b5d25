// A row with one new query reads its cache in the order of memory: strips of
// keys, in each the keys of all heads, and then the values in the same way.
// What comes some positions later is asked for.
// RUN: nax-opt %s --nax-expand-kernels=cpu=v4 --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func private @nax_causal_attention_D64(
// CHECK-NOT:     alloc
// CHECK:         nax.parallel
// Four keys of a head, times the three queries that have them in common, before
// those of the next head.
// CHECK:         scf.for %[[KEY:.*]] = %{{.*}} to %{{.*}} step %c4 {
// CHECK-NEXT:      scf.for %{{.*}} = %c0 to %[[HEADS:.*]] step %c1 {
// CHECK-COUNT-16:    memref.prefetch %{{.*}}, read, locality<2>, data
// CHECK-COUNT-48:    vector.fma
// CHECK-NOT:         scf.for
// CHECK:             vector.store
// Sixteen values of a head before those of the next one.
// CHECK:         scf.for %[[VALUE:.*]] = %{{.*}} to %{{.*}} step %c16 {
// CHECK:           scf.for %{{.*}} = %c0 to %[[HEADS]] step %c1 {
// CHECK:             scf.for %{{.*}} = %[[VALUE]] to %{{.*}} step %c4
// CHECK-COUNT-4:       memref.prefetch %{{.*}}, read, locality<2>, data
// CHECK-COUNT-12:      vector.fma
// CHECK:         nax.done
func.func @step(%ctx: !llvm.ptr, %q: memref<?x?x3x3x64xf32>, %k: memref<?x?x3x64xf32>, %cache: memref<?x?x3x64xf32>,
                %span: memref<?x2xi32>, %out: memref<?x?x3x3x64xf32>, %scratch: memref<?xi8>) {
  nax.kernel.attention(%q, %k, %k) cached(%cache, %cache, %span : memref<?x?x3x64xf32>, memref<?x?x3x64xf32>, memref<?x2xi32>)
      into %out scratch %scratch : memref<?xi8> {
      q_map = affine_map<(b, k, g, t, s, d, e) -> (b, t, k, g, d)>, k_map = affine_map<(b, k, g, t, s, d, e) -> (b, s, k, d)>,
      v_map = affine_map<(b, k, g, t, s, d, e) -> (b, s, k, e)>, out_map = affine_map<(b, k, g, t, s, d, e) -> (b, t, k, g, e)>,
      span_map = affine_map<(b, k, g, t, s, d, e) -> (b)>, extra_caches = array<i64>,
      extra_maps = [], num_batch = 3 : i64, scale = 0.125, causal}
      : memref<?x?x3x3x64xf32>, memref<?x?x3x64xf32>, memref<?x?x3x64xf32>, memref<?x?x3x3x64xf32>
  return
}
