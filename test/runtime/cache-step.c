// A step takes its cache, checks every argument before it runs, and a call that fails has not changed a bit of the
// cache: one that is full, another model's, negative counts, a begin that was not called.
// REQUIRES: lowering
// RUN: %cc -std=c11 -Wall -Wextra %s -I %S/Inputs -o %t %naxrt
// RUN: %t | FileCheck %s --match-full-lines --strict-whitespace

#include "memo.h"

static memory m;
static nax_context *context;
static nax_cache *cache;
static char *block, before[1 << 16];
static size_t bytes;

/* Of the cache made last: its memory is looked at around each call. */
static void watch(void) {
  block = (char *)m.block, bytes = m.bytes;
  if (bytes > sizeof before || (nax_cache *)block != cache || nax_cache_bytes(cache) != bytes)
    printf("the block is not the cache\n");
}

/* A call that must fail; says so, and whether the cache changed. */
static void refuse(const char *label, nax_status status) {
  say(label, context, status);
  if (memcmp(before, block, bytes) != 0)
    printf("the cache changed\n");
}

#define REFUSE(label, call) (memcpy(before, block, bytes), refuse(label, call))

static const int32_t ids[8] = {1, 2, 3, 4, 5, 6, 7, 8};
static float heard[8];

static nax_status step(int64_t rows, int64_t size, const int32_t *counts) {
  return listen_step(context, cache, rows, size, ids, counts, heard);
}

static void rows(void) {
  for (int64_t row = 0; row < nax_cache_rows(cache); ++row)
    printf("%s%lld", row ? " " : "", (long long)nax_cache_length(cache, row));
  printf(" of %lld\n", (long long)nax_cache_capacity(cache));
}

static void lengths(void) {
  // CHECK:two rows: NAX_OK
  say("two rows", context, listen_create(context, 2, 8, &cache));
  watch();
  // CHECK-NEXT:0 0 of 8
  rows();
  // CHECK-NEXT:all of T: NAX_OK
  say("all of T", context, step(2, 3, NULL));
  // CHECK-NEXT:3 3 of 8
  rows();
  // CHECK-NEXT:100001 300005 600014, 400004 900014 1500032
  printf("%.0f %.0f %.0f, %.0f %.0f %.0f\n", heard[0], heard[1], heard[2], heard[3], heard[4], heard[5]);
  // CHECK-NEXT:each its own: NAX_OK
  say("each its own", context, step(2, 4, (int32_t[]){4, 0}));
  // CHECK-NEXT:7 3 of 8
  rows();
  // CHECK-NEXT:none: NAX_OK
  say("none", context, step(2, 1, (int32_t[]){0, 0}));
  // CHECK-NEXT:no positions: NAX_OK
  say("no positions", context, step(2, 0, NULL));

  // CHECK-NEXT:full: NAX_E_FULL: row 0 of the cache: 7 positions and 2 new ones are more than its 8
  REFUSE("full", step(2, 2, NULL));
  // CHECK-NEXT:one full: NAX_E_FULL: row 1 of the cache: 3 positions and 6 new ones are more than its 8
  {
    REFUSE("one full", listen_step(context, cache, 2, 6, (int32_t[12]){0}, (int32_t[]){1, 6}, (float[12]){0}));
  }
  // CHECK-NEXT:negative: NAX_E_RANGE: T_lengths[1] is -1, axis T has 4 positions
  REFUSE("negative", step(2, 4, (int32_t[]){0, -1}));
  // CHECK-NEXT:more than T: NAX_E_RANGE: T_lengths[0] is 5, axis T has 4 positions
  REFUSE("more than T", step(2, 4, (int32_t[]){5, 0}));
  // CHECK-NEXT:to the brim: NAX_OK
  say("to the brim", context, step(2, 4, (int32_t[]){1, 4}));
  // CHECK-NEXT:8 7 of 8
  rows();
  // CHECK-NEXT:over it: NAX_E_FULL: row 0 of the cache: 8 positions and 1 new ones are more than its 8
  REFUSE("over it", step(2, 1, NULL));
}

