// Rows of a cache: emptied, cut back as far as a ring allows, copied within a cache and between capacities. What goes on
// from there is what a fresh cache would have given. Slots that nothing was written to are NaN all along.
// REQUIRES: lowering
// RUN: %cc -std=c11 -Wall -Wextra %s -I %S/Inputs -o %t %naxrt
// RUN: %t | FileCheck %s --match-full-lines --strict-whitespace

#include "memo.h"

static memory m;
static nax_context *context;

/* The id at position p of every conversation. */
static int32_t id_at(int64_t p) { return (int32_t)((p * 37 + 11) % 100); }

/* Gives a row the positions up to `end`, `chunk` at a time, and prints nothing; the last value heard. */
static float hear(nax_cache *cache, int64_t row, int64_t end, int64_t chunk) {
  float heard[64], last = 0;
  int32_t ids[64] = {0}, counts[4] = {0};
  int64_t rows = nax_cache_rows(cache), from;
  while ((from = nax_cache_length(cache, row)) < end) {
    int64_t count = end - from < chunk ? end - from : chunk;
    for (int64_t i = 0; i < count; ++i)
      ids[row * chunk + i] = id_at(from + i);
    counts[row] = (int32_t)count;
    if (listen_step(context, cache, rows, chunk, ids, counts, heard) != NAX_OK)
      printf("hear: %s\n", nax_last_error(context));
    last = heard[row * chunk + count - 1];
  }
  return last;
}

static nax_cache *fresh(int64_t rows, int64_t capacity) {
  nax_cache *cache = NULL;
  if (listen_create(context, rows, capacity, &cache) != NAX_OK)
    printf("fresh: %s\n", nax_last_error(context));
  return cache;
}

/* What a conversation of `end` positions hears last, in one step. */
static float expected(int64_t end) {
  nax_cache *cache = fresh(1, end);
  float last = hear(cache, 0, end, end);
  nax_cache_destroy(cache);
  return last;
}

static const char *same(float a, float b) { return memcmp(&a, &b, sizeof a) == 0 ? "the same" : "another"; }

static void asking(void) {
  nax_cache *cache = fresh(2, 8);
  // CHECK:2 rows of 8 in {{[0-9]+}} bytes, lengths 0 0 -1 -1
  printf("%lld rows of %lld in %zu bytes, lengths %lld %lld %lld %lld\n", (long long)nax_cache_rows(cache),
         (long long)nax_cache_capacity(cache), nax_cache_bytes(cache), (long long)nax_cache_length(cache, 0),
         (long long)nax_cache_length(cache, 1), (long long)nax_cache_length(cache, 2),
         (long long)nax_cache_length(cache, -1));
  // CHECK-NEXT:of null: 0 0 0 -1
  printf("of null: %lld %lld %zu %lld\n", (long long)nax_cache_rows(NULL), (long long)nax_cache_capacity(NULL),
         nax_cache_bytes(NULL), (long long)nax_cache_length(NULL, 0));
  // CHECK-NEXT:reset: NAX_E_RANGE: row 2: the cache has 2 rows, counted from 0
  say("reset", context, nax_cache_reset(context, cache, 2));
  // CHECK-NEXT:negative row: NAX_E_RANGE: row -1: the cache has 2 rows, counted from 0
  say("negative row", context, nax_cache_reset(context, cache, -1));
  // CHECK-NEXT:null: NAX_E_NULL: cache is null
  say("null", context, nax_cache_reset(context, NULL, 0));
  // CHECK-NEXT:no context: NAX_E_NULL: the context is null: nax_context_create makes one
  say("no context", NULL, nax_cache_reset(NULL, cache, 0));
  // CHECK-NEXT:truncated to more: NAX_E_RANGE: row 0 of the cache has 0 positions and can't be truncated to 1
  say("truncated to more", context, nax_cache_truncate(context, cache, 0, 1));
  // CHECK-NEXT:to less than none: NAX_E_RANGE: row 0 of the cache has 0 positions and can't be truncated to -1
  say("to less than none", context, nax_cache_truncate(context, cache, 0, -1));
  nax_cache_destroy(cache);
}

