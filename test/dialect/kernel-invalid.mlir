// RUN: nax-opt %s --split-input-file --verify-diagnostics

// The panels are of another matrix.
func.func @rows(%a: memref<?x63xf32>, %p: memref<3x64x48xf32>, %c: memref<?x130xf32>) {
  // expected-error @below {{'nax.kernel.dot' op expects rows of 64 numbers as the panels have, but got 63}}
  nax.kernel.dot %a, %p into %c : memref<?x63xf32>, memref<3x64x48xf32>, memref<?x130xf32>
  return
}

// -----

// 130 columns are two panels of 48 and a part of a third one.
func.func @panels(%a: memref<?x64xf32>, %p: memref<2x64x48xf32>, %c: memref<?x130xf32>) {
  // expected-error @below {{'nax.kernel.dot' op expects 3 panels for 130 columns, but got 2}}
  nax.kernel.dot %a, %p into %c : memref<?x64xf32>, memref<2x64x48xf32>, memref<?x130xf32>
  return
}

// -----

// Which code is emitted depends on the sizes of the matrix.
func.func @dynamic(%a: memref<?x64xf32>, %p: memref<?x64x48xf32>, %c: memref<?x130xf32>) {
  // expected-error @below {{'nax.kernel.dot' op expects static K, N and panels}}
  nax.kernel.dot %a, %p into %c : memref<?x64xf32>, memref<?x64x48xf32>, memref<?x130xf32>
  return
}

// -----

// A panel is made of whole vectors.
func.func @width(%a: memref<?x64xf32>, %p: memref<7x64x20xf32>, %c: memref<?x130xf32>) {
  // expected-error @below {{'nax.kernel.dot' op expects panels of a multiple of 16 columns, but got 20}}
  nax.kernel.dot %a, %p into %c : memref<?x64xf32>, memref<7x64x20xf32>, memref<?x130xf32>
  return
}

// -----

// Vectors are stored along the columns.
func.func @columns(%a: memref<?x64xf32>, %p: memref<3x64x48xf32>, %c: memref<?x130xf32, strided<[1, ?]>>) {
  // expected-error @below {{'nax.kernel.dot' op expects adjacent columns in the result, but got 'memref<?x130xf32, strided<[1, ?]>>'}}
  nax.kernel.dot %a, %p into %c : memref<?x64xf32>, memref<3x64x48xf32>, memref<?x130xf32, strided<[1, ?]>>
  return
}

// -----

// Without panels, the matrix lies as its rows do.
func.func @transposed(%a: memref<?x64xf32>, %p: memref<64x130xf32>, %c: memref<?x130xf32>) {
  // expected-error @below {{'nax.kernel.dot' op expects a matrix of 130 rows of 64 numbers, but got 'memref<64x130xf32>'}}
  nax.kernel.dot %a, %p into %c : memref<?x64xf32>, memref<64x130xf32>, memref<?x130xf32>
  return
}

// -----

// Pairs are a multiple of 16.
func.func @half_pairs(%a: memref<?x65xf32>, %p: memref<3x33x48x2xbf16>, %c: memref<?x130xf32>) {
  // expected-error @below {{'nax.kernel.dot' op expects rows of 33 pairs as the panels have, but got 65 numbers}}
  nax.kernel.dot %a, %p into %c : memref<?x65xf32>, memref<3x33x48x2xbf16>, memref<?x130xf32>
  return
}

// -----

func.func @triples(%a: memref<?x64xf32>, %p: memref<3x32x48x3xbf16>, %c: memref<?x130xf32>) {
  // expected-error @below {{'nax.kernel.dot' op expects dense panels of pairs, but got 'memref<3x32x48x3xbf16>'}}
  nax.kernel.dot %a, %p into %c : memref<?x64xf32>, memref<3x32x48x3xbf16>, memref<?x130xf32>
  return
}

// -----

// There are products of pairs of bf16 only.
func.func @pairs_of_f16(%a: memref<?x64xf32>, %p: memref<3x32x48x2xf16>, %c: memref<?x130xf32>) {
  // expected-error @below {{'nax.kernel.dot' op expects pairs of bf16 and rows of f32, but got 'memref<3x32x48x2xf16>' and 'memref<?x64xf32>'}}
  nax.kernel.dot %a, %p into %c : memref<?x64xf32>, memref<3x32x48x2xf16>, memref<?x130xf32>
  return
}

// -----

// Rows and matrix meet in one instruction.
func.func @types(%a: memref<?x64xbf16>, %p: memref<130x64xf16>, %c: memref<?x130xf32>) {
  // expected-error @below {{'nax.kernel.dot' op expects a matrix of 'bf16' and a result of it or of f32, but got 'memref<130x64xf16>' and 'memref<?x130xf32>'}}
  nax.kernel.dot %a, %p into %c : memref<?x64xbf16>, memref<130x64xf16>, memref<?x130xf32>
  return
}

