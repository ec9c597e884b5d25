// A stencil whose last neighbour nobody stored, as nvcc compiles it.
// REQUIRES: nvcc
// RUN: nvcc -arch=sm_80 -ptx -lineinfo %s -o %t.ptx
// RUN: nvemu %t.ptx --block 64 i32[65]:iota i32[64]:uninit --print 1 2>&1 | FileCheck %s --match-full-lines
// CHECK:      arg1: 1 3 5 {{.*}} 125 127
// CHECK-NEXT: nvemu: clean
//
// RUN: nvcc -arch=sm_80 -ptx -lineinfo -DFAULT %s -o %t.fault.ptx
// RUN: not nvemu %t.fault.ptx --block 64 i32[65]:iota i32[64]:uninit 2>&1 | FileCheck %s --check-prefix=FAULT

extern "C" __global__ void neighbours(const int *in, int *out) {
  __shared__ int row[65];
  const int thread = threadIdx.x;
  row[thread] = in[thread];
#ifndef FAULT
  if (thread == 0)
    row[64] = in[64];
#endif
  __syncthreads();
  // FAULT:      uninitialized: shared memory at 256 (4 bytes) is read here, and some of it was never written
  // FAULT-SAME: (kernel neighbours, block 0,0,0, thread 63,0,0)
  // FAULT-NEXT:   at line {{[0-9]+}}: ld.shared{{.*}}uninitialised-shared.cu:[[#@LINE+2]]:
  // FAULT-NEXT: nvemu: 1 finding
  out[thread] = row[thread] + row[thread + 1];
}
