// Conversations in threads of their own, each with its context and its cache, do not disturb each other; a prefix that one
// thread has prepared is copied by all. With every access watched: the library is compiled again for that.
// REQUIRES: lowering
// RUN: clang -std=c11 -O1 -g -fsanitize=thread -I %src/runtime/include -I %S/Inputs %s %src/runtime/src/*.c -pthread -o %t
// RUN: env TSAN_OPTIONS=halt_on_error=1 %t | FileCheck %s --match-full-lines --strict-whitespace

#include "memo.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 40, CAPACITY = 60, PREFIX = 7 };

static nax_cache *prefix;

static float value(const int32_t *ids, int64_t end) {
  double sum = 0, few = 0;
  for (int64_t p = 0; p < end; ++p) {
    sum += (double)(p + 1) * ids[p];
    few += p >= end - WINDOW ? ids[p] : 0;
  }
  return (float)(sum + 100000 * few);
}

static void *converse(void *argument) {
  int seed = *(int *)argument, wrong = 0;
  nax_context *context;
  nax_cache *cache;
  if (nax_context_create(NULL, &context) != NAX_OK || listen_create(context, 2, CAPACITY, &cache) != NAX_OK)
    return NULL;
  for (int round = 0; round < ROUNDS; ++round) {
    int32_t ids[CAPACITY] = {0};
    for (int p = 0; p < PREFIX; ++p)
      ids[p] = p;
    wrong += nax_cache_copy(context, cache, 1, prefix, 0) != NAX_OK;
    for (int64_t end = PREFIX; end + 3 <= CAPACITY; end += 3) {
      int32_t both[6] = {0}, counts[2] = {0, 3};
      float heard[6];
      for (int t = 0; t < 3; ++t)
        ids[end + t] = both[3 + t] = (int32_t)(seed * 31 + round * 7 + end + t) % 100;
      wrong += listen_step(context, cache, 2, 3, both, counts, heard) != NAX_OK;
      wrong += heard[5] != value(ids, end + 3);
    }
    wrong += listen_step(context, cache, 2, 3, ids, (int32_t[]){0, 3}, (float[6]){0}) != NAX_E_FULL;
    wrong += strncmp(nax_last_error(context), "row 1 of the cache: 58 positions", 32) != 0;
    wrong += nax_cache_reset(context, cache, 1) != NAX_OK;
  }
  nax_cache_destroy(cache);
  nax_context_destroy(context);
  *(int *)argument = wrong;
  return NULL;
}

int main(void) {
  nax_context *context;
  const int32_t ids[PREFIX] = {0, 1, 2, 3, 4, 5, 6};
  float heard[PREFIX];
  if (nax_context_create(NULL, &context) || listen_create(context, 1, PREFIX, &prefix) ||
      listen_step(context, prefix, 1, PREFIX, ids, NULL, heard))
    return 1;
  nax_context_destroy(context); // the cache outlives it
  pthread_t threads[THREADS];
  int results[THREADS], wrong = 0;
  for (int i = 0; i < THREADS; ++i) {
    results[i] = i;
    pthread_create(&threads[i], NULL, converse, &results[i]);
  }
  for (int i = 0; i < THREADS; ++i) {
    pthread_join(threads[i], NULL);
    wrong += results[i];
  }
  nax_cache_destroy(prefix);
  // CHECK:0 wrong
  printf("%d wrong\n", wrong);
}
// CHECK-NOT:{{.}}
