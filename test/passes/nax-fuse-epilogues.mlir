// A loop that alone reads what a dot has made becomes the dot's epilogue.
// RUN: nax-opt %s --nax-fuse-epilogues --allow-unregistered-dialect | FileCheck %s

#rows = affine_map<(m, n) -> (m, n)>
#columns = affine_map<(m, n) -> (n)>
#turned = affine_map<(m, n) -> (n, m)>
#btn = affine_map<(b, t, n) -> (b, t, n)>
#tn = affine_map<(b, t, n) -> (t, n)>
#n = affine_map<(b, t, n) -> (n)>

// A bias, then an activation; the buffers between them are gone. Dimensions
// that make the rows, and those that make the columns, are one each.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME:    %[[A:[^:]*]]: memref<?x8xf32>, %[[P:[^:]*]]: memref<1x8x16xf32>, %[[BIAS:[^:]*]]: memref<4x3xf32>, %[[C:[^:]*]]: memref<?x?x4x3xf32>
// CHECK-NOT:     memref.alloc
// CHECK:         %[[B:.*]] = memref.collapse_shape %[[BIAS]] {{\[}}[0, 1]] : memref<4x3xf32> into memref<12xf32>
// CHECK:         %[[OUT:.*]] = memref.collapse_shape %[[C]] {{\[}}[0, 1], [2, 3]] : memref<?x?x4x3xf32> into memref<?x12xf32>
// CHECK-NEXT:    nax.kernel.dot %[[A]], %[[P]] into %[[OUT]] epilogue(%[[B]] : memref<12xf32>) {
// CHECK-NEXT:    ^bb0(%[[SUM:.*]]: f32, %[[ONE:.*]]: f32):
// CHECK-NEXT:      %[[X:.*]] = arith.addf %[[SUM]], %[[ONE]] : f32
// CHECK-NEXT:      %[[Y:.*]] = arith.maximumf %[[X]], %{{.*}} : f32
// CHECK-NEXT:      nax.yield %[[Y]] : f32
// CHECK-NOT:     linalg.generic
func.func @chain(%a: memref<?x8xf32>, %p: memref<1x8x16xf32>, %bias: memref<4x3xf32>, %c: memref<?x?x4x3xf32>, %b: index, %t: index) {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc(%b, %t) : memref<?x?x4x3xf32>
  %flat = memref.collapse_shape %sums [[0, 1], [2, 3]] : memref<?x?x4x3xf32> into memref<?x12xf32>
  nax.kernel.dot %a, %p into %flat : memref<?x8xf32>, memref<1x8x16xf32>, memref<?x12xf32>
  %x = memref.alloc(%b, %t) : memref<?x?x4x3xf32>
  linalg.generic {indexing_maps = [affine_map<(b, t, h, d) -> (b, t, h, d)>, affine_map<(b, t, h, d) -> (h, d)>, affine_map<(b, t, h, d) -> (b, t, h, d)>],
                  iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sums, %bias : memref<?x?x4x3xf32>, memref<4x3xf32>) outs(%x : memref<?x?x4x3xf32>) {
  ^bb0(%s: f32, %e: f32, %o: f32):
    %r = arith.addf %s, %e : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [affine_map<(b, t, h, d) -> (b, t, h, d)>, affine_map<(b, t, h, d) -> (b, t, h, d)>],
                  iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : memref<?x?x4x3xf32>) outs(%c : memref<?x?x4x3xf32>) {
  ^bb0(%s: f32, %o: f32):
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  }
  return
}

