/* SPDX-License-Identifier: Apache-2.0 */
/* Drawing tokens, step by step as nax/sample.h lays down. The order of tokens is never sorted out further than it is
   asked for: a heap gives the first k in k log V. */
#include "nax/sample.h"

#include "tokenizer.h"

#include <math.h>
#include <string.h>

struct nax_sampler {
  nax_hooks hooks; /* of the context that opened it: the block goes back to them */
  int64_t block_bytes;
  nax_sampler_options options;
  int64_t vocabulary;
  uint64_t drawn;      /* numbers taken from the generator */
  double *scores;      /* [V]: l */
  double *weights;     /* [V]: w, 0 for what is out; NULL when greedy, as is the next */
  int32_t *order;      /* [V] */
  int32_t *seen;       /* [V]: how often it stands in the window; NULL without a penalty, as is the next */
  int32_t *window;     /* a ring; NULL when all tokens count */
  int64_t window_used; /* of the ring's places */
  int64_t window_at;   /* where the next token goes */
};

//===-- options ----------------------------------------------------------------------------------------------------//

nax_sampler_options nax_sampler_defaults(void) { return (nax_sampler_options){.top_p = 1, .repetition_penalty = 1}; }

/* The comparisons are written so that NaN fails them. */
static nax_status check_options(nax_context *context, const nax_sampler_options *o) {
  if (!(o->temperature >= 0 && o->temperature <= 1e300))
    return naxrt_fail(context, NAX_E_VALUE, "temperature is %g; it is 0 (greedy) or above, at most 1e300", o->temperature);
  if (o->top_k < 0)
    return naxrt_fail(context, NAX_E_VALUE, "top_k is %lld; it is a number of tokens, or 0 for all",
                      (long long)o->top_k);
  if (!(o->top_p > 0 && o->top_p <= 1))
    return naxrt_fail(context, NAX_E_VALUE, "top_p is %.10g; it is above 0 and at most 1, which is off", o->top_p);
  if (!(o->min_p >= 0 && o->min_p <= 1))
    return naxrt_fail(context, NAX_E_VALUE, "min_p is %.10g; it is 0 (off) to 1", o->min_p);
  if (!(o->repetition_penalty >= 1e-6 && o->repetition_penalty <= 1e6))
    return naxrt_fail(context, NAX_E_VALUE, "repetition_penalty is %.10g; it is 1e-6 to 1e6, and 1 is off",
                      o->repetition_penalty);
  if (o->repetition_window < 0 || o->repetition_window > INT32_MAX)
    return naxrt_fail(context, NAX_E_VALUE, "repetition_window is %lld; it is 1 to %d tokens, or 0 for all",
                      (long long)o->repetition_window, INT32_MAX);
  return NAX_OK;
}

//===-- the object -------------------------------------------------------------------------------------------------//

static nax_status make(nax_context *context, int64_t vocabulary, const nax_sampler_options *options,
                       nax_sampler **out) {
  bool draws = options->temperature > 0, penalises = options->repetition_penalty != 1;
  int64_t places = penalises ? options->repetition_window : 0;
  int64_t header = ((int64_t)sizeof(nax_sampler) + 63) / 64 * 64;
  int64_t bytes = header + vocabulary * (8 + (draws ? 8 + 4 : 0) + (penalises ? 4 : 0)) + places * 4;
  nax_sampler *made = naxrt_allocate(context, bytes, "a sampler");
  if (!made)
    return NAX_E_MEMORY;
  memset(made, 0, (size_t)header);
  made->hooks = context->hooks;
  made->block_bytes = bytes;
  made->options = *options;
  made->vocabulary = vocabulary;
  made->scores = (double *)((char *)made + header);
  int32_t *rest = (int32_t *)(made->scores + vocabulary);
  if (draws) {
    made->weights = made->scores + vocabulary;
    made->order = (int32_t *)(made->weights + vocabulary);
    rest = made->order + vocabulary;
  }
  if (penalises)
    made->seen = rest;
  if (places)
    made->window = rest + vocabulary;
  nax_sampler_reset(made, options->seed);
  *out = made;
  return NAX_OK;
}

