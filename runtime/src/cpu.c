/* SPDX-License-Identifier: Apache-2.0 */
/* What processor this is: the level that its instructions and the operating system reach, which of a model's levels is
   run, and how many cores this process may use. */
#define _GNU_SOURCE
#include "internal.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

//===-- the processor ----------------------------------------------------------------------------------------------//

#if defined(__x86_64__)
#include <cpuid.h>

/* The parts of the processor's state that the operating system saves: without it wide registers are of no use. */
static uint64_t saved_state(void) {
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (uint64_t)high << 32 | low;
}

static bool has_all(uint32_t word, uint32_t bits) { return (word & bits) == bits; }

/* The levels are those of the x86-64 psABI, section "Processor Architecture". */
static int64_t cpu_of_instructions(void) {
  uint32_t a, b, c1, d, b7 = 0, c7 = 0, d7 = 0, a71 = 0, c_extended = 0;
  if (!__get_cpuid(1, &a, &b, &c1, &d))
    return NAX_CPU_ANY;
  if (!__get_cpuid_count(7, 0, &a, &b7, &c7, &d7))
    b7 = c7 = d7 = 0;
  else if (a < 1 || !__get_cpuid_count(7, 1, &a71, &b, &a, &d))
    a71 = 0;
  if (!__get_cpuid(0x80000001, &a, &b, &c_extended, &d))
    c_extended = 0;

  const uint32_t lahf = 1u << 0, lzcnt = 1u << 5, vnni = 1u << 11, bf16 = 1u << 5;
  const uint32_t amx_bf16 = 1u << 22, amx_tile = 1u << 24;
  if (!has_all(c1, bit_SSE3 | bit_SSSE3 | bit_SSE4_1 | bit_SSE4_2 | bit_POPCNT | bit_CMPXCHG16B) ||
      !has_all(c_extended, lahf))
    return NAX_CPU_ANY;
  if (!has_all(c1, bit_OSXSAVE | bit_AVX | bit_F16C | bit_FMA | bit_MOVBE) ||
      !has_all(b7, bit_AVX2 | bit_BMI | bit_BMI2) || !has_all(c_extended, lzcnt))
    return NAX_CPU_V2;
  uint64_t saved = saved_state();
  if ((saved & 0x06) != 0x06)
    return NAX_CPU_V2;
  if (!has_all(b7, bit_AVX512F | bit_AVX512BW | bit_AVX512CD | bit_AVX512DQ | bit_AVX512VL) || (saved & 0xe6) != 0xe6)
    return NAX_CPU_V3;
  if (!has_all(c7, vnni) || !has_all(a71, bf16))
    return NAX_CPU_V4;
  return has_all(d7, amx_tile | amx_bf16) && (saved & 0x60000) == 0x60000 ? NAX_CPU_AMX : NAX_CPU_V4_PLUS;
}
#elif defined(__aarch64__)
/* Its vectors are part of the base architecture. */
static int64_t cpu_of_instructions(void) { return NAX_CPU_NEON; }
#else
static int64_t cpu_of_instructions(void) { return NAX_CPU_ANY; }
#endif

/* Whether the operating system lets this process use tiles: Linux wants to be asked, since its threads have to be given
   8 KiB more for their state each. A permission once given stays. */
static bool may_use_tiles(void) {
#ifdef SYS_arch_prctl
  enum { REQUEST_PERMISSION = 0x1023, TILE_DATA = 18 }; // ARCH_REQ_XCOMP_PERM of asm/prctl.h
  return syscall(SYS_arch_prctl, REQUEST_PERMISSION, TILE_DATA) == 0;
#else
  return false;
#endif
}

static int64_t best_of(const naxrt_processor *processor) {
  return processor->best == NAX_CPU_AMX && !may_use_tiles() ? NAX_CPU_V4_PLUS : processor->best;
}

/* Ends a sentence that names the best level where a model or NAX_LEVEL wants tiles. */
static const char *why_no_tiles(const naxrt_processor *processor) {
  if (best_of(processor) == processor->best)
    return "";
  return ": Linux refused tiles to this process, as it does where the stack for its signals (sigaltstack) is too small";
}

