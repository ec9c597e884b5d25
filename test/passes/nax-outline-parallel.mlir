// A region becomes a function of a closure and a number; the runtime is called
// with the context of the function around it and an array of phases.
// RUN: nax-opt %s --nax-outline-parallel --split-input-file | FileCheck %s

// CHECK: llvm.func @naxrt_parallel_phases(!llvm.ptr, !llvm.ptr, i64)

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
// Closure and phases are on the stack once, not once in every turn of the loop.
// CHECK-NEXT:    %[[ONE:.*]] = llvm.mlir.constant(1 : i64) : i64
// CHECK-NEXT:    %[[A:.*]] = llvm.alloca %[[ONE]] x !llvm.struct<(i64, ptr)> {alignment = 64 : i64}
// CHECK-NEXT:    %[[PHASES:.*]] = llvm.alloca %[[ONE]] x !llvm.array<1 x struct<(ptr, ptr, i64, i64)>> {alignment = 64 : i64}
// CHECK:       ^bb1:
// CHECK:         llvm.getelementptr %[[A]][0, 1]
// CHECK:         llvm.store %[[P]]
// CHECK:         %[[FN:.*]] = llvm.mlir.addressof @fill_chunk : !llvm.ptr
// CHECK:         %[[TASK:.*]] = llvm.getelementptr %[[PHASES]][0, 0, 0]
// CHECK:         llvm.store %[[FN]], %[[TASK]]
// CHECK:         %[[OWN:.*]] = llvm.getelementptr %[[PHASES]][0, 0, 1]
// CHECK:         llvm.store %[[A]], %[[OWN]]
// CHECK:         %[[COUNT:.*]] = llvm.getelementptr %[[PHASES]][0, 0, 2]
// CHECK:         llvm.store %[[N]], %[[COUNT]]
// CHECK:         %[[ROUNDS:.*]] = llvm.getelementptr %[[PHASES]][0, 0, 3]
// CHECK:         llvm.store %[[ONE]], %[[ROUNDS]]
// CHECK:         %[[LENGTH:.*]] = llvm.mlir.constant(1 : i64) : i64
// CHECK:         llvm.call @naxrt_parallel_phases(%[[CTX]], %[[PHASES]], %[[LENGTH]])
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

// -----

// Phases are one call. Of loops that stand side by side, the numbers of one
// follow those of the other.
// CHECK-LABEL: llvm.func internal @phases_chunk(
// CHECK:         llvm.mlir.constant(10 : i64)
// CHECK-LABEL: llvm.func internal @phases_chunk_0(
// CHECK:         llvm.mlir.constant(11 : i64)
// CHECK-LABEL: llvm.func internal @phases_phase(
// CHECK-SAME:    %[[CLOSURE:.*]]: !llvm.ptr, %[[I:.*]]: i64)
// CHECK:         %[[N:.*]] = llvm.load
// CHECK:         %[[IS_FIRST:.*]] = llvm.icmp "slt" %[[I]], %[[N]]
// CHECK:         llvm.cond_br %[[IS_FIRST]], ^[[FIRST:.*]], ^[[SECOND:.*]]
// CHECK:       ^[[FIRST]]:
// CHECK:         llvm.call @phases_chunk(%[[CLOSURE]], %[[I]])
// CHECK:       ^[[SECOND]]:
// CHECK:         %[[J:.*]] = llvm.sub %[[I]], %[[N]]
// CHECK:         llvm.call @phases_chunk_0(%[[CLOSURE]], %[[J]])
// CHECK-LABEL: llvm.func internal @phases_chunk_1(
// CHECK:         llvm.mlir.constant(12 : i64)

// CHECK-LABEL: llvm.func @phases(
// CHECK-SAME:    %[[CTX:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr, %[[N:.*]]: i64, %[[M:.*]]: i64)
// CHECK:         %[[PHASES:.*]] = llvm.alloca %{{.*}} x !llvm.array<2 x struct<(ptr, ptr, i64, i64)>>
// CHECK:         %[[BOTH:.*]] = llvm.add %[[N]], %[[M]]
// CHECK:         llvm.mlir.addressof @phases_phase
// CHECK:         llvm.store %[[BOTH]]
// CHECK:         llvm.mlir.addressof @phases_chunk_1
// CHECK:         %[[COUNT:.*]] = llvm.getelementptr %[[PHASES]][0, 1, 2]
// CHECK:         llvm.store %[[N]], %[[COUNT]]
// CHECK:         %[[ROUNDS:.*]] = llvm.getelementptr %[[PHASES]][0, 1, 3]
// CHECK:         llvm.store %[[M]], %[[ROUNDS]]
// CHECK:         llvm.call @naxrt_parallel_phases(%[[CTX]], %[[PHASES]]
// CHECK-NOT:     llvm.call
llvm.func @phases(%ctx: !llvm.ptr, %p: !llvm.ptr, %n: i64, %m: i64) {
  nax.phases {
    nax.parallel %i = 0 to %n {
      %0 = llvm.mlir.constant(10 : i64) : i64
      llvm.store %0, %p : i64, !llvm.ptr
      nax.done
    }
    nax.parallel %i = 0 to %m {
      %0 = llvm.mlir.constant(11 : i64) : i64
      llvm.store %0, %p : i64, !llvm.ptr
      nax.done
    }
    nax.done
  } then {
    nax.parallel %i = 0 to %n rounds %m {
      %0 = llvm.mlir.constant(12 : i64) : i64
      llvm.store %0, %p : i64, !llvm.ptr
      nax.done
    }
    nax.done
  }
  llvm.return
}
