/* SPDX-License-Identifier: Apache-2.0 */
/* PTX into kernels, once for each model and CUDA context, and their launches. */
#define _GNU_SOURCE // strtok_r
#include "cuda.h"

#include <string.h>

enum {
  JIT_ERROR_LOG = 5, /* CUjit_option */
  JIT_ERROR_LOG_BYTES = 6,
  FUNCTION_SHARED = 8, /* CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES */
  SHARED_BY_DEFAULT = 48 << 10,
  LOG_BYTES = 2048
};

struct naxrt_cuda_loaded {
  naxrt_cuda_loaded *next;
  const naxrt_cuda_desc *desc;
  int64_t bytes;    /* of all of it */
  void **modules;   /* of the images; NULL: not needed here */
  void **functions; /* of the kernels */
};

static bool fits(const naxrt_cuda_image *image, int64_t capability) {
  return capability >= image->least && (image->most < 0 || capability <= image->most);
}

/* The variant of a kernel that this GPU runs; NULL: none. */
static const naxrt_cuda_variant *choose(const naxrt_cuda_desc *desc, const naxrt_cuda_kernel *kernel,
                                        const nax_cuda *cuda) {
  for (int64_t i = 0; i < kernel->variant_count; ++i)
    if (fits(&desc->images[kernel->variants[i].image], cuda->capability))
      return &kernel->variants[i];
  return NULL;
}

static nax_status no_variant(nax_context *context, const naxrt_cuda_desc *desc, const nax_cuda *cuda) {
  nax_status status =
      naxrt_fail(context, NAX_E_DEVICE, "model %s has no code for a GPU of compute capability %lld.%lld",
                 desc->model.name, (long long)cuda->capability / 10, (long long)cuda->capability % 10);
  for (int64_t i = 0; i < desc->image_count; ++i)
    naxrt_fail_more(context, "%s is for %lld.%lld%s", desc->images[i].target, (long long)desc->images[i].least / 10,
                    (long long)desc->images[i].least % 10,
                    desc->images[i].most < 0                        ? " and later"
                    : desc->images[i].most == desc->images[i].least ? " alone"
                                                                    : " and some later ones");
  return status;
}

