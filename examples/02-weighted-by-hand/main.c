/* SPDX-License-Identifier: Apache-2.0 */
/* Scores log 2, 0, 0 give the weights 1/2, 1/4, 1/4, since e^(log 2) = 2 and e^0 = 1. */
#include "weighted.h"

#include <math.h>
#include <stdio.h>

int main(void) {
  const float scores[3] = {logf(2), 0, 0};                /* [N] */
  const float values[3][2] = {{2, 0}, {0, 4}, {2, 2}};    /* [N,E] */
  float out[2], weights[3];                               /* [E], [N] */

  nax_context *context;
  if (nax_context_create(NULL, &context)) {
    fprintf(stderr, "%s\n", nax_last_error(NULL));
    return 1;
  }
  if (weighted_mix(context, /*N=*/3, scores, &values[0][0], out, weights, NULL, 0)) {
    fprintf(stderr, "%s\n", nax_last_error(context));
    nax_context_destroy(context);
    return 1;
  }

  printf("score    weight   value\n");
  for (int n = 0; n < 3; ++n)
    printf("%.5f  %.5f  (%g, %g)\n", scores[n], weights[n], values[n][0], values[n][1]);
  printf("weighted sum: (%.5f, %.5f)\n", out[0], out[1]);
  nax_context_destroy(context);
  return 0;
}
