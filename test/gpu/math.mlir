// Functions of f64, which no library of the device gives, on the emulator.
// RUN: rm -rf %t && mkdir %t
// RUN: nax-opt %s --nax-gpu-kernels --nax-gpu-to-ptx=dir=%t -o %t/host.mlir
// RUN: FileCheck %s --check-prefix=PTX < %t/nax_kernels.ptx
// RUN: %python %S/Inputs/wide_math.py %t/nax_kernels.ptx %t | FileCheck %s

// PTX-NOT: __nv_
// PTX-NOT: .extern .func
// CHECK: exp: within 4 ulp, nvemu: clean
// CHECK: log: within 4 ulp, nvemu: clean
// CHECK: sin: within 4 ulp, nvemu: clean
// CHECK: cos: within 4 ulp, nvemu: clean
// CHECK: tanh: within 4 ulp, nvemu: clean
// CHECK: erf: within 16 ulp, nvemu: clean
// CHECK: sqrt: within 0 ulp, nvemu: clean

#id = affine_map<(t) -> (t)>

func.func @exp(%x: memref<?xf64>, %y: memref<?xf64>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : memref<?xf64>) outs(%y : memref<?xf64>) {
  ^bb0(%v: f64, %o: f64):
    %r = math.exp %v : f64
    linalg.yield %r : f64
  }
  return
}

func.func @log(%x: memref<?xf64>, %y: memref<?xf64>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : memref<?xf64>) outs(%y : memref<?xf64>) {
  ^bb0(%v: f64, %o: f64):
    %r = math.log %v : f64
    linalg.yield %r : f64
  }
  return
}

func.func @sin(%x: memref<?xf64>, %y: memref<?xf64>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : memref<?xf64>) outs(%y : memref<?xf64>) {
  ^bb0(%v: f64, %o: f64):
    %r = math.sin %v : f64
    linalg.yield %r : f64
  }
  return
}

func.func @cos(%x: memref<?xf64>, %y: memref<?xf64>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : memref<?xf64>) outs(%y : memref<?xf64>) {
  ^bb0(%v: f64, %o: f64):
    %r = math.cos %v : f64
    linalg.yield %r : f64
  }
  return
}

func.func @tanh(%x: memref<?xf64>, %y: memref<?xf64>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : memref<?xf64>) outs(%y : memref<?xf64>) {
  ^bb0(%v: f64, %o: f64):
    %r = math.tanh %v : f64
    linalg.yield %r : f64
  }
  return
}

func.func @erf(%x: memref<?xf64>, %y: memref<?xf64>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : memref<?xf64>) outs(%y : memref<?xf64>) {
  ^bb0(%v: f64, %o: f64):
    %r = math.erf %v : f64
    linalg.yield %r : f64
  }
  return
}

func.func @sqrt(%x: memref<?xf64>, %y: memref<?xf64>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : memref<?xf64>) outs(%y : memref<?xf64>) {
  ^bb0(%v: f64, %o: f64):
    %r = math.sqrt %v : f64
    linalg.yield %r : f64
  }
  return
}
