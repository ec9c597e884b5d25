// RUN: nax-opt %s --nax-expand-kernels=cpu=amx --verify-diagnostics

// Tiles of a panel come in twos.
func.func @narrow(%ctx: !llvm.ptr, %a: memref<?x64xf32>, %p: memref<1x32x16x2xbf16>, %c: memref<?x16xf32>, %s: memref<?xi8>) {
  // expected-error @below {{'nax.kernel.dot' op expects pairs of 32 columns at CPU level amx, but got 'memref<1x32x16x2xbf16>'}}
  nax.kernel.dot %a, %p into %c scratch %s : memref<?xi8> : memref<?x64xf32>, memref<1x32x16x2xbf16>, memref<?x16xf32>
  return
}