// A residual. In bf16 the sum is rounded once, at the end: what memory has in between is no part of the model.
// CHECK-LABEL: func.func @residual(
// CHECK-SAME:    %[[X:[^:]*]]: memref<?x12xbf16>, %[[OUT:[^:]*]]: memref<?x12xbf16>
// CHECK:         nax.kernel.dot %{{.*}}, %{{.*}} into %[[OUT]] epilogue(%[[X]] : memref<?x12xbf16>) {
// CHECK-NEXT:    ^bb0(%[[SUM:.*]]: f32, %[[ONE:.*]]: bf16):
// CHECK-NEXT:      %[[WIDE:.*]] = arith.extf %[[ONE]] : bf16 to f32
// CHECK-NEXT:      %[[Y:.*]] = arith.addf %[[SUM]], %[[WIDE]] : f32
// CHECK-NEXT:      %[[ROUNDED:.*]] = arith.truncf %[[Y]] : f32 to bf16
// CHECK-NEXT:      nax.yield %[[ROUNDED]] : bf16
// CHECK-NOT:     linalg.generic
func.func @residual(%x: memref<?x12xbf16>, %c: memref<?x12xbf16>, %a: memref<?x8xbf16>, %w: memref<12x8xbf16>, %m: index) {
  %sums = memref.alloc(%m) : memref<?x12xbf16>
  nax.kernel.dot %a, %w into %sums : memref<?x8xbf16>, memref<12x8xbf16>, memref<?x12xbf16>
  linalg.generic {indexing_maps = [#rows, #rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sums : memref<?x12xbf16>, memref<?x12xbf16>) outs(%c : memref<?x12xbf16>) {
  ^bb0(%e: bf16, %s: bf16, %o: bf16):
    %p = arith.extf %e {nax.in_memory} : bf16 to f32
    %q = arith.extf %s {nax.in_memory} : bf16 to f32
    %r = arith.addf %q, %p : f32
    %t = arith.truncf %r {nax.in_memory} : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

// What the model rounds itself stays rounded, also where another loop follows whose number is the model's f32.
// CHECK-LABEL: func.func @rounded(
// CHECK:         nax.kernel.dot %{{.*}}, %{{.*}} into %{{.*}} epilogue() {
// CHECK-NEXT:    ^bb0(%[[SUM:.*]]: f32):
// CHECK-NEXT:      %[[ROUNDED:.*]] = arith.truncf %[[SUM]] : f32 to bf16
// CHECK-NEXT:      %[[WIDE:.*]] = arith.extf %[[ROUNDED]] : bf16 to f32
// CHECK-NEXT:      %[[TWICE:.*]] = arith.addf %[[WIDE]], %[[WIDE]] : f32
// CHECK-NEXT:      %[[STORED:.*]] = arith.truncf %[[TWICE]] : f32 to bf16
// CHECK-NEXT:      nax.yield %[[STORED]] : bf16
// CHECK-NOT:     linalg.generic
func.func @rounded(%c: memref<?x12xbf16>, %a: memref<?x8xbf16>, %w: memref<12x8xbf16>, %m: index) {
  %sums = memref.alloc(%m) : memref<?x12xbf16>
  %copy = memref.alloc(%m) : memref<?x12xbf16>
  nax.kernel.dot %a, %w into %sums : memref<?x8xbf16>, memref<12x8xbf16>, memref<?x12xbf16>
  linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%sums : memref<?x12xbf16>) outs(%copy : memref<?x12xbf16>) {
  ^bb0(%s: bf16, %o: bf16):
    linalg.yield %s : bf16
  }
  linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%copy : memref<?x12xbf16>) outs(%c : memref<?x12xbf16>) {
  ^bb0(%s: bf16, %o: bf16):
    %q = arith.extf %s {nax.in_memory} : bf16 to f32
    %r = arith.addf %q, %q : f32
    %t = arith.truncf %r {nax.in_memory} : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

// Two dots that meet: the later one takes the loop.
// CHECK-LABEL: func.func @gate(
// CHECK:         %[[GATE:.*]] = memref.alloc
// CHECK-NEXT:    nax.kernel.dot %{{.*}}, %{{.*}} into %[[GATE]] :
// CHECK-NOT:     memref.alloc
// CHECK:         nax.kernel.dot %{{.*}}, %{{.*}} into %{{.*}} epilogue(%[[GATE]] : memref<?x12xf32>) {
// CHECK-NEXT:    ^bb0(%[[UP:.*]]: f32, %[[G:.*]]: f32):
// CHECK-NEXT:      arith.mulf %[[G]], %[[UP]] : f32
// CHECK-NOT:     linalg.generic
func.func @gate(%a: memref<?x8xf32>, %p: memref<1x8x16xf32>, %q: memref<1x8x16xf32>, %c: memref<?x12xf32>, %m: index) {
  %gate = memref.alloc(%m) : memref<?x12xf32>
  nax.kernel.dot %a, %p into %gate : memref<?x8xf32>, memref<1x8x16xf32>, memref<?x12xf32>
  %up = memref.alloc(%m) : memref<?x12xf32>
  nax.kernel.dot %a, %q into %up : memref<?x8xf32>, memref<1x8x16xf32>, memref<?x12xf32>
  linalg.generic {indexing_maps = [#rows, #rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%gate, %up : memref<?x12xf32>, memref<?x12xf32>) outs(%c : memref<?x12xf32>) {
  ^bb0(%g: f32, %u: f32, %o: f32):
    %r = arith.mulf %g, %u : f32
    linalg.yield %r : f32
  }
  return
}

// The dot moves past what it does not read.
// CHECK-LABEL: func.func @moves(
// CHECK-NOT:     nax.kernel.dot
// CHECK:         "test.other"() : () -> ()
// CHECK:         nax.kernel.dot {{.*}} epilogue(%{{.*}} : memref<12xf32>)
func.func @moves(%a: memref<?x8xf32>, %p: memref<1x8x16xf32>, %c: memref<?x12xf32>, %m: index) {
  %sums = memref.alloc(%m) : memref<?x12xf32>
  nax.kernel.dot %a, %p into %sums : memref<?x8xf32>, memref<1x8x16xf32>, memref<?x12xf32>
  "test.other"() : () -> ()
  %late = memref.alloc() : memref<12xf32>
  "test.write"(%late) : (memref<12xf32>) -> ()
  linalg.generic {indexing_maps = [#rows, #columns, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%sums, %late : memref<?x12xf32>, memref<12xf32>) outs(%c : memref<?x12xf32>) {
  ^bb0(%s: f32, %e: f32, %o: f32):
    %r = arith.mulf %s, %e : f32
    linalg.yield %r : f32
  }
  return
}

// What stays: each function has its loop.

// Somebody else reads the sums.
// CHECK-LABEL: func.func @other_reader(
// CHECK:         linalg.generic
func.func @other_reader(%a: memref<?x8xf32>, %p: memref<1x8x16xf32>, %c: memref<?x12xf32>, %m: index) {
  %sums = memref.alloc(%m) : memref<?x12xf32>
  nax.kernel.dot %a, %p into %sums : memref<?x8xf32>, memref<1x8x16xf32>, memref<?x12xf32>
  linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%sums : memref<?x12xf32>) outs(%c : memref<?x12xf32>) {
  ^bb0(%s: f32, %o: f32):
    %r = arith.negf %s : f32
    linalg.yield %r : f32
  }
  "test.read"(%sums) : (memref<?x12xf32>) -> ()
  return
}

// What the dot reads is overwritten before the loop.
// CHECK-LABEL: func.func @write_between(
// CHECK:         nax.kernel.dot
// CHECK:         "test.write"
// CHECK:         linalg.generic
func.func @write_between(%a: memref<?x8xf32>, %p: memref<1x8x16xf32>, %c: memref<?x12xf32>, %m: index) {
  %sums = memref.alloc(%m) : memref<?x12xf32>
  nax.kernel.dot %a, %p into %sums : memref<?x8xf32>, memref<1x8x16xf32>, memref<?x12xf32>
  "test.write"(%a) : (memref<?x8xf32>) -> ()
  linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%sums : memref<?x12xf32>) outs(%c : memref<?x12xf32>) {
  ^bb0(%s: f32, %o: f32):
    %r = arith.negf %s : f32
    linalg.yield %r : f32
  }
  return
}

// The same by an operation of known effects, in a region.
// CHECK-LABEL: func.func @store_between(
// CHECK:         nax.kernel.dot
// CHECK:         memref.store
// CHECK:         linalg.generic
func.func @store_between(%a: memref<?x8xf32>, %p: memref<1x8x16xf32>, %c: memref<?x12xf32>, %m: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sums = memref.alloc(%m) : memref<?x12xf32>
  nax.kernel.dot %a, %p into %sums : memref<?x8xf32>, memref<1x8x16xf32>, memref<?x12xf32>
  scf.for %i = %c0 to %m step %c1 {
    memref.store %v, %a[%i, %c0] : memref<?x8xf32>
  }
  linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%sums : memref<?x12xf32>) outs(%c : memref<?x12xf32>) {
  ^bb0(%s: f32, %o: f32):
    %r = arith.negf %s : f32
    linalg.yield %r : f32
  }
  return
}

// The result would lie where the dot still reads its rows.
// CHECK-LABEL: func.func @onto_rows(
// CHECK:         linalg.generic
func.func @onto_rows(%a: memref<?x8xf32>, %p: memref<1x8x16xf32>, %m: index) {
  %sums = memref.alloc(%m) : memref<?x8xf32>
  nax.kernel.dot %a, %p into %sums : memref<?x8xf32>, memref<1x8x16xf32>, memref<?x8xf32>
  linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%sums : memref<?x8xf32>) outs(%a : memref<?x8xf32>) {
  ^bb0(%s: f32, %o: f32):
    %r = arith.negf %s : f32
    linalg.yield %r : f32
  }
  return
}

// The number of an element, as dropout asks for it.
// CHECK-LABEL: func.func @number(
// CHECK:         linalg.generic
func.func @number(%a: memref<?x8xf32>, %w: memref<12x8xf32>, %c: memref<?x12xf32>, %m: index) {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc(%m) : memref<?x12xf32>
  nax.kernel.dot %a, %w into %sums : memref<?x8xf32>, memref<12x8xf32>, memref<?x12xf32>
  linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%sums : memref<?x12xf32>) outs(%c : memref<?x12xf32>) {
  ^bb0(%s: f32, %o: f32):
    %i = linalg.index 1 : index
    %some = arith.cmpi ult, %i, %m : index
    %r = arith.select %some, %s, %zero : f32
    linalg.yield %r : f32
  }
  return
}

