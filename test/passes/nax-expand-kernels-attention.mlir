// Attention takes keys in tiles. Those of a tile that are open to all queries of
// the block come first, in whole groups; others have a copy of the code with the
// mask, which is a comparison of positions.
// RUN: nax-opt %s --nax-expand-kernels=cpu=v4 --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @causal(
// CHECK:         call @nax_causal_attention_D16(
func.func @causal(%ctx: !llvm.ptr, %q: memref<?x?x16xf32>, %out: memref<?x?x16xf32>, %scratch: memref<?xi8>) {
  nax.kernel.attention(%q, %q, %q) into %out scratch %scratch : memref<?xi8> {
      q_map = affine_map<(b, t, s, d, e) -> (b, t, d)>, k_map = affine_map<(b, t, s, d, e) -> (b, s, d)>,
      v_map = affine_map<(b, t, s, d, e) -> (b, s, e)>, out_map = affine_map<(b, t, s, d, e) -> (b, t, e)>,
      extra_maps = [], num_batch = 1 : i64, scale = 0.25 : f64, causal}
      : memref<?x?x16xf32>, memref<?x?x16xf32>, memref<?x?x16xf32>, memref<?x?x16xf32>
  return
}

// No buffer of queries by keys, none on the stack; no flag lets an infinity or
// a NaN be taken for impossible.
// CHECK:       func.func private @nax_causal_attention_D16(
// CHECK-NOT:     alloc
// CHECK-NOT:     {{nnan|ninf|fastmath<fast>}}
// CHECK:         %[[HIDDEN:cst[_0-9]*]] = arith.constant dense<0xFF800000> : vector<16xf32>
// CHECK-NOT:     alloc
// CHECK:         nax.parallel
// A tile of 48 keys and values, copied once for a unit of blocks. Values have a
// second form, in panels of 8 components, so that loops add constants.
// CHECK:         memref.view {{.*}} : memref<?xi8> to memref<48x16xf32>
// CHECK:         memref.view {{.*}} : memref<?xi8> to memref<48x16xf32>
// CHECK:         %[[PANELS:.*]] = memref.view {{.*}} : memref<?xi8> to memref<48x2x8xf32>
// CHECK:         memref.view {{.*}} : memref<?xi8> to memref<63x32xf32>
// CHECK:         scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c48 {
// CHECK:           scf.for %[[BLOCK:.*]] = %{{.*}} to %{{.*}} step %c1 {
// What is known of a block so far: its queries, outputs, maxima and sums.
// CHECK:             memref.view {{.*}} : memref<?xi8> to memref<16x32xf32>
// CHECK:             memref.view {{.*}} : memref<?xi8> to memref<16x32xf32>
// CHECK:             %[[OPEN_KEYS:.*]] = arith.muli %{{.*}}, %c8 : index
// CHECK:             %[[MIDDLE:.*]] = arith.addi %[[FROM:.*]], %[[OPEN_KEYS]] : index
// At its first tile queries are transposed by shuffles, 64 for 16 of them.
// CHECK:             scf.if
// CHECK-COUNT-64:      vector.shuffle
// 8 keys at once by 32 queries. From its first key on, whole groups without a
// mask; what is needed soon is asked for beside them.
// CHECK:         %[[LARGEST:.*]]:2 = scf.for %{{.*}} = %[[FROM]] to %[[MIDDLE]] step %c8
// CHECK:           memref.prefetch
// CHECK:           %{{.*}}:16 = scf.for
// CHECK-NOT:       arith.select {{.*}}, %[[HIDDEN]] :
// CHECK:         %[[SEEN:.*]]:2 = scf.for %{{.*}} = %[[MIDDLE]] to %[[LATE:.*]] step %c8 iter_args({{.*}} = %[[LARGEST]]#0, {{.*}} = %[[LARGEST]]#1)
// A key is hidden from a lane by a select before the maximum.
// CHECK:           %{{.*}}:16 = scf.for
// CHECK:           %[[PAST:.*]] = arith.cmpi sge, %{{.*}}, %{{.*}} : vector<16xi32>
// CHECK:           arith.select %[[PAST]], %{{.*}}, %[[HIDDEN]] : vector<16xi1>, vector<16xf32>
// The last 16 queries alone see what comes then, 16 keys at once.
// CHECK:         scf.for %{{.*}} = %[[LATE]] to %{{.*}} step %c16 iter_args({{.*}} = %[[SEEN]]#1)
// CHECK:           %{{.*}}:16 = scf.for
// What is hidden is left out of the sum of values.
// CHECK:         %[[OPEN_SUM:.*]]:16 = scf.for
// CHECK:           memref.load %[[PANELS]][%{{.*}}, %{{.*}}, %c7]
// CHECK-NOT:       arith.cmpf une
// CHECK:         scf.for {{.*}} = %[[OPEN_SUM]]#0
// CHECK:           %[[OPEN:.*]] = arith.cmpf une, %{{.*}} : vector<16xf32>
// CHECK:           %[[MORE:.*]] = vector.fma
// CHECK:           arith.select %[[OPEN]], %[[MORE]], %{{.*}} : vector<16xi1>, vector<16xf32>
// A query with nothing allowed has the sum 0 and gets the factor 0.
// CHECK:         %[[NONE:.*]] = arith.cmpf oeq, %{{.*}} : vector<16xf32>
// CHECK:         arith.select %[[NONE]],
// CHECK:         nax.done
// CHECK-NOT:   nax.kernel
// CHECK-NOT:   {{nnan|ninf|fastmath<fast>}}