static void arguments(void) {
  // CHECK-NEXT:other rows: NAX_E_SIZE: axis B: 1, the cache was created for 2
  REFUSE("other rows", step(1, 1, NULL));
  // CHECK-NEXT:negative rows: NAX_E_SIZE: axis B: -1 is negative
  REFUSE("negative rows", step(-1, 1, NULL));
  // CHECK-NEXT:limit: NAX_E_AXIS: axis T: 1001 is more than the 1000 positions of the table positions
  REFUSE("limit", step(2, 1001, NULL));
  // CHECK-NEXT:null ids: NAX_E_NULL: ids is null: i32 [B,T] with B = 2, T = 1 needs 8 bytes
  REFUSE("null ids", listen_step(context, cache, 2, 1, NULL, (int32_t[]){0, 0}, heard));
  // CHECK-NEXT:padding too: NAX_E_RANGE: ids[1,0] is 100, V has 100
  REFUSE("padding too", listen_step(context, cache, 2, 1, (int32_t[]){0, 100}, (int32_t[]){0, 0}, heard));
  // CHECK-NEXT:odd counts: NAX_E_ALIGNMENT: T_lengths is not aligned to the 4 bytes of an i32
  REFUSE("odd counts", step(2, 1, (void *)((char *)heard + 1)));
  // CHECK-NEXT:result in counts: NAX_E_OVERLAP: heard overlaps T_lengths: an output needs memory of its own; with {{.*}} it has {{[1-9][0-9]*}} bytes
  REFUSE("result in counts", step(2, 1, memset(heard, 0, sizeof heard)));
  // CHECK-NEXT:result in the cache: NAX_E_OVERLAP: heard overlaps the cache
  REFUSE("result in the cache",
         listen_step(context, cache, 2, 1, ids, (int32_t[]){0, 1}, (float *)(block + bytes - 64)));
  // CHECK-NEXT:ids in the cache: NAX_E_OVERLAP: ids overlaps the cache
  size_t part;
  memset(naxrt_cache_buffer(cache, 1, &part), 0, 16);
  REFUSE("ids in the cache",
         listen_step(context, cache, 2, 1, naxrt_cache_buffer(cache, 1, NULL), (int32_t[]){0, 1}, heard));
  // CHECK-NEXT:2 buffers, 32 bytes, none
  printf("%lld buffers, %zu bytes, %s\n", (long long)naxrt_cache_buffer_count(cache), part,
         naxrt_cache_buffer(cache, 2, NULL) || naxrt_cache_buffer(cache, -1, NULL) ? "more" : "none");

  // CHECK-NEXT:null cache: NAX_E_NULL: cache is null: memo_listen_cache_create makes one
  say("null cache", context, listen_step(context, NULL, 2, 1, ids, NULL, heard));
  // CHECK-NEXT:no cache: NAX_E_VALUE: cache is destroyed, or no cache at all
  char zeros[1024] = {0};
  say("no cache", context, listen_step(context, (nax_cache *)zeros, 2, 1, ids, NULL, heard));
  // CHECK-NEXT:other entry: NAX_E_VALUE: cache is not one of memo_tell: it was created for memo_listen
  REFUSE("other entry", tell_step(context, cache, 2, 1, 3, ids, NULL, heard));
  // CHECK-NEXT:begin of another: NAX_E_VALUE: cache is not one of memo_tell: it was created for memo_listen
  REFUSE("begin of another", tell_begin(context, cache, 2, 3, heard, ids, 1));
  nax_model_desc other = memo;
  other.name = "other";
  int64_t dims[] = {2, 1, 0, 0};
  void *buffers[] = {(void *)ids, NULL, NULL, NULL, heard};
  // CHECK-NEXT:other model: NAX_E_VALUE: cache is not one of other_listen: it was created for memo_listen
  REFUSE("other model", naxrt_invoke(context, &other, LISTEN, NULL, cache, dims, buffers, NULL, 0));
  nax_cache_destroy(cache);
}

