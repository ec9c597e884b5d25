// A kernel is a call of a function that all kernels of its kind share; a dot
// is tiles whose sums stay in registers, whole ones first, then smaller ones.
// RUN: nax-opt %s --nax-expand-kernels=cpu=v4 --canonicalize --cse | FileCheck %s
// RUN: nax-opt %s --nax-expand-kernels --canonicalize --cse | FileCheck %s --check-prefix=V3

// CHECK-LABEL: func.func @twice(
// CHECK-SAME:    %[[CTX:[^:]*]]: !llvm.ptr
// CHECK:         call @nax_dot_NR48(%[[CTX]],
// CHECK:         call @nax_dot_NR48(%[[CTX]],
// CHECK:         call @nax_dot_NR48_0(
// Sizes are arguments, but for the columns of a last panel that is not full.
// CHECK:         call @nax_dot_NR48(%[[CTX]], {{.*}}) : (!llvm.ptr, memref<?x?xf32>, memref<?x?x48xf32>, memref<?x?xf32>) -> ()
// CHECK-NOT:     nax.kernel
func.func @twice(%ctx: !llvm.ptr, %a: memref<?x9xf32>, %p: memref<2x9x48xf32>, %c: memref<?x50xf32>, %d: memref<?x96xf32>,
                 %b: memref<?x70xf32>, %q: memref<3x70x48xf32>, %e: memref<?x98xf32>) {
  nax.kernel.dot %a, %p into %c : memref<?x9xf32>, memref<2x9x48xf32>, memref<?x50xf32>
  nax.kernel.dot %a, %p into %c : memref<?x9xf32>, memref<2x9x48xf32>, memref<?x50xf32>
  nax.kernel.dot %a, %p into %d : memref<?x9xf32>, memref<2x9x48xf32>, memref<?x96xf32>
  nax.kernel.dot %b, %q into %e : memref<?x70xf32>, memref<3x70x48xf32>, memref<?x98xf32>
  return
}

// The function is seen by nobody else and keeps on the stack what a part of K
// leaves to the next one.
// CHECK:       func.func private @nax_dot_NR48(%{{[^:]*}}: !llvm.ptr,
// CHECK-SAME:    llvm.linkage = #llvm.linkage<internal>
// CHECK-NOT:     alloca
// CHECK:         nax.parallel
// CHECK-NEXT:    memref.alloca() {alignment = 64 : i64} : memref<144x48xf32>
// CHECK-NOT:     alloca
// The first panel: tiles of 8 rows and 3 vectors, then of 4, 2 and 1 rows.
// CHECK:         scf.for
// CHECK:         scf.for {{.*}} {
// Sums begin as 0 or go on where the part before ended.
// CHECK:           %[[BEGUN:.*]]:24 = scf.if
// CHECK-COUNT-24:  vector.load
// CHECK:           %{{.*}}:24 = scf.for {{.*}} iter_args(%{{[^=]*}} = %[[BEGUN]]#0,
// A step of K begins when the one before has ended.
// CHECK-COUNT-24:  vector.fma {{.*}} : vector<16xf32>
// CHECK-COUNT-1:   llvm.inline_asm "", "=r,0,v,
// CHECK-COUNT-72:  vector.fma {{.*}} : vector<16xf32>
// CHECK-NOT:       vector.fma {{.*}} : vector<8xf32>
// CHECK:           scf.yield
// CHECK:         %{{.*}}:12 = scf.for
// CHECK:         %{{.*}}:6 = scf.for
// CHECK:         %{{.*}}:3 = scf.for
// The second one has two columns of which no more are written.
// CHECK:         %{{.*}}:8 = scf.for
// CHECK:         vector.constant_mask [2] : vector<16xi1>
// CHECK:         vector.maskedstore
// CHECK:       nax.done
// CHECK-NOT:   nnan
// CHECK-NOT:   ninf

// Two panels of 48 are one tile each here, too: 2 rows of 3 vectors.
// V3:      func.func private @nax_dot_NR48(
// V3:        %{{.*}}:6 = scf.for
