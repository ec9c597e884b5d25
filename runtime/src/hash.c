/* SPDX-License-Identifier: Apache-2.0 */
/* XXH64: four sums of stripes of 32 bytes, then what is left, then all bits are mixed. */
#include "hash.h"

#include <string.h>

static const uint64_t prime1 = UINT64_C(0x9E3779B185EBCA87), prime2 = UINT64_C(0xC2B2AE3D27D4EB4F),
                      prime3 = UINT64_C(0x165667B19E3779F9), prime4 = UINT64_C(0x85EBCA77C2B2AE63),
                      prime5 = UINT64_C(0x27D4EB2F165667C5);

static uint64_t rotate(uint64_t x, int by) { return x << by | x >> (64 - by); }

static uint64_t load64(const uint8_t *at) {
  uint64_t x;
  memcpy(&x, at, sizeof x); // little-endian, as the machine is
  return x;
}

static uint32_t load32(const uint8_t *at) {
  uint32_t x;
  memcpy(&x, at, sizeof x);
  return x;
}

static uint64_t add(uint64_t sum, uint64_t lane) { return rotate(sum + lane * prime2, 31) * prime1; }

static uint64_t stripes(const uint8_t *at, const uint8_t *end, uint64_t seed) {
  uint64_t sums[4] = {seed + prime1 + prime2, seed + prime2, seed, seed - prime1};
  for (; end - at >= 32; at += 32)
    for (int i = 0; i < 4; ++i)
      sums[i] = add(sums[i], load64(at + 8 * i));
  uint64_t h = rotate(sums[0], 1) + rotate(sums[1], 7) + rotate(sums[2], 12) + rotate(sums[3], 18);
  for (int i = 0; i < 4; ++i)
    h = (h ^ add(0, sums[i])) * prime1 + prime4;
  return h;
}

uint64_t naxrt_hash(const void *data, int64_t bytes, uint64_t seed) {
  const uint8_t *at = data, *end = at + bytes;
  uint64_t h = (bytes >= 32 ? stripes(at, end, seed) : seed + prime5) + (uint64_t)bytes;
  at += bytes / 32 * 32;
  for (; end - at >= 8; at += 8)
    h = rotate(h ^ add(0, load64(at)), 27) * prime1 + prime4;
  for (; end - at >= 4; at += 4)
    h = rotate(h ^ load32(at) * prime1, 23) * prime2 + prime3;
  for (; at < end; ++at)
    h = rotate(h ^ *at * prime5, 11) * prime1;
  h = (h ^ h >> 33) * prime2;
  h = (h ^ h >> 29) * prime3;
  return h ^ h >> 32;
}
