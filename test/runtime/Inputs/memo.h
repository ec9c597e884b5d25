/* A model with steps as the compiler would describe it, written by hand. Its bodies read what an attention would read
   and nothing else, so that a number that should not be read shows.

     listen  everything heard so far, and the last four: growing, and a ring
     tell    about something that tell_begin was shown: fixed values, some of them lengths, one that all rows share
     file    in documents: their numbers are kept as well */
#include "nax/model_desc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { B, T, SLOTS, RING, P, V, D, LIMIT = 1000, WINDOW = 4 };
static const nax_axis_desc memo_axes[] = {
    {"B", -1, -1, NULL, -1, 0},      {"T", -1, LIMIT, "positions of the table positions", -1, 0},
    {"T.cache", -1, -1, NULL, T, 0}, {"T.ring4", -1, -1, NULL, T, WINDOW},
    {"P", -1, -1, NULL, -1, 0},      {"V", 100, -1, NULL, -1, 0},
    {"D", 2, -1, NULL, -1, 0},
};
static const int64_t memo_none[] = {0}, memo_b[] = {B}, memo_bt[] = {B, T}, memo_bp[] = {B, P},
                     memo_kept[] = {B, SLOTS, D}, memo_last[] = {B, RING}, memo_documents[] = {B, SLOTS};

/* Where position p of a row is. */
static int64_t memo_slot(int64_t row, int64_t slots, int64_t p) { return row * slots + p % slots; }

/* ids [B,T], T_lengths, kept [B,T.cache,D], last [B,T.ring4], heard [B,T]. Of each position: the sum over all p of
   (p + 1) * id, plus 100000 * the sum of the last four ids. kept has (p + 1) * id and its negative. */
static void memo_listen(void *context, const void *params, const int64_t *dims, void *const *buffers, void *workspace) {
  const int32_t *ids = buffers[0], *span = buffers[1];
  float *kept = buffers[2], *last = buffers[3], *heard = buffers[4];
  int64_t size = dims[1], slots = dims[2], ring = dims[3];
  (void)context, (void)params, (void)workspace;
  for (int64_t b = 0; b < dims[0]; ++b) {
    int64_t start = span[2 * b], end = span[2 * b + 1];
    for (int64_t t = 0; t < size; ++t) {
      double sum = 0, few = 0;
      for (int64_t p = 0; p <= start + t && start + t < end; ++p) {
        float id = p < start ? 0 : (float)ids[b * size + p - start];
        sum += p < start ? (double)kept[2 * memo_slot(b, slots, p)] : (double)(p + 1) * id;
        if (p > start + t - WINDOW)
          few += p < start ? last[memo_slot(b, ring, p)] : id;
      }
      heard[b * size + t] = (float)(sum + 100000 * few);
    }
    for (int64_t p = start; p < end; ++p) {
      float id = (float)ids[b * size + p - start];
      kept[2 * memo_slot(b, slots, p)] = (float)(p + 1) * id;
      kept[2 * memo_slot(b, slots, p) + 1] = -(float)(p + 1) * id;
      last[memo_slot(b, ring, p)] = id;
    }
  }
}

/* An int32 for each row, which is written. */
static int64_t memo_workspace(const int64_t *dims) { return dims[0] * 4; }

/* shown [B,P], P_lengths [B], factor -> the same in the cache. */
static void memo_tell_begin(void *context, const void *params, const int64_t *dims, void *const *buffers,
                            void *workspace) {
  (void)context, (void)params, (void)workspace;
  if (dims[0] > 0 && dims[1] > 0)
    memcpy(buffers[3], buffers[0], (size_t)(dims[0] * dims[1]) * sizeof(float));
  if (dims[0])
    memcpy(buffers[4], buffers[1], (size_t)dims[0] * sizeof(int32_t));
  memcpy(buffers[5], buffers[2], sizeof(float));
}

/* ids [B,T], T_lengths, kept [B,T.cache,D], shown [B,P], P_lengths [B], factor [], told [B]: factor * the sum of what was
   shown + 1000 * the sum of ids so far. */
static void memo_tell(void *context, const void *params, const int64_t *dims, void *const *buffers, void *workspace) {
  const int32_t *ids = buffers[0], *span = buffers[1], *lengths = buffers[4];
  float *kept = buffers[2], *told = buffers[6];
  const float *shown = buffers[3], *factor = buffers[5];
  (void)context, (void)params;
  for (int64_t b = 0; b < dims[0]; ++b) {
    int64_t start = span[2 * b], end = span[2 * b + 1];
    double sum = 0, ids_sum = 0;
    for (int64_t i = 0; i < lengths[b]; ++i)
      sum += shown[b * dims[3] + i];
    for (int64_t p = 0; p < end; ++p)
      ids_sum += p < start ? kept[2 * memo_slot(b, dims[2], p)] : (float)ids[b * dims[1] + p - start];
    for (int64_t p = start; p < end; ++p)
      kept[2 * memo_slot(b, dims[2], p)] = kept[2 * memo_slot(b, dims[2], p) + 1] = (float)ids[b * dims[1] + p - start];
    ((int32_t *)workspace)[b] = 1;
    told[b] = (float)(sum * *factor + 1000 * ids_sum);
  }
}

