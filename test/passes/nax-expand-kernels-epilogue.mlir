// The epilogue of a dot is arithmetic on the vectors that have its sums.
// RUN: nax-opt %s --nax-expand-kernels=cpu=v4 --canonicalize --cse | FileCheck %s

// Dots share a function only if their epilogues are one; numbers from around
// them are arguments.
// CHECK-LABEL: func.func @shared(
// CHECK-SAME:    %[[X:[^:]*]]: f32, %[[Y:[^:]*]]: f32)
// CHECK:         call @nax_dot_K9_N18_epilogue({{.*}}, %[[X]])
// CHECK:         call @nax_dot_K9_N18_epilogue({{.*}}, %[[Y]])
// CHECK:         call @nax_dot_K9_N18_epilogue_0({{.*}}, %[[X]])
// CHECK:         call @nax_dot_K9_N18(
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

// Of a tile's second vector only two lanes are read and written. A bias is read
// once for all rows; nothing is stored before it is whole.
// CHECK:       func.func private @nax_dot_K9_N18_epilogue(%{{.*}}: !llvm.ptr, %{{.*}}: memref<?x9xf32>, %{{.*}}: memref<1x9x48xf32>,
// CHECK-SAME:    %[[C:.*]]: memref<?x18xf32>, %[[BIAS:.*]]: memref<18xf32>, %[[R:.*]]: memref<?x18xf32>, %[[NUMBER:.*]]: f32)
// CHECK-NOT:     math.exp
// CHECK:         %{{.*}}:16 = scf.for
// CHECK:         scf.yield
// CHECK:         vector.load %[[BIAS]]{{.*}} : memref<18xf32>, vector<16xf32>
// CHECK:         vector.maskedload %[[BIAS]]{{.*}} into vector<16xf32>
// CHECK-NOT:     %[[BIAS]]
// CHECK:         vector.load %[[R]]
// CHECK:         arith.addf {{.*}} : vector<16xf32>
// CHECK:         vector.store {{.*}}, %[[C]]
// CHECK:         vector.maskedload %[[R]]
// CHECK:         vector.maskedstore %[[C]]
// CHECK:         vector.load %[[R]]
// CHECK:         vector.store {{.*}}, %[[C]]
// CHECK:         %{{.*}}:8 = scf.for
