/* SPDX-License-Identifier: Apache-2.0 */
/* What the sampler answers to options and logits that make no sense, and what it draws where there is only one answer.

   REQUIRES: lowering
   RUN: %cc -std=c11 -O1 -Wall -Werror %s %build/lib/libnaxtext.a %naxrt -o %t
   RUN: %t | FileCheck %s

   CHECK-NOT: FAILED
   CHECK: 0 failed
*/
#include "Inputs/text_test.h"

#include "nax/sample.h"

#include <math.h>

static nax_context *context;

static nax_sampler *opened(int64_t vocabulary, nax_sampler_options options) {
  nax_sampler *sampler = NULL;
  need(context, nax_sampler_open(context, vocabulary, &options, &sampler));
  return sampler;
}

static int32_t next(nax_sampler *sampler, const float *logits, int64_t vocabulary) {
  int32_t id = -1;
  need(context, nax_sampler_next(context, sampler, logits, vocabulary, &id));
  return id;
}

/* The defaults with one option changed are refused with these words. */
#define REFUSED(option, value, text)                                                                                   \
  do {                                                                                                                 \
    nax_sampler *sampler = (nax_sampler *)&failures;                                                                   \
    nax_sampler_options options = nax_sampler_defaults();                                                              \
    options.option = (value);                                                                                          \
    EXPECT_FAILURE(nax_sampler_open(context, 4, &options, &sampler), NAX_E_VALUE, text);                               \
    EXPECT(sampler == NULL, "a sampler was made");                                                                     \
  } while (0)

static void options_refused(void) {
  REFUSED(temperature, -0.5, "temperature is -0.5; it is 0 (greedy) or above, at most 1e300");
  REFUSED(temperature, NAN, "temperature is nan; it is 0 (greedy) or above, at most 1e300");
  REFUSED(temperature, INFINITY, "temperature is inf; it is 0 (greedy) or above, at most 1e300");
  REFUSED(top_k, -1, "top_k is -1; it is a number of tokens, or 0 for all");
  REFUSED(top_p, 0, "top_p is 0; it is above 0 and at most 1, which is off");
  REFUSED(top_p, 1.5, "top_p is 1.5; it is above 0 and at most 1, which is off");
  REFUSED(top_p, NAN, "top_p is nan; it is above 0 and at most 1, which is off");
  REFUSED(min_p, -0.1, "min_p is -0.1; it is 0 (off) to 1");
  REFUSED(min_p, 1.25, "min_p is 1.25; it is 0 (off) to 1");
  REFUSED(min_p, NAN, "min_p is nan; it is 0 (off) to 1");
  REFUSED(repetition_penalty, 0, "repetition_penalty is 0; it is 1e-6 to 1e6, and 1 is off");
  REFUSED(repetition_penalty, -1, "repetition_penalty is -1; it is 1e-6 to 1e6, and 1 is off");
  REFUSED(repetition_penalty, INFINITY, "repetition_penalty is inf; it is 1e-6 to 1e6, and 1 is off");
  REFUSED(repetition_penalty, NAN, "repetition_penalty is nan; it is 1e-6 to 1e6, and 1 is off");
  REFUSED(repetition_window, -1, "repetition_window is -1; it is 1 to 2147483647 tokens, or 0 for all");
  REFUSED(repetition_window, 1LL << 31, "repetition_window is 2147483648; it is 1 to 2147483647 tokens, or 0 for all");
  nax_sampler_options zeros = {0};
  nax_sampler *sampler = NULL;
  EXPECT_FAILURE(nax_sampler_open(context, 4, &zeros, &sampler), NAX_E_VALUE,
                 "top_p is 0; it is above 0 and at most 1, which is off");
}