/* Windows of 4: one short of a ring's slots, just as many, one more, and far more. */
static void edges(void) {
  for (int64_t end = 1; end <= 13; ++end)
    for (int64_t chunk = 1; chunk <= 7; ++chunk) {
      nax_cache *cache = fresh(2, 13);
      float last = hear(cache, 1, end, chunk);
      if (memcmp(&last, &(float){expected(end)}, sizeof last) != 0)
        printf("%lld positions, %lld at a time: %.0f\n", (long long)end, (long long)chunk, (double)last);
      nax_cache_destroy(cache);
    }
}

static void truncating(void) {
  nax_cache *cache = fresh(2, 20);
  hear(cache, 0, 4, 4);
  // CHECK-NEXT:not wrapped: NAX_OK
  say("not wrapped", context, nax_cache_truncate(context, cache, 0, 1));
  // CHECK-NEXT:the same
  printf("%s\n", same(hear(cache, 0, 7, 2), expected(7)));
  // CHECK-NEXT:too far: NAX_E_VALUE: row 0 of the cache: 7 positions went through a ring of 4, so that it can be truncated to 6 at the least, or to 0
  say("too far", context, nax_cache_truncate(context, cache, 0, 5));
  // CHECK-NEXT:not at all: NAX_OK
  say("not at all", context, nax_cache_truncate(context, cache, 0, 7));
  // CHECK-NEXT:by one: NAX_OK
  say("by one", context, nax_cache_truncate(context, cache, 0, 6));
  // CHECK-NEXT:by one more: NAX_E_VALUE: row 0 of the cache: 7 positions went through a ring of 4, so that it can be truncated to 6 at the least, or to 0
  say("by one more", context, nax_cache_truncate(context, cache, 0, 5));
  // CHECK-NEXT:the same
  printf("%s\n", same(hear(cache, 0, 7, 1), expected(7)));
  // CHECK-NEXT:one again: NAX_OK
  say("one again", context, nax_cache_truncate(context, cache, 0, 6));
  // CHECK-NEXT:the same
  printf("%s\n", same(hear(cache, 0, 12, 3), expected(12)));
  // CHECK-NEXT:to nothing: NAX_OK
  say("to nothing", context, nax_cache_truncate(context, cache, 0, 0));
  // CHECK-NEXT:the same
  printf("%s\n", same(hear(cache, 0, 6, 2), expected(6)));
  // CHECK-NEXT:reset: NAX_OK
  say("reset", context, nax_cache_reset(context, cache, 0));
  // CHECK-NEXT:0 0
  printf("%lld %lld\n", (long long)nax_cache_length(cache, 0), (long long)nax_cache_length(cache, 1));
  // CHECK-NEXT:the same
  printf("%s\n", same(hear(cache, 0, 9, 4), expected(9)));
  nax_cache_destroy(cache);
}

