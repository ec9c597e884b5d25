/* SPDX-License-Identifier: Apache-2.0 */
/* Loops of generated code: on the program's parallel_for hook, on the library's pool, or on the calling thread alone.

   Loops inside loops run serially: the outer one already keeps every thread busy, and the pool has one sequence at a
   time. The flag also keeps a hook from being entered twice. */
#include "internal.h"

#include <sched.h>

static void run_serially(const nax_phase *phase) {
  int64_t end = phase->count > 0 ? phase->count * phase->rounds : 0;
  for (int64_t i = 0; i < end; ++i)
    phase->task(phase->closure, i);
}

/* One round of a phase as a loop of its own, whose numbers begin at 0. */
typedef struct later_round {
  const nax_phase *phase;
  int64_t first;
} later_round;

static void run_later(void *closure, int64_t i) {
  const later_round *round = closure;
  round->phase->task(round->phase->closure, round->first + i);
}

/* A hook may run numbers in any order, so that nothing may wait inside of one: each round is a loop of the hook. */
static void run_on_hook(const nax_hooks *hooks, const nax_phase *phase) {
  if (phase->count <= 1) {
    run_serially(phase);
    return;
  }
  if (phase->rounds > 0)
    hooks->parallel_for(hooks->user, phase->count, phase->task, phase->closure);
  for (int64_t i = 1; i < phase->rounds; ++i) {
    later_round round = {phase, i * phase->count};
    hooks->parallel_for(hooks->user, phase->count, run_later, &round);
  }
}

static bool is_worth_threads(const nax_context *context, const nax_phase *phases, int64_t count) {
  if (context->own_pool && context->threads == 1)
    return false;
  for (int64_t i = 0; i < count; ++i)
    if (phases[i].count > 1)
      return true;
  return false;
}

void naxrt_parallel_phases(void *opaque, const nax_phase *phases, int64_t count) {
  nax_context *context = opaque;
  if (!is_worth_threads(context, phases, count) ||
      atomic_exchange_explicit(&context->in_loop, true, memory_order_acquire)) {
    for (int64_t i = 0; i < count; ++i)
      run_serially(&phases[i]);
    return;
  }
  if (context->own_pool && !context->pool)
    context->pool = naxrt_pool_create(context, context->threads);
  if (context->pool)
    naxrt_pool_run(context->pool, phases, count);
  else // the program's hook, or the pool has no memory
    for (int64_t i = 0; i < count; ++i)
      context->own_pool ? run_serially(&phases[i]) : run_on_hook(&context->hooks, &phases[i]);
  atomic_store_explicit(&context->in_loop, false, memory_order_release);
}

void naxrt_parallel_for(void *context, nax_task task, void *closure, int64_t count) {
  nax_phase phase = {task, closure, count, 1};
  naxrt_parallel_phases(context, &phase, 1);
}

int64_t naxrt_take_slot(void *opaque) {
  nax_context *context = opaque;
  uint64_t taken = atomic_load_explicit(&context->slots, memory_order_relaxed);
  for (;;) {
    if (taken == UINT64_MAX) {
      sched_yield(); // those who have one are running
      taken = atomic_load_explicit(&context->slots, memory_order_relaxed);
      continue;
    }
    int64_t slot = __builtin_ctzll(~taken);
    if (atomic_compare_exchange_weak_explicit(&context->slots, &taken, taken | UINT64_C(1) << slot,
                                              memory_order_acquire, memory_order_relaxed))
      return slot;
  }
}

void naxrt_give_slot(void *opaque, int64_t slot) {
  nax_context *context = opaque;
  atomic_fetch_and_explicit(&context->slots, ~(UINT64_C(1) << slot), memory_order_release);
}
