// A buffer with a place for each pair of positions is warned of, once a line,
// unless it is the caller's own.
// RUN: nax-opt %s --nax-check-buffers --split-input-file --verify-diagnostics

#B = #nax.axis<"B">
#T = #nax.axis<"T", causal>
#S = #nax.axis<read #T>
func.func @weights(%b: index, %t: index) {
  // expected-warning @below {{[B,T,Read<T>] is kept in memory, which grows with the square of T; weights that go straight into dot<Read<T>>(w, v) are not}}
  %0 = memref.alloc(%b, %t, %t) {nax.axes = [#B, #T, #S]} : memref<?x?x?xf32>
  return
}

// -----

// Two sequences side by side are an image.
#P = #nax.axis<"P", positions>
#Q = #nax.axis<"Q", positions>
#RP = #nax.axis<read #P>
func.func @image(%p: index, %q: index) {
  %0 = memref.alloc(%p, %q) {nax.axes = [#RP, #Q]} : memref<?x?xf32>
  return
}
