/* SPDX-License-Identifier: Apache-2.0 */
/* What the sources for GPUs share. */
#ifndef NAXRT_CUDA_H
#define NAXRT_CUDA_H

#include "cuda_driver.h"
#include "nax/cuda.h"
#include "nax/cuda_desc.h"

#include <pthread.h>

typedef struct naxrt_cuda_loaded naxrt_cuda_loaded;

struct nax_cuda {
  char magic[8];
  const naxrt_cu *cu; /* = &driver */
  naxrt_cu driver;
  nax_hooks hooks;
  void *current; /* the CUDA context */
  int device;
  bool primary; /* it is the primary one and was retained here */
  int64_t capability;
  int64_t shared_limit; /* bytes of shared memory that a block may ask for */
  pthread_mutex_t lock; /* of what follows */
  naxrt_cuda_loaded *loaded;
  void *capture; /* the stream that steps are captured on; NULL until there is one */
};

/* Sets the error and gives false when it is null, or none. */
bool naxrt_is_cuda(nax_context *context, const nax_cuda *cuda, nax_status *status);

/* Makes its CUDA context the current one of this thread, until naxrt_cuda_leave. */
nax_status naxrt_cuda_enter(nax_context *context, const nax_cuda *cuda);
void naxrt_cuda_leave(const nax_cuda *cuda);

/* NAX_OK for a result of the driver that is 0; else as naxrt_cu_fail. */
nax_status naxrt_cuda_status(nax_context *context, const nax_cuda *cuda, naxrt_cu_result result, const char *doing);

/* As nax_cuda_allocate, within enter and leave; `what` ends the sentence "no memory on the GPU for ...". */
nax_status naxrt_cuda_take(nax_context *context, const nax_cuda *cuda, int64_t bytes, const char *what,
                           naxrt_cu_ptr *out);
/* What the driver said to that; NAX_E_MEMORY tells how much is free. */
nax_status naxrt_cuda_taken(nax_context *context, const nax_cuda *cuda, naxrt_cu_result result, int64_t bytes,
                            const char *what);

/* cuda_kernels.c. The kernels of a model on this GPU, loaded by the first call. NULL: the error is set.
   Within enter and leave. */
const naxrt_cuda_loaded *naxrt_cuda_load(nax_context *context, nax_cuda *cuda, const naxrt_cuda_desc *desc,
                                         nax_status *status);
/* `entered`: else the CUDA context is gone, and the modules with it. */
void naxrt_cuda_unload_all(nax_cuda *cuda, bool entered);

/* One call of an entry: the first argument of its body, which hands it to naxrt_cuda_launch. */
typedef struct naxrt_cuda_call {
  nax_context *context;
  const nax_cuda *cuda;
  const naxrt_cuda_loaded *kernels;
  void *stream;
  nax_status status; /* of the first launch that failed; later ones are left out */
} naxrt_cuda_call;

/* cuda_cache.c. What a cache on a GPU has besides its rows: the owner of its remote. */
typedef struct naxrt_cuda_home {
  nax_cuda *cuda;
  nax_hooks hooks;
  void *graph; /* CUgraphExec of the last step; NULL: none yet */
  void *used;  /* CUevent behind the last step */
} naxrt_cuda_home;

/* cuda_graph.c. Runs the entry's body on the capture stream and launches what it did as one graph. */
nax_status naxrt_cuda_run_captured(naxrt_cuda_call *call, nax_cuda *cuda, naxrt_cuda_home *home,
                                   void (*run)(naxrt_cuda_call *call, void *closure), void *closure);

#endif
