// One thread too many past a guard, as nvcc compiles it: by 4 bytes past the end of a buffer.
// REQUIRES: nvcc
// RUN: nvcc -arch=sm_80 -ptx -lineinfo %s -o %t.ptx
// RUN: nvemu %t.ptx --grid 4 --block 32 i32:100 f32:2 f32[100]:iota f32[100]:1 --print 3 2>&1 | FileCheck %s --match-full-lines
// CHECK:      arg3: 1 3 5 {{.*}} 197 199
// CHECK-NEXT: nvemu: clean
//
// RUN: nvcc -arch=sm_80 -ptx -lineinfo -DFAULT %s -o %t.fault.ptx
// RUN: not nvemu %t.fault.ptx --grid 4 --block 32 i32:100 f32:2 f32[101]:iota f32[100]:1 2>&1 | FileCheck %s --check-prefix=FAULT

#ifndef FAULT
#define WITHIN <
#else
#define WITHIN <=
#endif

extern "C" __global__ void saxpy(int count, float a, const float *x, float *y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // FAULT:      out of bounds: reads 4 bytes of global memory at offset 400 of a buffer of 400 bytes: all of them are past the end
  // FAULT-SAME: (kernel saxpy, block 3,0,0, thread 4,0,0)
  // FAULT-NEXT:   at line {{[0-9]+}}: ld.global{{.*}}out-of-bounds.cu:[[#@LINE+3]]:
  // FAULT-NEXT: nvemu: 1 finding
  if (i WITHIN count)
    y[i] = a * x[i] + y[i];
}