// -----

// Nobody would read them.
func.func @extras_alone(%a: memref<?x64xf32>, %p: memref<3x64x48xf32>, %c: memref<?x130xf32>, %b: memref<130xf32>) {
  // expected-error @below {{'nax.kernel.dot' op expects an epilogue that reads its extras}}
  "nax.kernel.dot"(%a, %p, %c, %b) ({
  }) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}
      : (memref<?x64xf32>, memref<3x64x48xf32>, memref<?x130xf32>, memref<130xf32>) -> ()
  return
}

// -----

// A bias has a number for each column.
func.func @extra_size(%a: memref<?x64xf32>, %p: memref<3x64x48xf32>, %c: memref<?x130xf32>, %b: memref<64xf32>) {
  // expected-error @below {{'nax.kernel.dot' op expects an extra of 130 numbers, or of rows of as many, one for each row of the result, but got 'memref<64xf32>'}}
  nax.kernel.dot %a, %p into %c epilogue(%b : memref<64xf32>) {
  ^bb0(%sum: f32, %x: f32):
    nax.yield %sum : f32
  } : memref<?x64xf32>, memref<3x64x48xf32>, memref<?x130xf32>
  return
}

// -----

// Extras are read in vectors, too.
func.func @extra_columns(%a: memref<?x64xf32>, %p: memref<3x64x48xf32>, %c: memref<?x130xf32>, %b: memref<?x130xf32, strided<[1, ?]>>) {
  // expected-error @below {{'nax.kernel.dot' op expects adjacent columns in each extra, but got 'memref<?x130xf32, strided<[1, ?]>>'}}
  nax.kernel.dot %a, %p into %c epilogue(%b : memref<?x130xf32, strided<[1, ?]>>) {
  ^bb0(%sum: f32, %x: f32):
    nax.yield %sum : f32
  } : memref<?x64xf32>, memref<3x64x48xf32>, memref<?x130xf32>
  return
}

// -----

// The element of an extra is of its type.
func.func @epilogue_arguments(%a: memref<?x64xf32>, %p: memref<3x64x48xf32>, %c: memref<?x130xf32>, %b: memref<130xbf16>) {
  // expected-error @below {{'nax.kernel.dot' op expects an epilogue of ('f32', 'bf16'), but got ('f32', 'f32')}}
  nax.kernel.dot %a, %p into %c epilogue(%b : memref<130xbf16>) {
  ^bb0(%sum: f32, %x: f32):
    nax.yield %sum : f32
  } : memref<?x64xf32>, memref<3x64x48xf32>, memref<?x130xf32>
  return
}

// -----

// What is yielded is stored as it is.
func.func @epilogue_yield(%a: memref<?x64xf32>, %p: memref<3x64x48xf32>, %c: memref<?x130xf32>) {
  // expected-error @below {{'nax.kernel.dot' op expects an epilogue that ends with nax.yield of 'f32' as the result has}}
  nax.kernel.dot %a, %p into %c epilogue() {
  ^bb0(%sum: f32):
    %y = arith.truncf %sum : f32 to bf16
    nax.yield %y : bf16
  } : memref<?x64xf32>, memref<3x64x48xf32>, memref<?x130xf32>
  return
}

// -----

// A place in the result is known to the kernel alone.
func.func @epilogue_body(%a: memref<?x64xf32>, %p: memref<3x64x48xf32>, %c: memref<?x130xf32>, %b: memref<130xf32>, %i: index) {
  // expected-error @below {{'nax.kernel.dot' op expects an epilogue of arithmetic on numbers of one element, but got memref.load}}
  nax.kernel.dot %a, %p into %c epilogue() {
  ^bb0(%sum: f32):
    // expected-note @below {{it stands here}}
    %y = memref.load %b[%i] : memref<130xf32>
    nax.yield %y : f32
  } : memref<?x64xf32>, memref<3x64x48xf32>, memref<?x130xf32>
  return
}

// -----

// There are two norms.
func.func @kind(%x: memref<?x8xf32>, %g: memref<8xf32>) {
  // expected-error @below {{'nax.kernel.norm' op expects the kind "rms" or "layer", but got "batch"}}
  nax.kernel.norm "batch" %x, %g into %x eps 1.0e-5 : memref<?x8xf32>, memref<8xf32>, memref<?x8xf32>
  return
}

// -----

// RMS norm subtracts nothing and adds nothing.
func.func @shift(%x: memref<?x8xf32>, %g: memref<8xf32>) {
  // expected-error @below {{'nax.kernel.norm' op expects no shift for the kind "rms"}}
  nax.kernel.norm "rms" %x, %g shift %g : memref<8xf32> into %x eps 1.0e-5 : memref<?x8xf32>, memref<8xf32>, memref<?x8xf32>
  return
}

