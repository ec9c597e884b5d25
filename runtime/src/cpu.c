/* SPDX-License-Identifier: Apache-2.0 */
/* What processor this is: the x86-64 level that its instructions and the operating system reach, and how many cores
   this process may use. */
#define _GNU_SOURCE
#include "internal.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>

/* The parts of the processor's state that the operating system saves: without it wide registers are of no use. */
static uint64_t saved_state(void) {
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (uint64_t)high << 32 | low;
}

static bool has_all(uint32_t word, uint32_t bits) { return (word & bits) == bits; }

int64_t naxrt_cpu_level(void) {
  uint32_t a, b, c1, d, b7 = 0, c_extended = 0;
  if (!__get_cpuid(1, &a, &b, &c1, &d))
    return 1;
  uint32_t unused_a, unused_c, unused_d;
  if (!__get_cpuid_count(7, 0, &unused_a, &b7, &unused_c, &unused_d))
    b7 = 0;
  if (!__get_cpuid(0x80000001, &unused_a, &b, &c_extended, &unused_d))
    c_extended = 0;

  const uint32_t lahf = 1u << 0, lzcnt = 1u << 5;
  if (!has_all(c1, bit_SSE3 | bit_SSSE3 | bit_SSE4_1 | bit_SSE4_2 | bit_POPCNT | bit_CMPXCHG16B) ||
      !has_all(c_extended, lahf))
    return 1;
  if (!has_all(c1, bit_OSXSAVE | bit_AVX | bit_F16C | bit_FMA | bit_MOVBE) ||
      !has_all(b7, bit_AVX2 | bit_BMI | bit_BMI2) || !has_all(c_extended, lzcnt))
    return 2;
  uint64_t saved = saved_state();
  if ((saved & 0x06) != 0x06)
    return 2;
  if (!has_all(b7, bit_AVX512F | bit_AVX512BW | bit_AVX512CD | bit_AVX512DQ | bit_AVX512VL) || (saved & 0xe6) != 0xe6)
    return 3;
  return 4;
}
#else
int64_t naxrt_cpu_level(void) { return 0; }
#endif

/* A container may allow the time of fewer cores than it shows; 0: it does not. */
static int64_t quota_of_container(void) {
  FILE *file = fopen("/sys/fs/cgroup/cpu.max", "re");
  if (!file)
    return 0;
  long long quota = 0, period = 0;
  int read = fscanf(file, "%lld %lld", &quota, &period);
  fclose(file);
  if (read != 2 || quota <= 0 || period <= 0)
    return 0;
  return quota < period ? 1 : quota / period;
}

int64_t naxrt_core_count(void) {
  cpu_set_t set;
  int64_t cores = 1;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    cores = CPU_COUNT(&set);
  else if (sysconf(_SC_NPROCESSORS_ONLN) > 0) // more cores than a cpu_set_t can hold
    cores = sysconf(_SC_NPROCESSORS_ONLN);
  int64_t quota = quota_of_container();
  return quota > 0 && quota < cores ? quota : cores;
}
