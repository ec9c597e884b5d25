// The epilogue of a dot is arithmetic on the vectors that have its sums.
// RUN: nax-opt %s --nax-expand-kernels=cpu=v4 --canonicalize --cse | FileCheck %s

// Dots share a function only if their epilogues are one; numbers from around
// them are arguments.
// CHECK-LABEL: func.func @shared(
// CHECK-SAME:    %[[X:[^:]*]]: f32, %[[Y:[^:]*]]: f32)
// CHECK:         call @nax_dot_NR48_epilogue({{.*}}, %[[X]])
// CHECK:         call @nax_dot_NR48_epilogue({{.*}}, %[[Y]])
// CHECK:         call @nax_dot_NR48_epilogue_0({{.*}}, %[[X]])
// CHECK:         call @nax_dot_NR48(
// CHECK-NOT:     nax.kernel
func.func @shared(%ctx: !llvm.ptr, %a: memref<?x9xf32>, %p: memref<1x9x48xf32>, %bias: memref<18xf32>, %c: memref<?x18xf32>, %x: f32, %y: f32) {
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  nax.kernel.dot %a, %p into %c epilogue(%bias, %c : memref<18xf32>, memref<?x18xf32>) {
  ^bb0(%sum: f32, %b: f32, %r: f32):
    %s = arith.mulf %sum, %x : f32
    %t = arith.mulf %b, %two : f32
    %u = arith.addf %s, %t : f32
    %v = math.exp %u : f32
    %w = arith.addf %v, %r : f32
    nax.yield %w : f32
  } : memref<?x9xf32>, memref<1x9x48xf32>, memref<?x18xf32>
  nax.kernel.dot %a, %p into %c epilogue(%bias, %c : memref<18xf32>, memref<?x18xf32>) {
  ^bb0(%sum: f32, %b: f32, %r: f32):
    %s = arith.mulf %sum, %y : f32
    %t = arith.mulf %b, %two : f32
    %u = arith.addf %s, %t : f32
    %v = math.exp %u : f32
    %w = arith.addf %v, %r : f32
    nax.yield %w : f32
  } : memref<?x9xf32>, memref<1x9x48xf32>, memref<?x18xf32>
  nax.kernel.dot %a, %p into %c epilogue(%bias, %c : memref<18xf32>, memref<?x18xf32>) {
  ^bb0(%sum: f32, %b: f32, %r: f32):
    %s = arith.mulf %sum, %x : f32
    %t = arith.mulf %b, %three : f32
    %u = arith.addf %s, %t : f32
    %v = math.exp %u : f32
    %w = arith.addf %v, %r : f32
    nax.yield %w : f32
  } : memref<?x9xf32>, memref<1x9x48xf32>, memref<?x18xf32>
  nax.kernel.dot %a, %p into %c : memref<?x9xf32>, memref<1x9x48xf32>, memref<?x18xf32>
  return
}

// With a function that becomes a polynomial it is a loop, on sums that are
// written. Of a tile's second vector only two lanes are read and written; a bias
// is read once for all rows.
// CHECK:       func.func private @nax_dot_NR48_epilogue(%{{.*}}: !llvm.ptr, %{{.*}}: memref<?x?xf32>, %{{.*}}: memref<?x?x48xf32>,
// CHECK-SAME:    %[[C:.*]]: memref<?x?xf32>, %[[BIAS:.*]]: memref<?xf32>, %[[R:.*]]: memref<?x?xf32>, %[[NUMBER:.*]]: f32)
// CHECK-NOT:     math.exp
// CHECK:         nax.parallel
// CHECK-NEXT:      memref.alloca() {alignment = 64 : i64} : memref<144x48xf32>
// CHECK-NEXT:      %[[SUMS:.*]] = memref.alloca() {alignment = 64 : i64} : memref<24x16xf32>
// CHECK-NOT:       memref.alloca
// CHECK:           %{{.*}}:16 = scf.for
// CHECK:             scf.yield
// CHECK-COUNT-16:  vector.store {{.*}}, %[[SUMS]]
// CHECK:           vector.load %[[BIAS]]{{.*}} : memref<?xf32>, vector<16xf32>
// CHECK:           scf.for
// CHECK-NOT:         %[[BIAS]]
// CHECK:             vector.load %[[SUMS]]
// CHECK:             vector.load %[[R]]
// CHECK:             arith.addf {{.*}} : vector<16xf32>
// CHECK:             vector.store {{.*}}, %[[C]]
// CHECK:           vector.maskedload %[[BIAS]]{{.*}} into vector<16xf32>
// CHECK:           scf.for
// CHECK:             vector.load %[[SUMS]]
// CHECK:             vector.maskedload %[[R]]
// CHECK:             vector.maskedstore %[[C]]
// CHECK:           %{{.*}}:8 = scf.for

// Another one is applied to the registers.
// CHECK:       func.func private @nax_dot_NR48_epilogue_1(%{{.*}}: !llvm.ptr, %{{.*}}: memref<?x?xf32>, %{{.*}}: memref<?x?x48xf32>,
// CHECK-SAME:    %[[C:.*]]: memref<?x?xf32>, %[[R:.*]]: memref<?x?xf32>)
// CHECK:         memref.alloca
// CHECK-NOT:     memref.alloca
// CHECK:         %[[SUM:.*]]:24 = scf.for
// CHECK:         %[[X:.*]] = vector.load %[[R]]
// CHECK:         %[[Y:.*]] = arith.addf %{{.*}}, %[[X]] : vector<16xf32>
// CHECK:         vector.store %[[Y]], %[[C]]
// CHECK-COUNT-23: vector.store {{.*}}, %[[C]]
// CHECK:         %{{.*}}:12 = scf.for
// CHECK-NOT:     memref.alloca
func.func @registers(%ctx: !llvm.ptr, %a: memref<?x9xf32>, %p: memref<1x9x48xf32>, %c: memref<?x48xf32>) {
  nax.kernel.dot %a, %p into %c epilogue(%c : memref<?x48xf32>) {
  ^bb0(%sum: f32, %r: f32):
    %y = arith.addf %sum, %r : f32
    nax.yield %y : f32
  } : memref<?x9xf32>, memref<1x9x48xf32>, memref<?x48xf32>
  return
}