// -----

// The gain is of another axis.
func.func @gain(%x: memref<?x8xf32>, %g: memref<9xf32>) {
  // expected-error @below {{'nax.kernel.norm' op expects 8 numbers in each operand's row}}
  nax.kernel.norm "rms" %x, %g into %x eps 1.0e-5 : memref<?x8xf32>, memref<9xf32>, memref<?x8xf32>
  return
}

// -----

// The loop over a row is unrolled at its end.
func.func @dynamic_row(%x: memref<?x?xf32>, %g: memref<8xf32>) {
  // expected-error @below {{'nax.kernel.norm' op expects rows of a static size}}
  nax.kernel.norm "rms" %x, %g into %x eps 1.0e-5 : memref<?x?xf32>, memref<8xf32>, memref<?x?xf32>
  return
}

// -----

// A sum of dimensions is no layout of a tensor.
func.func @map(%q: memref<?x8xf32>, %s: memref<1000000xi8>) {
  // expected-error @below {{'nax.kernel.attention' op expects a projected permutation of 4 dimensions to the 2 of the queries, but got affine_map<(d0, d1, d2, d3) -> (d0 + d1, d2)>}}
  nax.kernel.attention(%q, %q, %q) into %q scratch %s : memref<1000000xi8> {
      q_map = affine_map<(t, s, d, e) -> (t + s, d)>, k_map = affine_map<(t, s, d, e) -> (s, d)>,
      v_map = affine_map<(t, s, d, e) -> (s, e)>, out_map = affine_map<(t, s, d, e) -> (t, e)>,
      extra_maps = [], num_batch = 0 : i64, scale = 1.0 : f64}
      : memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>
  return
}

// -----

// Keys are read at s, not at t.
func.func @role(%q: memref<?x8xf32>, %s: memref<1000000xi8>) {
  // expected-error @below {{'nax.kernel.attention' op expects the map of the keys to name dimension 1, but got affine_map<(d0, d1, d2, d3) -> (d0, d2)>}}
  nax.kernel.attention(%q, %q, %q) into %q scratch %s : memref<1000000xi8> {
      q_map = affine_map<(t, s, d, e) -> (t, d)>, k_map = affine_map<(t, s, d, e) -> (t, d)>,
      v_map = affine_map<(t, s, d, e) -> (s, e)>, out_map = affine_map<(t, s, d, e) -> (t, e)>,
      extra_maps = [], num_batch = 0 : i64, scale = 1.0 : f64}
      : memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>
  return
}

// -----

// Components are unrolled.
func.func @components(%q: memref<?x?xf32>, %s: memref<1000000xi8>) {
  // expected-error @below {{'nax.kernel.attention' op expects a static number of components in the values, but got 'memref<?x?xf32>'}}
  nax.kernel.attention(%q, %q, %q) into %q scratch %s : memref<1000000xi8> {
      q_map = affine_map<(t, s, d, e) -> (t, d)>, k_map = affine_map<(t, s, d, e) -> (s, d)>,
      v_map = affine_map<(t, s, d, e) -> (s, e)>, out_map = affine_map<(t, s, d, e) -> (t, e)>,
      extra_maps = [], num_batch = 0 : i64, scale = 1.0 : f64}
      : memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>
  return
}

// -----

// A mask is a tree of known predicates.
func.func @mask(%q: memref<?x8xf32>, %s: memref<1000000xi8>) {
  // expected-error @below {{expects a mask such as ["window", 4] or ["and", x, y], but got ["future", 1]}}
  nax.kernel.attention(%q, %q, %q) into %q scratch %s : memref<1000000xi8> {
      q_map = affine_map<(t, s, d, e) -> (t, d)>, k_map = affine_map<(t, s, d, e) -> (s, d)>,
      v_map = affine_map<(t, s, d, e) -> (s, e)>, out_map = affine_map<(t, s, d, e) -> (t, e)>,
      extra_maps = [], num_batch = 0 : i64, scale = 1.0 : f64, mask = ["not", ["future", 1]]}
      : memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>
  return
}

// -----

// Queries and keys meet in one instruction.
func.func @keys(%q: memref<?x8xbf16>, %k: memref<?x8xf32>) {
  // expected-error @below {{'nax.kernel.attention' op expects keys of 'bf16' as the queries, but got 'memref<?x8xf32>'}}
  nax.kernel.attention(%q, %k, %q) into %q {
      q_map = affine_map<(t, s, d, e) -> (t, d)>, k_map = affine_map<(t, s, d, e) -> (s, d)>,
      v_map = affine_map<(t, s, d, e) -> (s, e)>, out_map = affine_map<(t, s, d, e) -> (t, e)>,
      extra_maps = [], num_batch = 0 : i64, scale = 1.0 : f64}
      : memref<?x8xbf16>, memref<?x8xf32>, memref<?x8xbf16>, memref<?x8xbf16>
  return
}

