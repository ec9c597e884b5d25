/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the block's two entries on the same input, and says how far dropout moves the output. */
#include "decoder_block.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { B = 2, T = 6, C = decoder_block_size_C, COUNT = B * T * C, RUNS = 2000 };
typedef float Values[COUNT]; /* [B,T,C] */

static nax_context *context;
static decoder_block_params *params;

static int failed(nax_status status) {
  if (status)
    fprintf(stderr, "%s\n", nax_last_error(context));
  return status != NAX_OK;
}

static float distance(const Values x, const Values y) {
  float sum = 0;
  for (int i = 0; i < COUNT; ++i)
    sum += fabsf(x[i] - y[i]);
  return sum / COUNT;
}

static int run(void) {
  static Values x, plain, again, first, second, other;
  for (int i = 0; i < COUNT; ++i)
    x[i] = sinf(0.7f * (float)i);

  if (failed(decoder_block_infer(context, params, B, T, x, plain, NULL, 0)) ||
      failed(decoder_block_infer(context, params, B, T, x, again, NULL, 0)) ||
      failed(decoder_block_train(context, params, B, T, /*seed=*/1, x, first, NULL, 0)) ||
      failed(decoder_block_train(context, params, B, T, /*seed=*/1, x, second, NULL, 0)) ||
      failed(decoder_block_train(context, params, B, T, /*seed=*/2, x, other, NULL, 0)))
    return 1;

  printf("infer twice:              %s\n", memcmp(plain, again, sizeof plain) ? "DIFFERENT" : "the same bits");
  printf("train, seed 1 twice:      %s\n", memcmp(first, second, sizeof first) ? "DIFFERENT" : "the same bits");
  printf("train, seed 1 and seed 2: %s\n", memcmp(first, other, sizeof first) ? "different" : "THE SAME");
  printf("mean |train - infer|:     %.3f\n", distance(first, plain));

  /* What is kept is divided by 1 - p, so on average dropout changes nothing but what the curved functions make of it. */
  static Values mean;
  for (int64_t seed = 0; seed < RUNS; ++seed) {
    if (failed(decoder_block_train(context, params, B, T, seed, x, other, NULL, 0)))
      return 1;
    for (int i = 0; i < COUNT; ++i)
      mean[i] += other[i] / RUNS;
  }
  printf("over %d seeds, mean:     %.3f\n", RUNS, distance(mean, plain));
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: 04-decoder-block decoder_block.safetensors\n");
    return 2;
  }
  int status = failed(nax_context_create(NULL, &context)) || failed(decoder_block_params_open(context, argv[1], &params)) ||
               run();
  decoder_block_params_close(params);
  nax_context_destroy(context);
  return status;
}
