/* SPDX-License-Identifier: Apache-2.0 */
/* Drawing the next token from a model's logits: greedy, temperature, top-k, top-p, min-p, repetition penalty. Part of
   libnaxtext.

   The same options, seed and logits give the same tokens on every machine: what is computed is stated here to the bit,
   in IEEE float64 with its default rounding, and uses no function of the C library's mathematics. In this order:

     1. penalty      l[v] = logits[v]; for every token v that counts as seen, l[v] / penalty where l[v] > 0, else
                     l[v] * penalty. Keskar et al. 2019 (CTRL, section 4.1) divide; a negative logit would become
                     likelier by that, and so it is multiplied, as is the common use.
     2. temperature  w[v] = e^((l[v] - m) / temperature), m the largest l. e^x is within one unit in the last place
                     and e^0 is 1; below x = -708 it is 0.
     3. top-k        the k first in the order of decreasing l stay, of equals the lower ids first.
     4. top-p        of these, in the same order, the fewest that together have at least top_p of their weight
                     (Holtzman et al. 2020, section 3.1); all of them, should rounding let no sum reach it.
     5. min-p        of these, v with w[v] >= min_p, since the likeliest has weight 1 (Nguyen et al. 2024).
     6. the draw     of what is left, the first v whose sum of weights up to it is more than u times the whole sum.

   Sums begin with the lowest id, but for the one over the order of top-p. The n-th draw, n = 1, 2, ..., takes
   u = floor(r / 2^11) / 2^53 from the n-th number r of splitmix64 (Steele, Lea, Flood 2014) begun with the seed:

     r = seed + n * 0x9E3779B97F4A7C15;  r = (r ^ r >> 30) * 0xBF58476D1CE4E5B9;
     r = (r ^ r >> 27) * 0x94D049BB133111EB;  r = r ^ r >> 31                          (all modulo 2^64)

   A sampler belongs to one conversation and one thread at a time. C99 and C++. */
#ifndef NAX_SAMPLE_H
#define NAX_SAMPLE_H

#include "nax/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nax_sampler nax_sampler;

/* Begin with nax_sampler_defaults() and change what is wanted: a struct of zeros is refused for its top_p. */
typedef struct nax_sampler_options {
  double temperature;        /* 0 to 1e300; 0: greedy, the lowest id of the largest l, and nothing below but the penalty counts */
  int64_t top_k;             /* 0: off; as large as the vocabulary or larger: also */
  double top_p;              /* above 0, at most 1; 1: off */
  double min_p;              /* 0 to 1; 0: off */
  double repetition_penalty; /* 1e-6 to 1e6; above 1: less of what was seen; 1: off */
  int64_t repetition_window; /* how many of the last tokens count as seen, at most 2^31 - 1; 0: all */
  uint64_t seed;
} nax_sampler_options;

/* Greedy, everything off, seed 0. */
nax_sampler_options nax_sampler_defaults(void);

/* `vocabulary` is the number of logits, 1 to 2^31 - 1; `options` NULL are the defaults. All memory is taken here, at
   most 24 bytes for each token of the vocabulary and 4 for each of the window. An option that makes no sense is
   NAX_E_VALUE and named. */
NAX_NODISCARD nax_status nax_sampler_open(nax_context *context, int64_t vocabulary, const nax_sampler_options *options,
                                          nax_sampler **out);
void nax_sampler_close(nax_sampler *sampler); /* NULL is allowed */

/* Tokens that stand in the text without having been drawn here: the prompt's. Only the penalty asks for them. An id
   outside of the vocabulary is NAX_E_RANGE, and then none of them was taken. */
NAX_NODISCARD nax_status nax_sampler_see(nax_context *context, nax_sampler *sampler, const int32_t *ids, int64_t count);

/* The next token, which then counts as seen. logits [V], V = `vocabulary`, the same as at nax_sampler_open; -inf is a
   token that is never drawn. NaN, +inf, or nothing but -inf is NAX_E_VALUE and says where; a failed call has neither
   drawn a number nor set *id. */
NAX_NODISCARD nax_status nax_sampler_next(nax_context *context, nax_sampler *sampler, const float *logits,
                                          int64_t vocabulary, int32_t *id);

/* As after nax_sampler_open with this seed: nothing is seen, the first number comes next. NULL is allowed. */
void nax_sampler_reset(nax_sampler *sampler, uint64_t seed);

#ifdef __cplusplus
}
#endif

#endif
