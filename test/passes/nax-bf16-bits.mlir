// Values of bf16 are 16 bits wherever they go: memory, vectors, constants,
// blocks, calls. f16 and f32 stay.
// RUN: nax-opt %s --nax-bf16-bits --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: llvm.func @chosen(
// CHECK-SAME:    %[[P:.*]]: !llvm.ptr, %[[WHETHER:.*]]: i1)
// -1.0 is 0xBF80.
// CHECK-DAG:     %[[ONE:.*]] = llvm.mlir.constant(-16512 : i16) : i16
// CHECK-DAG:     %[[HALF:.*]] = llvm.mlir.constant(5.000000e-01 : f16) : f16
// CHECK:         %[[AT:.*]] = llvm.getelementptr %[[P]][3] : (!llvm.ptr) -> !llvm.ptr, i16
// CHECK:         llvm.cond_br %[[WHETHER]], ^bb1, ^bb2(%[[ONE]] : i16)
// CHECK:       ^bb1:
// CHECK:         %[[LOADED:.*]] = llvm.load %[[AT]] : !llvm.ptr -> i16
// CHECK:         llvm.br ^bb2(%[[LOADED]] : i16)
// CHECK:       ^bb2(%[[BITS:.*]]: i16):
// CHECK-NEXT:    llvm.store %[[BITS]], %[[P]] : i16, !llvm.ptr
// CHECK-NEXT:    %[[WIDE:.*]] = llvm.zext %[[BITS]] : i16 to i32
// CHECK:         llvm.bitcast %{{.*}} : i32 to f32
// CHECK-NOT:     bf16
llvm.func @chosen(%p: !llvm.ptr, %whether: i1) {
  %one = llvm.mlir.constant(-1.0 : bf16) : bf16
  %half = llvm.mlir.constant(5.0e-01 : f16) : f16
  %at = llvm.getelementptr %p[3] : (!llvm.ptr) -> !llvm.ptr, bf16
  llvm.cond_br %whether, ^bb1, ^bb2(%one : bf16)
^bb1:
  %loaded = llvm.load %at : !llvm.ptr -> bf16
  llvm.br ^bb2(%loaded : bf16)
^bb2(%v: bf16):
  llvm.store %v, %p : bf16, !llvm.ptr
  %bits = llvm.bitcast %v : bf16 to i16
  %wide = llvm.zext %bits : i16 to i32
  %sixteen = llvm.mlir.constant(16 : i32) : i32
  %shifted = llvm.shl %wide, %sixteen : i32
  %number = llvm.bitcast %shifted : i32 to f32
  llvm.store %number, %p : f32, !llvm.ptr
  llvm.store %half, %p : f16, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func @vectors(
// CHECK-SAME:    %[[X:.*]]: vector<4xi16>, %[[CLOSURE:.*]]: !llvm.ptr) -> vector<4xi16>
// CHECK-DAG:     llvm.mlir.constant(dense<[16256, 0, -32768, 16384]> : vector<4xi16>) : vector<4xi16>
// CHECK-DAG:     llvm.mlir.constant(dense<16256> : vector<4xi16>) : vector<4xi16>
// CHECK:         llvm.getelementptr %[[CLOSURE]][0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, i16)>
// CHECK:         llvm.call @vectors(%{{.*}}) : (vector<4xi16>, !llvm.ptr) -> vector<4xi16>
// CHECK-NOT:     bf16
llvm.func @vectors(%x: vector<4xbf16>, %closure: !llvm.ptr) -> vector<4xbf16> {
  %each = llvm.mlir.constant(dense<[1.0, 0.0, -0.0, 2.0]> : vector<4xbf16>) : vector<4xbf16>
  %ones = llvm.mlir.constant(dense<1.0> : vector<4xbf16>) : vector<4xbf16>
  %field = llvm.getelementptr %closure[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, bf16)>
  llvm.store %each, %field : vector<4xbf16>, !llvm.ptr
  llvm.store %x, %closure : vector<4xbf16>, !llvm.ptr
  %again = llvm.call @vectors(%ones, %closure) : (vector<4xbf16>, !llvm.ptr) -> vector<4xbf16>
  llvm.return %again : vector<4xbf16>
}

// -----

// What computes with bf16 is not let through to LLVM.
llvm.func @sum(%p: !llvm.ptr) {
  %x = llvm.load %p : !llvm.ptr -> bf16
  // expected-error @+1 {{must be floating point}}
  %y = llvm.fadd %x, %x : bf16
  llvm.store %y, %p : bf16, !llvm.ptr
  llvm.return
}
