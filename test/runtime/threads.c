// The pool: every index once, loops in loops, phases one after the other, parts of scratch, several contexts at once,
// threads with small stacks.
// REQUIRES: lowering
// RUN: %cc -std=c11 -Wall -Wextra -O1 %s -I %S/Inputs -o %t %naxrt
// RUN: env NAX_THREADS=4 %t | FileCheck %s --match-full-lines --strict-whitespace
// RUN: env NAX_THREADS=1 %t | FileCheck %s --match-full-lines --strict-whitespace

// The same with every access watched. The library is compiled again, since all of it must be.
// RUN: clang -std=c11 -O1 -g -fsanitize=thread -I %src/runtime/include -I %S/Inputs %s %src/runtime/src/*.c -pthread -o %t.tsan
// RUN: env NAX_THREADS=4 TSAN_OPTIONS=halt_on_error=1 %t.tsan | FileCheck %s --match-full-lines --strict-whitespace

#define _GNU_SOURCE
#include "toy.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { MANY = 1000, LOOPS = 2000, THREADS = 4, CALLS = 300 };

typedef struct board {
  nax_context *context;
  int counts[MANY];
} board;

/* Without atomics: if two threads had one index, or a loop ended early, TSan and the counts would tell. */
static void count(void *closure, int64_t i) { ++((board *)closure)->counts[i]; }

static void count_nested(void *closure, int64_t i) {
  board *b = (board *)closure + i;
  naxrt_parallel_for(b->context, count, b, MANY);
}

static int all_are(const board *b, int size, int wanted) {
  for (int i = 0; i < MANY; ++i)
    if (b->counts[i] != (i < size ? wanted : 0))
      return 0;
  return 1;
}

static int loops(void) {
  nax_context *context;
  if (nax_context_create(NULL, &context) != NAX_OK)
    return 0;
  int fine = 1;
  static const int sizes[] = {0, 1, 2, 3, 4, 7, 16, 63, 1000};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
    board b = {.context = context};
    for (int i = 0; i < LOOPS; ++i)
      naxrt_parallel_for(context, count, &b, sizes[s]);
    fine &= all_are(&b, sizes[s], LOOPS);
  }
  board *nested = calloc(8, sizeof *nested);
  for (int i = 0; i < 8; ++i)
    nested[i].context = context;
  for (int i = 0; i < 50; ++i)
    naxrt_parallel_for(context, count_nested, nested, 8);
  for (int i = 0; i < 8; ++i)
    fine &= all_are(&nested[i], MANY, 50);
  free(nested);
  nax_context_destroy(context);
  return fine;
}

enum { STEPS = 5, WIDTH = 24, ROUNDS = 3 };

/* Number i of a step reads what the step before it wrote for other numbers. */
typedef struct chain {
  nax_context *context;
  int64_t values[1 + STEPS + ROUNDS][WIDTH];
} chain;

static int64_t next_value(const int64_t *before, int64_t i) {
  return 3 * before[i] + before[(i + 1) % WIDTH] - before[WIDTH - 1 - i];
}

typedef struct step {
  chain *of;
  int number;
} step;

static void run_step(void *closure, int64_t i) {
  step *s = closure;
  int64_t row = s->number + i / WIDTH;
  s->of->values[row + 1][i % WIDTH] = next_value(s->of->values[row], i % WIDTH);
}

/* One chunk that does a whole step: what stands between loops. */
static void run_whole_step(void *closure, int64_t i) {
  for (int64_t j = 0; j < WIDTH; ++j)
    run_step(closure, WIDTH * i + j);
}

static void run_chain(chain *c) {
  step steps[STEPS + 1];
  nax_phase phases[STEPS + 2];
  for (int k = 0; k <= STEPS; ++k) {
    steps[k] = (step){c, k};
    phases[k] = k % 2 ? (nax_phase){run_whole_step, &steps[k], 1, 1} : (nax_phase){run_step, &steps[k], WIDTH, 1};
  }
  // Nothing to do in the one before the last; the last one is a loop of rounds.
  phases[STEPS + 1] = (nax_phase){run_step, &steps[STEPS], WIDTH, ROUNDS};
  phases[STEPS].count = 0;
  naxrt_parallel_phases(c->context, phases, STEPS + 2);
}

static int is_right(const chain *c) {
  for (int k = 0; k < STEPS + ROUNDS; ++k)
    for (int i = 0; i < WIDTH; ++i)
      if (c->values[k + 1][i] != next_value(c->values[k], i))
        return 0;
  return 1;
}

static void run_nested(void *closure, int64_t i) { run_chain((chain *)closure + i); }

