// A barrier in a branch that a part of a warp does not take.
// REQUIRES: nvcc
// RUN: nvcc -arch=sm_80 -ptx -lineinfo %s -o %t.ptx
// RUN: nvemu %t.ptx --block 64 i32:64 i32[64]:iota --print 1 2>&1 | FileCheck %s --match-full-lines
// CHECK:      arg1: 1 2 3 {{.*}} 62 63 0
// CHECK-NEXT: nvemu: clean
//
// RUN: not nvemu %t.ptx --block 64 i32:40 i32[64]:iota 2>&1 | FileCheck %s --check-prefix=FAULT

// at[i] = at[(i + 1) % count], right only where all threads of the block are below count.
extern "C" __global__ void shift(int count, int *at) {
  const int thread = threadIdx.x;
  if (thread < count) {
    const int value = at[(thread + 1) % count];
    // FAULT:      divergence: lane 8 comes to barrier 0 here while lane 0 of its warp waits at barrier 0 elsewhere
    // FAULT-SAME: (kernel shift, block 0,0,0, thread 40,0,0), 24 times
    // FAULT-NEXT:   at line {{[0-9]+}}: bar.sync {{.*}}divergent-barrier.cu:[[#@LINE+6]]:
    // FAULT-NEXT:   and line {{[0-9]+}}: bar.sync {{.*}}divergent-barrier.cu:[[#@LINE+2]]:
    // FAULT-NEXT: nvemu: 1 finding
    __syncthreads();
    at[thread] = value;
  } else {
    __syncthreads();
  }
}
