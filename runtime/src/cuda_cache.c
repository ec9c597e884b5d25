/* SPDX-License-Identifier: Apache-2.0 */
/* Caches on a GPU: the rows and their lengths stay with the host, the slots are there. */
#include "cache.h"
#include "cuda.h"

/* Event flags: CU_EVENT_DISABLE_TIMING. */
enum { EVENT_WITHOUT_TIME = 2 };

static nax_status allocate(void *owner, nax_context *context, int64_t bytes, void **out) {
  naxrt_cuda_home *home = owner;
  naxrt_cu_ptr block = 0;
  nax_status status = naxrt_cuda_enter(context, home->cuda);
  if (status != NAX_OK)
    return status;
  status = naxrt_cuda_take(context, home->cuda, bytes, "a cache", &block);
  if (status == NAX_OK && bytes > 0) {
    naxrt_cu_result result = home->cuda->cu->cuMemsetD8_v2(block, 0, (size_t)bytes);
    if (!result)
      result = home->cuda->cu->cuStreamSynchronize(NULL);
    status = naxrt_cuda_status(context, home->cuda, result, "clearing a cache");
    if (status != NAX_OK)
      (void)home->cuda->cu->cuMemFree_v2(block);
  }
  naxrt_cuda_leave(home->cuda);
  *out = (void *)(uintptr_t)block;
  return status;
}

static void release(void *owner, void *block) {
  naxrt_cuda_home *home = owner;
  const nax_cuda *cuda = home->cuda;
  if (cuda->cu->cuCtxPushCurrent_v2(cuda->current))
    return; // the CUDA context is gone, and its memory with it
  (void)cuda->cu->cuEventSynchronize(home->used);
  (void)cuda->cu->cuMemFree_v2((naxrt_cu_ptr)(uintptr_t)block);
  naxrt_cuda_leave(cuda);
}

static void end(void *owner) {
  naxrt_cuda_home *home = owner;
  const nax_cuda *cuda = home->cuda;
  if (!cuda->cu->cuCtxPushCurrent_v2(cuda->current)) {
    if (home->graph)
      (void)cuda->cu->cuGraphExecDestroy(home->graph);
    (void)cuda->cu->cuEventDestroy_v2(home->used);
    naxrt_cuda_leave(cuda);
  }
  nax_hooks hooks = home->hooks;
  naxrt_release(&hooks, home, (int64_t)sizeof *home);
}

static nax_status wait(void *owner, nax_context *context) {
  naxrt_cuda_home *home = owner;
  nax_status status = naxrt_cuda_enter(context, home->cuda);
  if (status != NAX_OK)
    return status;
  naxrt_cu_result result = home->cuda->cu->cuEventSynchronize(home->used);
  naxrt_cuda_leave(home->cuda);
  return naxrt_cuda_status(context, home->cuda, result, "waiting for a step");
}

/* One address space holds the memory of host and GPU, so that the driver sees which is which. The driver may return
   before a copy within the GPU is done, and streams that do not wait for the default one would not see it. */
static nax_status copy(void *owner, nax_context *context, void *to, const void *from, int64_t bytes) {
  naxrt_cuda_home *home = owner;
  const nax_cuda *cuda = home->cuda;
  nax_status status = naxrt_cuda_enter(context, cuda);
  if (status != NAX_OK)
    return status;
  naxrt_cu_result result = cuda->cu->cuEventSynchronize(home->used);
  if (!result)
    result = cuda->cu->cuMemcpy((naxrt_cu_ptr)(uintptr_t)to, (naxrt_cu_ptr)(uintptr_t)from, (size_t)bytes);
  if (!result)
    result = cuda->cu->cuStreamSynchronize(NULL);
  status = naxrt_cuda_status(context, cuda, result, "copying slots of a cache");
  naxrt_cuda_leave(cuda);
  return status;
}

static naxrt_cuda_home *make_home(nax_context *context, nax_cuda *cuda, nax_status *status) {
  naxrt_cuda_home *home = naxrt_allocate(context, (int64_t)sizeof *home, "a cache");
  if (!home) {
    *status = NAX_E_MEMORY;
    return NULL;
  }
  *home = (naxrt_cuda_home){.cuda = cuda, .hooks = context->hooks};
  *status = naxrt_cuda_enter(context, cuda);
  if (*status == NAX_OK) {
    *status = naxrt_cuda_status(context, cuda, cuda->cu->cuEventCreate(&home->used, EVENT_WITHOUT_TIME), "a cache");
    naxrt_cuda_leave(cuda);
  }
  if (*status == NAX_OK)
    return home;
  naxrt_release(&context->hooks, home, (int64_t)sizeof *home);
  return NULL;
}

nax_status naxrt_cuda_cache_create(nax_context *context, nax_cuda *cuda, const naxrt_cuda_desc *desc, int64_t step,
                                   const int64_t *sizes, nax_cache **out) {
  if (!naxrt_begin(context))
    return naxrt_fail_without_context();
  nax_status status = NAX_OK;
  if (!desc || !out)
    return naxrt_fail(context, NAX_E_NULL, "%s is null", desc ? "out" : "the model");
  *out = NULL;
  if (!naxrt_is_cuda(context, cuda, &status))
    return status;
  naxrt_cuda_home *home = make_home(context, cuda, &status);
  if (!home)
    return status;
  naxrt_remote remote = {home, cuda->current, allocate, release, end, copy, wait};
  status = naxrt_cache_create_in(context, &desc->model, step, sizes, &remote, out);
  if (status != NAX_OK)
    end(home);
  return status;
}
