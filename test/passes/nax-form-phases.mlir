// What does not wait for each other may run at once.
// RUN: nax-opt %s --nax-form-phases --split-input-file | FileCheck %s

#rows = affine_map<(m, n) -> (m, n)>

// A product waits for the norm, not for another product and not for the loop
// over what that one has made. What makes sizes and buffers goes before all.
// CHECK-LABEL: func.func private @products.body(
// CHECK:         %[[H:.*]] = memref.alloc
// CHECK:         %[[Q:.*]] = memref.alloc
// CHECK:         %[[K:.*]] = memref.alloc
// CHECK-NEXT:    nax.phases {
// CHECK-NEXT:      nax.kernel.norm
// CHECK-NEXT:      nax.done
// CHECK-NEXT:    } then {
// CHECK-NEXT:      nax.kernel.dot %[[H]], %{{.*}} into %[[Q]]
// CHECK-NEXT:      nax.kernel.dot %[[H]], %{{.*}} into %[[K]]
// CHECK-NEXT:      nax.done
// CHECK-NEXT:    } then {
// CHECK-NEXT:      linalg.generic
// CHECK:           nax.done
// CHECK-NEXT:    } then {
// CHECK-NEXT:      nax.kernel.dot %[[Q]]
// CHECK-NEXT:      nax.done
// CHECK-NEXT:    }
// CHECK-NEXT:    return
func.func private @products.body(%ctx: !llvm.ptr, %m: index, %x: memref<?x64xf32>, %g: memref<64xf32>,
                                 %wq: memref<4x64x16xf32>, %wk: memref<4x64x16xf32>, %y: memref<?x64xf32>) {
  %h = memref.alloc(%m) : memref<?x64xf32>
  nax.kernel.norm "rms" %x, %g into %h eps 1.0e-05 : memref<?x64xf32>, memref<64xf32>, memref<?x64xf32>
  %q = memref.alloc(%m) : memref<?x64xf32>
  nax.kernel.dot %h, %wq into %q : memref<?x64xf32>, memref<4x64x16xf32>, memref<?x64xf32>
  linalg.generic {indexing_maps = [#rows], iterator_types = ["parallel", "parallel"]} outs(%q : memref<?x64xf32>) {
  ^bb0(%out: f32):
    %0 = arith.negf %out : f32
    linalg.yield %0 : f32
  }
  %k = memref.alloc(%m) : memref<?x64xf32>
  nax.kernel.dot %h, %wk into %k : memref<?x64xf32>, memref<4x64x16xf32>, memref<?x64xf32>
  nax.kernel.dot %q, %wk into %y : memref<?x64xf32>, memref<4x64x16xf32>, memref<?x64xf32>
  return
}

// -----

// Nothing goes further up than kernels before it, where it would keep buffers
// longer: the second norm could run beside the first one.
// CHECK-LABEL: func.func private @late.body(
// CHECK:         nax.phases {
// CHECK-NEXT:      nax.kernel.norm
// CHECK-NEXT:      nax.done
// CHECK-NEXT:    } then {
// CHECK-NEXT:      nax.kernel.dot
// CHECK-NEXT:      nax.kernel.norm
// CHECK-NEXT:      nax.done
// CHECK-NEXT:    }
func.func private @late.body(%ctx: !llvm.ptr, %x: memref<?x64xf32>, %g: memref<64xf32>, %w: memref<4x64x16xf32>,
                             %y: memref<?x64xf32>, %z: memref<?x64xf32>, %h: memref<?x64xf32>) {
  nax.kernel.norm "rms" %x, %g into %h eps 1.0e-05 : memref<?x64xf32>, memref<64xf32>, memref<?x64xf32>
  nax.kernel.dot %h, %w into %y : memref<?x64xf32>, memref<4x64x16xf32>, memref<?x64xf32>
  nax.kernel.norm "rms" %x, %g into %z eps 1.0e-05 : memref<?x64xf32>, memref<64xf32>, memref<?x64xf32>
  return
}

// -----

// What is read is not overwritten before: of %x by a view of it.
// CHECK-LABEL: func.func private @overwritten.body(
// CHECK:         nax.phases {
// CHECK-NEXT:      nax.kernel.dot
// CHECK-NEXT:      nax.done
// CHECK-NEXT:    } then {
// CHECK-NEXT:      nax.kernel.norm
// CHECK-NEXT:      nax.done
// CHECK-NEXT:    }
func.func private @overwritten.body(%ctx: !llvm.ptr, %x: memref<?x2x32xf32>, %g: memref<64xf32>,
                                    %w: memref<4x64x16xf32>, %y: memref<?x64xf32>, %z: memref<?x64xf32>) {
  %a = memref.collapse_shape %x [[0], [1, 2]] : memref<?x2x32xf32> into memref<?x64xf32>
  %b = memref.collapse_shape %x [[0], [1, 2]] : memref<?x2x32xf32> into memref<?x64xf32>
  nax.kernel.dot %a, %w into %y : memref<?x64xf32>, memref<4x64x16xf32>, memref<?x64xf32>
  nax.kernel.norm "rms" %z, %g into %b eps 1.0e-05 : memref<?x64xf32>, memref<64xf32>, memref<?x64xf32>
  return
}

// -----

// A call of a layer has phases of its own, a lone kernel needs none, and loops
// are not worth waking threads.
// CHECK-LABEL: func.func private @calls.body(
// CHECK-NOT:     nax.phases
func.func private @layer(%ctx: !llvm.ptr, %x: memref<?x64xf32>)
func.func private @calls.body(%ctx: !llvm.ptr, %x: memref<?x64xf32>, %g: memref<64xf32>, %y: memref<?x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%x : memref<?x64xf32>)
  linalg.fill ins(%zero : f32) outs(%y : memref<?x64xf32>)
  func.call @layer(%ctx, %x) : (!llvm.ptr, memref<?x64xf32>) -> ()
  nax.kernel.norm "rms" %x, %g into %y eps 1.0e-05 : memref<?x64xf32>, memref<64xf32>, memref<?x64xf32>
  func.call @layer(%ctx, %y) : (!llvm.ptr, memref<?x64xf32>) -> ()
  return
}
