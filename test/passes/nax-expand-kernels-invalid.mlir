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
  // expected-error @below {{'nax.kernel.attention' op expects 1253376 bytes of scratch, but got 1000}}
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