// Operands whose dimensions are not those of the sums in their order, or are
// not only columns: turned, for each t, for each row.
// CHECK-LABEL: func.func @shapes(
// CHECK-COUNT-3: linalg.generic
func.func @shapes(%a: memref<?x8xf32>, %p: memref<1x8x16xf32>, %c: memref<?x?x12xf32>, %e: memref<12x?xf32>,
                  %f: memref<?x12xf32>, %g: memref<?xf32>, %b: index, %t: index) {
  %x = memref.alloc(%t) : memref<?x12xf32>
  nax.kernel.dot %a, %p into %x : memref<?x8xf32>, memref<1x8x16xf32>, memref<?x12xf32>
  linalg.generic {indexing_maps = [#rows, #turned, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%x, %e : memref<?x12xf32>, memref<12x?xf32>) outs(%f : memref<?x12xf32>) {
  ^bb0(%s: f32, %i: f32, %o: f32):
    %r = arith.mulf %s, %i : f32
    linalg.yield %r : f32
  }
  %y = memref.alloc(%b, %t) : memref<?x?x12xf32>
  %flat = memref.collapse_shape %y [[0, 1], [2]] : memref<?x?x12xf32> into memref<?x12xf32>
  nax.kernel.dot %a, %p into %flat : memref<?x8xf32>, memref<1x8x16xf32>, memref<?x12xf32>
  linalg.generic {indexing_maps = [#btn, #tn, #btn], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%y, %f : memref<?x?x12xf32>, memref<?x12xf32>) outs(%c : memref<?x?x12xf32>) {
  ^bb0(%s: f32, %i: f32, %o: f32):
    %r = arith.addf %s, %i : f32
    linalg.yield %r : f32
  }
  %z = memref.alloc(%t) : memref<?x12xf32>
  nax.kernel.dot %a, %p into %z : memref<?x8xf32>, memref<1x8x16xf32>, memref<?x12xf32>
  linalg.generic {indexing_maps = [#rows, affine_map<(m, n) -> (m)>, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%z, %g : memref<?x12xf32>, memref<?xf32>) outs(%f : memref<?x12xf32>) {
  ^bb0(%s: f32, %i: f32, %o: f32):
    %r = arith.mulf %s, %i : f32
    linalg.yield %r : f32
  }
  return
}

// The result is in another order than the sums.
// CHECK-LABEL: func.func @turned_result(
// CHECK:         linalg.generic
func.func @turned_result(%a: memref<?x8xf32>, %p: memref<1x8x16xf32>, %c: memref<12x?xf32>, %m: index) {
  %sums = memref.alloc(%m) : memref<?x12xf32>
  nax.kernel.dot %a, %p into %sums : memref<?x8xf32>, memref<1x8x16xf32>, memref<?x12xf32>
  linalg.generic {indexing_maps = [#rows, #turned], iterator_types = ["parallel", "parallel"]}
      ins(%sums : memref<?x12xf32>) outs(%c : memref<12x?xf32>) {
  ^bb0(%s: f32, %o: f32):
    %r = arith.negf %s : f32
    linalg.yield %r : f32
  }
  return
}

// A function of f64 is one of libm, for which a CPU's vectors have no
// instruction; a GPU has no such bound.
// CHECK-LABEL: func.func @wide(
// CHECK:         linalg.generic
// CHECK:         nax.kernel.dot {{.*}} epilogue() {
// CHECK:           math.exp
func.func @wide(%a: memref<?x8xf32>, %p: memref<1x8x16xf32>, %w: memref<12x8xf32>, %c: memref<?x12xf32>, %m: index) {
  %x = memref.alloc(%m) : memref<?x12xf32>
  nax.kernel.dot %a, %p into %x : memref<?x8xf32>, memref<1x8x16xf32>, memref<?x12xf32>
  linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<?x12xf32>) outs(%c : memref<?x12xf32>) {
  ^bb0(%s: f32, %o: f32):
    %p0 = arith.extf %s : f32 to f64
    %q = math.exp %p0 : f64
    %r = arith.truncf %q : f64 to f32
    linalg.yield %r : f32
  }
  %y = memref.alloc(%m) : memref<?x12xf32>
  nax.kernel.dot %a, %w into %y : memref<?x8xf32>, memref<12x8xf32>, memref<?x12xf32>
  linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%y : memref<?x12xf32>) outs(%c : memref<?x12xf32>) {
  ^bb0(%s: f32, %o: f32):
    %p1 = arith.extf %s : f32 to f64
    %q = math.exp %p1 : f64
    %r = arith.truncf %q : f64 to f32
    linalg.yield %r : f32
  }
  return
}
