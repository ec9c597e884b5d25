// A region becomes a function of a closure and a number, and a call of the
// runtime with the context of the function around it.
// RUN: nax-opt %s --nax-outline-parallel --split-input-file | FileCheck %s

// CHECK: llvm.func @naxrt_parallel_for(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64)

// CHECK-LABEL: llvm.func internal @fill_chunk(
// CHECK-SAME:    %[[CLOSURE:.*]]: !llvm.ptr, %[[I:.*]]: i64)
// CHECK:         %[[FIELD:.*]] = llvm.getelementptr %[[CLOSURE]][0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, ptr)>
// CHECK:         %[[P:.*]] = llvm.load %[[FIELD]] : !llvm.ptr -> !llvm.ptr
// Constants are not captured.
// CHECK:         %[[SEVEN:.*]] = llvm.mlir.constant(7 : i64)
// CHECK:         %[[SCALED:.*]] = llvm.mul %[[I]], %[[SEVEN]]
// CHECK:         llvm.cond_br
// CHECK:         llvm.store %[[SCALED]], %[[P]]
// CHECK:         llvm.return

// CHECK-LABEL: llvm.func @fill(
// CHECK-SAME:    %[[CTX:.*]]: !llvm.ptr, %[[P:.*]]: !llvm.ptr, %[[N:.*]]: i64)
// The closure is on the stack once, not once in every turn of the loop.
// CHECK-NEXT:    %[[ONE:.*]] = llvm.mlir.constant(1 : i64) : i64
// CHECK-NEXT:    %[[A:.*]] = llvm.alloca %[[ONE]] x !llvm.struct<(i64, ptr)> {alignment = 64 : i64}
// CHECK:       ^bb1:
// CHECK:         llvm.getelementptr %[[A]][0, 1]
// CHECK:         llvm.store %[[P]]
// CHECK:         %[[FN:.*]] = llvm.mlir.addressof @fill_chunk : !llvm.ptr
// CHECK:         llvm.call @naxrt_parallel_for(%[[CTX]], %[[FN]], %[[A]], %[[N]])
// CHECK-NOT:     nax.
llvm.func @fill(%ctx: !llvm.ptr, %p: !llvm.ptr, %n: i64) {
  %c7 = llvm.mlir.constant(7 : i64) : i64
  llvm.br ^loop
^loop:
  nax.parallel %i = 0 to %n {
    %0 = llvm.mul %i, %c7 : i64
    %1 = llvm.icmp "slt" %0, %n : i64
    llvm.cond_br %1, ^write, ^end
  ^write:
    llvm.store %0, %p : i64, !llvm.ptr
    llvm.br ^end
  ^end:
    nax.done
  }
  %more = llvm.load %p : !llvm.ptr -> i1
  llvm.cond_br %more, ^loop, ^end
^end:
  llvm.return
}

// -----

// Two regions of one function are two functions.
// CHECK-LABEL: llvm.func internal @two_chunk(
// CHECK-LABEL: llvm.func internal @two_chunk_0(
// CHECK-LABEL: llvm.func @two(
llvm.func @two(%ctx: !llvm.ptr, %n: i64) {
  nax.parallel %i = 0 to %n {
    nax.done
  }
  nax.parallel %i = 0 to %n {
    nax.done
  }
  llvm.return
}
