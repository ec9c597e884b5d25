// Panels of f16 and bf16 are widened as they are loaded; pairs of bf16 meet rows
// that are rounded once, before the loop over panels.
// RUN: nax-opt %s --split-input-file --nax-expand-kernels=cpu=v4+ --canonicalize --cse | FileCheck %s
// RUN: nax-opt %s --split-input-file --nax-expand-kernels=cpu=amx --canonicalize --cse | FileCheck %s --check-prefix=TILES

// CHECK-LABEL: func.func private @nax_dot_NR48_f16
// CHECK:         %{{.*}}:24 = scf.for
// CHECK:           vector.load {{.*}} : memref<?xf16, strided<[1], offset: ?>>, vector<16xf16>
// CHECK:           arith.extf {{.*}} : vector<16xf16> to vector<16xf32>
// CHECK-COUNT-96:  vector.fma {{.*}} : vector<16xf32>
// CHECK:           scf.yield
func.func @widened(%ctx: !llvm.ptr, %a: memref<?x9xf32>, %p: memref<2x9x48xf16>, %c: memref<?x96xf32>) {
  nax.kernel.dot %a, %p into %c : memref<?x9xf32>, memref<2x9x48xf16>, memref<?x96xf32>
  return
}

// -----

// CHECK-LABEL: func.func private @nax_dot_NR32_pairs
// CHECK:         nax.parallel
// CHECK:           arith.truncf {{.*}} : vector<16xf32> to vector<16xbf16>
// CHECK:         nax.done
// CHECK:         nax.parallel
// CHECK-NOT:       truncf
// A tile asks for its lines of the result, and in each turn for one of what
// follows in the panel.
// CHECK-COUNT-16:  memref.prefetch {{.*}}, write, locality<3>, data
// CHECK:           %{{.*}}:16 = scf.for
// CHECK:             memref.prefetch {{.*}}, read, locality<2>, data
// CHECK:             vector.load {{.*}} : memref<?xbf16, strided<[1], offset: ?>>, vector<32xbf16>
// CHECK-NOT:         memref.prefetch
// CHECK-COUNT-64:    llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"
// CHECK:             scf.yield
// One of few rows asks for what comes 4 KiB later.
// CHECK:           %{{.*}}:8 = scf.for
// CHECK:             memref.prefetch {{.*}}, read, locality<3>, data
// Tiles: configured once in a chunk; then two by two of them, whose rows stream
// and whose sums go to the result at once, or one by two of the last rows, which
// wait for their panel.
// TILES-LABEL: func.func private @nax_dot_NR32_pairs
// TILES-COUNT-2:         nax.parallel
// TILES:           call_intrinsic "llvm.x86.ldtilecfg"
// TILES-NOT:       memref.alloca
// TILES-COUNT-4:   call_intrinsic "llvm.x86.tilezero"
// TILES:           scf.for
// TILES-COUNT-2:     call_intrinsic "llvm.x86.tileloadd64"
// TILES-COUNT-2:     call_intrinsic "llvm.x86.tileloaddt164"
// TILES-COUNT-4:     memref.prefetch {{.*}}, read, locality<2>
// TILES-COUNT-4:     call_intrinsic "llvm.x86.tdpbf16ps"
// TILES-NOT:         vector
// TILES-COUNT-4:     memref.prefetch {{.*}} : memref<?x?xf32>
// TILES-COUNT-4:   call_intrinsic "llvm.x86.tilestored64"
// TILES:           scf.for
// TILES-COUNT-3:     call_intrinsic "llvm.x86.tileloadd64"
// TILES-COUNT-32:    memref.prefetch {{.*}}, read, locality<3>
// TILES-COUNT-2:     call_intrinsic "llvm.x86.tdpbf16ps"
// TILES-NOT:       ldtilecfg
// TILES:           call_intrinsic "llvm.x86.tilerelease"
// TILES-NEXT:      nax.done
func.func @pairs(%ctx: !llvm.ptr, %a: memref<?x18xf32>, %p: memref<3x16x32x2xbf16>, %c: memref<?x96xf32>, %s: memref<?xi8>) {
  nax.kernel.dot %a, %p into %c scratch %s : memref<?xi8> : memref<?x18xf32>, memref<3x16x32x2xbf16>, memref<?x96xf32>
  return
}

// -----

// Sums that an epilogue takes are written to the stack; while the next ones are
// computed they are read from there.
// TILES-LABEL: func.func private @nax_dot_NR32_pairs_epilogue
// TILES:           memref.alloca() {{.*}} : memref<128x16xf32>
// TILES-COUNT-4:     call_intrinsic "llvm.x86.tdpbf16ps"
// TILES:             vector.load {{.*}} : memref<128x16xf32>
// TILES:             arith.addf {{.*}} : vector<16xf32>
// TILES:             vector.store {{.*}} : memref<?x?xf32>
// TILES-COUNT-4:   call_intrinsic "llvm.x86.tilestored64"
func.func @pairs_with_epilogue(%ctx: !llvm.ptr, %a: memref<?x18xf32>, %p: memref<3x16x32x2xbf16>, %c: memref<?x96xf32>, %s: memref<?xi8>) {
  nax.kernel.dot %a, %p into %c scratch %s : memref<?xi8> epilogue(%c : memref<?x96xf32>) {
  ^bb0(%sum: f32, %r: f32):
    %t = arith.addf %sum, %r : f32
    nax.yield %t : f32
  } : memref<?x18xf32>, memref<3x16x32x2xbf16>, memref<?x96xf32>
  return
}