// -----

// The mask speaks of an operand that is not there.
func.func @extra(%q: memref<?x8xf32>, %s: memref<1000000xi8>) {
  // expected-error @below {{'nax.kernel.attention' op expects an extra number below 0, but got 0}}
  nax.kernel.attention(%q, %q, %q) into %q scratch %s : memref<1000000xi8> {
      q_map = affine_map<(t, s, d, e) -> (t, d)>, k_map = affine_map<(t, s, d, e) -> (s, d)>,
      v_map = affine_map<(t, s, d, e) -> (s, e)>, out_map = affine_map<(t, s, d, e) -> (t, e)>,
      extra_maps = [], num_batch = 0 : i64, scale = 1.0 : f64, mask = ["less_than", 0]}
      : memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>
  return
}

// -----

// Lengths are whole numbers.
func.func @lengths(%q: memref<?x8xf32>, %s: memref<1000000xi8>, %x: memref<f32>) {
  // expected-error @below {{'nax.kernel.attention' op expects elements of i32 or i64 in extra 0, but got 'memref<f32>'}}
  nax.kernel.attention(%q, %q, %q) into %q extras(%x : memref<f32>) scratch %s : memref<1000000xi8> {
      q_map = affine_map<(t, s, d, e) -> (t, d)>, k_map = affine_map<(t, s, d, e) -> (s, d)>,
      v_map = affine_map<(t, s, d, e) -> (s, e)>, out_map = affine_map<(t, s, d, e) -> (t, e)>,
      extra_maps = [affine_map<(t, s, d, e) -> ()>], num_batch = 0 : i64, scale = 1.0 : f64,
      mask = ["less_than", 0]}
      : memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>
  return
}

// -----

// Which position a row of the tables is of is not told by its type.
func.func @rope_map(%q: memref<?x8xf32>, %c: memref<?x4xf32>, %s: memref<?x4xf32>) {
  // expected-error @below {{'nax.kernel.attention' op expects cosines, sines, their map and a pairing to rotate by, or none of them}}
  nax.kernel.attention(%q, %q, %q) rotate("halves", %c, %s : memref<?x4xf32>, memref<?x4xf32>) into %q {
      q_map = affine_map<(t, s, d, e) -> (t, d)>, k_map = affine_map<(t, s, d, e) -> (s, d)>,
      v_map = affine_map<(t, s, d, e) -> (s, e)>, out_map = affine_map<(t, s, d, e) -> (t, e)>,
      extra_maps = [], num_batch = 0 : i64, scale = 1.0 : f64}
      : memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>
  return
}

// -----

// Pairs are found in one of two ways.
func.func @pairing(%q: memref<?x8xf32>, %c: memref<?x4xf32>, %s: memref<?x4xf32>) {
  // expected-error @below {{'nax.kernel.attention' op expects the pairing "halves" or "interleaved", but got "quarters"}}
  nax.kernel.attention(%q, %q, %q) rotate("quarters", %c, %s : memref<?x4xf32>, memref<?x4xf32>) into %q {
      q_map = affine_map<(t, s, d, e) -> (t, d)>, k_map = affine_map<(t, s, d, e) -> (s, d)>,
      v_map = affine_map<(t, s, d, e) -> (s, e)>, out_map = affine_map<(t, s, d, e) -> (t, e)>,
      rope_map = affine_map<(t, s, d, e) -> (t)>, extra_maps = [], num_batch = 0 : i64, scale = 1.0 : f64}
      : memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>
  return
}

// -----

// Both tables are looked up in the same place.
func.func @sines(%q: memref<?x8xf32>, %c: memref<?x4xf32>, %s: memref<?x3xf32>) {
  // expected-error @below {{'nax.kernel.attention' op expects sines of 'memref<?x4xf32>' as the cosines, but got 'memref<?x3xf32>'}}
  nax.kernel.attention(%q, %q, %q) rotate("halves", %c, %s : memref<?x4xf32>, memref<?x3xf32>) into %q {
      q_map = affine_map<(t, s, d, e) -> (t, d)>, k_map = affine_map<(t, s, d, e) -> (s, d)>,
      v_map = affine_map<(t, s, d, e) -> (s, e)>, out_map = affine_map<(t, s, d, e) -> (t, e)>,
      rope_map = affine_map<(t, s, d, e) -> (t)>, extra_maps = [], num_batch = 0 : i64, scale = 1.0 : f64}
      : memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>
  return
}

// -----