static void copying(void) {
  nax_cache *from = fresh(2, 20), *to = fresh(3, 11), *small = fresh(1, 3);
  hear(from, 1, 9, 2);
  // CHECK-NEXT:into another: NAX_OK
  say("into another", context, nax_cache_copy(context, to, 2, from, 1));
  // CHECK-NEXT:0 0 9
  printf("%lld %lld %lld\n", (long long)nax_cache_length(to, 0), (long long)nax_cache_length(to, 1),
         (long long)nax_cache_length(to, 2));
  // CHECK-NEXT:the same
  printf("%s\n", same(hear(to, 2, 11, 1), expected(11)));
  // CHECK-NEXT:within one: NAX_OK
  say("within one", context, nax_cache_copy(context, to, 0, to, 2));
  // CHECK-NEXT:onto itself: NAX_OK
  say("onto itself", context, nax_cache_copy(context, to, 2, to, 2));
  // CHECK-NEXT:too short: NAX_E_FULL: row 0 of the cache: 11 positions are more than its 3
  say("too short", context, nax_cache_copy(context, small, 0, to, 2));
  // CHECK-NEXT:taken back: NAX_OK
  say("taken back", context, nax_cache_truncate(context, to, 0, 10));
  // CHECK-NEXT:and copied: NAX_OK
  say("and copied", context, nax_cache_copy(context, from, 0, to, 0));
  // CHECK-NEXT:no further: NAX_E_VALUE: row 0 of the cache: 11 positions went through a ring of 4, so that it can be truncated to 10 at the least, or to 0
  say("no further", context, nax_cache_truncate(context, from, 0, 9));
  // CHECK-NEXT:the same
  printf("%s\n", same(hear(from, 0, 20, 5), expected(20)));
  // A ring of 3 slots into one of 4, where the window needs all of them.
  hear(small, 0, 3, 1);
  // CHECK-NEXT:small to large: NAX_OK
  say("small to large", context, nax_cache_copy(context, to, 1, small, 0));
  // CHECK-NEXT:the same
  printf("%s\n", same(hear(to, 1, 10, 2), expected(10)));
  // CHECK-NEXT:cut to fit: NAX_OK
  // CHECK-NEXT:cut to fit: NAX_OK
  say("cut to fit", context, nax_cache_copy(context, to, 1, small, 0));
  say("cut to fit", context, nax_cache_truncate(context, to, 1, 2));
  // CHECK-NEXT:large to small: NAX_OK
  say("large to small", context, nax_cache_copy(context, small, 0, to, 1));
  // CHECK-NEXT:the same
  printf("%s\n", same(hear(small, 0, 3, 1), expected(3)));
  // CHECK-NEXT:no row: NAX_E_RANGE: row 3: the cache has 3 rows, counted from 0
  say("no row", context, nax_cache_copy(context, to, 3, from, 0));
  // CHECK-NEXT:from nothing: NAX_E_NULL: from is null
  say("from nothing", context, nax_cache_copy(context, to, 0, NULL, 0));
  nax_cache_destroy(from), nax_cache_destroy(to), nax_cache_destroy(small);
}

/* What a begin computed goes with its row; what all rows share must agree. */
static void fixed_values(void) {
  nax_cache *one = NULL, *other = NULL, *two = NULL;
  if (tell_create(context, 1, 4, 3, &one) || tell_create(context, 2, 6, 3, &two) ||
      tell_create(context, 1, 4, 2, &other))
    printf("%s\n", nax_last_error(context));
  const float shown[] = {1, 2, 3, 4, 5, 6};
  const int32_t ids[] = {7, 8}, lengths[] = {3, 2};
  float told[2];
  if (tell_begin(context, one, 1, 3, shown, lengths, 2) || tell_begin(context, other, 1, 2, shown, lengths + 1, 2) ||
      tell_step(context, one, 1, 1, 3, ids, NULL, told))
    printf("%s\n", nax_last_error(context));
  // CHECK-NEXT:other entry: NAX_E_VALUE: one is a cache of memo_listen, the other of memo_tell
  nax_cache *listening = fresh(1, 4);
  say("other entry", context, nax_cache_copy(context, listening, 0, one, 0));
  nax_cache_destroy(listening);
  // CHECK-NEXT:other sizes: NAX_E_SIZE: axis P: the row was created for 2, the cache that takes it for 3
  say("other sizes", context, nax_cache_copy(context, one, 0, other, 0));
  // CHECK-NEXT:not begun yet: NAX_OK
  say("not begun yet", context, nax_cache_copy(context, two, 1, one, 0));
  // CHECK-NEXT:one row begun: NAX_E_VALUE: row 0 of the cache: memo_tell_begin computes what a step reads besides, and was not called
  say("one row begun", context, tell_step(context, two, 2, 1, 3, ids, NULL, told));
  // CHECK-NEXT:the other alone: NAX_OK
  // CHECK-NEXT:15012
  say("the other alone", context, tell_step(context, two, 2, 1, 3, ids, (int32_t[]){0, 1}, told));
  printf("%.0f\n", told[1]);
  // CHECK-NEXT:reset keeps it: NAX_OK
  // CHECK-NEXT:8012
  say("reset keeps it", context, nax_cache_reset(context, two, 1));
  if (tell_step(context, two, 2, 1, 3, ids, (int32_t[]){0, 1}, told) != NAX_OK)
    printf("%s\n", nax_last_error(context));
  printf("%.0f\n", told[1]);
  if (tell_begin(context, one, 1, 3, shown, lengths, 5) != NAX_OK)
    printf("%s\n", nax_last_error(context));
  // CHECK-NEXT:another factor: NAX_E_VALUE: the rows of a cache share cache.3 [], and what other rows began with is not what this one did
  say("another factor", context, nax_cache_copy(context, two, 0, one, 0));
  // CHECK-NEXT:for the only row: NAX_OK
  say("for the only row", context, nax_cache_copy(context, two, 1, one, 0));
  nax_cache_destroy(one), nax_cache_destroy(two), nax_cache_destroy(other);
}

