/* SPDX-License-Identifier: Apache-2.0 */
/* The part of the CUDA driver API that the library calls, found in libcuda.so.1 when it is first needed. Numbers and
   signatures: https://docs.nvidia.com/cuda/cuda-driver-api. */
#ifndef NAXRT_CUDA_DRIVER_H
#define NAXRT_CUDA_DRIVER_H

#include "internal.h"

typedef int naxrt_cu_result;   /* CUresult */
typedef uint64_t naxrt_cu_ptr; /* CUdeviceptr */

enum {
  NAXRT_CU_OUT_OF_MEMORY = 2,
  NAXRT_CU_NO_DEVICE = 100,
  NAXRT_CU_INVALID_DEVICE = 101,
  NAXRT_CU_NO_BINARY = 209,
  NAXRT_CU_INVALID_PTX = 218,
  NAXRT_CU_UNSUPPORTED_PTX = 222,
  NAXRT_CU_GRAPH_UPDATE_FAILURE = 910
};

enum { NAXRT_CU_OLDEST_DRIVER = 12000 }; /* CUDA 12.0 reads PTX 8.0, which kernels are written in */

typedef struct naxrt_cu_update_info {
  int result;
  void *node, *from;
} naxrt_cu_update_info;

/* name, type of the function; all are needed */
#define NAXRT_CU_FUNCTIONS(F)                                                                                          \
  F(cuInit, (unsigned))                                                                                                \
  F(cuDriverGetVersion, (int *))                                                                                       \
  F(cuDeviceGet, (int *, int))                                                                                         \
  F(cuDeviceGetCount, (int *))                                                                                         \
  F(cuDeviceGetAttribute, (int *, int, int))                                                                           \
  F(cuDevicePrimaryCtxRetain, (void **, int))                                                                          \
  F(cuDevicePrimaryCtxRelease_v2, (int))                                                                               \
  F(cuCtxGetCurrent, (void **))                                                                                        \
  F(cuCtxGetDevice, (int *))                                                                                           \
  F(cuCtxPushCurrent_v2, (void *))                                                                                     \
  F(cuCtxPopCurrent_v2, (void **))                                                                                     \
  F(cuModuleLoadDataEx, (void **, const void *, unsigned, int *, void **))                                             \
  F(cuModuleUnload, (void *))                                                                                          \
  F(cuModuleGetFunction, (void **, void *, const char *))                                                              \
  F(cuFuncSetAttribute, (void *, int, int))                                                                            \
  F(cuLaunchKernel,                                                                                                    \
    (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **))          \
  F(cuMemAlloc_v2, (naxrt_cu_ptr *, size_t))                                                                           \
  F(cuMemFree_v2, (naxrt_cu_ptr))                                                                                      \
  F(cuMemGetInfo_v2, (size_t *, size_t *))                                                                             \
  F(cuMemAllocAsync, (naxrt_cu_ptr *, size_t, void *))                                                                 \
  F(cuMemFreeAsync, (naxrt_cu_ptr, void *))                                                                            \
  F(cuMemcpy, (naxrt_cu_ptr, naxrt_cu_ptr, size_t))                                                                    \
  F(cuEventCreate, (void **, unsigned))                                                                                \
  F(cuEventRecord, (void *, void *))                                                                                   \
  F(cuEventSynchronize, (void *))                                                                                      \
  F(cuEventDestroy_v2, (void *))                                                                                       \
  F(cuMemsetD8_v2, (naxrt_cu_ptr, unsigned char, size_t))                                                              \
  F(cuMemcpyHtoD_v2, (naxrt_cu_ptr, const void *, size_t))                                                             \
  F(cuMemcpyHtoDAsync_v2, (naxrt_cu_ptr, const void *, size_t, void *))                                                \
  F(cuMemcpyDtoHAsync_v2, (void *, naxrt_cu_ptr, size_t, void *))                                                      \
  F(cuStreamCreate, (void **, unsigned))                                                                               \
  F(cuStreamDestroy_v2, (void *))                                                                                      \
  F(cuStreamSynchronize, (void *))                                                                                     \
  F(cuStreamWaitEvent, (void *, void *, unsigned))                                                                     \
  F(cuStreamBeginCapture_v2, (void *, int))                                                                            \
  F(cuStreamEndCapture, (void *, void **))                                                                             \
  F(cuStreamIsCapturing, (void *, int *))                                                                              \
  F(cuGraphInstantiateWithFlags, (void **, void *, uint64_t))                                                          \
  F(cuGraphExecUpdate_v2, (void *, void *, naxrt_cu_update_info *))                                                    \
  F(cuGraphLaunch, (void *, void *))                                                                                   \
  F(cuGraphDestroy, (void *))                                                                                          \
  F(cuGraphExecDestroy, (void *))                                                                                      \
  F(cuGetErrorName, (naxrt_cu_result, const char **))                                                                  \
  F(cuGetErrorString, (naxrt_cu_result, const char **))

typedef struct naxrt_cu {
  void *library; /* of dlopen; NULL: not opened */
#define NAXRT_CU_MEMBER(name, parameters) naxrt_cu_result(*name) parameters;
  NAXRT_CU_FUNCTIONS(NAXRT_CU_MEMBER)
#undef NAXRT_CU_MEMBER
} naxrt_cu;

/* Opens the driver and initialises it, which does nothing the second time. NAX_E_DRIVER, or NAX_E_DEVICE when it finds
   no GPU. */
nax_status naxrt_cu_open(nax_context *context, naxrt_cu *out);
void naxrt_cu_close(naxrt_cu *cu);

/* The status for a result of the driver that is no success, with a text of what `doing` and the driver's words. */
nax_status naxrt_cu_fail(nax_context *context, const naxrt_cu *cu, naxrt_cu_result result, const char *doing);
/* Does the result mean that a kernel failed so that the CUDA context, and with it the process, can go no further? */
bool naxrt_cu_is_lost(naxrt_cu_result result);

#endif
