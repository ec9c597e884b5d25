// What ptxas makes of kernels on tensor cores in tf32: no spill and no local memory, and
// as many tensor core instructions, loads of matrices and asynchronous copies as a tile has.
// REQUIRES: ptxas
// RUN: rm -rf %t && nax-opt %s --nax-gpu-kernels=tf32=true --nax-gpu-to-ptx=dir=%t -o %t.mlir
// RUN: %python %S/Inputs/sass.py %t/nax_kernels.ptx | FileCheck %s

// Scores are 8 steps of 8 components by 4 of 8 keys; outputs are 4 steps of 8 keys by 8
// of 8 components, and again where values that are not finite are taken out: 32 + 2 * 32.
// Queries are loaded in 8 steps, keys in 16; values by single numbers. A thread copies 8
// chunks of queries, 4 in each turn of a loop, and 4 of each tile; the first keys and
// values before the loop.
// CHECK: causal_attention_tf32_D64: registers {{1[0-9][0-9]}} spills 0 0 HMMA 96 LDSM 24 LDGSTS 20 LDL 0 STL 0

// A step is as many bytes as one of bf16, and a stage of 128 bytes has 4. A warp has 64 by
// 32 of 128 rows and columns: 4 by 4 products, 4 + 2 loads.
// CHECK: dot_tf32_K128_N1024_large: registers {{1[0-9][0-9]}} spills 0 0 HMMA 64 LDSM 24 LDGSTS 24 LDL 0 STL 0 LDGSTS 16:24
// Of 64 rows and columns it has 32 by 32: 2 by 4 products, 2 + 2 loads.
// CHECK: dot_tf32_K576_N576: registers {{1[0-9][0-9]}} spills 0 0 HMMA 32 LDSM 16 LDGSTS 24 LDL 0 STL 0 LDGSTS 16:24
// CHECK: dot_tf32_K576_N576_few: registers {{[0-9]+}} spills 0 0 HMMA 8 LDSM 8 LDGSTS 32 LDL 0 STL 0 LDGSTS 16:32

#q = affine_map<(b, h, t, s, d, e) -> (b, t, h, d)>
#k = affine_map<(b, h, t, s, d, e) -> (b, s, h, d)>
#v = affine_map<(b, h, t, s, d, e) -> (b, s, h, e)>
#o = affine_map<(b, h, t, s, d, e) -> (b, t, h, e)>
func.func @f(%q: memref<?x?x9x64xf32>, %k: memref<?x?x9x64xf32>, %v: memref<?x?x9x64xf32>,
             %o: memref<?x?x9x64xf32>, %a: memref<?x576xf32>, %w: memref<576x576xf32>, %c: memref<?x576xf32>,
             %x: memref<?x128xf32>, %y: memref<1024x128xf32>, %z: memref<?x1024xf32>) {
  nax.kernel.attention(%q, %k, %v) into %o {
      q_map = #q, k_map = #k, v_map = #v, out_map = #o, extra_maps = [],
      num_batch = 2 : i64, scale = 0.125 : f64, causal}
      : memref<?x?x9x64xf32>, memref<?x?x9x64xf32>, memref<?x?x9x64xf32>, memref<?x?x9x64xf32>
  nax.kernel.dot %a, %w into %c : memref<?x576xf32>, memref<576x576xf32>, memref<?x576xf32>
  nax.kernel.dot %x, %y into %z : memref<?x128xf32>, memref<1024x128xf32>, memref<?x1024xf32>
  return
}
