/* SPDX-License-Identifier: Apache-2.0 */
/* One entry of a compiled model as a row of worker.h. Compiled once for each model, with MODEL its description:
   cc -DMODEL=dense_desc entry.c dense.o libnaxrt.a

     ENTRY [B=1] [T=1] [params=FILE] [cache=0] [caches=1]

   Every axis known only when called is B or T. Without a file the parameters are drawn. Of a step (ENTRY is what it was
   derived from, and cache > 0) T new positions are computed behind as many as `cache` says, over and over, in each of
   `caches` caches in turn: many together do not stay in the processor's own caches. */
#include "worker.h"

#include <nax/model_desc.h>

#include <math.h>

extern const nax_model_desc MODEL;
#include "../sizes.h"

enum { MOST_BUFFERS = 64 };

static nax_context *context;
static nax_params *params;
static nax_cache **caches;
static int64_t entry, position, cache_count, turn;
static int64_t dims[MOST_BUFFERS];
static void *buffers[MOST_BUFFERS];
static size_t sizes[MOST_BUFFERS], workspace_bytes;
static void *workspace;

static void about(void) { printf("nax %s\n", MODEL.name); }

static void put_f32(void *to, int64_t dtype, uint32_t tensor, size_t count, float scale) {
  for (size_t i = 0; i < count; ++i) {
    float value = draw(tensor, i) * scale;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (dtype == NAX_F32)
      ((float *)to)[i] = value;
    else /* bf16: to the nearest, ties to even */
      ((uint16_t *)to)[i] = (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  }
}

/* Of matrices such that what goes through keeps its size, whatever it is summed over: the first axis. */
static const char *draw_params(void) {
  if (!MODEL.param_count)
    return NULL;
  void **values = calloc((size_t)MODEL.param_count + 1, sizeof *values);
  for (int64_t i = 0; i < MODEL.param_count; ++i) {
    const nax_param_desc *p = &MODEL.params[i];
    if (p->dtype != NAX_F32 && p->dtype != NAX_BF16)
      return "only f32 and bf16 parameters are drawn";
    size_t count = (size_t)count_of(p->rank, p->axes);
    values[i] = malloc(count * element_size[p->dtype] + 1);
    put_f32(values[i], p->dtype, 1, count, p->rank > 1 ? sqrtf(12.0f / (float)extent(p->axes[0])) : 1);
  }
  nax_status status = naxrt_params_from_memory(context, &MODEL, (const void *const *)values, &params);
  for (int64_t i = 0; i < MODEL.param_count; ++i)
    free(values[i]);
  free(values);
  return status ? nax_last_error(context) : NULL;
}

static const char *prepare_buffer(int64_t index) {
  const nax_buffer_desc *b = &MODEL.entries[entry].buffers[index];
  if (b->role == NAX_CACHE || b->role == NAX_COUNTS)
    return NULL; /* the library's own; all of T */
  size_t count = (size_t)count_of(b->rank, b->axes);
  sizes[index] = count * element_size[b->dtype];
  buffers[index] = obtain(sizes[index]);
  int32_t *ids = buffers[index];
  if (b->role == NAX_LENGTHS)
    for (size_t i = 0; i < count; ++i)
      ids[i] = (int32_t)length;
  else if (b->role == NAX_INPUT && b->dtype == NAX_I32)
    for (size_t i = 0; i < count; ++i)
      ids[i] = (int32_t)((i + (size_t)(length == 1 ? position : 0)) * 7919 % (size_t)b->bound);
  else if (b->role == NAX_INPUT && (b->dtype == NAX_F32 || b->dtype == NAX_BF16))
    put_f32(buffers[index], b->dtype, 2 + (uint32_t)index, count, 1);
  else if (b->role != NAX_OUTPUT)
    return "an argument is neither numbers nor ids nor lengths";
  return NULL;
}

static void release_buffers(void) {
  for (int i = 0; i < MOST_BUFFERS; ++i) {
    release(buffers[i], sizes[i]);
    buffers[i] = NULL;
  }
  release(workspace, workspace_bytes);
  workspace = NULL;
}

/* Memory for a call with the batch and the length that are set. */
static const char *prepare_call(void) {
  const nax_entry_desc *e = &MODEL.entries[entry];
  const char *reason = NULL;
  for (int64_t i = 0; i < e->dim_count; ++i) {
    const nax_axis_desc *axis = &MODEL.axes[e->dims[i]];
    dims[i] = axis->slots_of >= 0 ? position + length : extent(e->dims[i]);
  }
  for (int64_t i = 0; i < e->buffer_count && !reason; ++i)
    reason = prepare_buffer(i);
  int64_t bytes = naxrt_workspace(&MODEL, entry, dims);
  if (reason || bytes < 0)
    return reason ? reason : "the workspace is more than memory can address";
  workspace_bytes = (size_t)bytes;
  workspace = obtain(workspace_bytes);
  return NULL;
}

static const char *invoke(nax_cache *cache) {
  int64_t given[MOST_BUFFERS];
  void *arguments[MOST_BUFFERS];
  memcpy(given, dims, sizeof given);
  memcpy(arguments, buffers, sizeof arguments);
  return naxrt_invoke(context, &MODEL, entry, params, cache, given, arguments, workspace, workspace_bytes)
             ? nax_last_error(context)
             : NULL;
}

/* Caches of `position` positions each, computed once and copied. A step in each of them brings the pages that have been
   empty so far. */
static const char *prepare_caches(void) {
  int64_t new_positions = length, wanted[] = {batch, position + length};
  caches = calloc((size_t)cache_count, sizeof(nax_cache *));
  for (int64_t i = 0; i < cache_count; ++i)
    if (naxrt_cache_create(context, &MODEL, entry, wanted, &caches[i]))
      return nax_last_error(context);
  int64_t behind = position;
  length = position;
  position = 0;
  const char *reason = prepare_call();
  reason = reason ? reason : invoke(caches[0]);
  release_buffers();
  position = behind;
  length = new_positions;
  for (int64_t i = 1; i < cache_count && !reason; ++i)
    for (int64_t row = 0; row < batch && !reason; ++row)
      reason = nax_cache_copy(context, caches[i], row, caches[0], row) ? nax_last_error(context) : NULL;
  reason = reason ? reason : prepare_call();
  for (int64_t i = 1; i < cache_count && !reason; ++i)
    reason = invoke(caches[i]);
  return reason;
}

/* A call with sizes of 1, so that what the library needs once is no part of the row's memory. */
static const char *call_small(void) {
  int64_t wanted_batch = batch, wanted_length = length;
  batch = length = 1;
  const char *reason = prepare_call();
  reason = reason ? reason : invoke(NULL);
  release_buffers();
  batch = wanted_batch;
  length = wanted_length;
  memory_before = begin_memory();
  return reason ? reason : prepare_call();
}

static int64_t find_entry(const char *name) {
  for (int64_t i = 0; i < MODEL.entry_count; ++i) {
    const nax_entry_desc *e = &MODEL.entries[i];
    const char *called = position ? e->of : e->name;
    if (called && strcmp(called, name) == 0 && (e->kind == (position ? NAX_STEP : NAX_WHOLE)))
      return e->buffer_count > MOST_BUFFERS || e->dim_count > MOST_BUFFERS ? -1 : i;
  }
  return -1;
}

static const char *open_row(int count, char **words, double *work) {
  const char *file = NULL;
  (void)work;
  batch = length = cache_count = 1;
  position = turn = 0;
  for (int i = 1; i < count; ++i) {
    char *value = strchr(words[i], '=');
    if (!value)
      return "a size is written T=128";
    int64_t number = atoll(++value);
    if (strncmp(words[i], "B=", 2) == 0)
      batch = number;
    else if (strncmp(words[i], "T=", 2) == 0)
      length = number;
    else if (strncmp(words[i], "cache=", 6) == 0)
      position = number;
    else if (strncmp(words[i], "caches=", 7) == 0)
      cache_count = number;
    else if (strncmp(words[i], "params=", 7) == 0)
      file = value;
    else
      return "there is no such option";
  }
  entry = count ? find_entry(words[0]) : -1;
  if (entry < 0)
    return "the model has no such entry";
  nax_options options = {.threads = threads};
  if (nax_context_create(&options, &context))
    return nax_last_error(NULL);
  if (file && naxrt_params_open(context, &MODEL, file, &params))
    return nax_last_error(context);
  const char *reason = file ? NULL : draw_params();
  reason = reason ? reason : position ? prepare_caches() : is_once ? prepare_call() : call_small();
  return reason || is_once ? reason : invoke(caches ? caches[0] : NULL);
}

static void call_row(void) {
  nax_cache *cache = caches ? caches[turn++ % cache_count] : NULL;
  const char *reason = NULL;
  for (int64_t row = 0; cache && row < batch && !reason; ++row)
    reason = nax_cache_truncate(context, cache, row, position) ? nax_last_error(context) : NULL;
  reason = reason ? reason : invoke(cache);
  if (reason) {
    fprintf(stderr, "bench: %s\n", reason);
    exit(1);
  }
}

static void check_row(double *sum, double *absolute) {
  const nax_entry_desc *e = &MODEL.entries[entry];
  *sum = *absolute = 0;
  for (int64_t i = 0; i < e->buffer_count; ++i)
    if (e->buffers[i].role == NAX_OUTPUT && e->buffers[i].dtype == NAX_F32)
      sum_up(buffers[i], sizes[i] / sizeof(float), sum, absolute);
}

static void close_row(void) {
  release_buffers();
  for (int64_t i = 0; caches && i < cache_count; ++i)
    nax_cache_destroy(caches[i]);
  free(caches);
  naxrt_params_close(params);
  nax_context_destroy(context);
  caches = NULL;
  params = NULL;
  context = NULL;
}
