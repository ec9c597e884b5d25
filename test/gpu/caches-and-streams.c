// Steps on a GPU: rows copied between caches, saved and read by the host; streams that wait for each other's steps; a
// graph that the caller captured.
// REQUIRES: numpy
// RUN: rm -rf %t && mkdir -p %t/params
// RUN: naxc %S/../driver/Inputs/lm.cpp --targets=cpu,nvptx --decode=forward -o %t/lm.o
// RUN: %python -c "import numpy as n; [n.save('%t/params/' + k, n.random.default_rng(r).standard_normal((r, 8)).astype('f4')) for k, r in (('tokens', 11), ('positions', 12))]"
// RUN: %cc -std=c11 -Wall -Wextra %s -I %t %t/lm.o -o %t/run %naxrt
// RUN: env LD_LIBRARY_PATH=%build/lib/nvemu %t/run %t | FileCheck %s --implicit-check-not={{.}}

#define _GNU_SOURCE
#include "lm.h"
#include "nax/cache.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { B = 2, T = 5, V = lm_size_V };
static nax_context *context;
static nax_cuda *cuda;
static lm_cuda_params *params;
static const nax_cuda_ptr none;
static float wanted[B * T * V], got[B * T * V];

static void must(nax_status status) {
  if (status == NAX_OK)
    return;
  printf("%s: %s\n", nax_status_name(status), nax_last_error(context));
  exit(1);
}

static nax_cuda_ptr memory(size_t bytes) {
  nax_cuda_ptr made;
  must(nax_cuda_allocate(context, cuda, bytes, &made));
  return made;
}

static nax_cuda_ptr on_gpu(const int32_t *ids, size_t count) {
  nax_cuda_ptr made = memory(count * sizeof *ids);
  must(nax_cuda_upload(context, cuda, NULL, made, ids, count * sizeof *ids));
  return made;
}

/* Are the `count` logits at `at` those of the position `t` of `row`, and what follows? */
static void compare(const char *what, const float *at, int row, int t, int count) {
  float most = 0;
  for (int i = 0; i < count * V; ++i)
    most = fmaxf(most, fabsf(at[i] - wanted[(row * T + t) * V + i]));
  printf("%s: %s\n", what, most < 1e-5f ? "right" : "wrong");
}

static void step(lm_forward_cuda_cache *cache, nax_cuda_stream stream, int64_t rows, int64_t count, nax_cuda_ptr ids,
                 nax_cuda_ptr logits) {
  must(lm_forward_step_cuda(context, cuda, params, cache, stream, rows, count, ids, NULL, logits, none, 0));
}

static void copies(const char *folder, lm_params *on_host, lm_forward_cuda_cache *cache, nax_cuda_ptr logits) {
  char path[4096];
  snprintf(path, sizeof path, "%s/row", folder);
  lm_forward_cuda_cache *other;
  lm_forward_cache *host;
  must(lm_forward_cuda_cache_create(context, cuda, 3, 12, &other));
  must(lm_forward_cuda_cache_copy(context, other, 0, cache, 0));
  must(lm_forward_cuda_cache_copy(context, other, 2, cache, 1));
  must(lm_forward_cuda_cache_save(context, cache, 1, path));
  must(lm_forward_cuda_cache_restore(context, other, 1, path));
  for (int row = 0; row < 3; ++row)
    must(lm_forward_cuda_cache_truncate(context, other, row, T - 1));
  const int32_t last[3] = {5, 10, 10};
  step(other, NULL, 3, 1, on_gpu(last, 3), logits);
  must(nax_cuda_download(context, cuda, NULL, got, logits, 3 * V * sizeof *got));
  // CHECK: copied: right
  compare("copied", got, 0, T - 1, 1);
  // CHECK-NEXT: saved and restored: right
  compare("saved and restored", got + V, 1, T - 1, 1);
  // CHECK-NEXT: copied: right
  compare("copied", got + 2 * V, 1, T - 1, 1);
  must(lm_forward_cache_create(context, 1, 12, &host));
  must(lm_forward_cache_restore(context, host, 0, path));
  must(lm_forward_cache_truncate(context, host, 0, T - 1));
  must(lm_forward_step(context, on_host, host, 1, 1, last + 1, NULL, got, NULL, 0));
  // CHECK-NEXT: restored by the host: right
  compare("restored by the host", got, 1, T - 1, 1);
  // CHECK-NEXT: one cache is on a GPU, the other is not: save the row and restore it
  if (nax_cache_copy(context, (nax_cache *)other, 0, (nax_cache *)host, 0) != NAX_OK)
    printf("%s\n", nax_last_error(context));
  lm_forward_cuda_cache_destroy(other);
  lm_forward_cache_destroy(host);
}

