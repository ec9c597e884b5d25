// RUN: nax-opt %s --nax-gpu-kernels --split-input-file --verify-diagnostics

// The host would have to wait for the device.
func.func @load(%x: memref<?xf32>, %i: index) -> f32 {
  // expected-error @below {{'memref.load' op would have the host look at the device's memory; expects only kernels, loops of linalg and scf.parallel to do that}}
  %v = memref.load %x[%i] : memref<?xf32>
  return %v : f32
}

// -----

// So it would in a loop.
func.func @loop(%x: memref<?xf32>, %v: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @below {{'memref.store' op would have the host look at the device's memory}}
    memref.store %v, %x[%i] : memref<?xf32>
  }
  return
}

// -----

// Elements are found by strides of loops.
func.func @map(%x: memref<?xf32>, %y: memref<?xf32>) {
  // expected-error @below {{'linalg.generic' op expects operands indexed by single loops, but got affine_map<(d0) -> (d0 + 1)>}}
  linalg.generic {indexing_maps = [affine_map<(i) -> (i + 1)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  }
  return
}

// -----

// Threads are counted from 0.
func.func @parallel(%x: memref<?xf32>, %v: f32, %n: index) {
  %c1 = arith.constant 1 : index
  // expected-error @below {{'scf.parallel' op expects loops from 0 by 1 without results}}
  scf.parallel (%i) = (%c1) to (%n) step (%c1) {
    memref.store %v, %x[%i] : memref<?xf32>
  }
  return
}

// -----

// A CPU's matrix.
func.func @panels(%a: memref<?x64xf32>, %p: memref<1x64x16xf32>, %c: memref<?x16xf32>) {
  // expected-error @below {{'nax.kernel.dot' op expects a matrix [n, k] on a GPU, but got panels}}
  nax.kernel.dot %a, %p into %c : memref<?x64xf32>, memref<1x64x16xf32>, memref<?x16xf32>
  return
}
