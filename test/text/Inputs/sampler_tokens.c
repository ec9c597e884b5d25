/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the cases of sampler_model.py from standard input and prints what nax_sampler draws, a line each. */
#include "nax/sample.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST = 4096 };

int main(void) {
  static int32_t seen[MOST];
  static float logits[MOST];
  nax_context *context = NULL;
  if (nax_context_create(NULL, &context) != NAX_OK)
    return 2;
  nax_sampler_options o;
  long long top_k, window, draws, count;
  unsigned long long seed;
  while (scanf("%la %lld %la %la %la %lld %llu %lld", &o.temperature, &top_k, &o.top_p, &o.min_p, &o.repetition_penalty,
               &window, &seed, &draws) == 8) {
    o.top_k = top_k;
    o.repetition_window = window;
    o.seed = seed;
    if (scanf("%lld", &count) != 1 || count > MOST)
      return 2;
    int64_t seen_count = count;
    for (int64_t i = 0; i < seen_count; ++i)
      if (scanf("%d", &seen[i]) != 1)
        return 2;
    if (scanf("%lld", &count) != 1 || count > MOST)
      return 2;
    for (int64_t v = 0; v < count; ++v)
      if (scanf("%a", &logits[v]) != 1)
        return 2;

    nax_sampler *sampler = NULL;
    nax_status status = nax_sampler_open(context, count, &o, &sampler);
    if (status == NAX_OK)
      status = nax_sampler_see(context, sampler, seen, seen_count);
    for (int64_t i = 0; i < draws && status == NAX_OK; ++i) {
      int32_t id = -1;
      status = nax_sampler_next(context, sampler, logits, count, &id);
      printf(i ? " %d" : "%d", id);
    }
    printf("%s\n", nax_last_error(context));
    nax_sampler_close(sampler);
  }
  nax_context_destroy(context);
  return 0;
}