static int phases(void) {
  nax_context *context;
  if (nax_context_create(NULL, &context) != NAX_OK)
    return 0;
  chain chains[3];
  int fine = 1;
  for (int n = 0; n < LOOPS; ++n) {
    memset(chains, 0, sizeof chains);
    for (int k = 0; k < 3; ++k) {
      chains[k].context = context;
      chains[k].values[0][n % WIDTH] = n + k + 1;
    }
    run_chain(&chains[0]);
    naxrt_parallel_for(context, run_nested, &chains[1], 2);
    for (int k = 0; k < 3; ++k)
      fine &= is_right(&chains[k]);
    if (n % 512 == 0)
      usleep(3000); // threads that sleep are woken
  }
  nax_context_destroy(context);
  return fine;
}

/* What chunks write in the part of a scratch buffer that they have. */
typedef struct scratch {
  nax_context *context;
  int uses[NAXRT_SLOTS];
} scratch;

static void use_slot(void *closure, int64_t i) {
  (void)i;
  scratch *s = closure;
  int64_t slot = naxrt_take_slot(s->context);
  ++s->uses[slot];
  naxrt_give_slot(s->context, slot);
}

/* No two chunks have one at once, and there are no more in use than threads. */
static int slots(void) {
  nax_context *context;
  if (nax_context_create(NULL, &context) != NAX_OK)
    return 0;
  scratch s = {.context = context};
  for (int n = 0; n < LOOPS; ++n)
    naxrt_parallel_for(context, use_slot, &s, 64);
  int uses = 0, fine = 1;
  for (int i = 0; i < NAXRT_SLOTS; ++i) {
    uses += s.uses[i];
    fine &= i < nax_context_threads(context) || s.uses[i] == 0;
  }
  // All of them, the lowest first; one that is given back is the next.
  for (int i = 0; i < NAXRT_SLOTS; ++i)
    fine &= naxrt_take_slot(context) == i;
  naxrt_give_slot(context, 5);
  naxrt_give_slot(context, 3);
  fine &= naxrt_take_slot(context) == 3 && naxrt_take_slot(context) == 5;
  nax_context_destroy(context);
  return fine && uses == 64 * LOOPS;
}

static nax_params *shared;

/* One of several threads that call the model, each with a context of its own and its own input. */
static void *caller(void *argument) {
  int seed = *(int *)argument;
  nax_context *context;
  if (nax_context_create(NULL, &context) != NAX_OK)
    return NULL;
  int wrong = 0;
  board b = {.context = context};
  for (int n = 0; n < CALLS; ++n) {
    int32_t ids[3] = {(seed + n) % 5, (seed * n) % 5, n % 5};
    float logits[9];
    int64_t dims[] = {1, 3};
    void *buffers[] = {ids, logits};
    wrong += naxrt_invoke(context, &toy, 0, shared, NULL, dims, buffers, NULL, 0) != NAX_OK;
    for (int i = 0; i < 9; ++i)
      wrong += logits[i] != toy_table[3 * ids[i / 3] + i % 3];
    naxrt_parallel_for(context, count, &b, 50);
    // A failure here must not show in the others' contexts.
    ids[1] = -1 - seed;
    wrong += naxrt_invoke(context, &toy, 0, shared, NULL, dims, buffers, NULL, 0) != NAX_E_RANGE;
    char text[64];
    snprintf(text, sizeof text, "ids[0,1] is %d, V has 5", -1 - seed);
    wrong += strcmp(text, nax_last_error(context)) != 0;
  }
  wrong += !all_are(&b, 50, CALLS);
  nax_context_destroy(context);
  *(int *)argument = wrong;
  return NULL;
}

static int several(size_t stack) {
  nax_context *context;
  if (nax_context_create(NULL, &context) != NAX_OK)
    return -1;
  shared = toy_open(context);
  nax_context_destroy(context); // parameters outlive it
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  if (stack)
    pthread_attr_setstacksize(&attributes, stack);
  pthread_t threads[THREADS];
  int results[THREADS], wrong = 0;
  for (int i = 0; i < THREADS; ++i) {
    results[i] = i;
    pthread_create(&threads[i], &attributes, caller, &results[i]);
  }
  for (int i = 0; i < THREADS; ++i) {
    pthread_join(threads[i], NULL);
    wrong += results[i];
  }
  pthread_attr_destroy(&attributes);
  naxrt_params_close(shared);
  return wrong;
}

int main(void) {
  // CHECK:loops: fine
  printf("loops: %s\n", loops() ? "fine" : "wrong");
  // CHECK-NEXT:phases: fine
  printf("phases: %s\n", phases() ? "fine" : "wrong");
  // CHECK-NEXT:slots: fine
  printf("slots: %s\n", slots() ? "fine" : "wrong");
  // CHECK-NEXT:several: 0 wrong
  printf("several: %d wrong\n", several(0));
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define STACK 0
#endif
#endif
#ifndef STACK
#define STACK (64 << 10)
#endif
  // CHECK-NEXT:small stacks: 0 wrong
  printf("small stacks: %d wrong\n", several(STACK));
}
// CHECK-NOT:{{.}}
