/* SPDX-License-Identifier: Apache-2.0 */
/* Models on an NVIDIA GPU: the device, and memory on it for programs that have no CUDA headers. No header and no
   library of CUDA is needed to build or link; the driver (libcuda.so.1) is opened by the first nax_cuda_open. C99 and
   C++.

   Entries put their work on the caller's stream and return. What is given to them must stay until that stream has come
   so far; a fault of a kernel is therefore told by a later call, NAX_E_CUDA, and then by all of them: CUDA loses the
   context with it, and the process has to begin anew. An address on the GPU carries no size: that the memory is large
   enough is not checked. */
#ifndef NAX_CUDA_H
#define NAX_CUDA_H

#include "nax/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A CUstream of the driver API or a cudaStream_t of the runtime API, which are the same. NULL: the default stream. */
typedef struct CUstream_st *nax_cuda_stream;

/* A CUdeviceptr: an address in the memory of the GPU. A type of its own, so that the two kinds of pointers can't be
   confused. */
typedef struct nax_cuda_ptr {
  uint64_t address;
} nax_cuda_ptr;

/* A GPU and a CUDA context on it. Any thread may use it; one at a time. */
typedef struct nax_cuda nax_cuda;

/* Takes the CUDA context that is current on this thread; where there is none, the primary context of GPU number
   `device`, which is current within the library's calls alone: who wants streams of their own makes a context current
   before (cuInit, cuDevicePrimaryCtxRetain, cuCtxSetCurrent; or any call of the CUDA runtime). `*out` is NULL where it
   fails. NAX_E_DRIVER: no driver, or one that is too old. NAX_E_DEVICE: no such GPU. */
NAX_NODISCARD nax_status nax_cuda_open(nax_context *context, int64_t device, nax_cuda **out);

/* Unloads the kernels and frees it; NULL is allowed. Parameters and caches that were made with it go first. */
void nax_cuda_close(nax_cuda *cuda);

/* 90 for a GPU of compute capability 9.0. */
int64_t nax_cuda_capability(const nax_cuda *cuda);

/* Memory of the GPU, aligned to 256 bytes, with nothing in it that one may count on. `*out` has address 0 where it
   fails. NAX_E_MEMORY: there is not so much; the text says how much is free. */
NAX_NODISCARD nax_status nax_cuda_allocate(nax_context *context, nax_cuda *cuda, size_t bytes, nax_cuda_ptr *out);
void nax_cuda_free(nax_cuda *cuda, nax_cuda_ptr memory); /* address 0 is allowed */

/* To the GPU, after what is on the stream; `from` may be changed when it returns. */
NAX_NODISCARD nax_status nax_cuda_upload(nax_context *context, nax_cuda *cuda, nax_cuda_stream stream, nax_cuda_ptr to,
                                         const void *from, size_t bytes);

/* From the GPU, after what is on the stream; the bytes are there when it returns. */
NAX_NODISCARD nax_status nax_cuda_download(nax_context *context, nax_cuda *cuda, nax_cuda_stream stream, void *to,
                                           nax_cuda_ptr from, size_t bytes);

/* Waits until all work on the stream is done. NAX_E_CUDA: some of it failed. */
NAX_NODISCARD nax_status nax_cuda_synchronize(nax_context *context, nax_cuda *cuda, nax_cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif
