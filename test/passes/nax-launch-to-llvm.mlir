// Launches become calls of the runtime: kernels by number, their shape, and pointers to the values of their arguments.
// RUN: nax-opt %s --nax-launch-to-llvm --split-input-file --verify-diagnostics | FileCheck %s

// CHECK: module attributes {nax.images = [{least = 80 : i64, most = -1 : i64, ptx = {{.*}}, target = "sm_80"}, {least = 90 : i64, most = 90 : i64, ptx = {{.*}}, target = "sm_90a"}]
// CHECK-SAME: nax.kernels = [{name = "first", shared = 0 : i64}, {name = "second", shared = 4096 : i64}, {name = "third", shared = 0 : i64}]
// CHECK-NOT: gpu.
// CHECK: llvm.func @naxrt_cuda_launch(!llvm.ptr, i64, !llvm.ptr, !llvm.ptr)
module {
  gpu.module @lm_kernels attributes {nax.ptx = ".version 8.0\0A.target sm_80\0A"} {
    gpu.func @first(%x: !llvm.ptr<1>) kernel { gpu.return }
    gpu.func @helper() { gpu.return }
    gpu.func @second(%x: !llvm.ptr<1>, %n: i32) kernel { gpu.return }
  }
  gpu.module @hopper attributes {nax.ptx = ".version 8.0\0A.target sm_90a\0A"} {
    gpu.func @third(%x: !llvm.ptr<1>) kernel { gpu.return }
  }
  // CHECK-LABEL: func.func @body(
  // CHECK-SAME: %[[CONTEXT:.*]]: !llvm.ptr, %[[X:.*]]: memref<?xi8>, %[[N:.*]]: index)
  func.func @body(%context: !llvm.ptr, %x: memref<?xi8>, %n: index) {
    // Room for the launch with the most arguments, once for all.
    // CHECK: %[[SEVEN:.*]] = llvm.mlir.constant(7 : i64)
    // CHECK: %[[SHAPE:.*]] = llvm.alloca %[[SEVEN]] x i64
    // CHECK: %[[TWO:.*]] = llvm.mlir.constant(2 : i64)
    // CHECK: %[[SLOTS:.*]] = llvm.alloca %[[TWO]] x i64
    // CHECK: %[[POINTERS:.*]] = llvm.alloca %{{.*}} x !llvm.ptr
    %c64 = arith.constant 64 : index
    %c1 = arith.constant 1 : index
    %rows = arith.index_cast %n : index to i32
    %view = memref.view %x[%c64][%n] : memref<?xi8> to memref<?xf32>
    // The address of the first element: the pointer and the offset in bytes.
    // CHECK: %[[PLACE:.*]] = memref.extract_aligned_pointer_as_index %view
    // CHECK: %[[BYTES:.*]] = arith.muli %{{.*}}, %{{.*}} : index
    // CHECK: %[[ADDRESS:.*]] = arith.addi %[[PLACE]], %[[BYTES]]
    // CHECK: %[[NUMBER:.*]] = arith.index_cast %[[ADDRESS]] : index to i64
    // CHECK: %[[SLOT:.*]] = llvm.getelementptr %[[SLOTS]][0]
    // CHECK: llvm.store %[[NUMBER]], %[[SLOT]]
    // CHECK: %[[FIRST:.*]] = llvm.mlir.constant(0 : i64)
    // CHECK: llvm.call @naxrt_cuda_launch(%[[CONTEXT]], %[[FIRST]], %[[SHAPE]], %[[POINTERS]])
    nax.launch @lm_kernels::@first grid(%n, %c1, %c1) threads(128) shared(0) (%view : memref<?xf32>)
    // CHECK: llvm.store %{{.*}}, %{{.*}} : i32, !llvm.ptr
    // CHECK: %[[SECOND:.*]] = llvm.mlir.constant(1 : i64)
    // CHECK: llvm.call @naxrt_cuda_launch(%[[CONTEXT]], %[[SECOND]], %[[SHAPE]], %[[POINTERS]])
    nax.launch @lm_kernels::@second grid(%n, %c1, %c1) threads(128) shared(2048) (%view, %rows : memref<?xf32>, i32)
    // CHECK: llvm.call @naxrt_cuda_launch(%[[CONTEXT]], %{{.*}}, %[[SHAPE]], %[[POINTERS]])
    nax.launch @lm_kernels::@second grid(%n, %c1, %c1) threads(128) shared(4096) (%view, %rows : memref<?xf32>, i32)
    // CHECK: %[[THIRD:.*]] = llvm.mlir.constant(2 : i64)
    // CHECK: llvm.call @naxrt_cuda_launch(%[[CONTEXT]], %[[THIRD]], %[[SHAPE]], %[[POINTERS]])
    nax.launch @hopper::@third grid(%n, %c1, %c1) threads(128) shared(0) (%view : memref<?xf32>)
    return
  }
}

// -----

// expected-error@+1 {{has no PTX: nax-gpu-to-ptx comes before}}
gpu.module @kernels {
  gpu.func @k() kernel { gpu.return }
}

// -----

module {
  gpu.module @kernels attributes {nax.ptx = ".target sm_80\0A"} {
    gpu.func @k() kernel { gpu.return }
  }
  // expected-error@+1 {{launches kernels, but its first argument is no context}}
  func.func @body(%n: index) {
    nax.launch @kernels::@k grid(%n, %n, %n) threads(32) shared(0) ()
    return
  }
}
