/* SPDX-License-Identifier: Apache-2.0 */
/* What the machine can do at most, as rows of worker.h that take turns with what is measured:

     fma-f32      multiply-adds of f32 in registers; WORK in floating-point operations. By the best instructions there
                  are, or those of NAX_LEVEL: v2 (a multiplication and an addition of 4), v3 (FMA of 8), v4 (of 16)
     dot-bf16     the same by vdpbf16ps, dot-i8 by vpdpbusd (AVX-512); tiles-bf16 by tdpbf16ps (AMX)
     read BYTES   sums a buffer of that many bytes; WORK in bytes
     empty        nothing: what a call costs

   On several threads each does its part of the same work. */
#include "worker.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST_THREADS = 64 };

typedef double (*Loop)(int64_t part);

static Loop loop;
static float *buffer;
static size_t elements; /* of the buffer; a multiple of 128 for each thread */
static volatile float sink[MOST_THREADS * 16];
static const char *level;

//===-- loops ------------------------------------------------------------------------------------------------------//

typedef float f32x4 __attribute__((vector_size(16)));
typedef float f32x8 __attribute__((vector_size(32)));
typedef float f32x16 __attribute__((vector_size(64)));

enum { STEPS = 400000 };
static float factor = 0.999f;

static double empty(int64_t part) { return (double)(part + 1); }

/* Eight sums, each in a register, so that no addition waits for the one before it. */
#define READ_LOOP(name, vector, lanes)                                                                                 \
  static double name(int64_t part) {                                                                                   \
    size_t each = elements / (size_t)threads;                                                                          \
    const vector *from = (const vector *)(const void *)(buffer + each * (size_t)part);                                 \
    vector sums[8] = {};                                                                                               \
    for (size_t at = 0; at < each / lanes; at += 8)                                                                    \
      _Pragma("clang loop unroll(full)") for (int i = 0; i < 8; ++i) sums[i] += from[at + (size_t)i];                  \
    for (int i = 1; i < 8; ++i)                                                                                        \
      sums[0] += sums[i];                                                                                              \
    sink[part * 16] = sums[0][0];                                                                                      \
    return (double)each * sizeof(float);                                                                               \
  }

READ_LOOP(read_v2, f32x4, 4)

#ifdef __x86_64__
/* Assembly, since a compiler may spill: each step has `instructions` once for every sum that `sums` lists, with \\n for
   the number of its register. They are as many as the level's registers beside the two factors, 14 and 15, and more than
   the latency of an instruction times how many begin in a cycle. */
#define REGISTER_LOOP(name, spread, sums, count, instructions, operations, ...)                                        \
  static double name(int64_t part) {                                                                                   \
    int64_t steps = STEPS;                                                                                             \
    __asm__ volatile(spread "1:\n.irp n," sums "\n" instructions "\n.endr\n"                                           \
                            "dec %0\njnz 1b\n"                                                                         \
                     : "+r"(steps)                                                                                     \
                     : "m"(factor)                                                                                     \
                     : "cc", __VA_ARGS__);                                                                             \
    (void)part;                                                                                                        \
    return (operations) * (double)(count) * STEPS;                                                                     \
  }
#define LOW "0,1,2,3,4,5,6,7,8,9,10,11"
#define HIGH "12,13,16,17,18,19,20,21,22,23,24,25"
#define CLOBBERED                                                                                                      \
  "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm14", "xmm15"
#define CLOBBERED_HIGH                                                                                                 \
  "xmm12", "xmm13", "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25"

/* All sums begin as 0. */
#define SPREAD_128                                                                                                     \
  ".irp n," LOW "\nxorps %%xmm\\n, %%xmm\\n\n.endr\nmovss %1, %%xmm14\nshufps $0, %%xmm14, %%xmm14\n"                  \
  "movaps %%xmm14, %%xmm15\n"
#define SPREAD_256                                                                                                     \
  ".irp n," LOW "\nvxorps %%ymm\\n, %%ymm\\n, %%ymm\\n\n.endr\nvbroadcastss %1, %%ymm14\nvmovaps %%ymm14, %%ymm15\n"
#define SPREAD_512                                                                                                     \
  ".irp n," LOW "," HIGH "\nvpxord %%zmm\\n, %%zmm\\n, %%zmm\\n\n.endr\nvbroadcastss %1, %%zmm14\n"                    \
  "vmovaps %%zmm14, %%zmm15\n"

REGISTER_LOOP(fma_v2, SPREAD_128, LOW, 12, "mulps %%xmm14, %%xmm\\n\naddps %%xmm15, %%xmm\\n", 2 * 4, CLOBBERED)

#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
READ_LOOP(read_v3, f32x8, 8)
REGISTER_LOOP(fma_v3, SPREAD_256, LOW, 12, "vfmadd213ps %%ymm15, %%ymm14, %%ymm\\n", 2 * 8, CLOBBERED)
#pragma clang attribute pop

#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512bf16,avx512vnni"))), apply_to = function)
READ_LOOP(read_v4, f32x16, 16)
REGISTER_LOOP(fma_v4, SPREAD_512, LOW "," HIGH, 24, "vfmadd213ps %%zmm15, %%zmm14, %%zmm\\n", 2 * 16, CLOBBERED,
              CLOBBERED_HIGH)
REGISTER_LOOP(dot_bf16, SPREAD_512, LOW "," HIGH, 24, "vdpbf16ps %%zmm15, %%zmm14, %%zmm\\n", 2 * 32, CLOBBERED,
              CLOBBERED_HIGH)
