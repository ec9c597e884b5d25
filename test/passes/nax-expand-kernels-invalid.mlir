// RUN: nax-opt %s --nax-expand-kernels --split-input-file --verify-diagnostics

// Chunks are run by the context.
func.func @context(%a: memref<?x5xf32>, %p: memref<1x5x16xf32>, %c: memref<?x16xf32>) {
  // expected-error @below {{'nax.kernel.dot' op expects the function around it to take the context, a !llvm.ptr, as its first argument}}
  nax.kernel.dot %a, %p into %c : memref<?x5xf32>, memref<1x5x16xf32>, memref<?x16xf32>
  return
}

// -----

// A kernel has chunks of its own.
func.func @inside(%ctx: !llvm.ptr, %n: i64, %a: memref<?x5xf32>, %p: memref<1x5x16xf32>, %c: memref<?x16xf32>) {
  nax.parallel %i = 0 to %n {
    // expected-error @below {{'nax.kernel.dot' op expects not to stand in a nax.parallel}}
    nax.kernel.dot %a, %p into %c : memref<?x5xf32>, memref<1x5x16xf32>, memref<?x16xf32>
    nax.done
  }
  return
}

// -----

func.func @scratch(%ctx: !llvm.ptr, %q: memref<?x8xf32>, %s: memref<1000xi8>) {
  // expected-error @below {{'nax.kernel.attention' op expects 3268608 bytes of scratch, but got 1000}}
  nax.kernel.attention(%q, %q, %q) into %q scratch %s : memref<1000xi8> {
      q_map = affine_map<(t, s, d, e) -> (t, d)>, k_map = affine_map<(t, s, d, e) -> (s, d)>,
      v_map = affine_map<(t, s, d, e) -> (s, e)>, out_map = affine_map<(t, s, d, e) -> (t, e)>,
      extra_maps = [], num_batch = 0 : i64, scale = 1.0 : f64}
      : memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>
  return
}

// -----

// What a GPU takes.
func.func @half(%ctx: !llvm.ptr, %a: memref<?x64xbf16>, %p: memref<1x64x16xbf16>, %c: memref<?x16xf32>) {
  // expected-error @below {{'nax.kernel.dot' op expects f32 on a CPU, but got 'memref<?x64xbf16>'}}
  nax.kernel.dot %a, %p into %c : memref<?x64xbf16>, memref<1x64x16xbf16>, memref<?x16xf32>
  return
}

// -----

func.func @transposed(%ctx: !llvm.ptr, %a: memref<?x64xf32>, %p: memref<16x64xf32>, %c: memref<?x16xf32>) {
  // expected-error @below {{'nax.kernel.dot' op expects panels on a CPU, but got 'memref<16x64xf32>'}}
  nax.kernel.dot %a, %p into %c : memref<?x64xf32>, memref<16x64xf32>, memref<?x16xf32>
  return
}

// -----

// On a CPU the queries are rotated by a loop.
func.func @rotate(%ctx: !llvm.ptr, %q: memref<?x8xf32>, %c: memref<?x4xf32>, %s: memref<3268608xi8>) {
  // expected-error @below {{'nax.kernel.attention' op expects queries on a CPU that are rotated already; rotate them in a loop of their own}}
  nax.kernel.attention(%q, %q, %q) rotate("halves", %c, %c : memref<?x4xf32>, memref<?x4xf32>)
      into %q scratch %s : memref<3268608xi8> {
      q_map = affine_map<(t, s, d, e) -> (t, d)>, k_map = affine_map<(t, s, d, e) -> (s, d)>,
      v_map = affine_map<(t, s, d, e) -> (s, e)>, out_map = affine_map<(t, s, d, e) -> (t, e)>,
      rope_map = affine_map<(t, s, d, e) -> (t)>, extra_maps = [], num_batch = 0 : i64, scale = 1.0 : f64}
      : memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>
  return
}

// -----

// Half a vector of f64 would be libm's to do.
func.func @wide(%ctx: !llvm.ptr, %a: memref<?x5xf32>, %p: memref<1x5x16xf32>, %c: memref<?x16xf32>) {
  // expected-error @below {{'nax.kernel.dot' op expects an epilogue on a CPU that vectors of f32 can do, but got arith.extf}}
  nax.kernel.dot %a, %p into %c epilogue() {
  ^bb0(%sum: f32):
    // expected-note @below {{it stands here}}
    %x = arith.extf %sum : f32 to f64
    %y = math.exp %x : f64
    %z = arith.truncf %y : f64 to f32
    nax.yield %z : f32
  } : memref<?x5xf32>, memref<1x5x16xf32>, memref<?x16xf32>
  return
}

// -----

// Extras are read as vectors of f32.
func.func @whole(%ctx: !llvm.ptr, %a: memref<?x5xf32>, %p: memref<1x5x16xf32>, %i: memref<16xi32>, %c: memref<?x16xf32>) {
  // expected-error @below {{'nax.kernel.dot' op expects extras of f32 on a CPU, but got 'memref<16xi32>'}}
  nax.kernel.dot %a, %p into %c epilogue(%i : memref<16xi32>) {
  ^bb0(%sum: f32, %x: i32):
    nax.yield %sum : f32
  } : memref<?x5xf32>, memref<1x5x16xf32>, memref<?x16xf32>
  return
}

// -----

// What comes from around an epilogue becomes a vector, too.
func.func @captured(%ctx: !llvm.ptr, %a: memref<?x5xf32>, %p: memref<1x5x16xf32>, %n: f64, %c: memref<?x16xf32>) {
  // expected-error @below {{'nax.kernel.dot' op expects an epilogue on a CPU that vectors of f32 can do, but got arith.truncf}}
  nax.kernel.dot %a, %p into %c epilogue() {
  ^bb0(%sum: f32):
    // expected-note @below {{it stands here}}
    %x = arith.truncf %n : f64 to f32
    nax.yield %x : f32
  } : memref<?x5xf32>, memref<1x5x16xf32>, memref<?x16xf32>
  return
}

// -----

// Pairs are for the instruction that multiplies them.
func.func @pairs(%ctx: !llvm.ptr, %a: memref<?x64xf32>, %p: memref<1x32x16x2xbf16>, %c: memref<?x16xf32>, %s: memref<?xi8>) {
  // expected-error @below {{'nax.kernel.dot' op expects panels without pairs at CPU level v3, which has no products of bf16, but got 'memref<1x32x16x2xbf16>'}}
  nax.kernel.dot %a, %p into %c scratch %s : memref<?xi8> : memref<?x64xf32>, memref<1x32x16x2xbf16>, memref<?x16xf32>
  return
}

// -----

// A panel is read from its first number to its last.
func.func @apart(%ctx: !llvm.ptr, %a: memref<?x64xf32>, %p: memref<1x64x16xf32, strided<[2048, 32, 1]>>, %c: memref<?x16xf32>) {
  // expected-error @below {{'nax.kernel.dot' op expects dense panels on a CPU, but got 'memref<1x64x16xf32, strided<[2048, 32, 1]>>'}}
  nax.kernel.dot %a, %p into %c : memref<?x64xf32>, memref<1x64x16xf32, strided<[2048, 32, 1]>>, memref<?x16xf32>
  return
}
