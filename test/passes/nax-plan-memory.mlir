// Buffers that are not alive together share their place in the workspace.
// RUN: nax-opt %s --nax-plan-memory --cse --allow-unregistered-dialect | FileCheck %s

// CHECK-LABEL: func.func @forward.body(
// CHECK-SAME:    %[[B:[^:]*]]: index, %{{[^:]*}}: memref<?xi8>, %[[WORK:[^:]*]]: memref<?xi8>)
// CHECK-NOT:     memref.alloc
// CHECK:         %[[X:.*]] = memref.view %[[WORK]][%{{.*}}][%[[B]]] : memref<?xi8> to memref<?x8xf32>
// CHECK:         %[[Y:.*]] = memref.view %[[WORK]][%{{.*}}][%[[B]]] : memref<?xi8> to memref<?x8xf32>
// CHECK:         "use"(%[[X]], %[[Y]])
// The first buffer is dead here: the third takes its place.
// CHECK-NEXT:    "use"(%[[Y]], %[[X]])
func.func @forward.body(%ctx: !llvm.ptr, %params: memref<?xi8>, %b: index, %in: memref<?xi8>, %work: memref<?xi8>) {
  %0 = memref.alloc(%b) : memref<?x8xf32>
  "define"(%0) : (memref<?x8xf32>) -> ()
  %1 = memref.alloc(%b) : memref<?x8xf32>
  "use"(%0, %1) : (memref<?x8xf32>, memref<?x8xf32>) -> ()
  %2 = memref.alloc(%b) : memref<?x8xf32>
  "use"(%1, %2) : (memref<?x8xf32>, memref<?x8xf32>) -> ()
  return
}

// A use through a view keeps a buffer alive.
// CHECK-LABEL: func.func @views.body(
// CHECK:         %[[A:.*]] = memref.view %{{.*}}[%[[AT:.*]]][] : memref<?xi8> to memref<4x8xf32>
// CHECK:         "define"
// CHECK-NOT:     memref.view %{{.*}}[%[[AT]]]
// CHECK:         "use"
func.func @views.body(%ctx: !llvm.ptr, %params: memref<?xi8>, %b: index, %work: memref<?xi8>) {
  %0 = memref.alloc() : memref<4x8xf32>
  %view = memref.collapse_shape %0 [[0, 1]] : memref<4x8xf32> into memref<32xf32>
  "define"(%view) : (memref<32xf32>) -> ()
  %1 = memref.alloc() : memref<4x8xf32>
  "use"(%view, %1) : (memref<32xf32>, memref<4x8xf32>) -> ()
  return
}

// Two small buffers lie side by side where a large one was, whatever B is.
// CHECK-LABEL: func.func @divided.body(
// CHECK-SAME:    %[[B:[^:]*]]: index, %[[WORK:[^:]*]]: memref<?xi8>)
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C32:.*]] = arith.constant 32 : index
// CHECK:         %[[BYTES:.*]] = arith.muli %[[C32]], %[[B]]
// CHECK:         %[[PLUS:.*]] = arith.addi %[[BYTES]], %c63
// CHECK:         %[[SMALL:.*]] = arith.andi %[[PLUS]], %c-64
// CHECK:         memref.view %[[WORK]][%[[ZERO]]][%[[B]]] : memref<?xi8> to memref<?x64xf32>
// CHECK:         %[[X:.*]] = memref.view %[[WORK]][%[[ZERO]]][%[[B]]] : memref<?xi8> to memref<?x8xf32>
// CHECK:         %[[Y:.*]] = memref.view %[[WORK]][%[[SMALL]]][%[[B]]] : memref<?xi8> to memref<?x8xf32>
// CHECK:         "use"(%[[X]], %[[Y]])
func.func @divided.body(%ctx: !llvm.ptr, %params: memref<?xi8>, %b: index, %work: memref<?xi8>) {
  %large = memref.alloc(%b) : memref<?x64xf32>
  "define"(%large) : (memref<?x64xf32>) -> ()
  %x = memref.alloc(%b) : memref<?x8xf32>
  "define"(%x) : (memref<?x8xf32>) -> ()
  %y = memref.alloc(%b) : memref<?x8xf32>
  "use"(%x, %y) : (memref<?x8xf32>, memref<?x8xf32>) -> ()
  return
}

// A call says itself what it needs; that is free again for the next one.
// CHECK-LABEL: func.func @calls.body(
// CHECK-SAME:    %[[B:[^:]*]]: index, %[[WORK:[^:]*]]: memref<?xi8>)
// CHECK:         %[[BYTES:.*]] = call @views.workspace(%[[B]])
// CHECK:         %[[PLACE:.*]] = memref.view %[[WORK]][%c0][%{{.*}}] : memref<?xi8> to memref<?xi8>
// CHECK-NEXT:    call @views.body({{.*}}, %[[PLACE]])
// CHECK-NEXT:    call @views.body({{.*}}, %[[PLACE]])
func.func @calls.body(%ctx: !llvm.ptr, %params: memref<?xi8>, %b: index, %work: memref<?xi8>) {
  %bytes = call @views.workspace(%b) : (index) -> index
  %x = memref.alloc(%bytes) : memref<?xi8>
  call @views.body(%ctx, %params, %b, %x) : (!llvm.ptr, memref<?xi8>, index, memref<?xi8>) -> ()
  %y = memref.alloc(%bytes) : memref<?xi8>
  call @views.body(%ctx, %params, %b, %y) : (!llvm.ptr, memref<?xi8>, index, memref<?xi8>) -> ()
  return
}

// The size of the workspace is a function of the sizes alone: two places of
// 32 bytes a row, each rounded up to 64. Sizes may be anything: a product that
// is more than memory has is no small number.
// CHECK-LABEL: func.func private @forward.workspace(
// CHECK-SAME:    %[[N:.*]]: index) -> index
// CHECK:         %[[LOW:.*]], %[[HIGH:.*]] = arith.mului_extended %{{.*}}, %[[N]]
// CHECK:         %[[FITS:.*]] = arith.cmpi eq, %[[HIGH]], %c0
// CHECK:         %[[LEAST:.*]] = arith.minui %[[LOW]], %c140737488355328
// CHECK:         %[[ROWS:.*]] = arith.select %[[FITS]], %[[LEAST]], %c140737488355328
// CHECK:         %[[PLUS:.*]] = arith.addi %[[ROWS]], %c63
// CHECK:         %[[PLACE:.*]] = arith.andi %[[PLUS]], %c-64
// CHECK:         %[[SUM:.*]] = arith.addi %[[PLACE]], %[[PLACE]]
// CHECK:         return %[[SUM]]
func.func private @forward.workspace(index) -> index
func.func private @views.workspace(index) -> index
func.func private @divided.workspace(index) -> index
func.func private @calls.workspace(index) -> index