/* Of the driver, as a program would use it. */
static struct {
  int (*retain)(void **context, int device);
  int (*push)(void *context);
  int (*create)(void **stream, unsigned flags);
  int (*begin)(void *stream, int mode);
  int (*end)(void *stream, void **graph);
  int (*instantiate)(void **executable, void *graph, uint64_t flags);
  int (*launch)(void *executable, void *stream);
} cu;

static void find(void *function, const char *name) {
  void *found = dlsym(dlopen("libcuda.so.1", RTLD_NOW), name);
  memcpy(function, &found, sizeof found);
}

static void streams(nax_cuda_stream first, nax_cuda_stream second, nax_cuda_ptr logits) {
  lm_forward_cuda_cache *cache;
  must(lm_forward_cuda_cache_create(context, cuda, B, 8, &cache));
  const int32_t begin[] = {1, 2, 3, 4, 6, 7, 8, 9}, last[] = {5, 10};
  nax_cuda_ptr on_begin = on_gpu(begin, 8), on_last = on_gpu(last, 2);
  step(cache, first, B, T - 1, on_begin, logits);
  step(cache, second, B, 1, on_last, logits);
  must(nax_cuda_download(context, cuda, second, got, logits, B * V * sizeof *got));
  // CHECK-NEXT: a step on each of two streams: right
  // CHECK-NEXT: a step on each of two streams: right
  for (int row = 0; row < B; ++row)
    compare("a step on each of two streams", got + row * V, row, T - 1, 1);
  lm_forward_cuda_cache_destroy(cache);
}

static void captured(nax_cuda_stream stream, nax_cuda_ptr ids, nax_cuda_ptr logits) {
  void *graph = NULL, *executable = NULL;
  int failed = cu.begin(stream, 0);
  must(lm_forward_cuda(context, cuda, params, stream, B, T, ids, logits, none, 0));
  failed |= cu.end(stream, &graph) | cu.instantiate(&executable, graph, 0);
  for (int i = 0; i < 2; ++i) {
    memset(got, 0, sizeof got);
    failed |= cu.launch(executable, stream);
    must(nax_cuda_download(context, cuda, stream, got, logits, sizeof got));
    // CHECK-NEXT: captured: right
    // CHECK-NEXT: captured: right
    compare(failed ? "the driver failed" : "captured", got, 0, 0, B * T);
  }
}

int main(int argc, char **argv) {
  char path[4096];
  snprintf(path, sizeof path, "%s/params", argc == 2 ? argv[1] : ".");
  const int32_t ids[B * T] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  lm_params *host;
  must(nax_context_create(NULL, &context));
  must(nax_cuda_open(context, 0, &cuda));
  must(lm_params_open(context, path, &host));
  must(lm_cuda_params_open(context, cuda, path, &params));
  must(lm_forward(context, host, B, T, ids, wanted, NULL, 0));
  nax_cuda_ptr on_ids = on_gpu(ids, B * T), logits = memory(sizeof wanted);
  lm_forward_cuda_cache *cache;
  must(lm_forward_cuda_cache_create(context, cuda, B, 8, &cache));
  step(cache, NULL, B, T, on_ids, logits);
  copies(argc == 2 ? argv[1] : ".", host, cache, logits);

  find(&cu.retain, "cuDevicePrimaryCtxRetain");
  find(&cu.push, "cuCtxPushCurrent_v2");
  find(&cu.create, "cuStreamCreate");
  find(&cu.begin, "cuStreamBeginCapture_v2");
  find(&cu.end, "cuStreamEndCapture");
  find(&cu.instantiate, "cuGraphInstantiateWithFlags");
  find(&cu.launch, "cuGraphLaunch");
  void *current = NULL, *first = NULL, *second = NULL;
  if (cu.retain(&current, 0) || cu.push(current) || cu.create(&first, 1) || cu.create(&second, 1))
    printf("no streams\n");
  streams(first, second, logits);
  captured(first, on_ids, logits);

  // Work that is still on the stream is waited for.
  must(lm_forward_cuda_cache_reset(context, cache, 0));
  must(lm_forward_cuda_cache_reset(context, cache, 1));
  step(cache, NULL, B, T, on_ids, logits);
  lm_forward_cuda_cache_destroy(cache);
  must(nax_cuda_download(context, cuda, NULL, got, logits, sizeof got));
  // CHECK-NEXT: a cache destroyed before its step has run: right
  compare("a cache destroyed before its step has run", got, 0, 0, B * T);
  // CHECK-NEXT: NAX_E_NULL: cache is null: lm_forward_cuda_cache_create makes one
  nax_status status = lm_forward_step_cuda(context, cuda, params, NULL, NULL, B, 1, on_ids, NULL, logits, none, 0);
  printf("%s: %s\n", nax_status_name(status), nax_last_error(context));
  nax_cuda_free(cuda, on_ids);
  nax_cuda_free(cuda, logits);
  lm_cuda_params_close(params);
  lm_params_close(host);
  nax_cuda_close(cuda);
  nax_context_destroy(context);
  return 0;
}
