/* SPDX-License-Identifier: Apache-2.0 */
/* What numbers.c and speed.c share: a GPU, the model that was linked, and memory there for what an entry takes. Every
   run-time axis is B or T. What goes wrong ends the program with a sentence. */
#ifndef NAX_BENCH_GPU_H
#define NAX_BENCH_GPU_H

#include <nax/cuda_desc.h>

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const naxrt_cuda_desc model_cuda_desc;
#define MODEL (model_cuda_desc.model)

#include "../sizes.h"

static nax_context *context;
static nax_cuda *cuda;
static void *driver; /* of dlopen */

static inline void fail(const char *what, const char *why) {
  fflush(stdout);
  fprintf(stderr, "%s: %s\n", what, why);
  exit(1);
}

static inline void check(nax_status status, const char *what) {
  if (status != NAX_OK)
    fail(what, nax_last_error(context));
}

/* A function of the driver, which the library has opened too. */
static inline void *function(const char *name) {
  void *found = dlsym(driver, name);
  if (!found)
    fail(name, "the driver has no such function");
  return found;
}
/* Calls one: CALL(cuInit, (unsigned), (0)). */
#define CALL(name, parameters, arguments)                                                                              \
  do {                                                                                                                 \
    int(*f_) parameters = (int(*) parameters)(uintptr_t)function(#name);                                               \
    int result_ = f_ arguments;                                                                                        \
    if (result_) {                                                                                                     \
      char text_[40];                                                                                                  \
      snprintf(text_, sizeof text_, "CUDA error %d", result_);                                                         \
      fail(#name, text_);                                                                                              \
    }                                                                                                                  \
  } while (0)

/* The primary context of GPU 0 becomes current on this thread, and the library takes it. */
static inline void open_gpu(void) {
  if (nax_context_create(NULL, &context))
    fail("no context", nax_last_error(NULL));
  driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (!driver)
    fail("no driver", dlerror());
  int device = 0;
  void *primary = NULL;
  CALL(cuInit, (unsigned), (0));
  CALL(cuDeviceGet, (int *, int), (&device, 0));
  CALL(cuDevicePrimaryCtxRetain, (void **, int), (&primary, device));
  CALL(cuCtxSetCurrent, (void *), (primary));
  check(nax_cuda_open(context, 0, &cuda), "opening the GPU");
}

static inline int64_t entry_named(const char *name) {
  for (int64_t i = 0; i < MODEL.entry_count; ++i)
    if (strcmp(MODEL.entries[i].name, name) == 0)
      return i;
  fail(name, "the model has no such entry");
  return -1;
}

/* The step of an entry; -1: it has none. */
static inline int64_t step_of(const char *name) {
  for (int64_t i = 0; i < MODEL.entry_count; ++i)
    if (MODEL.entries[i].kind == NAX_STEP && strcmp(MODEL.entries[i].of, name) == 0)
      return i;
  return -1;
}

static inline void *allocate(size_t bytes) {
  void *p = calloc(bytes ? bytes : 1, 1);
  if (!p)
    fail("no memory", "on the host");
  return p;
}

static inline nax_cuda_ptr on_gpu(const void *from, size_t bytes) {
  nax_cuda_ptr at = {0};
  check(nax_cuda_allocate(context, cuda, bytes, &at), "memory of the GPU");
  if (from)
    check(nax_cuda_upload(context, cuda, NULL, at, from, bytes), "to the GPU");
  return at;
}

//===-- types of elements ------------------------------------------------------------------------------------------//

/* The nearest number of the type, ties to even; of NaN and what f16 has no place for nobody asks here. */
static inline void put_float(void *at, int64_t index, int64_t dtype, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  if (dtype == NAX_F32) {
    ((float *)at)[index] = value;
  } else if (dtype == NAX_BF16) {
    ((uint16_t *)at)[index] = (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  } else if (dtype == NAX_F16) {
    int exponent = (int)(bits >> 23 & 0xff) - 112; /* biased as f16 has it */
    uint32_t fraction = (bits & 0x7fffff) | 0x800000;
    int drop = exponent > 0 ? 13 : 14 - exponent;
    uint32_t kept = drop > 24 ? 0 : fraction >> drop, rest = drop > 24 ? 0 : fraction & ((1u << drop) - 1);
    uint32_t half = drop > 24 ? 1 : 1u << (drop - 1);
    kept += rest > half || (rest == half && (kept & 1));
    ((uint16_t *)at)[index] =
        (uint16_t)((bits >> 16 & 0x8000) + kept + (exponent > 0 ? (uint32_t)(exponent - 1) << 10 : 0));
  } else {
    fail("an array", "its type is no floating-point one of at most 4 bytes");
  }
}

static inline double get_float(const void *at, int64_t index, int64_t dtype) {
  uint32_t bits = 0;
  float value;
  if (dtype == NAX_F32)
    return ((const float *)at)[index];
  uint16_t small = ((const uint16_t *)at)[index];
  if (dtype == NAX_BF16) {
    bits = (uint32_t)small << 16;
    memcpy(&value, &bits, sizeof value);
    return value;
  }
  int exponent = small >> 10 & 31;
  if (exponent == 31)
    return (small & 0x3ff) ? (double)(0.0f / 0.0f) : (small >> 15 ? -1e300 : 1e300);
  double fraction = (exponent ? 1024 : 0) + (small & 0x3ff);
  for (int e = exponent ? exponent : 1; e < 25; ++e)
    fraction /= 2;
  for (int e = 25; e < exponent; ++e)
    fraction *= 2;
  return small >> 15 ? -fraction : fraction;
}

//===-- calls ------------------------------------------------------------------------------------------------------//

enum { MOST = 256 }; /* arguments of an entry, those of its cache with them */

typedef struct Call {
  int64_t entry;
  nax_cuda_params *params;
  nax_cache *cache;
  int64_t dims[MOST];
  void *buffers[MOST]; /* on the GPU */
  nax_cuda_ptr workspace;
  size_t bytes;
} Call;

/* Sizes from batch and length; no buffers yet. */
static inline void prepare(Call *call, int64_t entry) {
  const nax_entry_desc *e = &MODEL.entries[entry];
  if (e->buffer_count > MOST || e->dim_count > MOST)
    fail(e->name, "it has more arguments than this program has room for");
  memset(call, 0, sizeof *call);
  call->entry = entry;
  for (int64_t i = 0; i < e->dim_count; ++i)
    call->dims[i] = extent(e->dims[i]);
  int64_t bytes = naxrt_cuda_workspace(&model_cuda_desc, entry, call->dims);
  if (bytes < 0)
    fail(e->name, "its workspace is more than memory can address");
  call->bytes = (size_t)bytes;
  if (bytes)
    call->workspace = on_gpu(NULL, call->bytes);
}

static inline void invoke(const Call *call) {
  int64_t dims[MOST];
  void *buffers[MOST];
  memcpy(dims, call->dims, sizeof dims);
  memcpy(buffers, call->buffers, sizeof buffers);
  check(naxrt_cuda_invoke(context, cuda, &model_cuda_desc, call->entry, call->params, call->cache, NULL, dims, buffers,
                          (void *)(uintptr_t)call->workspace.address, call->bytes),
        MODEL.entries[call->entry].name);
}

static inline void release(Call *call) {
  const nax_entry_desc *e = &MODEL.entries[call->entry];
  for (int64_t i = 0; i < e->buffer_count; ++i)
    nax_cuda_free(cuda, (nax_cuda_ptr){(uint64_t)(uintptr_t)call->buffers[i]});
  nax_cuda_free(cuda, call->workspace);
}

static inline bool is_in_or_out(const nax_buffer_desc *b) { return b->role == NAX_INPUT || b->role == NAX_OUTPUT; }

#endif
