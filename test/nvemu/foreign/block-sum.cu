// A sum over a block by a tree in shared memory and shuffles, as nvcc compiles it; without the barrier before the tree
// it is a race, with the lines of PTX and of this file.
// REQUIRES: nvcc
// RUN: nvcc -arch=sm_80 -ptx -lineinfo %s -o %t.ptx
// RUN: nvemu %t.ptx --grid 3 --block 256 --seed 5 f32[768]:iota f32[3]:uninit --print 1 2>&1 | FileCheck %s --match-full-lines
// CHECK:      arg1: 32640 98176 163712
// CHECK-NEXT: nvemu: clean
//
// RUN: nvcc -arch=sm_80 -ptx -lineinfo -DFAULT %s -o %t.fault.ptx
// RUN: not nvemu %t.fault.ptx --block 256 f32[256]:iota f32[1]:uninit 2>&1 | FileCheck %s --check-prefix=FAULT

extern "C" __global__ void sum(const float *in, float *out) {
  __shared__ float part[256];
  const int thread = threadIdx.x;
  part[thread] = in[blockIdx.x * blockDim.x + thread];
  // FAULT:      race: shared memory at {{[0-9]+}} (4 bytes) {{.*}}, with no barrier between
  // FAULT-NEXT:   at line {{[0-9]+}}: st.shared{{.*}}block-sum.cu:[[#@LINE-2]]:
  // FAULT-NEXT:   and line {{[0-9]+}}: ld.shared{{.*}}block-sum.cu:[[#@LINE+6]]:
  for (int half = blockDim.x / 2; half >= 32; half /= 2) {
#ifndef FAULT
    __syncthreads();
#endif
    if (thread < half)
      part[thread] += part[thread + half];
  }
  if (thread >= 32)
    return;
  float value = part[thread];
  for (int distance = 16; distance; distance /= 2)
    value += __shfl_xor_sync(~0u, value, distance);
  if (thread == 0)
    out[blockIdx.x] = value;
}
