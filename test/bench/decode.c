/* SPDX-License-Identifier: Apache-2.0 */
/* Measures single steps of SmolLM2 behind a given number of positions: one line "POSITIONS TOKENS_PER_SECOND" each.

     decode FILE.gguf THREADS STEPS POSITIONS...      positions grow */
#include "smollm2.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { V = 49152, CHUNK = 256 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct Session {
  nax_context *context;
  smollm2_params *params;
  smollm2_forward_cache *cache;
  void *workspace;
  size_t bytes;
  float *logits;
  int64_t length;
} Session;

static void check(const Session *s, nax_status status) {
  if (status == NAX_OK)
    return;
  fprintf(stderr, "decode: %s\n", nax_last_error(s->context));
  exit(1);
}

/* `count` drawn tokens more; the same ones as llama_cpp.py reads. */
static void advance(Session *s, int64_t count) {
  int32_t ids[CHUNK];
  for (int64_t t = 0; t < count; ++t)
    ids[t] = (int32_t)((s->length + t) * 7919 % 40000 + 100);
  check(s, smollm2_forward_step(s->context, s->params, s->cache, /*B=*/1, count, ids, NULL, s->logits, s->workspace,
                                s->bytes));
  s->length += count;
}

int main(int argc, char **argv) {
  if (argc < 5) {
    fprintf(stderr, "usage: decode FILE.gguf THREADS STEPS POSITIONS...\n");
    return 2;
  }
  Session s = {0};
  nax_options options = {.threads = strtol(argv[2], NULL, 10)};
  int64_t steps = strtol(argv[3], NULL, 10), last = strtol(argv[argc - 1], NULL, 10);
  check(&s, nax_context_create(&options, &s.context));
  check(&s, smollm2_params_open(s.context, argv[1], &s.params));
  check(&s, smollm2_forward_cache_create(s.context, /*B=*/1, last + steps, &s.cache));
  s.bytes = smollm2_forward_step_workspace(/*B=*/1, CHUNK);
  s.workspace = aligned_alloc(64, (s.bytes + 63) / 64 * 64);
  s.logits = malloc(V * sizeof *s.logits);
  if (!s.workspace || !s.logits) {
    fprintf(stderr, "decode: no memory\n");
    return 1;
  }
  for (int i = 4; i < argc; ++i) {
    int64_t positions = strtol(argv[i], NULL, 10);
    while (s.length < positions)
      advance(&s, positions - s.length < CHUNK ? positions - s.length : CHUNK);
    double began = now();
    for (int64_t step = 0; step < steps; ++step)
      advance(&s, 1);
    printf("%lld %.2f\n", (long long)positions, (double)steps / (now() - began));
  }
  free(s.logits);
  free(s.workspace);
  smollm2_forward_cache_destroy(s.cache);
  smollm2_params_close(s.params);
  nax_context_destroy(s.context);
  return 0;
}
