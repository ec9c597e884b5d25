// A loop writes where it has read for the last time.
// RUN: nax-opt %s --nax-share-buffers --allow-unregistered-dialect | FileCheck %s

#rows = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>
#columns = affine_map<(d0, d1) -> (d1)>

// What is not needed after the loop takes its result; what is stays as it is.
// CHECK-LABEL: func.func @sum.body(
// CHECK:         %[[X:.*]] = memref.alloc
// CHECK:         "write"(%[[X]])
// CHECK:         %[[KEPT:.*]] = memref.alloc
// CHECK:         "write"(%[[KEPT]])
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.generic {{.*}} ins(%[[KEPT]], %[[X]] : {{.*}}) outs(%[[X]] : memref<?x8xf32>)
// CHECK:         "read"(%[[X]], %[[KEPT]])
func.func @sum.body(%ctx: !llvm.ptr, %params: memref<?xi8>, %b: index, %work: memref<?xi8>) {
  %x = memref.alloc(%b) : memref<?x8xf32>
  "write"(%x) : (memref<?x8xf32>) -> ()
  %kept = memref.alloc(%b) : memref<?x8xf32>
  "write"(%kept) : (memref<?x8xf32>) -> ()
  %y = memref.alloc(%b) : memref<?x8xf32>
  linalg.generic {indexing_maps = [#rows, #rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%kept, %x : memref<?x8xf32>, memref<?x8xf32>) outs(%y : memref<?x8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  }
  "read"(%y, %kept) : (memref<?x8xf32>, memref<?x8xf32>) -> ()
  return
}

// The halves of a rotation: each run reads both before it writes both. What is
// rotated is seen in another shape than it was made in.
// CHECK-LABEL: func.func @rotate.body(
// CHECK:         %[[X:.*]] = memref.alloc
// CHECK:         %[[SEEN:.*]] = memref.expand_shape %[[X]]
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.generic
// CHECK:         "read"(%[[SEEN]])
func.func @rotate.body(%ctx: !llvm.ptr, %params: memref<?xi8>, %b: index, %work: memref<?xi8>) {
  %x = memref.alloc(%b) : memref<?x24xf32>
  "write"(%x) : (memref<?x24xf32>) -> ()
  %seen = memref.expand_shape %x [[0], [1, 2]] output_shape [%b, 3, 8] : memref<?x24xf32> into memref<?x3x8xf32>
  %y = memref.alloc(%b) : memref<?x3x8xf32>
  %x0 = memref.subview %seen[0, 0, 0] [%b, 3, 4] [1, 1, 1] : memref<?x3x8xf32> to memref<?x3x4xf32, strided<[24, 8, 1]>>
  %x1 = memref.subview %seen[0, 0, 4] [%b, 3, 4] [1, 1, 1] : memref<?x3x8xf32> to memref<?x3x4xf32, strided<[24, 8, 1], offset: 4>>
  %y0 = memref.subview %y[0, 0, 0] [%b, 3, 4] [1, 1, 1] : memref<?x3x8xf32> to memref<?x3x4xf32, strided<[24, 8, 1]>>
  %y1 = memref.subview %y[0, 0, 4] [%b, 3, 4] [1, 1, 1] : memref<?x3x8xf32> to memref<?x3x4xf32, strided<[24, 8, 1], offset: 4>>
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>,
                                   affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>],
                  iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x0, %x1 : memref<?x3x4xf32, strided<[24, 8, 1]>>, memref<?x3x4xf32, strided<[24, 8, 1], offset: 4>>)
      outs(%y0, %y1 : memref<?x3x4xf32, strided<[24, 8, 1]>>, memref<?x3x4xf32, strided<[24, 8, 1], offset: 4>>) {
  ^bb0(%p: f32, %q: f32, %o: f32, %r: f32):
    %s = arith.subf %p, %q : f32
    %t = arith.addf %p, %q : f32
    linalg.yield %s, %t : f32, f32
  }
  "read"(%y) : (memref<?x3x8xf32>) -> ()
  return
}

