// Values of f16 are 16 bits, and conversions from and to f32, and from whole
// numbers, are arithmetic on them; bf16 and other conversions stay. What the arithmetic gives is compared
// with numpy for each number of 16 bits.
// RUN: nax-opt %s --nax-f16-bits --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: llvm.func @moved(
// CHECK-SAME:    %[[P:.*]]: !llvm.ptr) -> f64
// -1.0 is 0xBC00.
// CHECK-DAG:     %[[ONE:.*]] = llvm.mlir.constant(-17408 : i16) : i16
// CHECK-DAG:     llvm.mlir.constant(5.000000e-01 : bf16) : bf16
// CHECK:         llvm.store %[[ONE]], %[[P]] : i16, !llvm.ptr
// CHECK:         %[[BITS:.*]] = llvm.load %[[P]] : !llvm.ptr -> i16
// CHECK-NEXT:    llvm.zext %[[BITS]] : i16 to i32
// CHECK:         llvm.fmul %{{.*}}, %{{.*}} : f32
// CHECK:         %[[NUMBER:.*]] = llvm.bitcast %{{.*}} : i32 to f32
// CHECK-NEXT:    %[[WIDE:.*]] = llvm.fpext %[[NUMBER]] : f32 to f64
// CHECK-NOT:     f16
// CHECK:         llvm.return %[[WIDE]]
llvm.func @moved(%p: !llvm.ptr) -> f64 {
  %one = llvm.mlir.constant(-1.0 : f16) : f16
  %half = llvm.mlir.constant(5.0e-01 : bf16) : bf16
  llvm.store %half, %p : bf16, !llvm.ptr
  llvm.store %one, %p : f16, !llvm.ptr
  %x = llvm.load %p : !llvm.ptr -> f16
  %y = llvm.fpext %x : f16 to f32
  %z = llvm.fpext %y : f32 to f64
  llvm.return %z : f64
}

// CHECK-LABEL: llvm.func @rounded(
// CHECK-SAME:    %[[X:.*]]: vector<16xf32>) -> vector<16xi16>
// CHECK:         llvm.bitcast %[[X]] : vector<16xf32> to vector<16xi32>
// CHECK:         %[[BITS:.*]] = llvm.trunc %{{.*}} : vector<16xi32> to vector<16xi16>
// CHECK-NEXT:    llvm.return %[[BITS]] : vector<16xi16>
llvm.func @rounded(%x: vector<16xf32>) -> vector<16xf16> {
  %y = llvm.fptrunc %x : vector<16xf32> to vector<16xf16>
  llvm.return %y : vector<16xf16>
}

// CHECK-LABEL: llvm.func @whole(
// CHECK-SAME:    %[[X:.*]]: i64) -> i16
// CHECK:         %[[Y:.*]] = llvm.sitofp %[[X]] : i64 to f32
// CHECK-NEXT:    llvm.bitcast %[[Y]] : f32 to i32
llvm.func @whole(%x: i64) -> f16 {
  %y = llvm.sitofp %x : i64 to f16
  llvm.return %y : f16
}

// -----

// What computes with f16 is not let through to LLVM.
llvm.func @sum(%p: !llvm.ptr) {
  %x = llvm.load %p : !llvm.ptr -> f16
  // expected-error @+1 {{must be floating point}}
  %y = llvm.fadd %x, %x : f16
  llvm.store %y, %p : f16, !llvm.ptr
  llvm.return
}
