// SPDX-License-Identifier: Apache-2.0
// What nvcc and its headers make of copies, barriers, atomics and reductions.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

namespace groups = cooperative_groups;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

// out = in, reversed in each half.
extern "C" __global__ void pipeline(const float4 *in, float4 *out) {
  __shared__ float4 stage[2][32];
  const int thread = threadIdx.x;
  for (int half = 0; half < 2; ++half) {
    __pipeline_memcpy_async(&stage[half][thread], in + 32 * half + thread, 16);
    __pipeline_commit();
  }
  __pipeline_wait_prior(1);
  __syncthreads();
  out[thread] = stage[0][31 - thread];
  __pipeline_wait_prior(0);
  __syncthreads();
  out[32 + thread] = stage[1][31 - thread];
}

__device__ void initialize(Barrier &barrier) {
  if (threadIdx.x == 0)
    init(&barrier, blockDim.x);
  __syncthreads();
}

// out = the sum over three phases of what thread 63 - t stored.
extern "C" __global__ void phases(const int *in, int *out) {
  __shared__ alignas(8) char room[sizeof(Barrier)];
  __shared__ int stage[64];
  Barrier &barrier = *reinterpret_cast<Barrier *>(room);
  initialize(barrier);
  const int thread = threadIdx.x;
  int sum = 0;
  for (int phase = 0; phase < 3; ++phase) {
    stage[thread] = in[thread] + phase;
    barrier.wait(barrier.arrive());
    sum += stage[63 - thread];
    barrier.arrive_and_wait();
  }
  out[thread] = sum;
}

extern "C" __global__ void copies(const int4 *in, int4 *out) {
  __shared__ alignas(8) char room[sizeof(Barrier)];
  __shared__ int4 stage[64];
  Barrier &barrier = *reinterpret_cast<Barrier *>(room);
  initialize(barrier);
  const int thread = threadIdx.x;
  cuda::memcpy_async(&stage[thread], &in[thread], cuda::aligned_size_t<16>(16), barrier);
  barrier.arrive_and_wait();
  out[thread] = stage[63 - thread];
}

extern "C" __global__ void atomics(int *ints, float *floats, unsigned long long *wide, __half2 *halves) {
  const int thread = threadIdx.x;
  atomicAdd(ints, thread);
  atomicMax(ints + 1, thread);
  atomicMin(ints + 2, -thread);
  atomicOr(ints + 3, 1 << (thread & 31));
  atomicInc(reinterpret_cast<unsigned *>(ints + 4), 1000);
  cuda::atomic_ref<int, cuda::thread_scope_device>(ints[5]).fetch_add(2, cuda::memory_order_acq_rel);
  atomicAdd(floats, 1.5f);
  atomicAdd(wide, 1ull << 40);
  atomicAdd(halves, __float2half2_rn(1.0f));
}

extern "C" __global__ void reductions(const int *in, int *out) {
  auto warp = groups::tiled_partition<32>(groups::this_thread_block());
  const int value = in[threadIdx.x];
  const int sum = groups::reduce(warp, value, groups::plus<int>());
  const int most = __reduce_max_sync(~0u, value);
  if (warp.thread_rank() == 0) {
    out[2 * (threadIdx.x / 32)] = sum;
    out[2 * (threadIdx.x / 32) + 1] = most;
  }
}

// The last block adds up what all have stored.
extern "C" __global__ void last(const float *in, float *part, unsigned *count, float *out) {
  if (threadIdx.x)
    return;
  part[blockIdx.x] = in[blockIdx.x];
  __threadfence();
  const bool isLast = atomicInc(count, gridDim.x - 1) == gridDim.x - 1;
#ifndef NO_FENCE
  __threadfence();
#endif
  if (!isLast)
    return;
  float sum = 0;
  for (int block = 0; block < gridDim.x; ++block)
    sum += part[block];
  *out = sum;
}
