/* SPDX-License-Identifier: Apache-2.0 */
/* A small pool of threads for one loop at a time. A model runs thousands of loops a second, a few microseconds apart,
   so that a thread that waits spins for a while before it sleeps.

   A loop is open for as long as the caller works at it. Threads may join it while it is open and the caller waits
   only for those that did: a thread that the operating system keeps elsewhere costs nothing. Who does which index
   depends on time, what is computed does not. */
#define _GNU_SOURCE
#include "internal.h"

#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
  SPINS = 2000,          /* about 50 microseconds */
  CHUNKS_PER_THREAD = 4, /* enough to even out unequal work, few enough to be cheap */
};
#define OPEN 0x80000000u    /* threads may join the loop */
#define WAITING 0x40000000u /* the caller sleeps until the last one has left */

struct naxrt_pool {
  /* The state of the loop: OPEN, WAITING and the number of threads, less the caller, that are at it. */
  _Alignas(64) _Atomic uint32_t state;
  /* Grows with every loop; what idle threads wait for. */
  _Alignas(64) _Atomic uint32_t ticket;
  _Atomic uint32_t sleepers;
  atomic_bool ending;
  /* The next index that nobody has taken. */
  _Alignas(64) _Atomic int64_t next;
  _Alignas(64) int64_t count;
  int64_t chunk;
  nax_task task;
  void *closure;

  nax_hooks hooks;
  int64_t bytes;
  int64_t worker_count;
  pthread_t workers[];
};

static void pause_briefly(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  atomic_signal_fence(memory_order_seq_cst);
#endif
}

static void futex_wait(_Atomic uint32_t *word, uint32_t value) {
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void futex_wake(_Atomic uint32_t *word, int count) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}

static void take_chunks(naxrt_pool *pool) {
  for (;;) {
    int64_t first = atomic_fetch_add_explicit(&pool->next, pool->chunk, memory_order_relaxed);
    if (first >= pool->count)
      return;
    int64_t last = pool->count - first > pool->chunk ? first + pool->chunk : pool->count;
    for (int64_t i = first; i < last; ++i)
      pool->task(pool->closure, i);
  }
}

static bool join(naxrt_pool *pool) {
  uint32_t state = atomic_load_explicit(&pool->state, memory_order_relaxed);
  while (state & OPEN)
    if (atomic_compare_exchange_weak_explicit(&pool->state, &state, state + 1, memory_order_acquire,
                                              memory_order_relaxed))
      return true;
  return false;
}

static void leave(naxrt_pool *pool) {
  uint32_t before = atomic_fetch_sub_explicit(&pool->state, 1, memory_order_release);
  if (before == (WAITING | 1))
    futex_wake(&pool->state, 1);
}

static uint32_t wait_for_ticket(naxrt_pool *pool, uint32_t seen) {
  for (int spin = 0; spin < SPINS; ++spin) {
    uint32_t ticket = atomic_load_explicit(&pool->ticket, memory_order_acquire);
    if (ticket != seen)
      return ticket;
    pause_briefly();
  }
  // The caller reads `sleepers` after it has changed the ticket, and the futex compares the ticket again: either the
  // caller sees a sleeper or the sleeper sees the new ticket.
  atomic_fetch_add(&pool->sleepers, 1);
  uint32_t ticket;
  while ((ticket = atomic_load(&pool->ticket)) == seen)
    futex_wait(&pool->ticket, seen);
  atomic_fetch_sub(&pool->sleepers, 1);
  return ticket;
}

static void *work(void *opaque) {
  naxrt_pool *pool = opaque;
  uint32_t seen = 0;
  for (;;) {
    seen = wait_for_ticket(pool, seen);
    if (atomic_load_explicit(&pool->ending, memory_order_acquire))
      return NULL;
    if (join(pool)) {
      take_chunks(pool);
      leave(pool);
    }
  }
}

static void announce(naxrt_pool *pool) {
  atomic_fetch_add(&pool->ticket, 1);
  if (atomic_load(&pool->sleepers) != 0)
    futex_wake(&pool->ticket, INT32_MAX);
}

void naxrt_pool_run(naxrt_pool *pool, int64_t count, nax_task task, void *closure) {
  pool->count = count;
  pool->chunk = count / ((pool->worker_count + 1) * CHUNKS_PER_THREAD);
  if (pool->chunk < 1)
    pool->chunk = 1;
  pool->task = task;
  pool->closure = closure;
  atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
  atomic_store_explicit(&pool->state, OPEN, memory_order_release);
  announce(pool);

  take_chunks(pool);

  uint32_t state = atomic_fetch_and_explicit(&pool->state, ~OPEN, memory_order_acquire) & ~OPEN;
  for (int spin = 0; state != 0 && spin < SPINS; ++spin) {
    pause_briefly();
    state = atomic_load_explicit(&pool->state, memory_order_acquire);
  }
  if (state == 0)
    return;
  state = atomic_fetch_or_explicit(&pool->state, WAITING, memory_order_acquire) | WAITING;
  while (state != WAITING) {
    futex_wait(&pool->state, state);
    state = atomic_load_explicit(&pool->state, memory_order_acquire);
  }
}

naxrt_pool *naxrt_pool_create(nax_context *context, int64_t threads) {
  int64_t bytes = (int64_t)sizeof(naxrt_pool) + threads * (int64_t)sizeof(pthread_t);
  naxrt_pool *pool = context->hooks.allocate(context->hooks.user, (size_t)bytes, _Alignof(naxrt_pool));
  if (!pool)
    return NULL;
  memset(pool, 0, (size_t)bytes);
  pool->hooks = context->hooks;
  pool->bytes = bytes;

  // The program's signal handlers run on the program's threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int64_t wanted = threads - 1;
  while (pool->worker_count < wanted && pthread_create(&pool->workers[pool->worker_count], NULL, work, pool) == 0)
    ++pool->worker_count;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (pool->worker_count < wanted)
    naxrt_log(context, NAX_LOG_WARNING, "only %lld of %lld threads could be started", (long long)pool->worker_count + 1,
              (long long)threads);
  return pool;
}

void naxrt_pool_destroy(naxrt_pool *pool) {
  if (!pool)
    return;
  atomic_store_explicit(&pool->ending, true, memory_order_release);
  announce(pool);
  for (int64_t i = 0; i < pool->worker_count; ++i)
    pthread_join(pool->workers[i], NULL);
  naxrt_release(&pool->hooks, pool, pool->bytes);
}