static nax_status load_image(nax_context *context, const nax_cuda *cuda, const naxrt_cuda_desc *desc, int64_t image,
                             void **out) {
  char log[LOG_BYTES] = "";
  int options[] = {JIT_ERROR_LOG, JIT_ERROR_LOG_BYTES};
  void *values[] = {log, (void *)(uintptr_t)(LOG_BYTES - 1)};
  naxrt_cu_result result = cuda->cu->cuModuleLoadDataEx(out, desc->images[image].ptx, 2, options, values);
  if (!result)
    return NAX_OK;
  nax_status status = naxrt_cu_fail(context, cuda->cu, result, "compiling the model's kernels for the GPU");
  log[LOG_BYTES - 1] = 0;
  char *rest = log;
  for (char *line = strtok_r(log, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
    naxrt_fail_more(context, "%s", line);
  return status;
}

static nax_status load_kernel(nax_context *context, const nax_cuda *cuda, naxrt_cuda_loaded *loaded, int64_t index) {
  const naxrt_cuda_desc *desc = loaded->desc;
  const naxrt_cuda_variant *variant = choose(desc, &desc->kernels[index], cuda);
  if (!variant)
    return no_variant(context, desc, cuda);
  void **module = &loaded->modules[variant->image];
  nax_status status = *module ? NAX_OK : load_image(context, cuda, desc, variant->image, module);
  if (status == NAX_OK)
    status = naxrt_cuda_status(context, cuda,
                               cuda->cu->cuModuleGetFunction(&loaded->functions[index], *module, variant->symbol),
                               variant->symbol);
  if (status != NAX_OK || variant->shared <= SHARED_BY_DEFAULT)
    return status;
  if (variant->shared > cuda->shared_limit)
    return naxrt_fail(context, NAX_E_DEVICE, "kernel %s needs %lld bytes of shared memory, this GPU has %lld a block",
                      variant->symbol, (long long)variant->shared, (long long)cuda->shared_limit);
  return naxrt_cuda_status(
      context, cuda, cuda->cu->cuFuncSetAttribute(loaded->functions[index], FUNCTION_SHARED, (int)variant->shared),
      variant->symbol);
}

static void unload(const nax_cuda *cuda, naxrt_cuda_loaded *loaded, bool entered) {
  for (int64_t i = 0; entered && i < loaded->desc->image_count; ++i)
    if (loaded->modules[i])
      (void)cuda->cu->cuModuleUnload(loaded->modules[i]);
  naxrt_release(&cuda->hooks, loaded, loaded->bytes);
}

static naxrt_cuda_loaded *load(nax_context *context, nax_cuda *cuda, const naxrt_cuda_desc *desc, nax_status *status) {
  int64_t bytes =
      (int64_t)sizeof(naxrt_cuda_loaded) + (desc->image_count + desc->kernel_count) * (int64_t)sizeof(void *);
  naxrt_cuda_loaded *loaded = naxrt_allocate(context, bytes, "the list of kernels");
  if (!loaded) {
    *status = NAX_E_MEMORY;
    return NULL;
  }
  memset(loaded, 0, (size_t)bytes);
  loaded->desc = desc;
  loaded->bytes = bytes;
  loaded->modules = (void **)(loaded + 1);
  loaded->functions = loaded->modules + desc->image_count;
  for (int64_t i = 0; i < desc->kernel_count && *status == NAX_OK; ++i)
    *status = load_kernel(context, cuda, loaded, i);
  if (*status == NAX_OK) {
    loaded->next = cuda->loaded;
    return cuda->loaded = loaded;
  }
  unload(cuda, loaded, true);
  return NULL;
}

const naxrt_cuda_loaded *naxrt_cuda_load(nax_context *context, nax_cuda *cuda, const naxrt_cuda_desc *desc,
                                         nax_status *status) {
  pthread_mutex_lock(&cuda->lock);
  naxrt_cuda_loaded *found = cuda->loaded;
  while (found && found->desc != desc)
    found = found->next;
  *status = NAX_OK;
  if (!found)
    found = load(context, cuda, desc, status);
  pthread_mutex_unlock(&cuda->lock);
  return found;
}

void naxrt_cuda_unload_all(nax_cuda *cuda, bool entered) {
  while (cuda->loaded) {
    naxrt_cuda_loaded *first = cuda->loaded;
    cuda->loaded = first->next;
    unload(cuda, first, entered);
  }
}

void naxrt_cuda_launch(void *opaque, int64_t kernel, const int64_t shape[7], void *const *arguments) {
  naxrt_cuda_call *call = opaque;
  if (call->status != NAX_OK || shape[0] == 0 || shape[1] == 0 || shape[2] == 0)
    return;
  const char *name = call->kernels->desc->kernels[kernel].name;
  // The limits of the driver on a grid: 2^31 - 1 blocks in x, 65535 in y and z.
  if (shape[0] > INT32_MAX || shape[1] > UINT16_MAX || shape[2] > UINT16_MAX) {
    call->status =
        naxrt_fail(call->context, NAX_E_SIZE, "%s: a grid of %lld, %lld, %lld blocks is more than a GPU takes", name,
                   (long long)shape[0], (long long)shape[1], (long long)shape[2]);
    return;
  }
  naxrt_cu_result result = call->cuda->cu->cuLaunchKernel(
      call->kernels->functions[kernel], (unsigned)shape[0], (unsigned)shape[1], (unsigned)shape[2], (unsigned)shape[3],
      (unsigned)shape[4], (unsigned)shape[5], (unsigned)shape[6], call->stream, (void **)arguments, NULL);
  call->status = naxrt_cuda_status(call->context, call->cuda, result, name);
}
