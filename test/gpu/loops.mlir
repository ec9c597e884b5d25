// Loops without reductions, on the emulator: what kernels give, and that no two
// threads touch one element.
// RUN: rm -rf %t && mkdir %t
// RUN: nax-opt %s --nax-gpu-kernels --nax-gpu-to-ptx=dir=%t -o %t/host.mlir
// RUN: nvemu %t/nax_kernels.ptx --kernel elementwise --grid 1 --block 256 f32[8]:1,2,3,4,5,6,7,8 f32[24]:iota i32:3 --print 1 2>&1 | FileCheck %s --check-prefix=BIAS
// RUN: nvemu %t/nax_kernels.ptx --kernel elementwise_1 --grid 2 --block 256 bf16[15]:iota i32:5 f32[15]:uninit i32:5 --print 2 2>&1 | FileCheck %s --check-prefix=TRANSPOSE
// RUN: nvemu %t/nax_kernels.ptx --kernel fill --grid 3 --block 256 f32:2.5 f32[5]:uninit i32:5 --print 1 2>&1 | FileCheck %s --check-prefix=FILL
// RUN: nvemu %t/nax_kernels.ptx --kernel elementwise_2 --grid 1 --block 256 i32[4]:2,0,1,2 i32:4 f32[12]:uninit i32:4 f32[9]:iota i32:3 --print 2 2>&1 | FileCheck %s --check-prefix=LOOKUP
// RUN: nvemu %t/nax_kernels.ptx --kernel loops --grid 1 --block 256 i32:2 i32:3 i32[4]:6,8,1,4 i32:2 f32[6]:iota i32:2 i32:3 f32[8]:zero i32:2 i32:4 --print 7 2>&1 | FileCheck %s --check-prefix=APPEND
// Four operands, of which two are the halves of the same rows.
// RUN: FileCheck %s --check-prefix=HALVES < %t/host.mlir
// HALVES: gpu.func @elementwise_3
// HALVES-COUNT-2: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<1> -> vector<2xf32>

#id = affine_map<(t, c) -> (t, c)>
#last = affine_map<(t, c) -> (c)>
#swapped = affine_map<(t, c) -> (c, t)>
#first = affine_map<(t, c) -> (t)>

// BIAS: arg1: 1 3 5 7 9 11 13 15 9 11 13 15 17 19 21 23 17 19 21 23 25 27 29 31
// BIAS: nvemu: clean
func.func @bias(%x: memref<?x8xf32>, %bias: memref<8xf32>) {
  linalg.generic {indexing_maps = [#last, #id], iterator_types = ["parallel", "parallel"]}
      ins(%bias : memref<8xf32>) outs(%x : memref<?x8xf32>) {
  ^bb0(%b: f32, %o: f32):
    %s = arith.addf %b, %o : f32
    linalg.yield %s : f32
  }
  return
}

// TRANSPOSE: arg2: 0 3 6 9 12 1 4 7 10 13 2 5 8 11 14
// TRANSPOSE: nvemu: clean
func.func @transpose(%x: memref<?x3xbf16>, %y: memref<3x?xf32>) {
  linalg.generic {indexing_maps = [#swapped, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<?x3xbf16>) outs(%y : memref<3x?xf32>) {
  ^bb0(%a: bf16, %o: f32):
    %s = arith.extf %a : bf16 to f32
    linalg.yield %s : f32
  }
  return
}

// FILL: arg1: 2.5 2.5 2.5 2.5 2.5
// FILL: nvemu: clean
func.func @fill(%v: f32, %x: memref<?xf32>) {
  linalg.fill ins(%v : f32) outs(%x : memref<?xf32>)
  return
}

// What the body itself loads is found by its indices.
// LOOKUP: arg2: 6 7 8 0 1 2 3 4 5 6 7 8
// LOOKUP: nvemu: clean
func.func @lookup(%ids: memref<?xi32>, %table: memref<?x3xf32>, %y: memref<?x3xf32>) {
  linalg.generic {indexing_maps = [#first, #id], iterator_types = ["parallel", "parallel"]}
      ins(%ids : memref<?xi32>) outs(%y : memref<?x3xf32>) {
  ^bb0(%id: i32, %o: f32):
    %i = arith.index_cast %id : i32 to index
    %c = linalg.index 1 : index
    %v = memref.load %table[%i, %c] : memref<?x3xf32>
    linalg.yield %v : f32
  }
  return
}

// Row 0 has two new numbers behind six, in a ring of four; row 1 has three
// behind one.
// APPEND: arg7: 0 0 0 1 0 3 4 5
// APPEND: nvemu: clean
func.func @append(%span: memref<?x2xi32>, %new: memref<?x?xf32>, %cache: memref<?x?xf32>, %rows: index, %news: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%row, %t) = (%c0, %c0) to (%rows, %news) step (%c1, %c1) {
    %from = memref.load %span[%row, %c0] : memref<?x2xi32>
    %to = memref.load %span[%row, %c1] : memref<?x2xi32>
    %start = arith.index_cast %from : i32 to index
    %end = arith.index_cast %to : i32 to index
    %count = arith.subi %end, %start : index
    %is = arith.cmpi slt, %t, %count : index
    scf.if %is {
      %position = arith.addi %start, %t : index
      %slot = arith.remui %position, %c4 : index
      %v = memref.load %new[%row, %t] : memref<?x?xf32>
      memref.store %v, %cache[%row, %slot] : memref<?x?xf32>
    }
  }
  return
}

func.func @strided(%x: memref<?x4xf32>, %y: memref<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x4xf32>
  %a = memref.subview %x[0, 0] [%n, 2] [1, 1] : memref<?x4xf32> to memref<?x2xf32, strided<[4, 1]>>
  %b = memref.subview %x[0, 2] [%n, 2] [1, 1] : memref<?x4xf32> to memref<?x2xf32, strided<[4, 1], offset: 2>>
  %p = memref.subview %y[0, 0] [%n, 2] [1, 1] : memref<?x4xf32> to memref<?x2xf32, strided<[4, 1]>>
  %q = memref.subview %y[0, 2] [%n, 2] [1, 1] : memref<?x4xf32> to memref<?x2xf32, strided<[4, 1], offset: 2>>
  linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<?x2xf32, strided<[4, 1]>>, memref<?x2xf32, strided<[4, 1], offset: 2>>)
      outs(%p, %q : memref<?x2xf32, strided<[4, 1]>>, memref<?x2xf32, strided<[4, 1], offset: 2>>) {
  ^bb0(%v: f32, %w: f32, %o: f32, %o2: f32):
    linalg.yield %w, %v : f32, f32
  }
  return
}
