// What ptxas makes of the kernels: no spill and no local memory, as many tensor core
// instructions, loads of matrices and asynchronous copies as a tile has, and accesses
// to global memory by 16 bytes.
// REQUIRES: ptxas
// RUN: rm -rf %t && nax-opt %s --nax-gpu-kernels --nax-gpu-to-ptx=dir=%t -o %t.mlir
// RUN: %python %S/Inputs/sass.py %t/nax_kernels.ptx | FileCheck %s

// Scores are 4 steps of 16 components by 8 of 8 keys; outputs are 4 steps of 16
// keys by 8 of 8 components, and again where values that are not finite are taken
// out: 32 + 2 * 32. Queries are loaded in 4 steps, keys and values in 16 each,
// values twice: 4 + 16 + 2 * 16. A thread copies 4 chunks of each tile; the first
// keys and values before the loop: 4 + 2 * 4 + 2 * 4. It stores 4 chunks of results.
// CHECK: causal_attention_bf16_D64: registers {{1[0-9][0-9]}} spills 0 0 HMMA 96 LDSM 52 LDGSTS 20 LDL 0 STL 0 LDGSTS 16:20 LDG none STG 16:4{{$}}
// Rotated queries: a thread has 2 times 8 pairs, of each 4 * 16 bytes of cosines and
// sines; in a unit, whose rows are all of one position, once.
// CHECK: causal_attention_bf16_D64_rope: registers {{1[0-9][0-9]}} spills 0 0 HMMA 96 LDSM 52 LDGSTS 20 LDL 0 STL 0 LDGSTS 16:20 LDG 16:8 STG 16:4{{$}}
// CHECK: causal_attention_bf16_D64_rope_1: registers {{1[0-9][0-9]}} spills 0 0 HMMA 96 LDSM 52 LDGSTS 20 LDL 0 STL 0 LDGSTS 16:20 LDG 4:2,16:8 STG 16:{{[0-9]+$}}
// CHECK: causal_attention_bf16_D64_rope_combine: registers {{[0-9]+}} spills 0 0 {{.*}} LDG 4:{{[0-9]+}},8:{{[0-9]+}},16:{{[0-9]+}} STG 16:{{[0-9]+$}}
// A thread of a unit has 16 chunks of each tile: a loop copies 4 in a turn.
// CHECK: causal_attention_bf16_D64_rope_units: registers {{1[0-9][0-9]}} spills 0 0 HMMA 96 LDSM 52 LDGSTS 20 LDL 0 STL 0 LDGSTS 16:20 LDG 4:2,16:4

// A warp has 32 of 64 rows and columns: 4 steps of 16, in each 2 by 4 products, and
// 2 + 2 loads. A thread copies 4 + 4 chunks of a stage, 2 stages before the loop. It
// stores 4 chunks of 8 results.
// With few rows a warp has 16 rows and columns, and 3 stages before the loop; a thread
// has one chunk at most, of f32 two.
// CHECK: dot_bf16_K576_N576: registers {{[0-9]+}} spills 0 0 HMMA 32 LDSM 16 LDGSTS 24 LDL 0 STL 0 LDGSTS 16:24 LDG none STG 16:4
// With an epilogue a chunk of bias comes once, of two matrices for each chunk stored.
// CHECK: dot_bf16_K576_N576_1: registers {{[0-9]+}} spills 0 0 HMMA 32 LDSM 16 LDGSTS 24 LDL 0 STL 0 LDGSTS 16:24 LDG 16:9 STG 16:4
// CHECK: dot_bf16_K576_N576_few: registers {{[0-9]+}} spills 0 0 HMMA 8 LDSM 8 LDGSTS 32 LDL 0 STL 0 LDGSTS 16:32 LDG none STG 16:1
// CHECK: dot_bf16_K576_N576_few_1: registers {{[0-9]+}} spills 0 0 HMMA 8 LDSM 8 LDGSTS 32 LDL 0 STL 0 LDGSTS 16:32 LDG 16:3 STG 16:1
// A thread of 64 by 64 results has registers for four blocks where there are few stages.
// CHECK: dot_bf16_K64_N576: registers {{([0-9][0-9]|1[01][0-9]|12[0-8])}} spills 0 0 HMMA {{[0-9]+}} LDSM {{[0-9]+}} LDGSTS {{[0-9]+}} LDL 0 STL 0 {{.*}} STG 16:4
// CHECK: dot_f32_K128_N128: registers {{[0-9]+}} spills 0 0 HMMA 0 LDSM 0 LDGSTS 12 LDL 0 STL 0 LDGSTS 16:12 LDG none STG 16:4
// CHECK: dot_f32_K128_N128_few: registers {{[0-9]+}} spills 0 0 HMMA 0 LDSM 0 LDGSTS 32 LDL 0 STL 0 LDGSTS 16:32 LDG none STG 16:2

// CHECK: elementwise: registers {{[0-9]+}} spills 0 0 HMMA 0 LDSM 0 LDGSTS 0 LDL 0 STL 0 LDGSTS none LDG 16:2 STG 16:1
// CHECK: rms_norm_C576: registers {{[0-9]+}} spills 0 0 HMMA 0 LDSM 0 LDGSTS 0 LDL 0 STL 0 LDGSTS none LDG 16:{{[0-9]+}} STG 16:{{[0-9]+$}}

