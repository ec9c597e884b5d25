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
// CHECK:         memref.view {{.*}} : memref<?xi8> to memref<16x32xf32>
// CHECK:         memref.view {{.*}} : memref<?xi8> to memref<135x32xf32>
// Queries are transposed by shuffles, 64 for 16 of them.
// CHECK-COUNT-64: vector.shuffle
// A tile of 128 keys, 8 at once by 32 queries. From its first key on, whole
// groups without a mask.
// CHECK:         %[[OPEN_KEYS:.*]] = arith.muli %{{.*}}, %c8 : index
// CHECK:         %[[MIDDLE:.*]] = arith.addi %[[FROM:.*]], %[[OPEN_KEYS]] : index
// CHECK:         %[[LARGEST:.*]]:2 = scf.for %{{.*}} = %[[FROM]] to %[[MIDDLE]] step %c8
// CHECK:           %{{.*}}:16 = scf.for
// CHECK-NOT:       arith.select {{.*}}, %[[HIDDEN]] :
// CHECK:         scf.for %{{.*}} = %[[MIDDLE]] to %{{.*}} step %c8 iter_args({{.*}} = %[[LARGEST]]#0, {{.*}} = %[[LARGEST]]#1)
// A key is hidden from a lane by a select before the maximum.
// CHECK:           %{{.*}}:16 = scf.for
// CHECK:           %[[PAST:.*]] = arith.cmpi sge, %{{.*}}, %{{.*}} : vector<16xi32>
// CHECK:           arith.select %[[PAST]], %{{.*}}, %[[HIDDEN]] : vector<16xi1>, vector<16xf32>
// What is hidden is left out of the sum of values.
// CHECK:         %[[OPEN_SUM:.*]]:16 = scf.for
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