REGISTER_LOOP(dot_i8, SPREAD_512, LOW "," HIGH, 24, "vpdpbusd %%zmm15, %%zmm14, %%zmm\\n", 2 * 64, CLOBBERED,
              CLOBBERED_HIGH)
#pragma clang attribute pop

/* Tiles of 16 rows of 64 bytes: six sums of 16 x 16, each of 32 products a number. As the other loops it has all sums under
   way that the registers hold; the factors are zeros, which takes as long. */
static const struct {
  uint8_t palette, rest[15];
  uint16_t bytes[16];
  uint8_t rows[16];
} tiles = {1, {0}, {64, 64, 64, 64, 64, 64, 64, 64}, {16, 16, 16, 16, 16, 16, 16, 16}};

__attribute__((target("amx-tile,amx-bf16"))) static double dot_tiles(int64_t part) {
  int64_t steps = STEPS;
  __asm__ volatile("ldtilecfg %1\n.irp n,0,1,2,3,4,5,6,7\ntilezero %%tmm\\n\n.endr\n"
                   "1:\n.irp n,0,1,2,3,4,5\ntdpbf16ps %%tmm7, %%tmm6, %%tmm\\n\n.endr\ndec %0\njnz 1b\ntilerelease\n"
                   : "+r"(steps)
                   : "m"(tiles)
                   : "cc");
  (void)part;
  return 2.0 * 16 * 16 * 32 * 6 * STEPS;
}

/* Whether the processor has them and the system lets this process use them: arch_prctl(2), ARCH_REQ_XCOMP_PERM. */
static int has_tiles(void) { return __builtin_cpu_supports("amx-bf16") && syscall(SYS_arch_prctl, 0x1023, 18) == 0; }
#else
/* Other processors: what the compiler makes of it. */
static double fma_v2(int64_t part) {
  f32x4 sums[12] = {}, x = (f32x4){} + factor;
  for (int step = 0; step < STEPS; ++step)
    _Pragma("clang loop unroll(full)") for (int i = 0; i < 12; ++i) sums[i] = sums[i] * x + x;
  for (int i = 1; i < 12; ++i)
    sums[0] += sums[i];
  sink[part * 16] = sums[0][0];
  return 2.0 * 4 * 12 * STEPS;
}
#endif

static void choose_level(void) {
  const char *asked = getenv("NAX_LEVEL");
  level = "v2";
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    level = "v3";
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw"))
    level = "v4";
#endif
  if (asked && asked[0] == 'v' && asked[1] >= '2' && asked[1] < level[1])
    level = asked[1] == '2' ? "v2" : "v3";
}

//===-- threads ----------------------------------------------------------------------------------------------------//

static pthread_barrier_t started, done;
static double parts[MOST_THREADS];

static void *work(void *number) {
  int64_t part = (int64_t)(intptr_t)number;
  for (;;) {
    pthread_barrier_wait(&started);
    parts[part] = loop(part);
    pthread_barrier_wait(&done);
  }
  return NULL;
}

static void start_threads(void) {
  static int are_running;
  if (are_running || threads == 1)
    return;
  are_running = 1;
  pthread_barrier_init(&started, NULL, (unsigned)threads);
  pthread_barrier_init(&done, NULL, (unsigned)threads);
  for (int64_t part = 1; part < threads; ++part) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, (void *)(intptr_t)part))
      exit(1);
  }
}

static void call_row(void) {
  if (threads > 1)
    pthread_barrier_wait(&started);
  parts[0] = loop(0);
  if (threads > 1)
    pthread_barrier_wait(&done);
}

//===-- rows -------------------------------------------------------------------------------------------------------//

static void about(void) { printf("limits %s\n", level ? level : (choose_level(), level)); }

static Loop loop_of(const char *name) {
  if (strcmp(name, "empty") == 0)
    return empty;
#ifdef __x86_64__
  int v3 = level[1] == '3', v4 = level[1] == '4';
  if (strcmp(name, "dot-bf16") == 0)
    return v4 && __builtin_cpu_supports("avx512bf16") ? dot_bf16 : NULL;
  if (strcmp(name, "tiles-bf16") == 0)
    return has_tiles() ? dot_tiles : NULL;
  if (strcmp(name, "dot-i8") == 0)
    return v4 && __builtin_cpu_supports("avx512vnni") ? dot_i8 : NULL;
  if (strcmp(name, "fma-f32") == 0)
    return v4 ? fma_v4 : v3 ? fma_v3 : fma_v2;
  if (strcmp(name, "read") == 0)
    return v4 ? read_v4 : v3 ? read_v3 : read_v2;
#endif
  return strcmp(name, "fma-f32") == 0 ? fma_v2 : strcmp(name, "read") == 0 ? read_v2 : NULL;
}

static const char *open_row(int count, char **words, double *work_of_call) {
  choose_level();
  loop = count ? loop_of(words[0]) : NULL;
  if (!loop)
    return "this processor has no such instructions";
  if (threads > MOST_THREADS)
    return "more threads than this program has room for";
  if (count > 1) {
    size_t unit = 128 * (size_t)threads;
    elements = ((size_t)atoll(words[1]) / sizeof(float) + unit - 1) / unit * unit;
    buffer = obtain(elements * sizeof(float));
    for (size_t i = 0; i < elements; ++i)
      buffer[i] = 1e-6f * (float)(i & 7);
  }
  start_threads();
  call_row();
  for (int64_t part = 0; part < threads; ++part)
    *work_of_call += parts[part];
  return NULL;
}

static void check_row(double *sum, double *absolute) { *sum = *absolute = parts[0]; }

static void close_row(void) {
  release(buffer, elements * sizeof(float));
  buffer = NULL;
  elements = 0;
}
