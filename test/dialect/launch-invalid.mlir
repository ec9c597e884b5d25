// RUN: nax-opt %s --split-input-file --verify-diagnostics

// The name is of no kernel.
gpu.module @k {
  gpu.func @f(%p: !llvm.ptr<1>, %n: i32) kernel {
    gpu.return
  }
}
func.func @host(%x: index, %p: memref<?xf32>, %n: i32, %l: i64) {
  // expected-error @below {{'nax.launch' op expects a kernel of a gpu.module, but got @k::@g}}
  nax.launch @k::@g grid(%x, %x, %x) threads(32) shared(0) (%p, %n : memref<?xf32>, i32)
  return
}

// -----

// A function of the device is called by kernels alone.
gpu.module @k {
  gpu.func @f(%p: !llvm.ptr<1>, %n: i32) {
    gpu.return
  }
}
func.func @host(%x: index, %p: memref<?xf32>, %n: i32, %l: i64) {
  // expected-error @below {{'nax.launch' op expects a kernel of a gpu.module, but got @k::@f}}
  nax.launch @k::@f grid(%x, %x, %x) threads(32) shared(0) (%p, %n : memref<?xf32>, i32)
  return
}

// -----

// An argument is missing.
gpu.module @k {
  // expected-note @below {{the kernel}}
  gpu.func @f(%p: !llvm.ptr<1>, %n: i32) kernel {
    gpu.return
  }
}
func.func @host(%x: index, %p: memref<?xf32>, %n: i32, %l: i64) {
  // expected-error @below {{'nax.launch' op expects 2 arguments, but got 1}}
  nax.launch @k::@f grid(%x, %x, %x) threads(32) shared(0) (%p : memref<?xf32>)
  return
}

// -----

// A number is of another width.
gpu.module @k {
  // expected-note @below {{the kernel}}
  gpu.func @f(%p: !llvm.ptr<1>, %n: i32) kernel {
    gpu.return
  }
}
func.func @host(%x: index, %p: memref<?xf32>, %n: i32, %l: i64) {
  // expected-error @below {{'nax.launch' op expects argument 1 for 'i32', but got 'i64'}}
  nax.launch @k::@f grid(%x, %x, %x) threads(32) shared(0) (%p, %l : memref<?xf32>, i64)
  return
}

// -----

// Threads come in warps.
gpu.module @k {
  gpu.func @f(%p: !llvm.ptr<1>, %n: i32) kernel {
    gpu.return
  }
}
func.func @host(%x: index, %p: memref<?xf32>, %n: i32, %l: i64) {
  // expected-error @below {{'nax.launch' op expects a multiple of 32 threads, at most 1024, but got 33}}
  nax.launch @k::@f grid(%x, %x, %x) threads(33) shared(0) (%p, %n : memref<?xf32>, i32)
  return
}

// -----

// A block without threads does nothing.
gpu.module @k {
  gpu.func @f(%p: !llvm.ptr<1>, %n: i32) kernel {
    gpu.return
  }
}
func.func @host(%x: index, %p: memref<?xf32>, %n: i32, %l: i64) {
  // expected-error @below {{'nax.launch' op expects a multiple of 32 threads, at most 1024, but got 0}}
  nax.launch @k::@f grid(%x, %x, %x) threads(0) shared(0) (%p, %n : memref<?xf32>, i32)
  return
}

// -----

// No GPU has blocks of so many.
gpu.module @k {
  gpu.func @f(%p: !llvm.ptr<1>, %n: i32) kernel {
    gpu.return
  }
}
func.func @host(%x: index, %p: memref<?xf32>, %n: i32, %l: i64) {
  // expected-error @below {{'nax.launch' op expects a multiple of 32 threads, at most 1024, but got 2048}}
  nax.launch @k::@f grid(%x, %x, %x) threads(2048) shared(0) (%p, %n : memref<?xf32>, i32)
  return
}

// -----

// Bytes are counted from 0.
gpu.module @k {
  gpu.func @f(%p: !llvm.ptr<1>, %n: i32) kernel {
    gpu.return
  }
}
func.func @host(%x: index, %p: memref<?xf32>, %n: i32, %l: i64) {
  // expected-error @below {{'nax.launch' op expects no negative shared memory, but got -1}}
  nax.launch @k::@f grid(%x, %x, %x) threads(32) shared(-1) (%p, %n : memref<?xf32>, i32)
  return
}
