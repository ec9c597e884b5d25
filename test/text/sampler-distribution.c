/* SPDX-License-Identifier: Apache-2.0 */
/* Over many draws each token comes as often as its probability says, worked out by hand for each option: within five
   standard deviations, and never where the probability is 0. The seed is fixed, so nothing depends on luck.

   REQUIRES: lowering
   RUN: %cc -std=c11 -O1 -Wall -Werror %s %build/lib/libnaxtext.a %naxrt -o %t
   RUN: %t | FileCheck %s

   CHECK-NOT: FAILED
   CHECK: 9 distributions, 0 failed
*/
#include "Inputs/text_test.h"

#include "nax/sample.h"

#include <math.h>

enum { V = 5, DRAWS = 200000 };

static nax_context *context;
static int distributions;

/* Logits are the logarithms of 8 4 2 1 1, in another order of ids. */
static const double parts[V] = {1, 8, 2, 4, 1};

static void expect_distribution(const char *what, nax_sampler_options options, const double wanted[V]) {
  float logits[V];
  int64_t counts[V] = {0};
  double whole = 0;
  for (int v = 0; v < V; ++v) {
    logits[v] = (float)log(parts[v]);
    whole += wanted[v];
  }
  options.seed = 1234567;
  nax_sampler *sampler = NULL;
  need(context, nax_sampler_open(context, V, &options, &sampler));
  for (int i = 0; i < DRAWS; ++i) {
    int32_t id = 0;
    need(context, nax_sampler_next(context, sampler, logits, V, &id));
    ++counts[id];
  }
  for (int v = 0; v < V; ++v) {
    double p = wanted[v] / whole, deviation = sqrt(DRAWS * p * (1 - p));
    EXPECT(fabs((double)counts[v] - DRAWS * p) <= 5 * deviation, "%s: token %d came %lld times, not %g", what, v,
           (long long)counts[v], DRAWS * p);
  }
  nax_sampler_close(sampler);
  ++distributions;
}

int main(void) {
  need(NULL, nax_context_create(NULL, &context));
  nax_sampler_options plain = nax_sampler_defaults(), o;
  plain.temperature = 1;
  expect_distribution("temperature 1", plain, (double[]){1, 8, 2, 4, 1});
  o = plain;
  o.temperature = 0.5; // probabilities are squared
  expect_distribution("temperature 0.5", o, (double[]){1, 64, 4, 16, 1});
  o = plain;
  o.temperature = 1e6;
  expect_distribution("temperature 1e6", o, (double[]){1, 1, 1, 1, 1});
  o = plain;
  o.top_k = 4; // of the two of weight 1 the lower id stays
  expect_distribution("top_k 4", o, (double[]){1, 8, 2, 4, 0});
  o = plain;
  o.top_p = 0.74; // 8/16 is less, 12/16 is enough
  expect_distribution("top_p 0.74", o, (double[]){0, 8, 0, 4, 0});
  o.top_p = 0.76;
  expect_distribution("top_p 0.76", o, (double[]){0, 8, 2, 4, 0});
  o.top_k = 2; // 8/12 is less than 0.76: top-p is of what top-k left
  expect_distribution("top_k 2, then top_p 0.76", o, (double[]){0, 8, 0, 4, 0});
  o = plain;
  o.min_p = 0.2; // of the likeliest: 8 * 0.2 is 1.6
  expect_distribution("min_p 0.2", o, (double[]){0, 8, 2, 4, 0});
  o.temperature = 2; // roots: 1, 2.83, 1.41, 2, 1; all are above 0.2 of the largest
  expect_distribution("temperature 2, then min_p 0.2", o, (double[]){1, sqrt(8), sqrt(2), 2, 1});
  printf("%d distributions, %d failed\n", distributions, failures);
  nax_context_destroy(context);
  return failures != 0;
}