// A query has four pairs.
func.func @pairs(%q: memref<?x8xf32>, %c: memref<?x5xf32>, %s: memref<?x5xf32>) {
  // expected-error @below {{'nax.kernel.attention' op expects tables of 1 to 4 pairs of 8 components, but got 'memref<?x5xf32>'}}
  nax.kernel.attention(%q, %q, %q) rotate("halves", %c, %s : memref<?x5xf32>, memref<?x5xf32>) into %q {
      q_map = affine_map<(t, s, d, e) -> (t, d)>, k_map = affine_map<(t, s, d, e) -> (s, d)>,
      v_map = affine_map<(t, s, d, e) -> (s, e)>, out_map = affine_map<(t, s, d, e) -> (t, e)>,
      rope_map = affine_map<(t, s, d, e) -> (t)>, extra_maps = [], num_batch = 0 : i64, scale = 1.0 : f64}
      : memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>
  return
}

// -----

// Pairs are unrolled.
func.func @open_pairs(%q: memref<?x8xf32>, %c: memref<?x?xf32>, %s: memref<?x?xf32>) {
  // expected-error @below {{'nax.kernel.attention' op expects tables of 1 to 4 pairs of 8 components, but got 'memref<?x?xf32>'}}
  nax.kernel.attention(%q, %q, %q) rotate("halves", %c, %s : memref<?x?xf32>, memref<?x?xf32>) into %q {
      q_map = affine_map<(t, s, d, e) -> (t, d)>, k_map = affine_map<(t, s, d, e) -> (s, d)>,
      v_map = affine_map<(t, s, d, e) -> (s, e)>, out_map = affine_map<(t, s, d, e) -> (t, e)>,
      rope_map = affine_map<(t, s, d, e) -> (t)>, extra_maps = [], num_batch = 0 : i64, scale = 1.0 : f64}
      : memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>
  return
}

// -----

// The pairs are the last dimension, and the map has the others.
func.func @rope_rank(%q: memref<?x8xf32>, %c: memref<?x4xf32>, %s: memref<?x4xf32>) {
  // expected-error @below {{'nax.kernel.attention' op expects a projected permutation of 4 dimensions to those of the tables but their pairs, but got affine_map<(d0, d1, d2, d3) -> (d0, d2)>}}
  nax.kernel.attention(%q, %q, %q) rotate("halves", %c, %s : memref<?x4xf32>, memref<?x4xf32>) into %q {
      q_map = affine_map<(t, s, d, e) -> (t, d)>, k_map = affine_map<(t, s, d, e) -> (s, d)>,
      v_map = affine_map<(t, s, d, e) -> (s, e)>, out_map = affine_map<(t, s, d, e) -> (t, e)>,
      rope_map = affine_map<(t, s, d, e) -> (t, d)>, extra_maps = [], num_batch = 0 : i64, scale = 1.0 : f64}
      : memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>
  return
}

// -----

// A query has no position s.
func.func @rope_of_keys(%q: memref<?x8xf32>, %c: memref<?x4xf32>, %s: memref<?x4xf32>) {
  // expected-error @below {{'nax.kernel.attention' op expects the map of the tables to name dimensions of the queries, but got affine_map<(d0, d1, d2, d3) -> (d1)>}}
  nax.kernel.attention(%q, %q, %q) rotate("halves", %c, %s : memref<?x4xf32>, memref<?x4xf32>) into %q {
      q_map = affine_map<(t, s, d, e) -> (t, d)>, k_map = affine_map<(t, s, d, e) -> (s, d)>,
      v_map = affine_map<(t, s, d, e) -> (s, e)>, out_map = affine_map<(t, s, d, e) -> (t, e)>,
      rope_map = affine_map<(t, s, d, e) -> (s)>, extra_maps = [], num_batch = 0 : i64, scale = 1.0 : f64}
      : memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>
  return
}

// -----

// Which row a span is of is not told by its type.
func.func @span_map(%q: memref<?x?x8xf32>, %c: memref<?x?x8xf32>, %p: memref<?x2xi32>, %s: memref<1000000xi8>) {
  // expected-error @below {{'nax.kernel.attention' op expects a cache of keys, one of values, a span and its map, or none of them}}
  nax.kernel.attention(%q, %q, %q) cached(%c, %c, %p : memref<?x?x8xf32>, memref<?x?x8xf32>, memref<?x2xi32>) into %q scratch %s : memref<1000000xi8> {
      q_map = affine_map<(b, t, s, d, e) -> (b, t, d)>, k_map = affine_map<(b, t, s, d, e) -> (b, s, d)>,
      v_map = affine_map<(b, t, s, d, e) -> (b, s, e)>, out_map = affine_map<(b, t, s, d, e) -> (b, t, e)>,
      extra_maps = [], num_batch = 1 : i64, scale = 1.0 : f64}
      : memref<?x?x8xf32>, memref<?x?x8xf32>, memref<?x?x8xf32>, memref<?x?x8xf32>
  return
}

// -----