static void documents(void) {
  int64_t sizes[] = {1, 40};
  nax_cache *cache = NULL;
  int32_t place[40];
  if (naxrt_cache_create(context, &memo, FILE_STEP, sizes, &cache) != NAX_OK)
    printf("%s\n", nax_last_error(context));
  // CHECK-NEXT:first: NAX_OK
  say("first", context, file_step(context, cache, 1, 4, (int32_t[]){5, 5, 2, 2}, NULL, place));
  // CHECK-NEXT:the same goes on: NAX_OK
  // CHECK-NEXT:2 3 0
  say("the same goes on", context, file_step(context, cache, 1, 3, (int32_t[]){2, 2, 9}, NULL, place));
  printf("%d %d %d\n", place[0], place[1], place[2]);
  // CHECK-NEXT:ended long ago: NAX_E_RANGE: T_documents[0,1] is 5, a document that has ended before: the positions of a document stand next to each other
  say("ended long ago", context, file_step(context, cache, 1, 3, (int32_t[]){9, 5, 5}, NULL, place));
  // CHECK-NEXT:ended just now: NAX_E_RANGE: T_documents[0,2] is 7, a document that has ended before: the positions of a document stand next to each other
  say("ended just now", context, file_step(context, cache, 1, 3, (int32_t[]){7, 8, 7}, NULL, place));
  // CHECK-NEXT:in padding: NAX_OK
  say("in padding", context, file_step(context, cache, 1, 3, (int32_t[]){9, 5, 9}, (int32_t[]){1}, place));
  // CHECK-NEXT:many: NAX_E_RANGE: T_documents[0,19] is 2, a document that has ended before: the positions of a document stand next to each other
  int32_t many[20] = {1, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 31, 32, 33, 34, 35, 36, 37, 2};
  say("many", context, file_step(context, cache, 1, 20, many, NULL, place));
  many[19] = 3;
  // CHECK-NEXT:all new: NAX_OK
  say("all new", context, file_step(context, cache, 1, 20, many, NULL, place));

  int32_t longest[30];
  for (int i = 0; i < 30; ++i)
    longest[i] = 8;
  // CHECK-NEXT:anew: NAX_OK
  say("anew", context, nax_cache_reset(context, cache, 0));
  // CHECK-NEXT:as long as it may be: NAX_OK
  say("as long as it may be", context, file_step(context, cache, 1, 30, longest, NULL, place));
  // CHECK-NEXT:longer: NAX_E_AXIS: T_documents[0,0]: document 8 has 32 positions, more than the 30 positions of the table Pos
  say("longer", context, file_step(context, cache, 1, 3, (int32_t[]){8, 8, 9}, NULL, place));
  // CHECK-NEXT:the next one: NAX_OK
  // CHECK-NEXT:40 of 40
  say("the next one", context,
      file_step(context, cache, 1, 10, (int32_t[]){1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, NULL, place));
  printf("%lld of 40\n", (long long)nax_cache_length(cache, 0));
  nax_cache_destroy(cache);
}

int main(void) {
  context = memo_context(&m);
  asking();
  edges();
  truncating();
  copying();
  fixed_values();
  documents();
  nax_context_destroy(context);
  // CHECK-NEXT:0 blocks left
  printf("%lld blocks left\n", (long long)m.live);
}
// CHECK-NOT:{{.}}
