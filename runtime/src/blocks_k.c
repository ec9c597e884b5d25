/* SPDX-License-Identifier: Apache-2.0 */
/* The types of ggml whose blocks have 256 elements, k = 0 ... 255:

     block_q4_K  {f16 d, dmin; u8 scales[12]; u8 qs[128]}, 144 bytes. Sub-block s of 32 has a scale and a least of six
                 bits: those of s < 4 are the low six bits of scales[s] and scales[s + 4]; those of s + 4 have their low
                 halves in scales[s + 8], the scale's below the least's, and their two high bits above those of s.
                 qs[32 c + l] has k = 64 c + l in its low half and k + 32 in its high one.
                 value = (d scale) q - dmin least
     block_q6_K  {u8 ql[128]; u8 qh[64]; i8 scales[16]; f16 d}, 210 bytes. Of k = 128 h + 32 i + l the low four bits are
                 in ql[64 h + 32 (i % 2) + l], in its low half for i < 2, and the high two are bits 2 i and 2 i + 1 of
                 qh[32 h + l].
                 value = (d scales[k / 16]) (q - 32)

   Everything that changes its place goes through numbers of one byte each. */
#include "blocks_k.h"
#include "numbers.h"

enum { BLOCK = 256, SUB = 32, SUBS = 8, HALF = 2 };

//===-- nibbles in records -----------------------------------------------------------------------------------------//

/* u8 q[8][4][nr][4]: byte (s, g, n, j) has elements 4 g + j and 16 + 4 g + j of sub-block s. */
static void put_nibbles(const uint8_t *q, uint8_t *to, int64_t nr, int64_t n) {
  for (int s = 0; s < SUBS; ++s)
    for (int i = 0; i < SUB / 2; ++i)
      to[((s * 4 + i / 4) * nr + n) * 4 + i % 4] = (uint8_t)((q[SUB * s + i] & 15) | q[SUB * s + SUB / 2 + i] << 4);
}

static void get_nibbles(const uint8_t *from, int64_t nr, int64_t n, uint8_t *q) {
  for (int s = 0; s < SUBS; ++s)
    for (int i = 0; i < SUB / 2; ++i) {
      uint8_t two = from[((s * 4 + i / 4) * nr + n) * 4 + i % 4];
      q[SUB * s + i] = two & 15;
      q[SUB * s + SUB / 2 + i] = two >> 4;
    }
}

/* Fields of one byte for each column: count of them, nr apart. */
static void put_bytes(const uint8_t *from, uint8_t *to, int64_t nr, int64_t n, int count) {
  for (int i = 0; i < count; ++i)
    to[i * nr + n] = from[i];
}

static void get_bytes(const uint8_t *from, int64_t nr, int64_t n, uint8_t *to, int count) {
  for (int i = 0; i < count; ++i)
    to[i] = from[i * nr + n];
}

//===-- q4_k -------------------------------------------------------------------------------------------------------//

enum { SCALES_4 = 4, NUMBERS_4 = 16 }; // where they begin

static void unpack_scales(const uint8_t *in, uint8_t *scale, uint8_t *least) {
  for (int s = 0; s < 4; ++s) {
    scale[s] = in[s] & 63;
    least[s] = in[s + 4] & 63;
    scale[s + 4] = (uint8_t)((in[s + 8] & 15) | in[s] >> 6 << 4);
    least[s + 4] = (uint8_t)(in[s + 8] >> 4 | in[s + 4] >> 6 << 4);
  }
}

static void pack_scales(const uint8_t *scale, const uint8_t *least, uint8_t *out) {
  for (int s = 0; s < 4; ++s) {
    out[s] = (uint8_t)(scale[s] | scale[s + 4] >> 4 << 6);
    out[s + 4] = (uint8_t)(least[s] | least[s + 4] >> 4 << 6);
    out[s + 8] = (uint8_t)((scale[s + 4] & 15) | (least[s + 4] & 15) << 4);
  }
}

static void unpack_q4(const uint8_t *in, uint8_t *q) {
  for (int i = 0; i < BLOCK / 2; ++i) {
    int k = i / SUB * 2 * SUB + i % SUB;
    q[k] = in[i] & 15;
    q[k + SUB] = in[i] >> 4;
  }
}

void naxrt_decode_q4_k(const uint8_t *block, float *out) {
  float d = naxrt_float_of_half(naxrt_load16(block)), dmin = naxrt_float_of_half(naxrt_load16(block + HALF));
  uint8_t scale[SUBS], least[SUBS], q[BLOCK];
  unpack_scales(block + SCALES_4, scale, least);
  unpack_q4(block + NUMBERS_4, q);
  for (int s = 0; s < SUBS; ++s) {
    float step = d * (float)scale[s], down = dmin * (float)least[s];
    for (int i = SUB * s; i < SUB * (s + 1); ++i)
      out[i] = step * (float)q[i] - down;
  }
}

