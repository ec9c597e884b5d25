/* SPDX-License-Identifier: Apache-2.0 */
/* Two tokens, Q = K = I, V = [[2,0],[0,4]]: small enough to follow with a pencil. */
#include "two_tokens.h"

#include <stdio.h>

static void print(const char *name, const float rows[2][2]) {
  for (int t = 0; t < 2; ++t)
    printf("%-12s %8.5f %8.5f\n", t == 0 ? name : "", rows[t][0], rows[t][1]);
}

int main(void) {
  const float identity[2][2] = {{1, 0}, {0, 1}}; /* [T,D] */
  const float v[2][2] = {{2, 0}, {0, 4}};        /* [T,D] */
  float out[2][2], weights[2][2];                /* [T,D], [T,S] */

  nax_context *context;
  if (nax_context_create(NULL, &context)) {
    fprintf(stderr, "%s\n", nax_last_error(NULL));
    return 1;
  }
  nax_status status = two_tokens_attention(context, /*T=*/2, &identity[0][0], &identity[0][0], &v[0][0], &out[0][0],
                                           &weights[0][0], NULL, 0);
  if (status) {
    fprintf(stderr, "%s\n", nax_last_error(context));
    nax_context_destroy(context);
    return 1;
  }

  print("V [T,D]", v);
  print("weights", (const float(*)[2])weights);
  print("out [T,D]", (const float(*)[2])out);
  printf("the first token gives the second a weight of %s\n", weights[0][1] == 0 ? "exactly 0" : "MORE THAN 0");
  printf("rows sum to %.6f and %.6f\n", weights[0][0] + weights[0][1], weights[1][0] + weights[1][1]);
  nax_context_destroy(context);
  return 0;
}