/* A process asks for tiles when something is to run on them. */
static bool runs(const naxrt_processor *processor, int64_t cpu) {
  int64_t best = cpu == NAX_CPU_AMX ? best_of(processor) : processor->best;
  return cpu == NAX_CPU_ANY || cpu == best || (cpu >= NAX_CPU_V2 && cpu < best && best <= NAX_CPU_AMX);
}

//===-- the level of a model ---------------------------------------------------------------------------------------//

enum { LEVEL_COUNT = 6, NAME_BYTES = 8 };

static const struct {
  int64_t cpu;
  char name[NAME_BYTES];
} level_names[LEVEL_COUNT] = {{NAX_CPU_V2, "v2"},       {NAX_CPU_V3, "v3"},   {NAX_CPU_V4, "v4"},
                              {NAX_CPU_V4_PLUS, "v4+"}, {NAX_CPU_AMX, "amx"}, {NAX_CPU_NEON, "neon"}};

const char *naxrt_cpu_name(int64_t cpu) {
  for (int i = 0; i < LEVEL_COUNT; ++i)
    if (level_names[i].cpu == cpu)
      return level_names[i].name;
  return cpu == NAX_CPU_ANY ? "below v2" : "unknown";
}

nax_status naxrt_find_processor(naxrt_processor *out, char *why, size_t bytes) {
  *out = (naxrt_processor){cpu_of_instructions(), NAX_CPU_ANY};
  const char *text = getenv("NAX_LEVEL");
  if (!text || !*text)
    return NAX_OK;
  for (int i = 0; i < LEVEL_COUNT; ++i)
    if (strcmp(text, level_names[i].name) == 0)
      out->asked = level_names[i].cpu;
  if (out->asked == NAX_CPU_ANY) {
    snprintf(why, bytes, "NAX_LEVEL is \"%.40s\", which is none of v2, v3, v4, v4+, amx and neon", text);
    return NAX_E_VALUE;
  }
  if (runs(out, out->asked))
    return NAX_OK;
  snprintf(why, bytes, "NAX_LEVEL is %s, but the best level of this processor is %s%s", text,
           naxrt_cpu_name(best_of(out)), out->asked == NAX_CPU_AMX ? why_no_tiles(out) : "");
  return NAX_E_CPU;
}

const nax_level_desc *naxrt_choose_level(const naxrt_processor *processor, const nax_model_desc *model) {
  const nax_level_desc *best = NULL;
  for (int64_t i = 0; i < model->level_count; ++i) {
    const nax_level_desc *level = &model->levels[i];
    bool wanted = processor->asked == NAX_CPU_ANY || level->cpu == processor->asked || level->cpu == NAX_CPU_ANY;
    if (wanted && (!best || level->cpu > best->cpu) && runs(processor, level->cpu))
      best = level;
  }
  return best;
}

const nax_level_desc *naxrt_level_of(nax_context *context, const nax_model_desc *model) {
  const naxrt_processor *processor = &context->processor;
  const nax_level_desc *level = naxrt_choose_level(processor, model);
  if (level)
    return level;
  char has[LEVEL_COUNT * (NAME_BYTES + 2)] = "none";
  bool tiles = false;
  for (int64_t i = 0, used = 0; i < model->level_count && i < LEVEL_COUNT; ++i) {
    tiles |= model->levels[i].cpu == NAX_CPU_AMX;
    used +=
        snprintf(has + used, sizeof has - (size_t)used, "%s%s", used ? ", " : "", naxrt_cpu_name(model->levels[i].cpu));
  }
  bool asked = processor->asked != NAX_CPU_ANY;
  naxrt_fail(context, NAX_E_CPU, "model %s has code for the levels %s, but %s is %s%s", model->name, has,
             asked ? "NAX_LEVEL" : "the best level of this processor",
             naxrt_cpu_name(asked ? processor->asked : best_of(processor)),
             !asked && tiles ? why_no_tiles(processor) : "");
  return NULL;
}

//===-- cores ------------------------------------------------------------------------------------------------------//

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
