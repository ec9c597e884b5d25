/* SPDX-License-Identifier: Apache-2.0 */
/* OpenBLAS as a peer of `./nax bench`, rows of test/bench/cpu/worker.h. NAX_BENCH_LIBRARY: libscipy_openblas.so of the PyPI
   package scipy-openblas32, or a libopenblas.so.
     gemm M N K f32      one product
     gemv K F LAYERS     a vector through LAYERS pairs of matrices [K,F] and [F,K] */
#include "../../bench/cpu/worker.h"

#include <dlfcn.h>
#include <math.h>

enum { ROW_MAJOR = 101, NO_TRANSPOSE = 111, TRANSPOSE = 112 }; /* of cblas.h */

static void (*gemm)(int, int, int, int, int, int, float, const float *, int, const float *, int, float, float *, int);
static void (*gemv)(int, int, int, int, float, const float *, int, const float *, int, float, float *, int);
static int m, n, k, layers;
static float *weights, *x, *y;
static size_t weight_count;

static void *symbol(void *library, const char *name) {
  char prefixed[64];
  snprintf(prefixed, sizeof prefixed, "scipy_%s", name);
  void *found = dlsym(library, prefixed);
  return found ? found : dlsym(library, name);
}

static void *library(void) {
  static void *opened;
  if (!opened)
    opened = dlopen(getenv("NAX_BENCH_LIBRARY"), RTLD_NOW);
  return opened;
}

static void about(void) {
  char *(*config)(void) = library() ? (char *(*)(void))(uintptr_t)symbol(library(), "openblas_get_config") : NULL;
  printf("%s\n", config ? config() : "OpenBLAS");
}

static const char *open_row(int count, char **words, double *work) {
  (void)work;
  if (!library())
    return dlerror();
  void (*set_threads)(int) = (void (*)(int))(uintptr_t)symbol(library(), "openblas_set_num_threads");
  *(void **)&gemm = symbol(library(), "cblas_sgemm");
  *(void **)&gemv = symbol(library(), "cblas_sgemv");
  if (!gemm || !gemv || !set_threads)
    return "this is no OpenBLAS";
  set_threads((int)threads);
  int is_gemm = count == 5 && strcmp(words[0], "gemm") == 0 && strcmp(words[4], "f32") == 0;
  if (!is_gemm && !(count == 4 && strcmp(words[0], "gemv") == 0))
    return "not a row of OpenBLAS";
  m = is_gemm ? atoi(words[1]) : 1;
  n = atoi(words[2]);
  k = atoi(words[is_gemm ? 3 : 1]);
  layers = is_gemm ? 0 : atoi(words[3]);
  weight_count = (size_t)n * (size_t)k * (is_gemm ? 1 : 2 * (size_t)layers);
  weights = obtain(weight_count * sizeof(float));
  x = obtain((size_t)m * (size_t)k * sizeof(float));
  y = obtain((size_t)m * (size_t)n * sizeof(float));
  for (int i = 0; i < (layers ? 2 * layers : 1); ++i)
    fill(weights + (size_t)i * (size_t)n * (size_t)k, 1, (size_t)n * (size_t)k, sqrtf(12.0f / (float)(i % 2 ? n : k)));
  fill(x, 2, (size_t)m * (size_t)k, 1);
  return NULL;
}

static void call_row(void) {
  if (!layers)
    return gemm(ROW_MAJOR, NO_TRANSPOSE, NO_TRANSPOSE, m, n, k, 1, x, k, weights, n, 0, y, n);
  size_t each = (size_t)n * (size_t)k;
  static float between[1 << 16];
  const float *from = x;
  for (int i = 0; i < layers; ++i) {
    /* [K,F] read by rows is a transposed product; y and `between` take turns. */
    gemv(ROW_MAJOR, TRANSPOSE, k, n, 1, weights + 2 * (size_t)i * each, n, from, 1, 0, between, 1);
    gemv(ROW_MAJOR, TRANSPOSE, n, k, 1, weights + (2 * (size_t)i + 1) * each, k, between, 1, 0, y, 1);
    from = y;
  }
}

static void check_row(double *sum, double *absolute) {
  sum_up(y, layers ? (size_t)k : (size_t)m * (size_t)n, sum, absolute);
}

static void close_row(void) {
  release(weights, weight_count * sizeof(float));
  release(x, (size_t)m * (size_t)k * sizeof(float));
  release(y, (size_t)m * (size_t)n * sizeof(float));
}
