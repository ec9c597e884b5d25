// Sums, maxima and choices, on the emulator.
// RUN: rm -rf %t && mkdir %t
// RUN: nax-opt %s --nax-gpu-kernels --nax-gpu-to-ptx=dir=%t -o %t/host.mlir
// Rows by warps, four in a block; the last block has one.
// RUN: nvemu %t/nax_kernels.ptx --kernel reduce_rows --grid 2 --block 128 f32[480]:1 i32:5 f32[5]:0,1,2,3,4 i32:5 --print 2 2>&1 | FileCheck %s --check-prefix=SUM
// Rows of any length by blocks.
// RUN: nvemu %t/nax_kernels.ptx --kernel reduce_rows_1 --grid 2 --block 256 --shared 64 f32[1002]:iota i32:2 i32:501 f32[2]:0,600 i32:2 --print 3 2>&1 | FileCheck %s --check-prefix=MOST
// RUN: nvemu %t/nax_kernels.ptx --kernel reduce_rows_2 --grid 1 --block 256 --shared 128 f32[4096]:1,2,7,3,7 i32:1 f32[1]:-inf i32:1 i32[1]:0 i32:1 --print 2 --print 4 2>&1 | FileCheck %s --check-prefix=CHOICE
// RUN: nvemu %t/nax_kernels.ptx --kernel reduce_rows_2 --grid 1 --block 256 --shared 128 f32[4096]:nan i32:1 f32[1]:-inf i32:1 i32[1]:0 i32:1 --print 4 2>&1 | FileCheck %s --check-prefix=NAN
// Columns, a thread each.
// RUN: nvemu %t/nax_kernels.ptx --kernel reduce --grid 1 --block 128 f32[12]:iota i32:3 f32[4]:zero --print 2 2>&1 | FileCheck %s --check-prefix=COLUMNS
// What a result makes of the one before.
// RUN: nvemu %t/nax_kernels.ptx --kernel reduce_1 --grid 1 --block 128 i32[10]:1,2,3,4,5 i32:2 i32:5 i32[10]:uninit i32:2 i32:5 --print 3 2>&1 | FileCheck %s --check-prefix=CARRIED

#id = affine_map<(t, c) -> (t, c)>
#row = affine_map<(t, c) -> (t)>

// SUM: arg2: 96 97 98 99 100
// SUM: nvemu: clean
func.func @sum(%x: memref<?x96xf32>, %y: memref<?xf32>) {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<?x96xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%v: f32, %o: f32):
    %r = arith.addf %o, %v : f32
    linalg.yield %r : f32
  }
  return
}

// MOST: arg3: 500 1001
// MOST: nvemu: clean
func.func @most(%x: memref<?x?xf32>, %y: memref<?xf32>) {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<?x?xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%v: f32, %o: f32):
    %r = arith.maximumf %o, %v : f32
    linalg.yield %r : f32
  }
  return
}

// Of equal ones the first; a NaN is no choice.
// CHOICE: arg2: 7
// CHOICE: arg4: 2
// CHOICE: nvemu: clean
// NAN: arg4: 0
// NAN: nvemu: clean
func.func @choice(%x: memref<?x4096xf32>, %best: memref<?xf32>, %at: memref<?xi32>) {
  linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<?x4096xf32>) outs(%best, %at : memref<?xf32>, memref<?xi32>) {
  ^bb0(%v: f32, %b: f32, %p: i32):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i32
    %more = arith.cmpf ogt, %v, %b : f32
    %value = arith.select %more, %v, %b : f32
    %place = arith.select %more, %j, %p : i32
    linalg.yield %value, %place : f32, i32
  }
  return
}

// COLUMNS: arg2: 12 15 18 21
// COLUMNS: nvemu: clean
func.func @columns(%x: memref<?x4xf32>, %y: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(c, t) -> (t, c)>, affine_map<(c, t) -> (c)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<?x4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%v: f32, %o: f32):
    %r = arith.addf %o, %v : f32
    linalg.yield %r : f32
  }
  return
}

// CARRIED: arg3: 1 3 6 10 15 1 3 6 10 15
// CARRIED: nvemu: clean
func.func @carried(%x: memref<?x?xi32>, %y: memref<?x?xi32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<?x?xi32>) outs(%y : memref<?x?xi32>) {
  ^bb0(%v: i32, %o: i32):
    %t = linalg.index 0 : index
    %i = linalg.index 1 : index
    %zero = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %first = arith.cmpi eq, %i, %c0 : index
    %r = scf.if %first -> i32 {
      scf.yield %v : i32
    } else {
      %before = arith.subi %i, %c1 : index
      %p = memref.load %y[%t, %before] : memref<?x?xi32>
      %s = arith.addi %p, %v : i32
      scf.yield %s : i32
    }
    linalg.yield %r : i32
  }
  return
}
