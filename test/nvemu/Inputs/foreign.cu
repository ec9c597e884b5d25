// Kernels that nvcc translates for the emulator: what its PTX looks like is none of our making.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

struct Triple {
  int first;
  float second;
  char third[3];
};

__constant__ float scale[4] = {1, 2, 3, 4};
__device__ const char *words[2] = {"ab", "cde"};

typedef int (*Operation)(int, int);
__device__ __noinline__ int plus(int a, int b) { return a + b; }
__device__ __noinline__ int times(int a, int b) { return a * b; }
__device__ Operation operations[2] = {plus, times};

__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ __noinline__ float of(Triple t, float x) { return t.second * x + t.first + t.third[2]; }

// Sums of a block by shared memory and shuffles, many blocks into one number by an atomic.
extern "C" __global__ void sum(const float *x, float *total, int n) {
  extern __shared__ float part[];
  float mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mine += x[i];
  for (int distance = 16; distance; distance /= 2)
    mine += __shfl_down_sync(~0u, mine, distance);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int warp = 1; warp < blockDim.x / 32; ++warp)
      mine += part[warp];
    atomicAdd(total, mine);
  }
}

// Calls, tables, structures, a switch, an array that is indexed by data, strings.
extern "C" __global__ void language(int *out, Triple t, int n) {
  int local[8];
  for (int i = 0; i < 8; ++i)
    local[(i * n) & 7] = i;
  int t0 = threadIdx.x;
  switch (t0) {
  case 0: out[0] = fibonacci(10); break;
  case 1: out[1] = operations[n & 1](6, 7); break;
  case 2: out[2] = int(of(t, 2.0f)); break;
  case 3: out[3] = local[n]; break;
  case 4: out[4] = words[1][n - 1]; break;
  case 5: out[5] = int(scale[n] * 10); break;
  case 6: out[6] = __popc(n) + __clz(n) + __brev(1) / -65536 + __byte_perm(n, 0x11223344, 0x5000); break;
  default: out[t0] = n / (t0 - 4) + n % t0; break;
  }
}

// One number through the functions and formats of cuda_fp16.h and cuda_bf16.h, and of libdevice.
extern "C" __global__ void formats(const float *x, float *out) {
  float v = x[threadIdx.x];
  __half h = __float2half(v);
  __nv_bfloat16 b = __float2bfloat16(v);
  __half2 pair = __hfma2(__half2half2(h), __float2half2_rn(2), __float2half2_rn(0.5));
  float *mine = out + 8 * threadIdx.x;
  mine[0] = __half2float(h);
  mine[1] = __bfloat162float(b);
  mine[2] = __high2float(pair);
  mine[3] = __bfloat162float(__hmul(b, b));
  mine[4] = sqrtf(v * v) / v;
  mine[5] = rintf(v) + float(int(v)) + floorf(v);
  mine[6] = fmaf(v, v, -v * v);
  mine[7] = float(double(v) * 3);
}

// The threads of a block in their order, by a barrier each: the last one wins.
extern "C" __global__ void turns(int *out) {
  __shared__ int last;
  for (int turn = 0; turn < blockDim.x; ++turn) {
    if (threadIdx.x == turn)
      last = turn * turn;
    __syncthreads();
  }
  if (threadIdx.x == 0)
    *out = last;
}
