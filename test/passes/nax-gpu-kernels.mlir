// Operations on memory become launches; equal ones share a kernel. The host is
// left with sizes.
// RUN: nax-opt %s --nax-gpu-kernels --canonicalize --cse | FileCheck %s

#rows = affine_map<(t, c) -> (t, c)>
#column = affine_map<(t, c) -> (c)>
#row = affine_map<(t, c) -> (t)>

// CHECK: gpu.module @m_kernels
module attributes {nax.model = "m"} {

// Neighbours lie side by side in both operands, so a thread has 16 bytes of each.
// CHECK: gpu.func @elementwise(%{{.*}}: !llvm.ptr<1>, %{{.*}}: i32, %{{.*}}: !llvm.ptr<1>, %{{.*}}: i32) kernel attributes {known_block_size = array<i32: 256, 1, 1>}
// CHECK: scf.for
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-COUNT-4: arith.negf
// CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>

// The bias is as long as a row; 8 numbers of bf16 are 16 bytes.
// CHECK: gpu.func @elementwise_1(
// CHECK: arith.remui
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xbf16>
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xbf16>

// CHECK: gpu.func @fill(%{{.*}}: f32, %{{.*}}: !llvm.ptr<1>, %{{.*}}: i32)

// A warp has a row, and its lanes add in pairs.
// CHECK: gpu.func @reduce_rows(
// CHECK-COUNT-5: nvvm.shfl.sync bfly

// Rows of no multiple of four are read one by one.
// CHECK: gpu.func @elementwise_2(
// CHECK-NOT: vector
// CHECK: gpu.func @loops(
// CHECK: scf.if
// CHECK-NOT: gpu.func

// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[X:.*]]: memref<?x8xf32>, %[[Y:.*]]: memref<?x8xf32>
func.func @f(%x: memref<?x8xf32>, %y: memref<?x8xf32>, %h: memref<?x16xbf16>, %b: memref<16xbf16>,
             %long: memref<?x96xf32>, %sums: memref<?xf32>, %odd: memref<?x3xf32>, %n: index, %zero: f32) {
  // CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
  // CHECK: nax.launch @m_kernels::@elementwise grid(%{{.*}}, %[[ONE]], %[[ONE]]) threads(256) shared(0) (%[[X]], %[[N:.*]], %[[Y]], %{{.*}} : memref<?x8xf32>, i32, memref<?x8xf32>, i32)
  linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<?x8xf32>) outs(%y : memref<?x8xf32>) {
  ^bb0(%v: f32, %o: f32):
    %r = arith.negf %v : f32
    linalg.yield %r : f32
  }
  // The same the other way around.
  // CHECK: nax.launch @m_kernels::@elementwise grid({{.*}}(%[[Y]], %{{.*}}, %[[X]], %{{.*}} :
  linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%y : memref<?x8xf32>) outs(%x : memref<?x8xf32>) {
  ^bb0(%v: f32, %o: f32):
    %r = arith.negf %v : f32
    linalg.yield %r : f32
  }
  // CHECK: nax.launch @m_kernels::@elementwise_1
  linalg.generic {indexing_maps = [#column, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%b : memref<16xbf16>) outs(%h : memref<?x16xbf16>) {
  ^bb0(%v: bf16, %o: bf16):
    %p = arith.extf %v : bf16 to f32
    %q = arith.extf %o : bf16 to f32
    %s = arith.addf %p, %q : f32
    %r = arith.truncf %s : f32 to bf16
    linalg.yield %r : bf16
  }
  // CHECK: nax.launch @m_kernels::@fill {{.*}}(%{{.*}}, %{{.*}}, %{{.*}} : f32, memref<?xf32>, i32)
  linalg.fill ins(%zero : f32) outs(%sums : memref<?xf32>)
  // CHECK: nax.launch @m_kernels::@reduce_rows {{.*}} threads(128) shared(0)
  linalg.generic {indexing_maps = [#rows, #row], iterator_types = ["parallel", "reduction"]}
      ins(%long : memref<?x96xf32>) outs(%sums : memref<?xf32>) {
  ^bb0(%v: f32, %o: f32):
    %r = arith.addf %o, %v : f32
    linalg.yield %r : f32
  }
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  // A loop on sizes is the host's, and hands its number on.
  // CHECK: scf.for
  // CHECK: nax.launch @m_kernels::@elementwise_2
  // CHECK-NOT: linalg
  scf.for %i = %c0 to %n step %c1 {
    linalg.generic {indexing_maps = [#rows], iterator_types = ["parallel", "parallel"]}
        outs(%odd : memref<?x3xf32>) {
    ^bb0(%o: f32):
      %w = arith.index_cast %i : index to i32
      %v = arith.sitofp %w : i32 to f32
      linalg.yield %v : f32
    }
  }
  // CHECK: nax.launch @m_kernels::@loops
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %v = memref.load %sums[%i] : memref<?xf32>
    %some = arith.cmpf ogt, %v, %zero : f32
    scf.if %some {
      memref.store %v, %odd[%i, %c2] : memref<?x3xf32>
    }
  }
  return
}
}