// A row has a start and an end.
func.func @span(%q: memref<?x?x8xf32>, %c: memref<?x?x8xf32>, %p: memref<?x2xi32>, %s: memref<1000000xi8>, %x: memref<?xi32>) {
  // expected-error @below {{'nax.kernel.attention' op expects a start and an end for each row that the map of the span names, but got 'memref<?xi32>' and affine_map<(d0, d1, d2, d3, d4) -> (d0)>}}
  nax.kernel.attention(%q, %q, %q) cached(%c, %c, %x : memref<?x?x8xf32>, memref<?x?x8xf32>, memref<?xi32>) into %q scratch %s : memref<1000000xi8> {
      q_map = affine_map<(b, t, s, d, e) -> (b, t, d)>, k_map = affine_map<(b, t, s, d, e) -> (b, s, d)>,
      v_map = affine_map<(b, t, s, d, e) -> (b, s, e)>, out_map = affine_map<(b, t, s, d, e) -> (b, t, e)>,
      span_map = affine_map<(b, t, s, d, e) -> (b)>, extra_maps = [], num_batch = 1 : i64, scale = 1.0 : f64}
      : memref<?x?x8xf32>, memref<?x?x8xf32>, memref<?x?x8xf32>, memref<?x?x8xf32>
  return
}

// -----

// The row of a span is not chosen by a query.
func.func @span_of_query(%q: memref<?x?x8xf32>, %c: memref<?x?x8xf32>, %p: memref<?x2xi32>, %s: memref<1000000xi8>) {
  // expected-error @below {{'nax.kernel.attention' op expects the map of the span not to name dimension 1, but got affine_map<(d0, d1, d2, d3, d4) -> (d1)>}}
  nax.kernel.attention(%q, %q, %q) cached(%c, %c, %p : memref<?x?x8xf32>, memref<?x?x8xf32>, memref<?x2xi32>) into %q scratch %s : memref<1000000xi8> {
      q_map = affine_map<(b, t, s, d, e) -> (b, t, d)>, k_map = affine_map<(b, t, s, d, e) -> (b, s, d)>,
      v_map = affine_map<(b, t, s, d, e) -> (b, s, e)>, out_map = affine_map<(b, t, s, d, e) -> (b, t, e)>,
      span_map = affine_map<(b, t, s, d, e) -> (t)>, extra_maps = [], num_batch = 1 : i64, scale = 1.0 : f64}
      : memref<?x?x8xf32>, memref<?x?x8xf32>, memref<?x?x8xf32>, memref<?x?x8xf32>
  return
}

// -----

// The cache is of other keys.
func.func @cache(%q: memref<?x?x8xf32>, %c: memref<?x?x8xf32>, %p: memref<?x2xi32>, %s: memref<1000000xi8>, %x: memref<?x?x9xf32>) {
  // expected-error @below {{'nax.kernel.attention' op expects the cache of the keys to differ from 'memref<?x?x8xf32>' in dimension 2 at most, but got 'memref<?x?x9xf32>'}}
  nax.kernel.attention(%q, %q, %q) cached(%x, %c, %p : memref<?x?x9xf32>, memref<?x?x8xf32>, memref<?x2xi32>) into %q scratch %s : memref<1000000xi8> {
      q_map = affine_map<(b, t, s, d, e) -> (b, t, d)>, k_map = affine_map<(b, t, s, d, e) -> (b, s, d)>,
      v_map = affine_map<(b, t, s, d, e) -> (b, s, e)>, out_map = affine_map<(b, t, s, d, e) -> (b, t, e)>,
      span_map = affine_map<(b, t, s, d, e) -> (b)>, extra_maps = [], num_batch = 1 : i64, scale = 1.0 : f64}
      : memref<?x?x8xf32>, memref<?x?x8xf32>, memref<?x?x8xf32>, memref<?x?x8xf32>
  return
}

// -----

// Components of cached values are unrolled, too.
func.func @cached_components(%q: memref<?x?x8xf32>, %c: memref<?x?x8xf32>, %p: memref<?x2xi32>, %s: memref<1000000xi8>, %x: memref<?x?x?xf32>) {
  // expected-error @below {{'nax.kernel.attention' op expects a static number of components in the cached values, but got 'memref<?x?x?xf32>'}}
  nax.kernel.attention(%q, %q, %q) cached(%c, %x, %p : memref<?x?x8xf32>, memref<?x?x?xf32>, memref<?x2xi32>) into %q scratch %s : memref<1000000xi8> {
      q_map = affine_map<(b, t, s, d, e) -> (b, t, d)>, k_map = affine_map<(b, t, s, d, e) -> (b, s, d)>,
      v_map = affine_map<(b, t, s, d, e) -> (b, s, e)>, out_map = affine_map<(b, t, s, d, e) -> (b, t, e)>,
      span_map = affine_map<(b, t, s, d, e) -> (b)>, extra_maps = [], num_batch = 1 : i64, scale = 1.0 : f64}
      : memref<?x?x8xf32>, memref<?x?x8xf32>, memref<?x?x8xf32>, memref<?x?x8xf32>
  return
}

