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
// CHECK:         %[[SUM:.*]] = arith.addi %{{.*}}, %[[PLACE]]
// CHECK:         return %[[SUM]]
func.func private @forward.workspace(index) -> index
func.func private @views.workspace(index) -> index