// Crossed halves are written before they are read.
// CHECK-LABEL: func.func @cross.body(
// CHECK:         memref.alloc
// CHECK:         memref.alloc
func.func @cross.body(%ctx: !llvm.ptr, %params: memref<?xi8>, %work: memref<?xi8>) {
  %x = memref.alloc() : memref<8xf32>
  "write"(%x) : (memref<8xf32>) -> ()
  %y = memref.alloc() : memref<8xf32>
  %x0 = memref.subview %x[0] [5] [1] : memref<8xf32> to memref<5xf32, strided<[1]>>
  %x1 = memref.subview %x[3] [5] [1] : memref<8xf32> to memref<5xf32, strided<[1], offset: 3>>
  %y0 = memref.subview %y[0] [5] [1] : memref<8xf32> to memref<5xf32, strided<[1]>>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x0, %x1 : memref<5xf32, strided<[1]>>, memref<5xf32, strided<[1], offset: 3>>) outs(%y0 : memref<5xf32, strided<[1]>>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  }
  "read"(%y) : (memref<8xf32>) -> ()
  return
}

// Turned, repeated along an axis, summed up, or read at other places.
// CHECK-LABEL: func.func @not.body(
// CHECK-COUNT-8: memref.alloc
func.func @not.body(%ctx: !llvm.ptr, %params: memref<?xi8>, %i: index, %work: memref<?xi8>) {
  %x = memref.alloc() : memref<8x8xf32>
  "write"(%x) : (memref<8x8xf32>) -> ()
  %y = memref.alloc() : memref<8x8xf32>
  linalg.generic {indexing_maps = [#turned, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<8x8xf32>) outs(%y : memref<8x8xf32>) {
  ^bb0(%p: f32, %o: f32):
    linalg.yield %p : f32
  }
  "read"(%y) : (memref<8x8xf32>) -> ()

  %c = memref.alloc() : memref<8xf32>
  "write"(%c) : (memref<8xf32>) -> ()
  %z = memref.alloc() : memref<8x8xf32>
  linalg.generic {indexing_maps = [#columns, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%c : memref<8xf32>) outs(%z : memref<8x8xf32>) {
  ^bb0(%p: f32, %o: f32):
    linalg.yield %p : f32
  }
  "read"(%z) : (memref<8x8xf32>) -> ()

  %d = memref.alloc() : memref<8xf32>
  "write"(%d) : (memref<8xf32>) -> ()
  %e = memref.alloc() : memref<8xf32>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["reduction"]}
      ins(%d : memref<8xf32>) outs(%e : memref<8xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = arith.addf %p, %o : f32
    linalg.yield %s : f32
  }
  "read"(%e) : (memref<8xf32>) -> ()

  %f = memref.alloc() : memref<8xf32>
  "write"(%f) : (memref<8xf32>) -> ()
  %g = memref.alloc() : memref<8xf32>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%f : memref<8xf32>) outs(%g : memref<8xf32>) {
  ^bb0(%p: f32, %o: f32):
    %other = memref.load %f[%i] : memref<8xf32>
    %s = arith.addf %p, %other : f32
    linalg.yield %s : f32
  }
  "read"(%g) : (memref<8xf32>) -> ()
  return
}

// A norm is computed in place.
// CHECK-LABEL: func.func @norm.body(
// CHECK:         %[[X:.*]] = memref.alloc({{.*}}) : memref<?x?x8xf32>
// CHECK-NOT:     memref.alloc
// CHECK:         %[[ROWS:.*]] = memref.collapse_shape %[[X]]
// CHECK:         %[[SAME:.*]] = memref.collapse_shape %[[X]]
// CHECK:         nax.kernel.norm "rms" %[[ROWS]], %{{.*}} into %[[SAME]]
func.func @norm.body(%ctx: !llvm.ptr, %params: memref<?xi8>, %b: index, %t: index, %work: memref<?xi8>) {
  %gain = memref.alloc() : memref<8xf32>
  "write"(%gain) : (memref<8xf32>) -> ()
  %x = memref.alloc(%b, %t) : memref<?x?x8xf32>
  "write"(%x) : (memref<?x?x8xf32>) -> ()
  %y = memref.alloc(%b, %t) : memref<?x?x8xf32>
  %rows = memref.collapse_shape %x [[0, 1], [2]] : memref<?x?x8xf32> into memref<?x8xf32>
  %out = memref.collapse_shape %y [[0, 1], [2]] : memref<?x?x8xf32> into memref<?x8xf32>
  nax.kernel.norm "rms" %rows, %gain into %out eps 1.0e-5 : memref<?x8xf32>, memref<8xf32>, memref<?x8xf32>
  "read"(%y) : (memref<?x?x8xf32>) -> ()
  return
}

