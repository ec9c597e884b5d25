/* SPDX-License-Identifier: Apache-2.0 */
/* Measures one entry of a compiled model on drawn ids: milliseconds a call and tokens a second. Compiled once for each
   model, with MODEL its description: cc -DMODEL=gpt_desc prefill.c gpt.o libnaxrt.a

     prefill ENTRY B T SECONDS THREADS [PARAMS]      without a file the parameters are drawn

   Every input must be ids and every run-time axis B or T, which holds for decoders. */
#include <nax/model_desc.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

extern const nax_model_desc MODEL;
#include "sizes.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void fail(const char *what) {
  fprintf(stderr, "prefill: %s\n", what);
  exit(1);
}

static void *allocate(size_t bytes) {
  void *p = aligned_alloc(64, (bytes + 64) / 64 * 64);
  if (!p)
    fail("no memory");
  return memset(p, 0, bytes);
}

static nax_params *draw_params(nax_context *context) {
  void **values = allocate((size_t)MODEL.param_count * sizeof *values);
  uint32_t state = 1;
  for (int64_t i = 0; i < MODEL.param_count; ++i) {
    const nax_param_desc *p = &MODEL.params[i];
    if (p->dtype != NAX_F32)
      fail("only f32 parameters are drawn; give a file");
    int64_t n = count_of(p->rank, p->axes);
    float *v = allocate((size_t)n * sizeof *v);
    for (int64_t j = 0; j < n; ++j) {
      state = state * 1664525u + 1013904223u;
      v[j] = ((float)(state >> 8) / 16777216.0f - 0.5f) * 0.05f;
    }
    values[i] = v;
  }
  nax_params *params = NULL;
  if (naxrt_params_from_memory(context, &MODEL, (const void *const *)values, &params))
    fail(nax_last_error(context));
  for (int64_t i = 0; i < MODEL.param_count; ++i)
    free(values[i]);
  free(values);
  return params;
}

int main(int argc, char **argv) {
  if (argc < 6)
    fail("usage: prefill ENTRY B T SECONDS THREADS [PARAMS]");
  batch = atoll(argv[2]);
  length = atoll(argv[3]);
  double seconds = atof(argv[4]);

  int64_t at = 0;
  while (at < MODEL.entry_count && strcmp(MODEL.entries[at].name, argv[1]))
    ++at;
  if (at == MODEL.entry_count)
    fail("the model has no such entry");
  const nax_entry_desc *entry = &MODEL.entries[at];

  nax_options options = {.threads = atoll(argv[5])};
  nax_context *context;
  if (nax_context_create(&options, &context))
    fail(nax_last_error(NULL));
  nax_params *params = NULL;
  double opening = now();
  if (argc == 6)
    params = draw_params(context);
  else if (naxrt_params_open(context, &MODEL, argv[6], &params))
    fail(nax_last_error(context));
  opening = now() - opening;

  void *buffers[16];
  int64_t dims[16];
  if (entry->buffer_count > 16 || entry->dim_count > 16)
    fail("more arguments than this program has room for");
  for (int64_t i = 0; i < entry->buffer_count; ++i) {
    const nax_buffer_desc *b = &entry->buffers[i];
    int64_t n = count_of(b->rank, b->axes);
    buffers[i] = allocate((size_t)n * element_size[b->dtype]);
    if (b->role == NAX_INPUT && b->dtype == NAX_I32)
      for (int64_t j = 0; j < n; ++j)
        ((int32_t *)buffers[i])[j] = (int32_t)(j * 7919 % b->bound);
    else if (b->role != NAX_OUTPUT)
      fail("an input is not ids");
  }
  for (int64_t i = 0; i < entry->dim_count; ++i)
    dims[i] = extent(entry->dims[i]);
  size_t bytes = (size_t)naxrt_workspace(&MODEL, at, dims);
  void *workspace = allocate(bytes);

  double best = 1e30, spent = 0;
  int64_t calls = 0;
  while (calls < 3 || spent < seconds) {
    double began = now();
    if (naxrt_invoke(context, &MODEL, at, params, NULL, dims, buffers, workspace, bytes))
      fail(nax_last_error(context));
    double took = now() - began;
    spent += took;
    best = took < best ? took : best;
    ++calls;
  }
  double tokens = (double)(batch * length);
  printf("%s.%-10s B=%-2lld T=%-4lld %2lld threads  best %9.2f ms  mean %9.2f ms  %9.1f tokens/s (best)  params in "
         "%.2f s\n",
         MODEL.name, entry->name, (long long)batch, (long long)length, (long long)nax_context_threads(context),
         best * 1e3, spent / (double)calls * 1e3, tokens / best, opening);

  for (int64_t i = 0; i < entry->buffer_count; ++i)
    free(buffers[i]);
  free(workspace);
  naxrt_params_close(params);
  nax_context_destroy(context);
  return 0;
}