/* T_documents [B,T], T_lengths, kept [B,T.cache], place [B,T]: how many positions of its document are before it. */
static void memo_file(void *context, const void *params, const int64_t *dims, void *const *buffers, void *workspace) {
  const int32_t *documents = buffers[0], *span = buffers[1];
  int32_t *kept = buffers[2], *place = buffers[3];
  (void)context, (void)params, (void)workspace;
  for (int64_t b = 0; b < dims[0]; ++b) {
    int64_t start = span[2 * b], end = span[2 * b + 1];
    for (int64_t p = start; p < end; ++p) {
      int32_t mine = kept[memo_slot(b, dims[2], p)] = documents[b * dims[1] + p - start], count = 0;
      for (int64_t s = 0; s < p; ++s)
        count += kept[memo_slot(b, dims[2], s)] == mine;
      place[b * dims[1] + p - start] = count;
    }
  }
}

static const nax_buffer_desc memo_listen_buffers[] = {
    {"ids", NAX_I32, 2, memo_bt, "[B,T]", NAX_INPUT, 100, "V", -1, -1},
    {"T_lengths", NAX_I32, 1, memo_b, "[B]", NAX_COUNTS, -1, NULL, T, -1},
    {"cache.0", NAX_F32, 3, memo_kept, "[B,T.cache,D]", NAX_CACHE, -1, NULL, -1, 0},
    {"cache.1", NAX_F32, 2, memo_last, "[B,T.ring4]", NAX_CACHE, -1, NULL, -1, 1},
    {"heard", NAX_F32, 2, memo_bt, "[B,T]", NAX_OUTPUT, -1, NULL, -1, -1},
};
static const nax_buffer_desc memo_tell_begin_buffers[] = {
    {"shown", NAX_F32, 2, memo_bp, "[B,P]", NAX_INPUT, -1, NULL, -1, -1},
    {"P_lengths", NAX_I32, 1, memo_b, "[B]", NAX_LENGTHS, -1, NULL, P, -1},
    {"factor", NAX_F32, 0, memo_none, "[]", NAX_INPUT, -1, NULL, -1, -1},
    {"cache.1", NAX_F32, 2, memo_bp, "[B,P]", NAX_CACHE, -1, NULL, -1, 1},
    {"cache.2", NAX_I32, 1, memo_b, "[B]", NAX_CACHE, -1, NULL, P, 2},
    {"cache.3", NAX_F32, 0, memo_none, "[]", NAX_CACHE, -1, NULL, -1, 3},
};
static const nax_buffer_desc memo_tell_buffers[] = {
    {"ids", NAX_I32, 2, memo_bt, "[B,T]", NAX_INPUT, 100, "V", -1, -1},
    {"T_lengths", NAX_I32, 1, memo_b, "[B]", NAX_COUNTS, -1, NULL, T, -1},
    {"cache.0", NAX_F32, 3, memo_kept, "[B,T.cache,D]", NAX_CACHE, -1, NULL, -1, 0},
    {"cache.1", NAX_F32, 2, memo_bp, "[B,P]", NAX_CACHE, -1, NULL, -1, 1},
    {"cache.2", NAX_I32, 1, memo_b, "[B]", NAX_CACHE, -1, NULL, P, 2},
    {"cache.3", NAX_F32, 0, memo_none, "[]", NAX_CACHE, -1, NULL, -1, 3},
    {"told", NAX_F32, 1, memo_b, "[B]", NAX_OUTPUT, -1, NULL, -1, -1},
};
static const nax_buffer_desc memo_file_buffers[] = {
    {"T_documents", NAX_I32, 2, memo_bt, "[B,T]", NAX_DOCUMENTS, 30, "positions of the table Pos", T, 0},
    {"T_lengths", NAX_I32, 1, memo_b, "[B]", NAX_COUNTS, -1, NULL, T, -1},
    {"cache.0", NAX_I32, 2, memo_documents, "[B,T.cache]", NAX_CACHE, -1, NULL, -1, 0},
    {"place", NAX_I32, 2, memo_bt, "[B,T]", NAX_OUTPUT, -1, NULL, -1, -1},
};
static const int64_t memo_listen_dims[] = {B, T, SLOTS, RING}, memo_begin_dims[] = {B, P},
                     memo_tell_dims[] = {B, T, SLOTS, P}, memo_file_dims[] = {B, T, SLOTS};