static void arguments_refused(void) {
  static const float logits[4] = {0};
  static const int32_t ids[] = {3, 4};
  nax_sampler *sampler = NULL;
  int32_t id = -7;
  EXPECT_FAILURE(nax_sampler_open(context, 4, NULL, NULL), NAX_E_NULL, "nax_sampler_open: out is null");
  EXPECT_FAILURE(nax_sampler_open(context, 0, NULL, &sampler), NAX_E_SIZE,
                 "nax_sampler_open: vocabulary is 0; it is 1 to 2147483647");
  EXPECT_FAILURE(nax_sampler_open(context, 1LL << 31, NULL, &sampler), NAX_E_SIZE,
                 "nax_sampler_open: vocabulary is 2147483648; it is 1 to 2147483647");
  EXPECT(nax_sampler_open(NULL, 4, NULL, &sampler) == NAX_E_NULL, "without a context");
  need(context, nax_sampler_open(context, 4, NULL, &sampler));
  EXPECT_FAILURE(nax_sampler_next(context, NULL, logits, 4, &id), NAX_E_NULL, "nax_sampler_next: sampler is null");
  EXPECT_FAILURE(nax_sampler_next(context, sampler, NULL, 4, &id), NAX_E_NULL, "nax_sampler_next: logits is null");
  EXPECT_FAILURE(nax_sampler_next(context, sampler, logits, 4, NULL), NAX_E_NULL, "nax_sampler_next: id is null");
  EXPECT_FAILURE(nax_sampler_next(context, sampler, logits, 5, &id), NAX_E_SIZE,
                 "nax_sampler_next: vocabulary is 5, the sampler was opened for 4");
  EXPECT(nax_sampler_next(NULL, sampler, logits, 4, &id) == NAX_E_NULL && id == -7, "without a context");
  EXPECT_FAILURE(nax_sampler_see(context, NULL, ids, 1), NAX_E_NULL, "nax_sampler_see: sampler is null");
  EXPECT_FAILURE(nax_sampler_see(context, sampler, NULL, 1), NAX_E_NULL, "nax_sampler_see: ids is null");
  EXPECT_FAILURE(nax_sampler_see(context, sampler, ids, -1), NAX_E_SIZE, "nax_sampler_see: count is -1");
  need(context, nax_sampler_see(context, sampler, NULL, 0));
  nax_sampler_close(sampler);
  nax_sampler_close(NULL);
  nax_sampler_reset(NULL, 1);
}

/* A failed call draws no number and sees no token: the draws after it are those without it. */
static void failures_change_nothing(void) {
  enum { V = 6, DRAWS = 20 };
  float logits[V] = {0, 1, 2, 1, 0, -1}, wrong[V];
  nax_sampler_options options = nax_sampler_defaults();
  options.temperature = 1;
  options.repetition_penalty = 1.5;
  options.seed = 5;
  nax_sampler *plain = opened(V, options), *disturbed = opened(V, options);
  for (int i = 0; i < DRAWS; ++i) {
    int32_t id = -7;
    memcpy(wrong, logits, sizeof wrong);
    wrong[3] = NAN;
    EXPECT_FAILURE(nax_sampler_next(context, disturbed, wrong, V, &id), NAX_E_VALUE, "logits[3] is NaN");
    wrong[1] = INFINITY;
    EXPECT_FAILURE(nax_sampler_next(context, disturbed, wrong, V, &id), NAX_E_VALUE, "logits[1] is +inf");
    for (int v = 0; v < V; ++v)
      wrong[v] = -INFINITY;
    EXPECT_FAILURE(nax_sampler_next(context, disturbed, wrong, V, &id), NAX_E_VALUE,
                   "logits: all 6 are -inf, which leaves no token");
    EXPECT(id == -7, "%d", id);
    static const int32_t ids[] = {0, 1, 2, 3, 4, 6};
    EXPECT_FAILURE(nax_sampler_see(context, disturbed, ids, 6), NAX_E_RANGE, "ids[5] is 6; the vocabulary has 0 to 5");
    EXPECT(next(plain, logits, V) == next(disturbed, logits, V), "draw %d", i);
  }
  nax_sampler_close(plain);
  nax_sampler_close(disturbed);
}

/* With one possible answer, every seed gives it. */
static void expect_always(const char *what, const float *logits, int64_t vocabulary, nax_sampler_options options,
                          int32_t wanted) {
  nax_sampler *sampler = opened(vocabulary, options);
  for (uint64_t seed = 0; seed < 200; ++seed) {
    nax_sampler_reset(sampler, seed);
    int32_t id = next(sampler, logits, vocabulary);
    EXPECT(id == wanted, "%s: %d with seed %d", what, id, (int)seed);
  }
  nax_sampler_close(sampler);
}