nax_status nax_sampler_open(nax_context *context, int64_t vocabulary, const nax_sampler_options *options,
                            nax_sampler **out) {
  if (!naxrt_begin(context))
    return naxrt_fail_without_context();
  if (!out)
    return naxrt_fail(context, NAX_E_NULL, "nax_sampler_open: out is null");
  *out = NULL;
  if (vocabulary < 1 || vocabulary > INT32_MAX)
    return naxrt_fail(context, NAX_E_SIZE, "nax_sampler_open: vocabulary is %lld; it is 1 to %d", (long long)vocabulary,
                      INT32_MAX);
  nax_sampler_options defaults = nax_sampler_defaults();
  if (!options)
    options = &defaults;
  nax_status status = check_options(context, options);
  return status == NAX_OK ? make(context, vocabulary, options, out) : status;
}

void nax_sampler_close(nax_sampler *sampler) {
  if (!sampler)
    return;
  nax_hooks hooks = sampler->hooks;
  naxrt_release(&hooks, sampler, sampler->block_bytes);
}

void nax_sampler_reset(nax_sampler *sampler, uint64_t seed) {
  if (!sampler)
    return;
  sampler->options.seed = seed;
  sampler->drawn = 0;
  sampler->window_used = sampler->window_at = 0;
  if (sampler->seen)
    memset(sampler->seen, 0, (size_t)sampler->vocabulary * sizeof *sampler->seen);
}

//===-- what was seen ----------------------------------------------------------------------------------------------//

static void see(nax_sampler *sampler, int32_t id) {
  if (!sampler->seen)
    return;
  if (!sampler->window) {
    sampler->seen[id] = 1;
    return;
  }
  if (sampler->window_used == sampler->options.repetition_window)
    --sampler->seen[sampler->window[sampler->window_at]];
  else
    ++sampler->window_used;
  sampler->window[sampler->window_at] = id;
  sampler->window_at = (sampler->window_at + 1) % sampler->options.repetition_window;
  ++sampler->seen[id];
}

nax_status nax_sampler_see(nax_context *context, nax_sampler *sampler, const int32_t *ids, int64_t count) {
  if (!naxrt_begin(context))
    return naxrt_fail_without_context();
  if (!sampler || (!ids && count))
    return naxrt_fail(context, NAX_E_NULL, "nax_sampler_see: %s is null", sampler ? "ids" : "sampler");
  if (count < 0)
    return naxrt_fail(context, NAX_E_SIZE, "nax_sampler_see: count is %lld", (long long)count);
  for (int64_t i = 0; i < count; ++i)
    if (ids[i] < 0 || ids[i] >= sampler->vocabulary)
      return naxrt_fail(context, NAX_E_RANGE, "ids[%lld] is %d; the vocabulary has 0 to %lld", (long long)i, ids[i],
                        (long long)sampler->vocabulary - 1);
  for (int64_t i = 0; i < count; ++i)
    see(sampler, ids[i]);
  return NAX_OK;
}

//===-- the steps --------------------------------------------------------------------------------------------------//

/* Fills in the scores; *best is the lowest id of the largest. */
static nax_status score(nax_context *context, nax_sampler *sampler, const float *logits, int32_t *best) {
  double penalty = sampler->options.repetition_penalty;
  double *scores = sampler->scores;
  int32_t largest = 0;
  for (int32_t v = 0; v < sampler->vocabulary; ++v) {
    if (!(logits[v] < INFINITY))
      return naxrt_fail(context, NAX_E_VALUE, "logits[%d] is %s", v, isnan(logits[v]) ? "NaN" : "+inf");
    double logit = logits[v];
    if (sampler->seen && sampler->seen[v])
      logit = logit > 0 ? logit / penalty : logit * penalty;
    scores[v] = logit;
    if (logit > scores[largest])
      largest = v;
  }
  if (!(scores[largest] > -INFINITY))
    return naxrt_fail(context, NAX_E_VALUE, "logits: all %lld are -inf, which leaves no token",
                      (long long)sampler->vocabulary);
  *best = largest;
  return NAX_OK;
}

static bool goes_first(const double *scores, int32_t a, int32_t b) {
  return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
}

/* The tokens by decreasing score as far as they were asked for: a heap of those that are left, and behind it those
   taken from it, so that the r-th lies at ids[count - 1 - r]. */
typedef struct Ranking {
  const double *scores;
  int32_t *ids;
  int64_t left, count;
} Ranking;

static void sink(const Ranking *ranking, int64_t at) {
  int32_t *ids = ranking->ids, item = ids[at];
  for (;;) {
    int64_t child = 2 * at + 1;
    if (child + 1 < ranking->left && goes_first(ranking->scores, ids[child + 1], ids[child]))
      ++child;
    if (child >= ranking->left || !goes_first(ranking->scores, ids[child], item))
      break;
    ids[at] = ids[child];
    at = child;
  }
  ids[at] = item;
}

