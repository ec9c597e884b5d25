/* SPDX-License-Identifier: Apache-2.0 */
/* Times what a model does on a GPU, by the GPU's own clock: cuEvent, the median of the runs after a warm-up. One line
   for each figure, as gpu.sh wants them.

     speed about                                         the card and its driver
     speed call TABLE ROW COLUMN ENTRY B T FLOP RUNS     TFLOP/s of one entry, FLOP operations a call
     speed decoder TABLE PROMPT POSITION RUNS            tokens/s of `forward` and of its step, and what part of the
                                                         memory's speed that is, which a copy kernel has measured
   Parameters and inputs are drawn: they make no difference to the time. */
#include "bench.h"

enum { MOST_RUNS = 100, STEPS = 8 }; /* steps of one run */

static void *events[MOST_RUNS + 1];

static void mark(int64_t event) {
  if (!events[event])
    CALL(cuEventCreate, (void **, unsigned), (&events[event], 0));
  CALL(cuEventRecord, (void *, void *), (events[event], NULL));
}

static int compare_floats(const void *a, const void *b) {
  float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

/* The median of the `runs` times between the first runs + 1 events, in seconds; 0: the GPU has no clock. */
static double median(int64_t runs) {
  float times[MOST_RUNS];
  CALL(cuEventSynchronize, (void *), (events[runs]));
  for (int64_t i = 0; i < runs; ++i)
    CALL(cuEventElapsedTime, (float *, void *, void *), (&times[i], events[i], events[i + 1]));
  qsort(times, (size_t)runs, sizeof *times, compare_floats);
  return times[runs / 2] * 1e-3;
}

/* amount / seconds; 0 without a clock. */
static double rate(double amount, double seconds) { return seconds > 0 ? amount / seconds : 0; }

static float draw(void) {
  static uint32_t state = 1;
  state = state * 1664525u + 1013904223u;
  return (float)(state >> 8) / 8388608.0f - 1.0f;
}

/* `n` drawn numbers, those of ids below `bound`. */
static void *drawn(int64_t n, int64_t dtype, int64_t bound, float scale) {
  void *data = allocate((size_t)n * element_size[dtype]);
  for (int64_t i = 0; i < n; ++i)
    if (dtype == NAX_I32)
      ((int32_t *)data)[i] = (int32_t)(i * 7919 % bound);
    else
      put_float(data, i, dtype, draw() * scale);
  return data;
}

static nax_cuda_params *draw_params(int64_t *bytes) {
  *bytes = 0;
  if (!MODEL.param_count)
    return NULL;
  void **values = allocate((size_t)MODEL.param_count * sizeof *values);
  for (int64_t i = 0; i < MODEL.param_count; ++i) {
    const nax_param_desc *p = &MODEL.params[i];
    int64_t n = count_of(p->rank, p->axes);
    values[i] = drawn(n, p->dtype, 1, 0.05f);
    *bytes += n * (int64_t)element_size[p->dtype];
  }
  nax_cuda_params *params = NULL;
  check(naxrt_cuda_params_from_memory(context, cuda, &model_cuda_desc, (const void *const *)values, &params),
        "parameters");
  for (int64_t i = 0; i < MODEL.param_count; ++i)
    free(values[i]);
  free(values);
  return params;
}

static void put_drawn(Call *call) {
  const nax_entry_desc *e = &MODEL.entries[call->entry];
  for (int64_t i = 0; i < e->buffer_count; ++i) {
    const nax_buffer_desc *b = &e->buffers[i];
    if (!is_in_or_out(b))
      continue;
    int64_t n = count_of(b->rank, b->axes);
    void *data = b->role == NAX_INPUT ? drawn(n, b->dtype, b->bound, 1.0f) : NULL;
    call->buffers[i] = (void *)(uintptr_t)on_gpu(data, (size_t)n * element_size[b->dtype]).address;
    free(data);
  }
}

/* Seconds of one call. All are put on the stream at once, so that the host is no part of it. */
static double time_calls(const Call *call, int64_t runs) {
  for (int64_t i = -2; i <= runs; ++i) {
    if (i >= 0)
      mark(i);
    if (i < runs)
      invoke(call);
  }
  return median(runs);
}

static void time_entry(char **argv, int64_t runs) {
  int64_t bytes;
  Call call;
  batch = atoll(argv[6]);
  length = atoll(argv[7]);
  nax_cuda_params *params = draw_params(&bytes);
  prepare(&call, entry_named(argv[5]));
  call.params = params;
  put_drawn(&call);
  double seconds = time_calls(&call, runs);
  printf("%s\t%s\t%s\t%.1f\tTFLOP/s\t%.3f ms\n", argv[2], argv[3], argv[4], rate(atof(argv[8]) * 1e-12, seconds),
         seconds * 1e3);
  release(&call);
  naxrt_cuda_params_close(params);
}

//===-- a decoder --------------------------------------------------------------------------------------------------//

/* to[i] = from[i] for `count` pieces of 16 bytes, one a thread. */
static const char copy_ptx[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry copy(.param .u64 to, .param .u64 from, .param .u64 count) {\n"
    "  .reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %rd<8>;\n"
    "  ld.param.u64 %rd1, [to];\n  ld.param.u64 %rd2, [from];\n  ld.param.u64 %rd3, [count];\n"
    "  mov.u32 %r1, %ctaid.x;\n  mov.u32 %r2, %ntid.x;\n  mov.u32 %r3, %tid.x;\n"
    "  mul.wide.u32 %rd4, %r1, %r2;\n  cvt.u64.u32 %rd5, %r3;\n  add.u64 %rd4, %rd4, %rd5;\n"
    "  setp.ge.u64 %p1, %rd4, %rd3;\n  @%p1 ret;\n"
    "  shl.b64 %rd4, %rd4, 4;\n  add.u64 %rd5, %rd2, %rd4;\n  add.u64 %rd6, %rd1, %rd4;\n"
    "  ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%rd5];\n  st.global.v4.u32 [%rd6], {%r4, %r5, %r6, %r7};\n  ret;\n}\n";

/* Bytes a second, those that are read and those that are written. */
static double memory_speed(size_t bytes, int64_t runs) {
  void *module = NULL, *kernel = NULL, *zeros = allocate(bytes);
  nax_cuda_ptr from = on_gpu(zeros, bytes), to = on_gpu(NULL, bytes);
  free(zeros);
  uint64_t pieces = bytes / 16;
  void *arguments[] = {&to.address, &from.address, &pieces};
  CALL(cuModuleLoadDataEx, (void **, const void *, unsigned, int *, void **), (&module, copy_ptx, 0, NULL, NULL));
  CALL(cuModuleGetFunction, (void **, void *, const char *), (&kernel, module, "copy"));
  for (int64_t i = -2; i <= runs; ++i) {
    if (i >= 0)
      mark(i);
    if (i < runs)
      CALL(cuLaunchKernel,
           (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **),
           (kernel, (unsigned)((pieces + 255) / 256), 1, 1, 256, 1, 1, 0, NULL, arguments, NULL));
  }
  double speed = rate(2.0 * (double)bytes, median(runs));
  CALL(cuModuleUnload, (void *), (module));
  nax_cuda_free(cuda, from);
  nax_cuda_free(cuda, to);
  return speed;
}

/* Bytes of all caches that one row has of `positions` positions, of `capacity`. */
static double cache_bytes(const nax_cache *cache, int64_t positions, int64_t capacity) {
  return (double)nax_cache_bytes(cache) * (double)positions / (double)capacity;
}

/* Seconds of one step behind about `position` positions: half of the steps come before it, half behind. */
static double time_steps(nax_cuda_params *params, int64_t position, int64_t runs, double *read) {
  int64_t step = step_of("forward"), before = position - STEPS * (runs + 1) / 2;
  if (step < 0 || before < 1)
    fail("forward", step < 0 ? "it has no step" : "the position is too early for so many runs");
  nax_cache *cache = NULL;
  int64_t sizes[] = {1, position + STEPS * (runs + 1)};
  check(naxrt_cuda_cache_create(context, cuda, &model_cuda_desc, step, sizes, &cache), "a cache");
  for (int part = 0; part < 2; ++part) {
    Call call;
    length = part ? 1 : before;
    prepare(&call, step);
    call.params = params;
    call.cache = cache;
    put_drawn(&call);
    if (!part)
      invoke(&call);
    for (int64_t i = 0; part && i < (runs + 1) * STEPS; ++i) {
      if (i % STEPS == 0 && i > 0)
        mark(i / STEPS - 1); /* the first run warms up */
      invoke(&call);
    }
    if (part)
      mark(runs);
    check(nax_cuda_synchronize(context, cuda, NULL), "a step");
    release(&call);
  }
  *read = cache_bytes(cache, position, sizes[1]);
  nax_cache_destroy(cache);
  return median(runs) / STEPS;
}

static void time_decoder(char **argv, int64_t runs) {
  const char *table = argv[2];
  int64_t bytes, position = atoll(argv[4]);
  double cached;
  Call call;
  nax_cuda_params *params = draw_params(&bytes);
  batch = 1;
  length = atoll(argv[3]);
  prepare(&call, entry_named("forward"));
  call.params = params;
  put_drawn(&call);
  double prefill = time_calls(&call, runs);
  release(&call);
  printf("%s\tprefill of %s\ttokens/s\t%.0f\ttokens/s\t%.3f ms\n", table, argv[3],
         rate((double)atoll(argv[3]), prefill), prefill * 1e3);
  double step = time_steps(params, position, runs, &cached), all = (double)bytes + cached;
  double memory = memory_speed(bytes > (1 << 24) ? (size_t)1 << 30 : (size_t)1 << 14, runs);
  printf("%s\tstep at %s\ttokens/s\t%.0f\ttokens/s\t%.3f ms\n", table, argv[4], rate(1, step), step * 1e3);
  printf("%s\tstep at %s\tper cent of the memory's speed\t%.0f\t%%\t%.1f MB a step\n", table, argv[4],
         memory > 0 ? 100 * rate(all, step) / memory : 0, all * 1e-6);
  printf("%s\tcopy kernel\tGB/s\t%.0f\tGB/s\t\n", table, memory * 1e-9);
  naxrt_cuda_params_close(params);
}

static void say_about(void) {
  char name[200] = "";
  int version = 0;
  CALL(cuDeviceGetName, (char *, int, int), (name, sizeof name, 0));
  CALL(cuDriverGetVersion, (int *), (&version));
  printf("card\t%s\ncapability\t%lld.%lld\ncuda\t%d.%d\n", name, (long long)nax_cuda_capability(cuda) / 10,
         (long long)nax_cuda_capability(cuda) % 10, version / 1000, version % 1000 / 10);
}

int main(int argc, char **argv) {
  bool is_about = argc == 2 && strcmp(argv[1], "about") == 0;
  bool is_call = argc == 10 && strcmp(argv[1], "call") == 0;
  bool is_decoder = argc == 6 && strcmp(argv[1], "decoder") == 0;
  if (!is_about && !is_call && !is_decoder)
    fail("usage",
         "speed about | speed call TABLE ROW COLUMN ENTRY B T FLOP RUNS | speed decoder TABLE PROMPT POSITION RUNS");
  int64_t runs = is_about ? 1 : atoll(argv[argc - 1]);
  if (runs < 1 || runs > MOST_RUNS)
    fail(argv[argc - 1], "runs are 1 to 100");
  open_gpu();
  if (is_about)
    say_about();
  else if (is_call)
    time_entry(argv, runs);
  else
    time_decoder(argv, runs);
  nax_cuda_close(cuda);
  nax_context_destroy(context);
  return 0;
}
