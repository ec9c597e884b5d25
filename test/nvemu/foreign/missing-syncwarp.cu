// Lanes of one warp exchange numbers by shared memory: they need __syncwarp(), although they are of one warp.
// REQUIRES: nvcc
// RUN: nvcc -arch=sm_80 -ptx -lineinfo %s -o %t.ptx
// RUN: nvemu %t.ptx --block 64 i32[64]:iota i32[64]:uninit --print 1 2>&1 | FileCheck %s --match-full-lines
// CHECK:      arg1: 31 30 29 {{.*}} 1 0 63 62 {{.*}} 33 32
// CHECK-NEXT: nvemu: clean
//
// RUN: nvcc -arch=sm_80 -ptx -lineinfo -DFAULT %s -o %t.fault.ptx
// RUN: not nvemu %t.fault.ptx --block 64 i32[64]:iota i32[64]:uninit 2>&1 | FileCheck %s --check-prefix=FAULT

extern "C" __global__ void reverse(const int *in, int *out) {
  __shared__ int row[64];
  const int thread = threadIdx.x;
  row[thread] = in[thread];
#ifndef FAULT
  __syncwarp();
#endif
  // FAULT: race: shared memory {{.*}} of the same warp, with no barrier and no bar.warp.sync between
  // FAULT:   line {{[0-9]+}}: ld.shared{{.*}}missing-syncwarp.cu:[[#@LINE+1]]:
  out[thread] = row[thread ^ 31];
}
