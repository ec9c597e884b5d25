/* SPDX-License-Identifier: Apache-2.0 */
/* A small pool of threads for one sequence of phases at a time. A model runs thousands of phases a second, a few
   microseconds apart, so that a thread that waits spins for about as long as a token takes before it sleeps.

   A phase is cut into chunks, and whoever has time takes the next one; who does the last one opens the next phase. So
   nobody waits for a thread that has taken nothing: one that the operating system keeps elsewhere costs nothing. Who
   does which chunk depends on time, what is computed does not. */
#define _GNU_SOURCE
#include "internal.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
  CHUNKS_PER_THREAD = 4, /* enough to even out unequal work, few enough to be cheap */
  SPIN_NANOSECONDS = 1000000,
  SPINS_PER_LOOK = 64, /* at the clock; some 3 microseconds */
  SPINS_PER_YIELD = 128,
  SPINS_WHERE_CROWDED = 16, /* there are more threads than cores */
};

#define CLOSED 0x80000000u /* there is no phase that is not over */

struct naxrt_pool {
  /* What there is to take: in the lower half the chunks of the open phase that nobody has taken, or CLOSED, in the
     upper one the number of the turn, which grows when a phase is opened and when the last one is over. Threads that
     have nothing to do watch it. All is one word, so that the thread that begins a turn has no part in it any more
     once others can see it: they may have ended it by then. */
  _Alignas(64) _Atomic uint64_t work;
  _Atomic uint32_t sleepers;
  atomic_bool ending; /* there will be no more phases */
  /* Chunks of the phase that are not done. */
  _Alignas(64) _Atomic int64_t unfinished;
  /* Of the open phase. The thread that opens it writes them, and who has taken one of its chunks may read them. */
  _Alignas(64) const nax_phase *phase;
  int64_t first, chunk, chunks;
  const nax_phase *end;
  int64_t round;

  nax_hooks hooks;
  int64_t bytes;
  unsigned spins_per_yield;
  int64_t worker_count;
  pthread_t workers[];
};

static void pause_briefly(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#else
  atomic_signal_fence(memory_order_seq_cst);
#endif
}

static uint32_t turn_of(uint64_t work) { return (uint32_t)(work >> 32); }

/* Calls the kernel with the number of the turn as the word that it compares: both architectures that nax knows put the
   upper half behind the lower one. */
static void futex(naxrt_pool *pool, int operation, uint32_t value) {
  syscall(SYS_futex, (char *)&pool->work + 4, operation, value, NULL, NULL, 0);
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Begins the next turn with `left` in the lower half; `sleepers` are woken where they could be of use. */
static void begin_turn(naxrt_pool *pool, uint32_t left, bool wakes) {
  uint32_t turn = turn_of(atomic_load_explicit(&pool->work, memory_order_relaxed)) + 1;
  // `sleepers` is read after the turn has changed, and the futex compares the turn again: either a sleeper is seen
  // here or the sleeper sees the new turn.
  atomic_store(&pool->work, (uint64_t)turn << 32 | left);
  if (wakes && atomic_load(&pool->sleepers) != 0)
    futex(pool, FUTEX_WAKE_PRIVATE, INT32_MAX);
}

/* Opens the next phase or round that has something to do, or ends the sequence. */
static void open_next(naxrt_pool *pool) {
  while (pool->phase != pool->end && (pool->phase->count <= 0 || pool->round >= pool->phase->rounds))
    ++pool->phase, pool->round = 0;
  if (pool->phase == pool->end) {
    begin_turn(pool, CLOSED, true); // the caller may be among the sleepers
    return;
  }
  int64_t count = pool->phase->count;
  pool->first = pool->round++ * count;
  pool->chunk = count / ((pool->worker_count + 1) * CHUNKS_PER_THREAD);
  if (pool->chunk < 1)
    pool->chunk = 1;
  pool->chunks = (count + pool->chunk - 1) / pool->chunk;
  atomic_store_explicit(&pool->unfinished, pool->chunks, memory_order_relaxed);
  bool wakes = pool->chunks > 1; // no longer to be read once the turn has begun
  begin_turn(pool, (uint32_t)pool->chunks, wakes);
}

static void run_chunk(const naxrt_pool *pool, int64_t number) {
  const nax_phase *phase = pool->phase;
  int64_t from = number * pool->chunk, to = from + pool->chunk;
  if (to > phase->count)
    to = phase->count;
  for (int64_t i = from; i < to; ++i)
    phase->task(phase->closure, pool->first + i);
}

/* Does chunks of the open phase as long as there are any; false: there was none. The turn can't change while a thread
   has chunks that it has not reported. */
static bool take_chunks(naxrt_pool *pool) {
  int64_t done = 0;
  uint64_t work = atomic_load_explicit(&pool->work, memory_order_acquire);
  for (uint32_t left; (left = (uint32_t)work & ~CLOSED) != 0;) {
    if (!atomic_compare_exchange_weak_explicit(&pool->work, &work, work - 1, memory_order_acquire,
                                               memory_order_acquire))
      continue;
    run_chunk(pool, pool->chunks - left);
    ++done;
    work = atomic_load_explicit(&pool->work, memory_order_acquire);
  }
  if (done && atomic_fetch_sub_explicit(&pool->unfinished, done, memory_order_acq_rel) == done)
    open_next(pool);
  return done != 0;
}

static bool is_turn(naxrt_pool *pool, uint32_t turn) { return turn_of(atomic_load(&pool->work)) == turn; }

static void sleep_until_turn(naxrt_pool *pool, uint32_t seen) {
  atomic_fetch_add(&pool->sleepers, 1);
  while (is_turn(pool, seen))
    futex(pool, FUTEX_WAIT_PRIVATE, seen);
  atomic_fetch_sub(&pool->sleepers, 1);
}

/* The thread that has the last chunk may need the core that this one waits on. */
static void wait_for_turn(naxrt_pool *pool, uint32_t seen) {
  int64_t began = 0;
  for (unsigned spin = 1; is_turn(pool, seen); ++spin) {
    pause_briefly();
    if (spin % pool->spins_per_yield == 0)
      sched_yield();
    if (spin % SPINS_PER_LOOK != 0)
      continue;
    int64_t time = now();
    if (!began)
      began = time;
    if (time - began > SPIN_NANOSECONDS) {
      sleep_until_turn(pool, seen);
      return;
    }
  }
}

static void *work(void *opaque) {
  naxrt_pool *pool = opaque;
  for (;;) {
    uint64_t work = atomic_load_explicit(&pool->work, memory_order_acquire);
    if (atomic_load_explicit(&pool->ending, memory_order_acquire))
      return NULL;
    if (!take_chunks(pool))
      wait_for_turn(pool, turn_of(work));
  }
}

void naxrt_pool_run(naxrt_pool *pool, const nax_phase *phases, int64_t count) {
  pool->phase = phases;
  pool->end = phases + count;
  pool->round = 0;
  open_next(pool);
  for (;;) {
    uint64_t work = atomic_load_explicit(&pool->work, memory_order_acquire);
    if (work & CLOSED)
      return;
    if (!take_chunks(pool))
      wait_for_turn(pool, turn_of(work));
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
  atomic_init(&pool->work, CLOSED);
  pool->spins_per_yield = threads > naxrt_core_count() ? SPINS_WHERE_CROWDED : SPINS_PER_YIELD;

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
  begin_turn(pool, CLOSED, true);
  for (int64_t i = 0; i < pool->worker_count; ++i)
    pthread_join(pool->workers[i], NULL);
  naxrt_release(&pool->hooks, pool, pool->bytes);
}