static void only_one_answer(void) {
  static const float peaks[6] = {-1, 3, 2.999f, 3, -INFINITY, 0}, equal[6] = {2, 2, 2, 2, 2, 2};
  const float lone[3] = {-INFINITY, 1e-3f, -INFINITY}, large[2] = {-3.4e38f, 3.4e38f};
  nax_sampler_options greedy = nax_sampler_defaults(), draws = greedy;
  draws.temperature = 1;
  expect_always("greedy: the lower of equals", peaks, 6, greedy, 1);
  expect_always("greedy: all equal", equal, 6, greedy, 0);
  expect_always("one token", peaks, 1, draws, 0);
  expect_always("-inf is never drawn", lone, 3, draws, 1);
  expect_always("the ends of f32", large, 2, draws, 1);
  nax_sampler_options one = draws;
  one.top_k = 1;
  expect_always("top_k 1: the lower of equals", peaks, 6, one, 1);
  one = draws;
  one.top_p = 1e-9;
  expect_always("a small top_p", peaks, 6, one, 1);
  expect_always("a small top_p, all equal", equal, 6, one, 0);
  one = draws;
  one.temperature = 1e-300;
  expect_always("a small temperature", lone, 3, one, 1);
  one = draws;
  one.min_p = 1;
  expect_always("min_p 1", large, 2, one, 1);
  // The first number of this seed is 0, so that a sum of 0 must not be enough.
  one = draws;
  nax_sampler *sampler = opened(3, one);
  nax_sampler_reset(sampler, 0x61C8864680B583EBu);
  EXPECT(next(sampler, lone, 3) == 1, "u = 0 draws a token without weight");
  nax_sampler_close(sampler);
}

/* The penalty in a greedy sampler: positive logits are divided, negative ones multiplied, once however often a token
   was seen, and only while it stands in the window. */
static void penalty(void) {
  static const float positive[3] = {3, 2, 1}, negative[3] = {-1, -1.5f, -3};
  nax_sampler_options options = nax_sampler_defaults();
  options.repetition_penalty = 2;
  options.repetition_window = 1;
  nax_sampler *sampler = opened(3, options);
  static const int32_t wanted[] = {0, 1, 0, 1};
  for (int i = 0; i < 4; ++i)
    EXPECT(next(sampler, positive, 3) == wanted[i], "a window of 1, draw %d", i);
  nax_sampler_close(sampler);

  options.repetition_window = 0;
  sampler = opened(3, options);
  EXPECT(next(sampler, negative, 3) == 0, "nothing seen");
  EXPECT(next(sampler, negative, 3) == 1, "-1 became -2, -1.5 is larger");
  EXPECT(next(sampler, negative, 3) == 0, "-2, -3, -3");
  EXPECT(next(sampler, negative, 3) == 0, "seen twice counts once");
  nax_sampler_reset(sampler, 0);
  static const int32_t seen[] = {0, 0, 0, 1};
  need(context, nax_sampler_see(context, sampler, seen, 3));
  EXPECT(next(sampler, positive, 3) == 1, "the prompt's tokens count");
  nax_sampler_reset(sampler, 0);
  EXPECT(next(sampler, positive, 3) == 0, "reset forgets");
  nax_sampler_close(sampler);

  options.repetition_window = 3;
  sampler = opened(3, options);
  need(context, nax_sampler_see(context, sampler, seen, 4));
  EXPECT(next(sampler, positive, 3) == 0, "1.5, 1, 1: of 0 0 1");
  need(context, nax_sampler_see(context, sampler, seen + 3, 1));
  need(context, nax_sampler_see(context, sampler, seen + 3, 1));
  EXPECT(next(sampler, positive, 3) == 0, "1.5, 1, 1: of 0 1 1");
  nax_sampler_reset(sampler, 0);
  for (int i = 0; i < 3; ++i)
    need(context, nax_sampler_see(context, sampler, seen + 3, 1));
  EXPECT(next(sampler, positive, 3) == 0, "3, 1, 1: 0 has left the window");
  nax_sampler_close(sampler);
}

int main(void) {
  need(NULL, nax_context_create(NULL, &context));
  options_refused();
  arguments_refused();
  failures_change_nothing();
  only_one_answer();
  penalty();
  printf("%d failed\n", failures);
  nax_context_destroy(context);
  return failures != 0;
}
