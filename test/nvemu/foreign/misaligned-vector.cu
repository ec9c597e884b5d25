// Four numbers at once from the second one on, which is no multiple of 16 bytes.
// REQUIRES: nvcc
// RUN: nvcc -arch=sm_80 -ptx -lineinfo %s -o %t.ptx
// RUN: nvemu %t.ptx --block 2 i32:4 f32[12]:iota f32[8]:uninit --print 2 2>&1 | FileCheck %s --match-full-lines
// CHECK:      arg2: 4 5 6 7 8 9 10 11
// CHECK-NEXT: nvemu: clean
//
// RUN: not nvemu %t.ptx --block 2 i32:1 f32[12]:iota f32[8]:uninit 2>&1 | FileCheck %s --check-prefix=FAULT

extern "C" __global__ void from(int first, const float *in, float4 *out) {
  // FAULT:      misaligned: reads 16 bytes of global memory at offset 4 of a buffer of 48 bytes, which has to be a multiple of 16
  // FAULT-SAME: 2 times
  // FAULT-NEXT:   at line {{[0-9]+}}: ld.global.v4{{.*}}misaligned-vector.cu:[[#@LINE+2]]:
  // FAULT-NEXT: nvemu: 1 finding
  out[threadIdx.x] = reinterpret_cast<const float4 *>(in + first)[threadIdx.x];
}
