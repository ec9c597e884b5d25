/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers that are drawn, the same ones for the same `state`: SplitMix64 (Steele, Lea and Flood 2014). */
#ifndef NAX_TEST_RANDOM_H
#define NAX_TEST_RANDOM_H

#include <stdint.h>

static uint64_t state;

/* One of 0 to `below` - 1. */
static uint64_t any(uint64_t below) {
  state += UINT64_C(0x9E3779B97F4A7C15);
  uint64_t z = state;
  z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
  return (z ^ z >> 31) % below;
}

#endif
