// Dots and attention of f32: fused multiplications, or tensor cores where tf32 is asked for.
// RUN: rm -rf %t && nax-opt %s --nax-gpu-kernels --nax-gpu-to-ptx=dir=%t/f32 -o %t.mlir
// RUN: FileCheck %s --check-prefix=F32 < %t/f32/nax_kernels.ptx
// RUN: FileCheck %s --check-prefix=SHARED < %t.mlir
// RUN: nax-opt %s --nax-gpu-kernels=tf32=true --nax-gpu-to-ptx=dir=%t/tf32 -o %t.mlir
// RUN: FileCheck %s --check-prefix=TF32 < %t/tf32/nax_kernels.ptx
// RUN: FileCheck %s --check-prefix=SHARED-TF32 < %t.mlir

// F32-NOT: mma.sync
// F32-NOT: cvt.rna
// F32-NOT: tf32
// F32:     .entry causal_attention_f32_D64(
// F32-NOT: mma.sync
// F32-NOT: cvt.rna
// F32:     .entry dot_f32_K96_N128(
// F32-NOT: mma.sync
// F32-NOT: cvt.rna

// TF32:     .entry causal_attention_tf32_D64(
// TF32:     ldmatrix.sync.aligned.m8n8.x4.shared.b16
// TF32:     cvt.rna.tf32.f32
// TF32:     mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32
// TF32-NOT: ldmatrix{{.*}}trans
// TF32:     .entry attention_tf32_D256(
// TF32:     mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32
// TF32:     .entry dot_tf32_K96_N128_few(
// TF32:     cvt.rna.tf32.f32
// TF32:     mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32
// TF32:     .entry dot_tf32_K96_N128(
// TF32:     mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32

// No block has more than 101376 bytes on compute capability 8.6 and 8.9.
// SHARED: attention_f32_D256{{.*}} shared(69632)
// SHARED-TF32: attention_tf32_D256{{.*}} shared(98304)

#q = affine_map<(b, h, t, s, d, e) -> (b, t, h, d)>
#k = affine_map<(b, h, t, s, d, e) -> (b, s, h, d)>
#v = affine_map<(b, h, t, s, d, e) -> (b, s, h, e)>
#o = affine_map<(b, h, t, s, d, e) -> (b, t, h, e)>
func.func @f(%q: memref<?x?x9x64xf32>, %k: memref<?x?x9x64xf32>, %v: memref<?x?x9x64xf32>,
             %o: memref<?x?x9x64xf32>, %wide: memref<?x?x2x256xf32>, %out: memref<?x?x2x256xf32>,
             %a: memref<?x96xf32>, %w: memref<128x96xf32>, %c: memref<?x128xf32>) {
  nax.kernel.attention(%q, %k, %v) into %o {
      q_map = #q, k_map = #k, v_map = #v, out_map = #o, extra_maps = [],
      num_batch = 2 : i64, scale = 0.125 : f64, causal}
      : memref<?x?x9x64xf32>, memref<?x?x9x64xf32>, memref<?x?x9x64xf32>, memref<?x?x9x64xf32>
  nax.kernel.attention(%wide, %wide, %wide) into %out {
      q_map = #q, k_map = #k, v_map = #v, out_map = #o, extra_maps = [],
      num_batch = 2 : i64, scale = 0.0625 : f64}
      : memref<?x?x2x256xf32>, memref<?x?x2x256xf32>, memref<?x?x2x256xf32>, memref<?x?x2x256xf32>
  nax.kernel.dot %a, %w into %c : memref<?x96xf32>, memref<128x96xf32>, memref<?x128xf32>
  return
}