// The residual of a dot is where the result goes; each element is read before
// it is written. Not so where the dot's rows, all of which it reads again and
// again, are the residual.
// CHECK-LABEL: func.func @dot.body(
// CHECK:         %[[X:.*]] = memref.alloc({{.*}}) : memref<?x?x8xf32>
// CHECK:         "write"(%[[X]])
// CHECK-NOT:     memref.alloc
// CHECK:         %[[ROWS:.*]] = memref.collapse_shape %[[X]]
// CHECK:         %[[SAME:.*]] = memref.collapse_shape %[[X]]
// CHECK:         nax.kernel.dot %{{.*}}, %{{.*}} into %[[SAME]] epilogue(%[[ROWS]] : memref<?x8xf32>)
// CHECK:         %[[OTHER:.*]] = memref.alloc
// CHECK:         nax.kernel.dot %[[SAME]], %{{.*}} into %[[OTHER]] epilogue(%[[SAME]] : memref<?x8xf32>)
// CHECK:         "read"(%[[OTHER]])
func.func @dot.body(%ctx: !llvm.ptr, %params: memref<?xi8>, %a: memref<?x8xf32>, %p: memref<1x8x16xf32>, %b: index, %t: index, %m: index, %work: memref<?xi8>) {
  %x = memref.alloc(%b, %t) : memref<?x?x8xf32>
  "write"(%x) : (memref<?x?x8xf32>) -> ()
  %y = memref.alloc(%b, %t) : memref<?x?x8xf32>
  %rows = memref.collapse_shape %x [[0, 1], [2]] : memref<?x?x8xf32> into memref<?x8xf32>
  %out = memref.collapse_shape %y [[0, 1], [2]] : memref<?x?x8xf32> into memref<?x8xf32>
  nax.kernel.dot %a, %p into %out epilogue(%rows : memref<?x8xf32>) {
  ^bb0(%sum: f32, %r: f32):
    %s = arith.addf %sum, %r : f32
    nax.yield %s : f32
  } : memref<?x8xf32>, memref<1x8x16xf32>, memref<?x8xf32>
  %z = memref.alloc(%m) : memref<?x8xf32>
  nax.kernel.dot %out, %p into %z epilogue(%out : memref<?x8xf32>) {
  ^bb0(%sum: f32, %r: f32):
    %s = arith.addf %sum, %r : f32
    nax.yield %s : f32
  } : memref<?x8xf32>, memref<1x8x16xf32>, memref<?x8xf32>
  "read"(%z) : (memref<?x8xf32>) -> ()
  return
}

// A result of the function holds what leads to it from the start; not so where
// it is needed for something else meanwhile.
// CHECK-LABEL: func.func @result.body(
// CHECK-SAME:    %[[A:[^:]*]]: memref<?xi8>, %[[B:[^:]*]]: memref<?x8xf32>, %{{[^:]*}}: memref<?xi8>)
// CHECK:         %[[RESULT:.*]] = memref.view %[[A]]
// CHECK-NOT:     memref.alloc
// CHECK:         "write"(%[[RESULT]])
// CHECK:         linalg.generic {{.*}} ins(%[[RESULT]] : {{.*}}) outs(%[[RESULT]] :
// CHECK:         %[[OTHER:.*]] = memref.alloc
// CHECK:         "write"(%[[OTHER]])
// CHECK:         "read"(%[[B]])
// CHECK:         linalg.generic {{.*}} ins(%[[OTHER]] : {{.*}}) outs(%[[B]] :
func.func @result.body(%ctx: !llvm.ptr, %params: memref<?xi8>, %n: index, %a: memref<?xi8>, %b: memref<?x8xf32>, %work: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %result = memref.view %a[%c0][%n] : memref<?xi8> to memref<?x8xf32>
  %x = memref.alloc(%n) : memref<?x8xf32>
  "write"(%x) : (memref<?x8xf32>) -> ()
  linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<?x8xf32>) outs(%result : memref<?x8xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = arith.negf %p : f32
    linalg.yield %s : f32
  }
  %y = memref.alloc(%n) : memref<?x8xf32>
  "write"(%y) : (memref<?x8xf32>) -> ()
  "read"(%b) : (memref<?x8xf32>) -> ()
  linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%y : memref<?x8xf32>) outs(%b : memref<?x8xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = arith.negf %p : f32
    linalg.yield %s : f32
  }
  return
}
