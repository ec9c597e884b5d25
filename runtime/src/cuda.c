/* SPDX-License-Identifier: Apache-2.0 */
/* A GPU, the CUDA context on it, and its memory. */
#include "cuda.h"

#include <stdio.h>
#include <string.h>

static const char magic[8] = "naxcuda";

enum { /* CUdevice_attribute */
       ATTRIBUTE_MAJOR = 75,
       ATTRIBUTE_MINOR = 76,
       ATTRIBUTE_SHARED_OPT_IN = 97
};

bool naxrt_is_cuda(nax_context *context, const nax_cuda *cuda, nax_status *status) {
  if (cuda && memcmp(cuda->magic, magic, sizeof magic) == 0)
    return true;
  *status = cuda ? naxrt_fail(context, NAX_E_VALUE, "cuda is closed, or was never opened")
                 : naxrt_fail(context, NAX_E_NULL, "cuda is null: nax_cuda_open makes one");
  return false;
}

nax_status naxrt_cuda_status(nax_context *context, const nax_cuda *cuda, naxrt_cu_result result, const char *doing) {
  return result ? naxrt_cu_fail(context, cuda->cu, result, doing) : NAX_OK;
}

nax_status naxrt_cuda_enter(nax_context *context, const nax_cuda *cuda) {
  naxrt_cu_result result = cuda->cu->cuCtxPushCurrent_v2(cuda->current);
  return naxrt_cuda_status(context, cuda, result,
                           naxrt_cu_is_lost(result) ? "an earlier kernel failed" : "making the CUDA context current");
}

void naxrt_cuda_leave(const nax_cuda *cuda) {
  void *context;
  (void)cuda->cu->cuCtxPopCurrent_v2(&context);
}

//===-- opening ----------------------------------------------------------------------------------------------------//

static nax_status take_primary(nax_context *context, nax_cuda *cuda, int64_t device) {
  int count = 0;
  nax_status status = naxrt_cuda_status(context, cuda, cuda->cu->cuDeviceGetCount(&count), "counting GPUs");
  if (status != NAX_OK)
    return status;
  if (device < 0 || device >= count)
    return naxrt_fail(context, NAX_E_DEVICE, "there is no GPU number %lld: the driver has %d, numbered from 0",
                      (long long)device, count);
  status = naxrt_cuda_status(context, cuda, cuda->cu->cuDeviceGet(&cuda->device, (int)device), "opening the GPU");
  if (status == NAX_OK)
    status = naxrt_cuda_status(context, cuda, cuda->cu->cuDevicePrimaryCtxRetain(&cuda->current, cuda->device),
                               "opening the GPU's primary context");
  cuda->primary = status == NAX_OK;
  return status;
}

static nax_status ask(nax_context *context, const nax_cuda *cuda, int attribute, int64_t *out) {
  int value = 0;
  naxrt_cu_result result = cuda->cu->cuDeviceGetAttribute(&value, attribute, cuda->device);
  *out = value;
  return naxrt_cuda_status(context, cuda, result, "asking for the GPU's properties");
}

static nax_status open_device(nax_context *context, nax_cuda *cuda, int64_t device) {
  nax_status status = naxrt_cuda_status(context, cuda, cuda->cu->cuCtxGetCurrent(&cuda->current),
                                        "asking for the current CUDA context");
  if (status == NAX_OK && cuda->current)
    status = naxrt_cuda_status(context, cuda, cuda->cu->cuCtxGetDevice(&cuda->device), "asking for the GPU");
  else if (status == NAX_OK)
    status = take_primary(context, cuda, device);
  int64_t major = 0, minor = 0;
  if (status == NAX_OK)
    status = ask(context, cuda, ATTRIBUTE_MAJOR, &major);
  if (status == NAX_OK)
    status = ask(context, cuda, ATTRIBUTE_MINOR, &minor);
  if (status == NAX_OK)
    status = ask(context, cuda, ATTRIBUTE_SHARED_OPT_IN, &cuda->shared_limit);
  cuda->capability = major * 10 + minor;
  return status;
}

nax_status nax_cuda_open(nax_context *context, int64_t device, nax_cuda **out) {
  if (out)
    *out = NULL;
  if (!naxrt_begin(context))
    return naxrt_fail_without_context();
  if (!out)
    return naxrt_fail(context, NAX_E_NULL, "out is null");
  nax_cuda *cuda = naxrt_allocate(context, (int64_t)sizeof *cuda, "a GPU");
  if (!cuda)
    return NAX_E_MEMORY;
  *cuda = (nax_cuda){.cu = &cuda->driver, .hooks = context->hooks};
  memcpy(cuda->magic, magic, sizeof magic);
  pthread_mutex_init(&cuda->lock, NULL);
  nax_status status = naxrt_cu_open(context, &cuda->driver);
  if (status == NAX_OK)
    status = open_device(context, cuda, device);
  if (status == NAX_OK)
    *out = cuda;
  else
    nax_cuda_close(cuda);
  return status;
}

