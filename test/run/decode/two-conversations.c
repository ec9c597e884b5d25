/* SPDX-License-Identifier: Apache-2.0 */
// Two threads, each with a context and a cache of its own, talk with one model and the same parameters: each gets, bit
// for bit, what it gets alone. Under ThreadSanitizer, which runs the runtime's part, nothing is reported.
//
// REQUIRES: lowering, cpu-v3
// UNSUPPORTED: asan
// RUN: mkdir -p %t.dir
// RUN: %naxc %examples/05-gpt/model.cpp --decode=forward -o %t.dir/gpt.o
// RUN: %cc -std=c11 -O1 -Wall -Werror -I%t.dir %s %t.dir/gpt.o %naxrt -o %t.dir/main
// RUN: %t.dir/main %examples/05-gpt/gpt.safetensors | FileCheck %s
// RUN: %cc -std=c11 -O1 -g -fsanitize=thread -I%t.dir %s %t.dir/gpt.o %src/runtime/src/*.c -pthread -lm -o %t.dir/tsan
// RUN: %t.dir/tsan %examples/05-gpt/gpt.safetensors 2>&1 | FileCheck %s
//
// CHECK-NOT: {{.}}
// CHECK: 2 conversations of 60 tokens at once, 20 times: the same bits as alone
// CHECK-NOT: {{.}}
#include "gpt.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TALKS = 2, TOKENS = 60, TIMES = 20, V = gpt_size_V };

static gpt_params *params;

typedef struct Talk {
  int seed;
  uint64_t sums[TOKENS]; /* of the bits of each step's logits */
} Talk;

static void need(nax_context *context, nax_status status) {
  if (status == NAX_OK)
    return;
  printf("%s\n", nax_last_error(context));
  exit(1);
}

static uint64_t sum_of(const float *row) {
  uint64_t sum = 1469598103934665603u; /* FNV-1a */
  for (size_t i = 0; i < V * sizeof *row; ++i)
    sum = (sum ^ ((const unsigned char *)row)[i]) * 1099511628211u;
  return sum;
}

static void *talk(void *argument) {
  Talk *mine = argument;
  nax_options options = {.threads = 2};
  nax_context *context = NULL;
  gpt_forward_cache *cache;
  float logits[V]; /* [B,T,V] with B = T = 1 */
  need(NULL, nax_context_create(&options, &context));
  need(context, gpt_forward_cache_create(context, 1, TOKENS, &cache));
  int32_t id = 40 + mine->seed;
  for (int step = 0; step < TOKENS; ++step) {
    need(context, gpt_forward_step(context, params, cache, 1, 1, &id, NULL, logits, NULL, 0));
    mine->sums[step] = sum_of(logits);
    id = (int32_t)(mine->sums[step] % V);
  }
  gpt_forward_cache_destroy(cache);
  nax_context_destroy(context);
  return NULL;
}

int main(int argc, char **argv) {
  Talk alone[TALKS], together[TALKS];
  nax_context *context = NULL;
  if (argc != 2)
    return 2;
  need(NULL, nax_context_create(NULL, &context));
  need(context, gpt_params_open(context, argv[1], &params));
  for (int i = 0; i < TALKS; ++i) {
    alone[i].seed = together[i].seed = i;
    talk(&alone[i]);
  }
  for (int time = 0; time < TIMES; ++time) {
    pthread_t threads[TALKS];
    for (int i = 0; i < TALKS; ++i)
      pthread_create(&threads[i], NULL, talk, &together[i]);
    for (int i = 0; i < TALKS; ++i)
      pthread_join(threads[i], NULL);
    for (int i = 0; i < TALKS; ++i)
      if (memcmp(alone[i].sums, together[i].sums, sizeof alone[i].sums)) {
        printf("conversation %d differs when it is not alone\n", i);
        return 1;
      }
  }
  if (alone[0].sums[TOKENS - 1] == alone[1].sums[TOKENS - 1])
    return 1;
  printf("%d conversations of %d tokens at once, %d times: the same bits as alone\n", TALKS, TOKENS, TIMES);
  gpt_params_close(params);
  nax_context_destroy(context);
  return 0;
}
