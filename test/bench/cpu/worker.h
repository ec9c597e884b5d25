/* SPDX-License-Identifier: Apache-2.0 */
/* What the programs that `./nax bench` measures have in common: they read commands, one a line, and answer each with a
   line, so that one driver (bench.py) can let many of them take turns. A file that includes this defines the
   five functions below. Started as `PROGRAM THREADS`; or `PROGRAM THREADS --once WORDS...`, which opens the row of these
   words, computes it once, prints its check and ends: start-up with all that belongs to it.

     about          a line about what is measured, with its version
     open WORDS...  ok [WORK]: the row is ready, WORK what a call does; or: no REASON
     run N          WALL CPU: nanoseconds that N calls took, by the clock and of this process's threads together.
                    For N > 1 one more call goes before, unmeasured, since others had the caches in between
     check          SUM ABSOLUTE: the sums of the results of a call and of their absolute values
     memory         bytes: by how much the process has grown since the row was opened, at its largest
     close          ok */
#ifndef NAX_BENCH_WORKER_H
#define NAX_BENCH_WORKER_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { MOST_WORDS = 32 };

static int64_t threads;
static int is_once;          /* the row is computed once and never timed: nothing goes before */
static double memory_before; /* the process's size when the row was opened; a row may set it anew */

static void about(void);
/* The row of these words gets ready; NULL, or why it can't. `work` may be left alone. */
static const char *open_row(int count, char **words, double *work);
static void call_row(void);
static void check_row(double *sum, double *absolute);
static void close_row(void);

static inline double nanoseconds(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

enum { LARGE_PAGE = 2 << 20 };

static inline size_t rounded(size_t bytes) { return (bytes + 4096) / 4096 * 4096; }

/* Zeroed memory, in large pages where the system gives them and no more of them than it needs. */
static inline void *obtain(size_t bytes) {
  size_t whole = rounded(bytes);
  char *all = mmap(NULL, whole + LARGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) {
    fprintf(stderr, "bench: no memory\n");
    exit(1);
  }
  /* What lies before the first large page and behind the end is given back. */
  size_t skipped = (LARGE_PAGE - (uintptr_t)all % LARGE_PAGE) % LARGE_PAGE;
  if (skipped)
    munmap(all, skipped);
  munmap(all + skipped + whole, LARGE_PAGE - skipped);
  madvise(all + skipped, whole, MADV_HUGEPAGE);
  return all + skipped;
}

static inline void release(void *memory, size_t bytes) {
  if (memory)
    munmap(memory, rounded(bytes));
}

/* Element `index` of the drawn tensor `tensor`, in [-0.5, 0.5): the same numbers for every program that is measured. */
static inline float draw(uint32_t tensor, uint64_t index) {
  uint32_t mixed = ((uint32_t)index + tensor * 0x3c6ef35fu) * 2654435761u;
  mixed ^= mixed >> 15;
  return (float)((mixed * 2246822519u) >> 16 & 1023) / 1024.0f - 0.5f;
}

static inline void fill(float *to, uint32_t tensor, size_t count, float scale) {
  for (size_t i = 0; i < count; ++i)
    to[i] = draw(tensor, i) * scale;
}

static inline void sum_up(const float *values, size_t count, double *sum, double *absolute) {
  *sum = *absolute = 0;
  for (size_t i = 0; i < count; ++i) {
    *sum += (double)values[i];
    *absolute += (double)(values[i] < 0 ? -values[i] : values[i]);
  }
}

/* "VmHWM" or "VmRSS" of this process, in bytes. */
static inline double memory_of(const char *key) {
  char line[256];
  double kilobytes = 0;
  FILE *status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status))
    if (strncmp(line, key, strlen(key)) == 0)
      kilobytes = atof(line + strlen(key) + 1);
  if (status)
    fclose(status);
  return 1024 * kilobytes;
}

/* From now on the largest size counts anew: proc(5), clear_refs. Returns the size now. */
static inline double begin_memory(void) {
  FILE *refs = fopen("/proc/self/clear_refs", "w");
  if (refs) {
    fputs("5", refs);
    fclose(refs);
  }
  return memory_of("VmRSS");
}

static inline void run_row(long calls) {
  if (calls > 1)
    call_row();
  double wall = nanoseconds(CLOCK_MONOTONIC), cpu = nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
  for (long i = 0; i < calls; ++i)
    call_row();
  cpu = nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  wall = nanoseconds(CLOCK_MONOTONIC) - wall;
  printf("%.0f %.0f\n", wall, cpu);
}

static inline void print_check(void) {
  double sum, absolute;
  call_row();
  check_row(&sum, &absolute);
  printf("%.9g %.9g\n", sum, absolute);
}

static inline void answer(int count, char **words) {
  static int is_open;
  double work = 0;
  if (strcmp(words[0], "about") == 0) {
    about();
  } else if (strcmp(words[0], "open") == 0) {
    memory_before = begin_memory();
    const char *reason = open_row(count - 1, words + 1, &work);
    is_open = !reason;
    if (reason)
      printf("no %s\n", reason);
    else
      printf("ok %.17g\n", work);
  } else if (!is_open) {
    printf("no row is open\n");
  } else if (strcmp(words[0], "run") == 0 && count == 2) {
    run_row(atol(words[1]));
  } else if (strcmp(words[0], "check") == 0) {
    print_check();
  } else if (strcmp(words[0], "memory") == 0) {
    printf("%.0f\n", memory_of("VmHWM") - memory_before);
  } else if (strcmp(words[0], "close") == 0) {
    close_row();
    is_open = 0;
    printf("ok\n");
  } else {
    printf("no there is no command %s\n", words[0]);
  }
}

static inline int once(int count, char **words) {
  double work;
  is_once = 1;
  const char *reason = open_row(count, words, &work);
  if (reason) {
    fprintf(stderr, "%s\n", reason);
    return 1;
  }
  print_check();
  return 0;
}

int main(int argc, char **argv) {
  static char line[4096];
  threads = argc > 1 ? atol(argv[1]) : 0;
  if (threads < 1) {
    fprintf(stderr, "usage: %s THREADS [--once WORDS...]\n", argv[0]);
    return 2;
  }
  if (argc > 3 && strcmp(argv[2], "--once") == 0)
    return once(argc - 3, argv + 3);
  while (fgets(line, sizeof line, stdin)) {
    char *words[MOST_WORDS];
    int count = 0;
    for (char *word = strtok(line, " \n"); word && count < MOST_WORDS; word = strtok(NULL, " \n"))
      words[count++] = word;
    if (count)
      answer(count, words);
    fflush(stdout);
  }
  return 0;
}

#endif