enum { LISTEN, TELL_BEGIN, TELL, FILE_STEP };
static const nax_entry_desc memo_entries[] = {
    {"listen_step", NAX_STEP, "listen", LISTEN, 4, memo_listen_dims, 5, memo_listen_buffers},
    {"tell_begin", NAX_BEGIN, "tell", TELL, 2, memo_begin_dims, 6, memo_tell_begin_buffers},
    {"tell_step", NAX_STEP, "tell", TELL, 4, memo_tell_dims, 7, memo_tell_buffers},
    {"file_step", NAX_STEP, "file", FILE_STEP, 3, memo_file_dims, 4, memo_file_buffers},
};
static const nax_code_desc memo_code[] = {
    {NULL, memo_listen}, {NULL, memo_tell_begin}, {memo_workspace, memo_tell}, {NULL, memo_file}};
static const nax_level_desc memo_levels[] = {{NAX_CPU_ANY, 0, NULL, 0, memo_code}};
static const nax_model_desc memo = {
    NAX_ABI_VERSION, "memo", 7, memo_axes, 0, NULL, 0, NULL, 4, memo_entries, 1, memo_levels,
};

/* Memory that begins as NaN, and the largest block of which is looked at: the cache. */
typedef struct memory {
  int64_t live, calls, fail_at;
  void *block;
  size_t bytes;
} memory;

static inline void *memo_allocate(void *user, size_t bytes, size_t alignment) {
  memory *m = user;
  if (m->calls++ == m->fail_at)
    return NULL;
  size_t rounded = (bytes / alignment + 1) * alignment;
  void *pointer = aligned_alloc(alignment, rounded);
  if (pointer)
    memset(pointer, 0xff, rounded), ++m->live;
  m->block = pointer, m->bytes = bytes;
  return pointer;
}

static inline void memo_release(void *user, void *pointer, size_t bytes) {
  (void)bytes;
  --((memory *)user)->live;
  free(pointer);
}

static inline nax_context *memo_context(memory *m) {
  *m = (memory){.fail_at = -1};
  nax_options options = {1, {m, memo_allocate, memo_release, NULL, NULL}};
  nax_context *context = NULL;
  return nax_context_create(&options, &context) == NAX_OK ? context : NULL;
}

/* The functions that the compiler would export. */
static inline nax_status listen_create(nax_context *context, int64_t rows, int64_t capacity, nax_cache **out) {
  int64_t sizes[] = {rows, capacity};
  return naxrt_cache_create(context, &memo, LISTEN, sizes, out);
}

static inline nax_status listen_step(nax_context *context, nax_cache *cache, int64_t rows, int64_t size,
                                     const int32_t *ids, const int32_t *counts, float *heard) {
  int64_t dims[] = {rows, size, 0, 0};
  void *buffers[] = {(void *)ids, (void *)counts, NULL, NULL, heard};
  return naxrt_invoke(context, &memo, LISTEN, NULL, cache, dims, buffers, NULL, 0);
}

static inline nax_status tell_create(nax_context *context, int64_t rows, int64_t capacity, int64_t p, nax_cache **out) {
  int64_t sizes[] = {rows, capacity, p};
  return naxrt_cache_create(context, &memo, TELL, sizes, out);
}

static inline nax_status tell_begin(nax_context *context, nax_cache *cache, int64_t rows, int64_t p, const float *shown,
                                    const int32_t *lengths, float factor) {
  int64_t dims[] = {rows, p};
  void *buffers[] = {(void *)shown, (void *)lengths, &factor, NULL, NULL, NULL};
  return naxrt_invoke(context, &memo, TELL_BEGIN, NULL, cache, dims, buffers, NULL, 0);
}

static inline nax_status tell_step(nax_context *context, nax_cache *cache, int64_t rows, int64_t size, int64_t p,
                                   const int32_t *ids, const int32_t *counts, float *told) {
  int64_t dims[] = {rows, size, 0, p};
  void *buffers[] = {(void *)ids, (void *)counts, NULL, NULL, NULL, NULL, told};
  return naxrt_invoke(context, &memo, TELL, NULL, cache, dims, buffers, NULL, 0);
}

static inline nax_status file_step(nax_context *context, nax_cache *cache, int64_t rows, int64_t size,
                                   const int32_t *documents, const int32_t *counts, int32_t *place) {
  int64_t dims[] = {rows, size, 0};
  void *buffers[] = {(void *)documents, (void *)counts, NULL, place};
  return naxrt_invoke(context, &memo, FILE_STEP, NULL, cache, dims, buffers, NULL, 0);
}

/* "label: NAX_E_SIZE: text" */
static inline void say(const char *label, const nax_context *context, nax_status status) {
  const char *text = nax_last_error(context);
  printf("%s: %s%s%s\n", label, nax_status_name(status), *text ? ": " : "", text);
}