void naxrt_put_q4_k(const uint8_t *block, uint8_t *record, int64_t nr, int64_t n) {
  uint8_t scale[SUBS], least[SUBS], q[BLOCK];
  unpack_scales(block + SCALES_4, scale, least);
  unpack_q4(block + NUMBERS_4, q);
  memcpy(record + HALF * n, block, HALF);
  memcpy(record + HALF * (nr + n), block + HALF, HALF);
  put_bytes(scale, record + 2 * HALF * nr, nr, n, SUBS);
  put_bytes(least, record + (2 * HALF + SUBS) * nr, nr, n, SUBS);
  put_nibbles(q, record + (2 * HALF + 2 * SUBS) * nr, nr, n);
}

void naxrt_get_q4_k(const uint8_t *record, int64_t nr, int64_t n, uint8_t *block) {
  uint8_t scale[SUBS], least[SUBS], q[BLOCK];
  memcpy(block, record + HALF * n, HALF);
  memcpy(block + HALF, record + HALF * (nr + n), HALF);
  get_bytes(record + 2 * HALF * nr, nr, n, scale, SUBS);
  get_bytes(record + (2 * HALF + SUBS) * nr, nr, n, least, SUBS);
  get_nibbles(record + (2 * HALF + 2 * SUBS) * nr, nr, n, q);
  pack_scales(scale, least, block + SCALES_4);
  for (int i = 0; i < BLOCK / 2; ++i) {
    int k = i / SUB * 2 * SUB + i % SUB;
    block[NUMBERS_4 + i] = (uint8_t)(q[k] | q[k + SUB] << 4);
  }
}

//===-- q6_k -------------------------------------------------------------------------------------------------------//

enum { HIGH_6 = 128, SCALES_6 = 192, D_6 = 208, SCALE_COUNT = 16 };

static void unpack_q6(const uint8_t *in, uint8_t *q) {
  for (int k = 0; k < BLOCK; ++k) {
    int h = k / 128, i = k / SUB % 4, l = k % SUB;
    int low = in[64 * h + SUB * (i % 2) + l] >> (i < 2 ? 0 : 4) & 15, high = in[HIGH_6 + SUB * h + l] >> 2 * i & 3;
    q[k] = (uint8_t)(low | high << 4);
  }
}

static void pack_q6(const uint8_t *q, uint8_t *out) {
  memset(out, 0, SCALES_6);
  for (int k = 0; k < BLOCK; ++k) {
    int h = k / 128, i = k / SUB % 4, l = k % SUB;
    out[64 * h + SUB * (i % 2) + l] |= (uint8_t)((q[k] & 15) << (i < 2 ? 0 : 4));
    out[HIGH_6 + SUB * h + l] |= (uint8_t)(q[k] >> 4 << 2 * i);
  }
}

void naxrt_decode_q6_k(const uint8_t *block, float *out) {
  float d = naxrt_float_of_half(naxrt_load16(block + D_6));
  uint8_t q[BLOCK];
  unpack_q6(block, q);
  for (int k = 0; k < BLOCK; ++k)
    out[k] = d * (float)(int8_t)block[SCALES_6 + k / 16] * (float)(q[k] - 32);
}

/* u8 high[8][2][nr][4]: bits 2 i and 2 i + 1 of (s, g, n, j) belong to element 8 i + 4 g + j of sub-block s. */
void naxrt_put_q6_k(const uint8_t *block, uint8_t *record, int64_t nr, int64_t n) {
  uint8_t q[BLOCK];
  unpack_q6(block, q);
  memcpy(record + HALF * n, block + D_6, HALF);
  put_bytes(block + SCALES_6, record + HALF * nr, nr, n, SCALE_COUNT);
  put_nibbles(q, record + (HALF + SCALE_COUNT) * nr, nr, n);
  uint8_t *high = record + (HALF + SCALE_COUNT + BLOCK / 2) * nr;
  for (int s = 0; s < SUBS; ++s)
    for (int i = 0; i < 8; ++i) {
      const uint8_t *at = q + SUB * s + i;
      high[((s * 2 + i / 4) * nr + n) * 4 + i % 4] =
          (uint8_t)(at[0] >> 4 | at[8] >> 4 << 2 | at[16] >> 4 << 4 | at[24] >> 4 << 6);
    }
}

void naxrt_get_q6_k(const uint8_t *record, int64_t nr, int64_t n, uint8_t *block) {
  uint8_t q[BLOCK];
  memcpy(block + D_6, record + HALF * n, HALF);
  get_nibbles(record + (HALF + SCALE_COUNT) * nr, nr, n, q);
  const uint8_t *high = record + (HALF + SCALE_COUNT + BLOCK / 2) * nr;
  for (int k = 0; k < BLOCK; ++k) {
    int s = k / SUB, i = k % SUB / 8, g = k % 8 / 4, j = k % 4;
    q[k] |= (uint8_t)((high[((s * 2 + g) * nr + n) * 4 + j] >> 2 * i & 3) << 4);
  }
  pack_q6(q, block);
  get_bytes(record + HALF * nr, nr, n, block + SCALES_6, SCALE_COUNT);
}