void nax_cuda_close(nax_cuda *cuda) {
  if (!cuda)
    return;
  bool entered = cuda->current && !cuda->cu->cuCtxPushCurrent_v2(cuda->current);
  naxrt_cuda_unload_all(cuda, entered);
  if (entered) {
    if (cuda->capture)
      (void)cuda->cu->cuStreamDestroy_v2(cuda->capture);
    naxrt_cuda_leave(cuda);
  }
  if (cuda->primary)
    (void)cuda->cu->cuDevicePrimaryCtxRelease_v2(cuda->device);
  naxrt_cu_close(&cuda->driver);
  pthread_mutex_destroy(&cuda->lock);
  memset(cuda->magic, 0, sizeof magic); // so that a later use is noticed
  nax_hooks hooks = cuda->hooks;
  naxrt_release(&hooks, cuda, (int64_t)sizeof *cuda);
}

int64_t nax_cuda_capability(const nax_cuda *cuda) { return cuda ? cuda->capability : 0; }

//===-- memory -----------------------------------------------------------------------------------------------------//

nax_status naxrt_cuda_take(nax_context *context, const nax_cuda *cuda, int64_t bytes, const char *what,
                           naxrt_cu_ptr *out) {
  naxrt_cu_result result = cuda->cu->cuMemAlloc_v2(out, bytes > 0 ? (size_t)bytes : 1);
  return naxrt_cuda_taken(context, cuda, result, bytes, what);
}

nax_status naxrt_cuda_taken(nax_context *context, const nax_cuda *cuda, naxrt_cu_result result, int64_t bytes,
                            const char *what) {
  if (result != NAXRT_CU_OUT_OF_MEMORY)
    return naxrt_cuda_status(context, cuda, result, "allocating memory on the GPU");
  size_t left = 0, all = 0;
  (void)cuda->cu->cuMemGetInfo_v2(&left, &all);
  return naxrt_fail(context, NAX_E_MEMORY, "no memory on the GPU for %s: %lld bytes, %zu of its %zu are free", what,
                    (long long)bytes, left, all);
}

/* What each of the calls below begins with. */
static nax_status begin(nax_context *context, const nax_cuda *cuda) {
  if (!naxrt_begin(context))
    return naxrt_fail_without_context();
  nax_status status = NAX_OK;
  return naxrt_is_cuda(context, cuda, &status) ? naxrt_cuda_enter(context, cuda) : status;
}

nax_status nax_cuda_allocate(nax_context *context, nax_cuda *cuda, size_t bytes, nax_cuda_ptr *out) {
  if (out)
    *out = (nax_cuda_ptr){0};
  nax_status status = begin(context, cuda);
  if (status != NAX_OK)
    return status;
  if (!out)
    status = naxrt_fail(context, NAX_E_NULL, "out is null");
  else if (bytes > PTRDIFF_MAX)
    status = naxrt_fail(context, NAX_E_SIZE, "%zu bytes are more than memory can address", bytes);
  else
    status = naxrt_cuda_take(context, cuda, (int64_t)bytes, "the caller", &out->address);
  naxrt_cuda_leave(cuda);
  return status;
}

void nax_cuda_free(nax_cuda *cuda, nax_cuda_ptr memory) {
  if (!cuda || !memory.address || cuda->cu->cuCtxPushCurrent_v2(cuda->current))
    return;
  (void)cuda->cu->cuMemFree_v2(memory.address);
  naxrt_cuda_leave(cuda);
}

nax_status nax_cuda_upload(nax_context *context, nax_cuda *cuda, nax_cuda_stream stream, nax_cuda_ptr to,
                           const void *from, size_t bytes) {
  nax_status status = begin(context, cuda);
  if (status != NAX_OK)
    return status;
  if (bytes > 0 && (!to.address || !from))
    status = naxrt_fail(context, NAX_E_NULL, "%s is null", from ? "to" : "from");
  if (status == NAX_OK && bytes > 0)
    status = naxrt_cuda_status(context, cuda, cuda->cu->cuMemcpyHtoDAsync_v2(to.address, from, bytes, stream),
                               "copying to the GPU");
  // Of page-locked memory the driver has not yet taken a copy.
  if (status == NAX_OK && bytes > 0)
    status = naxrt_cuda_status(context, cuda, cuda->cu->cuStreamSynchronize(stream), "copying to the GPU");
  naxrt_cuda_leave(cuda);
  return status;
}

nax_status nax_cuda_download(nax_context *context, nax_cuda *cuda, nax_cuda_stream stream, void *to, nax_cuda_ptr from,
                             size_t bytes) {
  nax_status status = begin(context, cuda);
  if (status != NAX_OK)
    return status;
  if (bytes > 0 && (!from.address || !to))
    status = naxrt_fail(context, NAX_E_NULL, "%s is null", to ? "from" : "to");
  if (status == NAX_OK && bytes > 0)
    status = naxrt_cuda_status(context, cuda, cuda->cu->cuMemcpyDtoHAsync_v2(to, from.address, bytes, stream),
                               "copying from the GPU");
  if (status == NAX_OK)
    status = naxrt_cuda_status(context, cuda, cuda->cu->cuStreamSynchronize(stream), "copying from the GPU");
  naxrt_cuda_leave(cuda);
  return status;
}

nax_status nax_cuda_synchronize(nax_context *context, nax_cuda *cuda, nax_cuda_stream stream) {
  nax_status status = begin(context, cuda);
  if (status != NAX_OK)
    return status;
  status = naxrt_cuda_status(context, cuda, cuda->cu->cuStreamSynchronize(stream), "waiting for the GPU");
  naxrt_cuda_leave(cuda);
  return status;
}