// -----

// Documents of cached keys are in a cache, too.
func.func @documents(%q: memref<?x?x8xf32>, %c: memref<?x?x8xf32>, %p: memref<?x2xi32>, %s: memref<1000000xi8>, %x: memref<?x?xi32>) {
  // expected-error @below {{'nax.kernel.attention' op expects the number of another extra, the cache of extra 0, in extra_caches, but got -1}}
  nax.kernel.attention(%q, %q, %q) cached(%c, %c, %p : memref<?x?x8xf32>, memref<?x?x8xf32>, memref<?x2xi32>) into %q extras(%x : memref<?x?xi32>) scratch %s : memref<1000000xi8> {
      q_map = affine_map<(b, t, s, d, e) -> (b, t, d)>, k_map = affine_map<(b, t, s, d, e) -> (b, s, d)>,
      v_map = affine_map<(b, t, s, d, e) -> (b, s, e)>, out_map = affine_map<(b, t, s, d, e) -> (b, t, e)>,
      span_map = affine_map<(b, t, s, d, e) -> (b)>, extra_maps = [affine_map<(b, t, s, d, e) -> (b, t)>], num_batch = 1 : i64, scale = 1.0 : f64, mask = ["same", 0], extra_caches = array<i64: -1>}
      : memref<?x?x8xf32>, memref<?x?x8xf32>, memref<?x?x8xf32>, memref<?x?x8xf32>
  return
}

// -----

// A truth for each key is cached as such.
func.func @truths(%q: memref<?x?x8xf32>, %c: memref<?x?x8xf32>, %p: memref<?x2xi32>, %s: memref<1000000xi8>, %x: memref<?x?xi1>, %y: memref<?x?xi8>) {
  // expected-error @below {{'nax.kernel.attention' op expects extra 1, the cache of extra 0, to have its map and elements, but got 'memref<?x?xi8>'}}
  nax.kernel.attention(%q, %q, %q) cached(%c, %c, %p : memref<?x?x8xf32>, memref<?x?x8xf32>, memref<?x2xi32>) into %q extras(%x, %y : memref<?x?xi1>, memref<?x?xi8>) scratch %s : memref<1000000xi8> {
      q_map = affine_map<(b, t, s, d, e) -> (b, t, d)>, k_map = affine_map<(b, t, s, d, e) -> (b, s, d)>,
      v_map = affine_map<(b, t, s, d, e) -> (b, s, e)>, out_map = affine_map<(b, t, s, d, e) -> (b, t, e)>,
      span_map = affine_map<(b, t, s, d, e) -> (b)>, extra_maps = [affine_map<(b, t, s, d, e) -> (b, s)>, affine_map<(b, t, s, d, e) -> (b, s)>], num_batch = 1 : i64, scale = 1.0 : f64, mask = ["true", 0], extra_caches = array<i64: 1, -1>}
      : memref<?x?x8xf32>, memref<?x?x8xf32>, memref<?x?x8xf32>, memref<?x?x8xf32>
  return
}

// -----

// No cache holds pairs of positions.
func.func @pairs(%q: memref<?x?x8xf32>, %c: memref<?x?x8xf32>, %p: memref<?x2xi32>, %s: memref<1000000xi8>, %x: memref<?x?xf32>) {
  // expected-error @below {{'nax.kernel.attention' op expects extra 0 beside a cache not to name both dimensions 1 and 2, but got affine_map<(d0, d1, d2, d3, d4) -> (d1, d2)>}}
  nax.kernel.attention(%q, %q, %q) cached(%c, %c, %p : memref<?x?x8xf32>, memref<?x?x8xf32>, memref<?x2xi32>) into %q extras(%x : memref<?x?xf32>) scratch %s : memref<1000000xi8> {
      q_map = affine_map<(b, t, s, d, e) -> (b, t, d)>, k_map = affine_map<(b, t, s, d, e) -> (b, s, d)>,
      v_map = affine_map<(b, t, s, d, e) -> (b, s, e)>, out_map = affine_map<(b, t, s, d, e) -> (b, t, e)>,
      span_map = affine_map<(b, t, s, d, e) -> (b)>, extra_maps = [affine_map<(b, t, s, d, e) -> (t, s)>], num_batch = 1 : i64, scale = 1.0 : f64, bias = 0 : i64}
      : memref<?x?x8xf32>, memref<?x?x8xf32>, memref<?x?x8xf32>, memref<?x?x8xf32>
  return
}

// -----