static void begins(void) {
  const float shown[] = {1, 2, 3, 4, 5, 6};
  _Alignas(64) char room[64];
  if (tell_create(context, 2, 4, 3, &cache) != NAX_OK)
    printf("%s\n", nax_last_error(context));
  watch();
  // CHECK-NEXT:not begun: NAX_E_VALUE: row 0 of the cache: memo_tell_begin computes what a step reads besides, and was not called
  REFUSE("not begun", tell_step(context, cache, 2, 1, 3, ids, NULL, heard));
  // CHECK-NEXT:nothing yet: NAX_OK
  say("nothing yet", context, tell_step(context, cache, 2, 1, 3, ids, (int32_t[]){0, 0}, heard));
  // CHECK-NEXT:other P: NAX_E_SIZE: axis P: 2, the cache was created for 3
  REFUSE("other P", tell_begin(context, cache, 2, 2, shown, (int32_t[]){2, 2}, 1));
  // CHECK-NEXT:lengths: NAX_E_RANGE: P_lengths[1] is 4, axis P has 3 positions
  REFUSE("lengths", tell_begin(context, cache, 2, 3, shown, (int32_t[]){2, 4}, 1));
  // CHECK-NEXT:shown in the cache: NAX_E_OVERLAP: shown overlaps the cache
  REFUSE("shown in the cache",
         tell_begin(context, cache, 2, 3, naxrt_cache_buffer(cache, 1, NULL), (int32_t[]){1, 2}, 1));
  // CHECK-NEXT:begun: NAX_OK
  say("begun", context, tell_begin(context, cache, 2, 3, shown, (int32_t[]){2, 3}, 10));
  int64_t dims[] = {2, 1, 0, 3};
  void *buffers[] = {(void *)ids, NULL, NULL, NULL, NULL, NULL, heard};
  // CHECK-NEXT:small workspace: NAX_E_WORKSPACE: workspace has 7 bytes, tell_step with B = 2, T = 1, P = 3 needs 8
  REFUSE("small workspace", naxrt_invoke(context, &memo, TELL, NULL, cache, dims, buffers, room, 7));
  // CHECK-NEXT:workspace in the cache: NAX_E_OVERLAP: workspace overlaps the cache
  REFUSE("workspace in the cache", naxrt_invoke(context, &memo, TELL, NULL, cache, dims, buffers, block, 64));
  m.calls = 0, m.fail_at = 0;
  // CHECK-NEXT:no memory: NAX_E_MEMORY: no memory for the workspace: 8 bytes
  REFUSE("no memory", naxrt_invoke(context, &memo, TELL, NULL, cache, dims, buffers, NULL, 0));
  m.fail_at = -1;
  // CHECK-NEXT:told: NAX_OK
  // CHECK-NEXT:1030 2150
  say("told", context, tell_step(context, cache, 2, 1, 3, ids, NULL, heard));
  printf("%g %g\n", heard[0], heard[1]);
  // CHECK-NEXT:1 1 of 4
  rows();
  // CHECK-NEXT:begun again: NAX_OK
  say("begun again", context, tell_begin(context, cache, 2, 3, shown, (int32_t[]){0, 1}, 1));
  // CHECK-NEXT:0 0 of 4
  rows();
  nax_cache_destroy(cache);
}

