// What ptxas makes of the kernels: no spill and no local memory, and as many tensor
// core instructions, loads of matrices and asynchronous copies as a tile has.
// REQUIRES: ptxas
// RUN: rm -rf %t && nax-opt %s --nax-gpu-kernels --nax-gpu-to-ptx=dir=%t -o %t.mlir
// RUN: %python %S/Inputs/sass.py %t/nax_kernels.ptx | FileCheck %s

// Scores are 4 steps of 16 components by 8 of 8 keys; outputs are 4 steps of 16
// keys by 8 of 8 components, and again where values that are not finite are taken
// out: 32 + 2 * 32. Queries are loaded in 4 steps, keys and values in 16 each,
// values twice: 4 + 16 + 2 * 16. A thread copies 4 chunks of each tile; the first
// keys and values before the loop: 4 + 2 * 4 + 2 * 4.
// CHECK: causal_attention_bf16_D64: registers {{1[0-9][0-9]}} spills 0 0 HMMA 96 LDSM 52 LDGSTS 20 LDL 0 STL 0

// A warp has 32 of 64 rows and columns: 4 steps of 16, in each 2 by 4 products, and
// 2 + 2 loads. A thread copies 4 + 4 chunks of a stage, 2 stages before the loop.
// With few rows a warp has 16 rows and columns, and 3 stages before the loop.
// CHECK: dot_bf16_K576_N576: registers {{[0-9]+}} spills 0 0 HMMA 32 LDSM 16 LDGSTS 24 LDL 0 STL 0
// CHECK: dot_bf16_K576_N576_few: registers {{[0-9]+}} spills 0 0 HMMA 8 LDSM 8 LDGSTS 32 LDL 0 STL 0
// CHECK: dot_f32_K128_N128: registers {{[0-9]+}} spills 0 0 HMMA 0 LDSM 0 LDGSTS 12 LDL 0 STL 0

#q = affine_map<(b, h, t, s, d, e) -> (b, t, h, d)>
#k = affine_map<(b, h, t, s, d, e) -> (b, s, h, d)>
#v = affine_map<(b, h, t, s, d, e) -> (b, s, h, e)>
#o = affine_map<(b, h, t, s, d, e) -> (b, t, h, e)>
func.func @f(%q: memref<?x?x9x64xbf16>, %k: memref<?x?x9x64xbf16>, %v: memref<?x?x9x64xbf16>,
             %o: memref<?x?x9x64xbf16>, %a: memref<?x576xbf16>, %w: memref<576x576xbf16>,
             %x: memref<?x128xf32>, %y: memref<128x128xf32>, %z: memref<?x128xf32>) {
  nax.kernel.attention(%q, %k, %v) into %o {
      q_map = #q, k_map = #k, v_map = #v, out_map = #o, extra_maps = [],
      num_batch = 2 : i64, scale = 0.125 : f64, causal}
      : memref<?x?x9x64xbf16>, memref<?x?x9x64xbf16>, memref<?x?x9x64xbf16>, memref<?x?x9x64xbf16>
  nax.kernel.dot %a, %w into %a : memref<?x576xbf16>, memref<576x576xbf16>, memref<?x576xbf16>
  nax.kernel.dot %x, %y into %z : memref<?x128xf32>, memref<128x128xf32>, memref<?x128xf32>
  return
}
