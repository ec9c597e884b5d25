/* SPDX-License-Identifier: Apache-2.0 */
/* How a compiled model describes its form for NVIDIA GPUs, and the functions that its object calls there. */
#ifndef NAX_CUDA_DESC_H
#define NAX_CUDA_DESC_H

#include "nax/cuda.h"
#include "nax/model_desc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* PTX text, 0 at its end, for GPUs of these compute capabilities (90 is 9.0); most -1: and all later ones. */
typedef struct naxrt_cuda_image {
  const char *target; /* "sm_80" */
  const char *ptx;
  int64_t least, most;
} naxrt_cuda_image;

/* One way of doing what a kernel does: a function of an image. */
typedef struct naxrt_cuda_variant {
  int64_t image;
  const char *symbol;
  int64_t shared; /* the most dynamic shared memory that a launch of it asks for, in bytes */
} naxrt_cuda_variant;

/* The first variant whose image fits the GPU is taken. */
typedef struct naxrt_cuda_kernel {
  const char *name;
  int64_t variant_count;
  const naxrt_cuda_variant *variants;
} naxrt_cuda_kernel;

/* `model` has one level, NAX_CPU_ANY, whose slots, sizes of workspaces and bodies are those for the GPU: addresses that
   a body gets, the call aside, are of its memory. */
typedef struct naxrt_cuda_desc {
  nax_model_desc model;
  int64_t image_count;
  const naxrt_cuda_image *images;
  int64_t kernel_count;
  const naxrt_cuda_kernel *kernels;
} naxrt_cuda_desc;

/* Called by bodies: puts kernel number `kernel` on the call's stream. shape: blocks in x, y, z; threads in x, y, z;
   bytes of shared memory. arguments[i] points to the value of argument i. */
void naxrt_cuda_launch(void *call, int64_t kernel, const int64_t shape[7], void *const *arguments);

typedef struct nax_cuda_params nax_cuda_params;

/* Reads the file as naxrt_params_open does and copies the parameters to the GPU. */
NAX_NODISCARD nax_status naxrt_cuda_params_open(nax_context *context, nax_cuda *cuda, const naxrt_cuda_desc *desc,
                                                const char *path, nax_cuda_params **out);

/* The same from memory of the host: values[i] is parameter i, row-major in its declared order and dtype. */
NAX_NODISCARD nax_status naxrt_cuda_params_from_memory(nax_context *context, nax_cuda *cuda,
                                                       const naxrt_cuda_desc *desc, const void *const *values,
                                                       nax_cuda_params **out);

/* Frees them; NULL is allowed. */
void naxrt_cuda_params_close(nax_cuda_params *params);

/* As naxrt_cache_create, with the slots on the GPU. nax_cache_copy, _save, _restore and the others take it; they wait
   for the step that uses it. Destroy it before the GPU is closed. */
NAX_NODISCARD nax_status naxrt_cuda_cache_create(nax_context *context, nax_cuda *cuda, const naxrt_cuda_desc *desc,
                                                 int64_t step, const int64_t *sizes, nax_cache **out);

/* Bytes of workspace that a call with these sizes needs; negative when they are more than an int64_t can say. */
int64_t naxrt_cuda_workspace(const naxrt_cuda_desc *desc, int64_t entry, const int64_t *dims);

/* Checks the arguments as naxrt_invoke does, but for the values of inputs, which are on the GPU; then puts the entry's
   work on the stream. buffers[i] of an input or output, and `workspace`, are addresses on the GPU as pointers; lengths,
   starts, documents, counts and the seed are memory of the host, which page-locked memory may change only when the
   stream has come so far. `dims` and `buffers` are overwritten. workspace NULL with bytes 0: memory of the stream's
   pool is taken for this call. A step is launched as one CUDA graph, unless the stream is being captured by the caller.
 */
NAX_NODISCARD nax_status naxrt_cuda_invoke(nax_context *context, nax_cuda *cuda, const naxrt_cuda_desc *desc,
                                           int64_t entry, const nax_cuda_params *params, nax_cache *cache,
                                           nax_cuda_stream stream, int64_t *dims, void **buffers, void *workspace,
                                           size_t workspace_bytes);

#ifdef __cplusplus
}
#endif

#endif