static Ranking rank_all(const nax_sampler *sampler) {
  Ranking ranking = {sampler->scores, sampler->order, sampler->vocabulary, sampler->vocabulary};
  for (int32_t v = 0; v < ranking.count; ++v)
    ranking.ids[v] = v;
  for (int64_t at = ranking.count / 2 - 1; at >= 0; --at)
    sink(&ranking, at);
  return ranking;
}

static int32_t ranked(Ranking *ranking, int64_t rank) {
  while (ranking->count - ranking->left <= rank) {
    int32_t first = ranking->ids[0];
    ranking->ids[0] = ranking->ids[--ranking->left];
    ranking->ids[ranking->left] = first;
    sink(ranking, 0);
  }
  return ranking->ids[ranking->count - 1 - rank];
}

static double sum_of_weights(const nax_sampler *sampler) {
  double sum = 0;
  for (int64_t v = 0; v < sampler->vocabulary; ++v)
    sum += sampler->weights[v];
  return sum;
}

static void drop_behind(const nax_sampler *sampler, int32_t last) {
  for (int32_t v = 0; v < sampler->vocabulary; ++v)
    if (goes_first(sampler->scores, last, v))
      sampler->weights[v] = 0;
}

static void keep_top(nax_sampler *sampler) {
  const nax_sampler_options *options = &sampler->options;
  int64_t kept = sampler->vocabulary;
  bool top_k = options->top_k > 0 && options->top_k < kept;
  if (!top_k && options->top_p >= 1)
    return;
  Ranking ranking = rank_all(sampler);
  if (top_k) {
    kept = options->top_k;
    drop_behind(sampler, ranked(&ranking, kept - 1));
  }
  if (options->top_p >= 1)
    return;
  double enough = options->top_p * sum_of_weights(sampler), sum = 0;
  for (int64_t rank = 0; rank < kept; ++rank) {
    int32_t id = ranked(&ranking, rank);
    sum += sampler->weights[id];
    if (sum >= enough) {
      drop_behind(sampler, id);
      return;
    }
  }
}

/* A number of [0, 1) with 53 bits. */
static double draw_number(nax_sampler *sampler) {
  uint64_t r = sampler->options.seed + ++sampler->drawn * 0x9E3779B97F4A7C15u;
  r = (r ^ r >> 30) * 0xBF58476D1CE4E5B9u;
  r = (r ^ r >> 27) * 0x94D049BB133111EBu;
  r ^= r >> 31;
  return (double)(r >> 11) * 0x1p-53;
}

static int32_t draw(nax_sampler *sampler, int32_t best) {
  double largest = sampler->scores[best];
  for (int64_t v = 0; v < sampler->vocabulary; ++v)
    sampler->weights[v] = naxtext_exponential((sampler->scores[v] - largest) / sampler->options.temperature);
  keep_top(sampler);
  for (int64_t v = 0; v < sampler->vocabulary; ++v)
    if (sampler->weights[v] < sampler->options.min_p)
      sampler->weights[v] = 0;

  // u <= 1 - 2^-53, and that times the sum is rounded to less than the sum, which the same additions reach below: the
  // loop always ends at a token, and one of weight 0 adds nothing that could end it.
  double target = draw_number(sampler) * sum_of_weights(sampler), sum = 0;
  for (int32_t v = 0; v < sampler->vocabulary; ++v) {
    sum += sampler->weights[v];
    if (sum > target)
      return v;
  }
  return best;
}

nax_status nax_sampler_next(nax_context *context, nax_sampler *sampler, const float *logits, int64_t vocabulary,
                            int32_t *id) {
  if (!naxrt_begin(context))
    return naxrt_fail_without_context();
  const char *null = !sampler ? "sampler" : !logits ? "logits" : !id ? "id" : NULL;
  if (null)
    return naxrt_fail(context, NAX_E_NULL, "nax_sampler_next: %s is null", null);
  if (vocabulary != sampler->vocabulary)
    return naxrt_fail(context, NAX_E_SIZE, "nax_sampler_next: vocabulary is %lld, the sampler was opened for %lld",
                      (long long)vocabulary, (long long)sampler->vocabulary);
  int32_t best = 0;
  nax_status status = score(context, sampler, logits, &best);
  if (status != NAX_OK)
    return status;
  *id = sampler->options.temperature > 0 ? draw(sampler, best) : best;
  see(sampler, *id);
  return NAX_OK;
}