static void creates(void) {
  // CHECK-NEXT:rows: NAX_E_SIZE: axis B: -1 is negative
  say("rows", context, listen_create(context, -1, 8, &cache));
  // CHECK-NEXT:capacity: NAX_E_SIZE: axis T: -8 is negative
  say("capacity", context, listen_create(context, 1, -8, &cache));
  // CHECK-NEXT:positions: NAX_E_AXIS: axis T: a capacity of 1001 is more than the 1000 positions of the table positions
  say("positions", context, listen_create(context, 1, 1001, &cache));
  // CHECK-NEXT:product: NAX_E_SIZE: a cache of memo_listen with a capacity of 1000 is more than memory can address
  say("product", context, listen_create(context, INT64_MAX / 1000, 1000, &cache));
  // CHECK-NEXT:rows alone: NAX_E_SIZE: a cache of memo_listen with a capacity of 0 is more than memory can address
  say("rows alone", context, listen_create(context, INT64_MAX / 4, 0, &cache));
  nax_model_desc other = memo;
  nax_axis_desc axes[7];
  memcpy(axes, memo_axes, sizeof axes);
  axes[T].limit = -1, other.axes = axes;
  // CHECK-NEXT:uncounted: NAX_E_SIZE: axis T: a capacity of 2147483647 is more than a cache can count
  say("uncounted", context, naxrt_cache_create(context, &other, LISTEN, (int64_t[]){1, INT32_MAX}, &cache));
  m.calls = 0, m.fail_at = 0;
  // CHECK-NEXT:memory: NAX_E_MEMORY: no memory for a cache: {{[0-9]+}} bytes
  say("memory", context, listen_create(context, 2, 8, &cache));
  m.fail_at = -1;
  // CHECK-NEXT:none was made
  printf("%s was made\n", cache ? "one" : "none");
  // CHECK-NEXT:no step: NAX_E_VALUE: entry 1 of model memo is no step
  say("no step", context, naxrt_cache_create(context, &memo, TELL_BEGIN, (int64_t[]){1, 1}, &cache));
  // CHECK-NEXT:no out: NAX_E_NULL: out is null
  say("no out", context, listen_create(context, 1, 1, NULL));
  // CHECK-NEXT:no context: NAX_E_NULL: the context is null: nax_context_create makes one
  say("no context", NULL, listen_create(NULL, 1, 1, &cache));
  other.abi = 1;
  // CHECK-NEXT:version: NAX_E_VERSION: the model was compiled for version 1 of the library, this is 5
  say("version", context, naxrt_cache_create(context, &other, LISTEN, (int64_t[]){1, 1}, &cache));
  other = memo;
  nax_entry_desc entry = memo_entries[TELL];
  entry.buffer_count = 3, other.entries = &entry, other.entry_count = 1, entry.buffers = memo_tell_buffers + 2;
  // CHECK-NEXT:no counts: NAX_E_MODEL: the description of memo: there are no counts among the arguments of tell_step
  say("no counts", context, naxrt_cache_create(context, &other, 0, (int64_t[]){1, 1}, &cache));
  entry = memo_entries[TELL], entry.buffers = memo_tell_buffers + 1, entry.buffer_count = 4;
  nax_buffer_desc twice[7];
  memcpy(twice, memo_tell_buffers, sizeof twice);
  twice[4].cache = 1, entry.buffers = twice, entry.buffer_count = 7;
  // CHECK-NEXT:numbers: NAX_E_MODEL: the description of memo: the caches are not numbered from 0, each by its own number, in the arguments of tell_step
  say("numbers", context, naxrt_cache_create(context, &other, 0, (int64_t[]){1, 1, 1}, &cache));

  // CHECK-NEXT:no rows: NAX_OK
  say("no rows", context, listen_create(context, 0, 8, &cache));
  // CHECK-NEXT:step of none: NAX_OK
  say("step of none", context, listen_step(context, cache, 0, 5, NULL, NULL, NULL));
  nax_cache_destroy(cache);
  // CHECK-NEXT:no room: NAX_OK
  say("no room", context, listen_create(context, 1, 0, &cache));
  // CHECK-NEXT:step into none: NAX_E_FULL: row 0 of the cache: 0 positions and 1 new ones are more than its 0
  say("step into none", context, listen_step(context, cache, 1, 1, ids, NULL, heard));
  nax_cache_destroy(cache);
}

int main(void) {
  context = memo_context(&m);
  lengths();
  arguments();
  begins();
  creates();
  nax_context_destroy(context);
  nax_cache_destroy(NULL);
  // CHECK-NEXT:0 blocks left
  printf("%lld blocks left\n", (long long)m.live);
}
// CHECK-NOT:{{.}}
