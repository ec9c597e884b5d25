/* SPDX-License-Identifier: Apache-2.0 */
/* Compares what a model computes on a GPU with float64 results that references.py wrote:

     numbers ROW ENTRY TOLERANCE FOLDER BxT...

   One line for each size, as gpu.sh wants them: the largest error over the largest value. An entry with a step is also
   called step by step: all positions but the last at once, then that one. FOLDER has params/NAME, and BxT/NAME.in and
   .out, without headers: bf16, i32 for ids, f32 for results. */
#include "bench.h"

#include <math.h>

static const char *folder, *row;
static double tolerance;
static int wrong;

/* `bytes` of FOLDER/PART/NAME SUFFIX. */
static void *read_file(const char *part, const char *name, const char *suffix, size_t bytes) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s/%s%s", folder, part, name, suffix);
  FILE *file = fopen(path, "rb");
  void *data = allocate(bytes);
  if (!file || fread(data, 1, bytes, file) != bytes || fgetc(file) != EOF)
    fail(path, "it can not be read, or has another size");
  fclose(file);
  return data;
}

/* The numbers of a file in the type that the model has. */
static void *read_as(const char *part, const char *name, const char *suffix, int64_t n, int64_t dtype) {
  void *read = read_file(part, name, suffix, (size_t)n * (dtype == NAX_I32 ? 4 : 2));
  if (dtype == NAX_I32)
    return read;
  void *data = allocate((size_t)n * element_size[dtype]);
  for (int64_t i = 0; i < n; ++i)
    put_float(data, i, dtype, (float)get_float(read, i, NAX_BF16));
  free(read);
  return data;
}

static nax_cuda_params *read_params(void) {
  if (!MODEL.param_count)
    return NULL;
  void **values = allocate((size_t)MODEL.param_count * sizeof *values);
  for (int64_t i = 0; i < MODEL.param_count; ++i) {
    const nax_param_desc *p = &MODEL.params[i];
    values[i] = read_as("params", p->name, "", count_of(p->rank, p->axes), p->dtype);
  }
  nax_cuda_params *params = NULL;
  check(naxrt_cuda_params_from_memory(context, cuda, &model_cuda_desc, (const void *const *)values, &params),
        "parameters");
  for (int64_t i = 0; i < MODEL.param_count; ++i)
    free(values[i]);
  free(values);
  return params;
}

/* Compares every output of the call with its file, and says so in the table's column. */
static void compare(const Call *call, const char *part, const char *column) {
  const nax_entry_desc *e = &MODEL.entries[call->entry];
  double error = 0, largest = 0;
  for (int64_t i = 0; i < e->buffer_count; ++i) {
    const nax_buffer_desc *b = &e->buffers[i];
    if (b->role != NAX_OUTPUT)
      continue;
    int64_t n = count_of(b->rank, b->axes);
    size_t bytes = (size_t)n * element_size[b->dtype];
    float *expected = read_file(part, b->name, ".out", (size_t)n * sizeof *expected);
    void *got = allocate(bytes);
    nax_cuda_ptr at = {(uint64_t)(uintptr_t)call->buffers[i]};
    check(nax_cuda_download(context, cuda, NULL, got, at, bytes), row);
    for (int64_t j = 0; j < n; ++j) {
      double difference = fabs(get_float(got, j, b->dtype) - (double)expected[j]);
      error = difference <= error ? error : difference; /* NaN is the largest */
      largest = fmax(largest, fabs((double)expected[j]));
    }
    free(expected);
    free(got);
  }
  bool fine = error <= tolerance * largest;
  wrong += !fine;
  printf("numbers\t%s\t%s\t%.1e\tof the largest value\t%s\n", row, column, error / largest, fine ? "ok" : "WRONG");
  fflush(stdout);
}

static void put_buffers(Call *call, const char *part, int64_t skip, int64_t all) {
  const nax_entry_desc *e = &MODEL.entries[call->entry];
  for (int64_t i = 0; i < e->buffer_count; ++i) {
    const nax_buffer_desc *b = &e->buffers[i];
    if (!is_in_or_out(b))
      continue;
    int64_t n = count_of(b->rank, b->axes);
    if (b->role == NAX_OUTPUT) {
      call->buffers[i] = (void *)(uintptr_t)on_gpu(NULL, (size_t)n * element_size[b->dtype]).address;
      continue;
    }
    /* Of inputs of a step, which are [B,T], positions skip to skip + length. */
    bool is_part = length != all;
    void *data = read_as(part, b->name, ".in", is_part ? batch * all : n, b->dtype);
    for (int64_t r = 0; is_part && r < batch; ++r)
      memmove((int32_t *)data + r * length, (int32_t *)data + r * all + skip, (size_t)length * 4);
    call->buffers[i] = (void *)(uintptr_t)on_gpu(data, (size_t)n * element_size[b->dtype]).address;
    free(data);
  }
}

static void run_whole(int64_t entry, nax_cuda_params *params, const char *part) {
  char column[40];
  Call call;
  prepare(&call, entry);
  call.params = params;
  put_buffers(&call, part, 0, length);
  invoke(&call);
  snprintf(column, sizeof column, "T=%lld", (long long)length);
  compare(&call, part, column);
  release(&call);
}

static void run_steps(int64_t step, nax_cuda_params *params, const char *part) {
  char column[40];
  nax_cache *cache = NULL;
  int64_t all = length, sizes[] = {batch, length};
  check(naxrt_cuda_cache_create(context, cuda, &model_cuda_desc, step, sizes, &cache), "a cache");
  for (int64_t done = 0; done < all; done += length) {
    Call call;
    length = done == 0 && all > 1 ? all - 1 : 1;
    prepare(&call, step);
    call.params = params;
    call.cache = cache;
    put_buffers(&call, part, done, all);
    invoke(&call);
    snprintf(column, sizeof column, "T=%lld", (long long)all);
    if (done + length == all)
      compare(&call, part, column);
    check(nax_cuda_synchronize(context, cuda, NULL), "a step");
    release(&call);
  }
  length = all;
  nax_cache_destroy(cache);
}

int main(int argc, char **argv) {
  if (argc < 6)
    fail("usage", "numbers ROW ENTRY TOLERANCE FOLDER BxT...");
  row = argv[1];
  tolerance = atof(argv[3]);
  folder = argv[4];
  open_gpu();
  int64_t entry = entry_named(argv[2]), step = step_of(argv[2]);
  nax_cuda_params *params = read_params();
  char step_row[200];
  snprintf(step_row, sizeof step_row, "%s, by steps", row);
  for (int i = 5; i < argc; ++i) {
    long long b, t;
    if (sscanf(argv[i], "%lldx%lld", &b, &t) != 2)
      fail(argv[i], "a size is written BxT");
    batch = b, length = t;
    run_whole(entry, params, argv[i]);
  }
  row = step_row;
  for (int i = 5; i < argc && step >= 0; ++i) {
    long long b, t;
    (void)sscanf(argv[i], "%lldx%lld", &b, &t);
    batch = b, length = t;
    run_steps(step, params, argv[i]);
  }
  naxrt_cuda_params_close(params);
  nax_cuda_close(cuda);
  nax_context_destroy(context);
  return wrong != 0;
}
