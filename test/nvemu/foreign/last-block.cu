// The block that comes last adds up what all blocks stored. Without __threadfence() between its sum and its count, the
// last one may read what was there before.
// REQUIRES: nvcc
// RUN: nvcc -arch=sm_80 -ptx -lineinfo %s -o %t.ptx
// RUN: nvemu %t.ptx --kernel total --grid 16 --block 64 f32[1024]:iota f32[16]:uninit u32[1]:zero f32[1]:uninit --print 3 2>&1 \
// RUN:   | FileCheck %s --match-full-lines
// RUN: nvemu %t.ptx --kernel total --grid 16 --block 64 --host-threads 2 --seed 3 \
// RUN:   f32[1024]:iota f32[16]:uninit u32[1]:zero f32[1]:uninit --print 3 2>&1 | FileCheck %s --match-full-lines
// CHECK:      arg3: 523776
// CHECK-NEXT: nvemu: clean
//
// RUN: nvcc -arch=sm_80 -ptx -lineinfo -DFAULT %s -o %t.fault.ptx
// RUN: not nvemu %t.fault.ptx --kernel total --grid 16 --block 64 f32[1024]:iota f32[16]:uninit u32[1]:zero f32[1]:uninit 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FAULT

__device__ float sumOfBlock(float value) {
  __shared__ float part[2];
  for (int distance = 16; distance; distance /= 2)
    value += __shfl_down_sync(~0u, value, distance);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = value;
  __syncthreads();
  value = part[0] + part[1];
  __syncthreads();
  return value;
}

extern "C" __global__ void total(const float *in, float *parts, unsigned *count, float *out) {
  __shared__ bool isLast;
  const float mine = sumOfBlock(in[blockIdx.x * blockDim.x + threadIdx.x]);
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = mine;
#ifndef FAULT
    __threadfence();
#endif
    isLast = atomicInc(count, gridDim.x - 1) == gridDim.x - 1;
    __threadfence(); // of the thread that counts: behind the barrier it would be too late
  }
  __syncthreads();
  if (!isLast)
    return;
  // FAULT:      race: global memory at offset {{[0-9]+}} of a buffer of 64 bytes (4 bytes) is read here and was written by
  // FAULT-SAME: thread 0 of block {{[0-9]+}},0,0, with no release and acquire of gpu scope between
  // FAULT-NEXT:   at line {{[0-9]+}}: ld.global{{.*}}last-block.cu:[[#@LINE+2]]:
  // FAULT-NEXT:   and line {{[0-9]+}}: st.global{{.*}}last-block.cu:[[#@LINE-13]]:
  const float sum = sumOfBlock(threadIdx.x < gridDim.x ? parts[threadIdx.x] : 0.0f);
  if (threadIdx.x == 0)
    *out = sum;
}
