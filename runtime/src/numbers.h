/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of 16 bits as f32 and back, to nearest, ties to even. */
#ifndef NAXRT_NUMBERS_H
#define NAXRT_NUMBERS_H

#include <stdint.h>
#include <string.h>

static inline float naxrt_float_of_bits(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline uint32_t naxrt_bits_of_float(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static inline uint16_t naxrt_load16(const uint8_t *at) {
  uint16_t bits;
  memcpy(&bits, at, sizeof bits);
  return bits;
}

static inline void naxrt_store16(uint8_t *at, uint16_t bits) { memcpy(at, &bits, sizeof bits); }

/* Without branches, so that loops over it become vector code. */
static inline float naxrt_float_of_half(uint16_t half) {
  const uint32_t rebias = UINT32_C(112) << 23; // exponents are biased by 15 in one and by 127 in the other
  uint32_t sign = (uint32_t)(half & 0x8000) << 16, rest = half & 0x7fff;
  uint32_t normal = (rest << 13) + rebias;
  uint32_t special = normal + rebias; // infinities and NaN: all bits of the exponent
  uint32_t tiny = naxrt_bits_of_float((float)(int32_t)rest * 0x1p-24f);
  return naxrt_float_of_bits(sign | (rest >= 0x7c00 ? special : rest >= 0x0400 ? normal : tiny));
}

static inline float naxrt_float_of_bfloat(uint16_t bits) { return naxrt_float_of_bits((uint32_t)bits << 16); }

static inline uint16_t naxrt_half_of_float(float value) {
  uint32_t bits = naxrt_bits_of_float(value), sign = bits >> 16 & 0x8000, rest = bits & 0x7fffffff;
  if (rest > 0x7f800000)
    return (uint16_t)(sign | 0x7e00); // NaN
  if (rest >= 0x47800000)
    return (uint16_t)(sign | 0x7c00); // 65536 and more
  if (rest < 0x38800000)              // below 2^-14: adding 0.5 leaves a multiple of 2^-24 in the low bits, rounded
    return (uint16_t)(sign | (naxrt_bits_of_float(naxrt_float_of_bits(rest) + 0.5f) - naxrt_bits_of_float(0.5f)));
  uint32_t odd = rest >> 13 & 1;
  return (uint16_t)(sign | ((rest - (UINT32_C(112) << 23) + 0xfff + odd) >> 13));
}

static inline uint16_t naxrt_bfloat_of_float(float value) {
  uint32_t bits = naxrt_bits_of_float(value);
  if ((bits & 0x7fffffff) > 0x7f800000)
    return (uint16_t)(bits >> 16 | 0x40); // NaN stays NaN
  return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

#endif