#all = affine_map<(t, c) -> (t, c)>
#q = affine_map<(b, h, t, s, d, e) -> (b, t, h, d)>
#k = affine_map<(b, h, t, s, d, e) -> (b, s, h, d)>
#v = affine_map<(b, h, t, s, d, e) -> (b, s, h, e)>
#o = affine_map<(b, h, t, s, d, e) -> (b, t, h, e)>
func.func @f(%q: memref<?x?x9x64xbf16>, %k: memref<?x?x9x64xbf16>, %v: memref<?x?x9x64xbf16>,
             %o: memref<?x?x9x64xbf16>, %a: memref<?x576xbf16>, %w: memref<576x576xbf16>,
             %x: memref<?x128xf32>, %y: memref<128x128xf32>, %z: memref<?x128xf32>,
             %bias: memref<576xbf16>, %gate: memref<?x576xbf16>, %c: memref<?x576xbf16>,
             %gain: memref<576xbf16>, %a64: memref<?x64xbf16>, %w64: memref<576x64xbf16>) {
  nax.kernel.attention(%q, %k, %v) into %o {
      q_map = #q, k_map = #k, v_map = #v, out_map = #o, extra_maps = [],
      num_batch = 2 : i64, scale = 0.125 : f64, causal}
      : memref<?x?x9x64xbf16>, memref<?x?x9x64xbf16>, memref<?x?x9x64xbf16>, memref<?x?x9x64xbf16>
  nax.kernel.dot %a, %w into %c : memref<?x576xbf16>, memref<576x576xbf16>, memref<?x576xbf16>
  nax.kernel.dot %a, %w into %c epilogue(%bias, %gate, %c : memref<576xbf16>, memref<?x576xbf16>, memref<?x576xbf16>) {
  ^bb0(%sum: f32, %b: bf16, %g: bf16, %r: bf16):
    %wide_b = arith.extf %b : bf16 to f32
    %wide_g = arith.extf %g : bf16 to f32
    %wide_r = arith.extf %r : bf16 to f32
    %biased = arith.addf %sum, %wide_b : f32
    %gated = arith.mulf %biased, %wide_g : f32
    %all = arith.addf %gated, %wide_r : f32
    %rounded = arith.truncf %all : f32 to bf16
    nax.yield %rounded : bf16
  } : memref<?x576xbf16>, memref<576x576xbf16>, memref<?x576xbf16>
  nax.kernel.dot %a64, %w64 into %c : memref<?x64xbf16>, memref<576x64xbf16>, memref<?x576xbf16>
  nax.kernel.dot %x, %y into %z : memref<?x128xf32>, memref<128x128xf32>, memref<?x128xf32>
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%gate : memref<?x576xbf16>) outs(%c : memref<?x576xbf16>) {
  ^bb0(%left: bf16, %right: bf16):
    %wide = arith.extf %left : bf16 to f32
    %before = arith.extf %right : bf16 to f32
    %more = arith.addf %wide, %before : f32
    %sum = arith.truncf %more : f32 to bf16
    linalg.yield %sum : bf16
  }
  nax.kernel.norm "rms" %a, %gain into %c eps 1.0e-05 : memref<?x576xbf16>, memref<576xbf16>, memref<?x576xbf16>
  return
}

#group = affine_map<(b, h, g, t, s, d, e) -> (b, t, h, g, d)>
#keys = affine_map<(b, h, g, t, s, d, e) -> (b, s, h, d)>
#values = affine_map<(b, h, g, t, s, d, e) -> (b, s, h, e)>
#results = affine_map<(b, h, g, t, s, d, e) -> (b, t, h, g, e)>
#position = affine_map<(b, h, g, t, s, d, e) -> (t)>
#row = affine_map<(b, h, g, t, s, d, e) -> (b)>
#rowPosition = affine_map<(b, h, g, t, s, d, e) -> (b, t)>
func.func @rope(%q: memref<?x?x3x3x64xbf16>, %k: memref<?x?x3x64xbf16>, %o: memref<?x?x3x3x64xbf16>,
                %cosines: memref<?x32xf32>, %sines: memref<?x32xf32>,
                %rowCosines: memref<?x?x32xf32>, %rowSines: memref<?x?x32xf32>,
                %span: memref<?x2xi32>, %scratch: memref<?xi8>) {
  nax.kernel.attention(%q, %k, %k) rotate("halves", %cosines, %sines : memref<?x32xf32>, memref<?x32xf32>) into %o {
      q_map = #group, k_map = #keys, v_map = #values, out_map = #results, rope_map = #position,
      extra_maps = [], num_batch = 3 : i64, scale = 0.125 : f64, causal}
      : memref<?x?x3x3x64xbf16>, memref<?x?x3x64xbf16>, memref<?x?x3x64xbf16>, memref<?x?x3x3x64xbf16>
  nax.kernel.attention(%q, %k, %k) rotate("halves", %rowCosines, %rowSines : memref<?x?x32xf32>, memref<?x?x32xf32>)
      cached(%k, %k, %span : memref<?x?x3x64xbf16>, memref<?x?x3x64xbf16>, memref<?x2xi32>)
      into %o scratch %scratch : memref<?xi8> {
      q_map = #group, k_map = #keys, v_map = #values, out_map = #results, rope_map = #rowPosition, span_map = #row,
      extra_maps = [], num_batch = 3 : i64, scale = 0.125 : f64, causal}
      : memref<?x?x3x3x64xbf16>, memref<?x?x3x64xbf16>, memref<?x?x3x64xbf16>, memref<?x?x3x3x64xbf16>
  return
}