// The result holds weights, one for each key.
func.func @weights(%q: memref<?x8xf32>, %s: memref<1000000xi8>) {
  // expected-error @below {{'nax.kernel.attention_weights' op expects the map of the result to name dimension 1, but got affine_map<(d0, d1, d2, d3) -> (d0, d2)>}}
  nax.kernel.attention_weights(%q, %q) into %q scratch %s : memref<1000000xi8> {
      q_map = affine_map<(t, s, d, e) -> (t, d)>, k_map = affine_map<(t, s, d, e) -> (s, d)>,
      out_map = affine_map<(t, s, d, e) -> (t, d)>,
      extra_maps = [], num_batch = 0 : i64, scale = 1.0 : f64}
      : memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>
  return
}

// -----

// The runtime hands chunks out once.
func.func @nested(%ctx: !llvm.ptr, %n: i64) {
  // expected-note @below {{the outer one}}
  nax.parallel %i = 0 to %n {
    // expected-error @below {{'nax.parallel' op expects not to stand in another one}}
    nax.parallel %j = 0 to %n {
      nax.done
    }
    nax.done
  }
  return
}

// -----

// The number of the chunk is all that a region gets.
func.func @arguments(%ctx: !llvm.ptr, %n: i64) {
  // expected-error @below {{'nax.parallel' op expects a region with one argument of i64}}
  "nax.parallel"(%n) ({
  ^entry(%i: i64, %j: i64):
    "nax.done"() : () -> ()
  }) : (i64) -> ()
  return
}

// -----

func.func @start(%ctx: !llvm.ptr, %n: i64) {
  // expected-error @below {{expects to begin at 0, but got 1}}
  nax.parallel %i = 1 to %n {
    nax.done
  }
  return
}

// -----

func.func @phases_inside(%ctx: !llvm.ptr, %n: i64) {
  // expected-note @below {{the outer one}}
  nax.parallel %i = 0 to %n {
    // expected-error @below {{'nax.phases' op expects not to stand in a nax.parallel or in another nax.phases}}
    nax.phases {
      nax.done
    }
    nax.done
  }
  return
}

// -----

func.func @phases_arguments(%ctx: !llvm.ptr) {
  // expected-error @below {{'nax.phases' op expects regions without arguments}}
  "nax.phases"() ({
  ^entry(%i: i64):
    "nax.done"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @stored_as(%a: memref<?x64xf32>, %p: memref<3x2x1632xi8>, %c: memref<?x130xf32>) {
  // expected-error @below {{'nax.kernel.dot' op expects a quantised type that is stored, but got "q5_0"}}
  nax.kernel.dot %a, %p into %c {stored = "q5_0"} : memref<?x64xf32>, memref<3x2x1632xi8>, memref<?x130xf32>
  return
}

// -----

// Bytes say nothing of themselves.
func.func @bytes(%a: memref<?x64xf32>, %p: memref<3x2x1632xi8>, %c: memref<?x130xf32>) {
  // expected-error @below {{'nax.kernel.dot' op expects `stored` to say what its panels are}}
  nax.kernel.dot %a, %p into %c : memref<?x64xf32>, memref<3x2x1632xi8>, memref<?x130xf32>
  return
}

// -----

func.func @exact(%a: memref<?x64xf32>, %p: memref<3x64x48xf32>, %c: memref<?x130xf32>) {
  // expected-error @below {{'nax.kernel.dot' op expects `stored` to say what its panels are}}
  nax.kernel.dot %a, %p into %c {exact} : memref<?x64xf32>, memref<3x64x48xf32>, memref<?x130xf32>
  return
}

// -----

func.func @block(%a: memref<?x64xf32>, %p: memref<3x1x7104xi8>, %c: memref<?x130xf32>) {
  // expected-error @below {{'nax.kernel.dot' op expects rows of a multiple of 256 numbers for q4_k, but got 64}}
  nax.kernel.dot %a, %p into %c {stored = "q4_k"} : memref<?x64xf32>, memref<3x1x7104xi8>, memref<?x130xf32>
  return
}

// -----

// The records are those of q8_0.
func.func @records(%a: memref<?x64xf32>, %p: memref<3x2x1632xi8>, %c: memref<?x130xf32>) {
  // expected-error @below {{'nax.kernel.dot' op expects panels of 2 records of 18 bytes for each of a multiple of 16 columns, but got 'memref<3x2x1632xi8>'}}
  nax.kernel.dot %a, %p into %c {stored = "q4_0"} : memref<?x64xf32>, memref<3x2x1632xi8>, memref<?x130xf32>
  return
}

// -----

func.func @half_rows(%a: memref<?x64xf16>, %p: memref<3x2x1632xi8>, %c: memref<?x130xf32>) {
  // expected-error @below {{'nax.kernel.dot' op expects rows and a result of f32 for quantised panels, but got 'memref<?x64xf16>' and 'memref<?x130xf32>'}}
  nax.kernel.dot %a, %p into %c {stored = "q8_0"} : memref<?x64xf16>, memref<3x2x1632xi8>, memref<?x130xf32>
  return
}
