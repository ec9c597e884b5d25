/* SPDX-License-Identifier: Apache-2.0 */
/* The types of ggml whose blocks have 32 elements, and the table of all that are read. Their layout in files is that of
   ggml's block_q8_0, block_q4_0 and block_q4_1; quantising follows its reference, x being the block's elements:

     q8_0  d = max |x| / 127           q = round(x / d), halves away from zero
     q4_0  d = x[i] / -8               q = min(15, floor(x / d + 8.5)), x[i] the first of the largest magnitude
     q4_1  d = (max x - min x) / 15    q = min(15, floor((x - m) / d + 0.5)), m = min x

   in f32, with a multiplication by 1 / d in the place of the division; d and m are then rounded to f16. Where d is 0,
   or so small that 1 / d overflows, x / d is taken to be 0. */
#include "blocks.h"
#include "blocks_k.h"
#include "numbers.h"

enum { BLOCK = 32, GROUP = 4, HALF = 2 };

//===-- values -----------------------------------------------------------------------------------------------------//

/* {f16 d; int8 q[32]} */
static void decode_q8_0(const uint8_t *in, float *out) {
  float step = naxrt_float_of_half(naxrt_load16(in));
  for (int i = 0; i < BLOCK; ++i)
    out[i] = (float)(int8_t)in[2 + i] * step;
}

/* {f16 d; two numbers of four bits in each of 16 bytes}: the low halves come first */
static void decode_q4_0(const uint8_t *in, float *out) {
  float step = naxrt_float_of_half(naxrt_load16(in));
  for (int i = 0; i < BLOCK / 2; ++i) {
    out[i] = (float)((in[2 + i] & 15) - 8) * step;
    out[i + BLOCK / 2] = (float)((in[2 + i] >> 4) - 8) * step;
  }
}

/* {f16 d; f16 m; as in q4_0} */
static void decode_q4_1(const uint8_t *in, float *out) {
  float step = naxrt_float_of_half(naxrt_load16(in)), least = naxrt_float_of_half(naxrt_load16(in + 2));
  for (int i = 0; i < BLOCK / 2; ++i) {
    out[i] = (float)(in[4 + i] & 15) * step + least;
    out[i + BLOCK / 2] = (float)(in[4 + i] >> 4) * step + least;
  }
}

//===-- quantising -------------------------------------------------------------------------------------------------//

static bool is_finite(float value) { return (naxrt_bits_of_float(value) & 0x7f800000) != 0x7f800000; }

static bool are_finite(const float *in) {
  uint32_t most = 0;
  for (int i = 0; i < BLOCK; ++i) {
    uint32_t magnitude = naxrt_bits_of_float(in[i]) & 0x7fffffff; // orders as the numbers do
    most = magnitude > most ? magnitude : most;
  }
  return most < 0x7f800000;
}

static float inverse(float step) {
  float one_by = step != 0 ? 1 / step : 0;
  return is_finite(one_by) ? one_by : 0;
}

/* False: too large for an f16. */
static bool put_half(uint8_t *at, float value) {
  uint16_t half = naxrt_half_of_float(value);
  naxrt_store16(at, half);
  return (half & 0x7c00) != 0x7c00;
}

static int round_away(float value) {
  int whole = (int)value;
  float rest = value - (float)whole;
  return whole + (rest >= 0.5f) - (rest <= -0.5f);
}

static bool encode_q8_0(const float *in, uint8_t *out) {
  uint32_t most = 0;
  for (int i = 0; i < BLOCK; ++i) {
    uint32_t magnitude = naxrt_bits_of_float(in[i]) & 0x7fffffff;
    most = magnitude > most ? magnitude : most;
  }
  if (most >= 0x7f800000)
    return false;
  float step = naxrt_float_of_bits(most) / 127, by = inverse(step);
  for (int i = 0; i < BLOCK; ++i)
    out[2 + i] = (uint8_t)round_away(in[i] * by);
  return put_half(out, step);
}

/* Numbers of four bits: floor(x * by + shift), where x is in - least. */
static void put_nibbles(uint8_t *out, const float *in, float least, float by, float shift) {
  uint8_t q[BLOCK];
  for (int i = 0; i < BLOCK; ++i) {
    int number = (int)((in[i] - least) * by + shift);
    q[i] = (uint8_t)(number < 15 ? number : 15);
  }
  for (int i = 0; i < BLOCK / 2; ++i)
    out[i] = (uint8_t)(q[i] | q[i + BLOCK / 2] << 4);
}

static bool encode_q4_0(const float *in, uint8_t *out) {
  if (!are_finite(in))
    return false;
  float most = 0, extreme = 0;
  for (int i = 0; i < BLOCK; ++i) {
    float magnitude = in[i] < 0 ? -in[i] : in[i];
    if (magnitude > most)
      most = magnitude, extreme = in[i];
  }
  float step = extreme / -8;
  put_nibbles(out + 2, in, 0, inverse(step), 8.5f);
  return put_half(out, step);
}

static bool encode_q4_1(const float *in, uint8_t *out) {
  if (!are_finite(in))
    return false;
  float least = in[0], most = in[0];
  for (int i = 1; i < BLOCK; ++i) {
    least = in[i] < least ? in[i] : least;
    most = in[i] > most ? in[i] : most;
  }
  float step = (most - least) / 15;
  if (!is_finite(step))
    return false;
  put_nibbles(out + 4, in, least, inverse(step), 0.5f);
  bool fits = put_half(out, step);
  return put_half(out + 2, least) && fits;
}

//===-- records ----------------------------------------------------------------------------------------------------//

/* Groups of four bytes, from and to places that are so far apart. */
static void move_groups(const uint8_t *from, int64_t from_step, uint8_t *to, int64_t to_step, int count,
                        uint32_t flip) {
  for (int g = 0; g < count; ++g) {
    uint32_t group;
    memcpy(&group, from + g * from_step, GROUP);
    group ^= flip;
    memcpy(to + g * to_step, &group, GROUP);
  }
}

static const uint32_t FLIP_SIGNS = UINT32_C(0x80808080); // int8 q as u8 q + 128

static void put_q8_0(const uint8_t *block, uint8_t *record, int64_t nr, int64_t n) {
  memcpy(record + HALF * n, block, HALF);
  move_groups(block + HALF, GROUP, record + HALF * nr + GROUP * n, GROUP * nr, 8, FLIP_SIGNS);
}

static void get_q8_0(const uint8_t *record, int64_t nr, int64_t n, uint8_t *block) {
  memcpy(block, record + HALF * n, HALF);
  move_groups(record + HALF * nr + GROUP * n, GROUP * nr, block + HALF, GROUP, 8, FLIP_SIGNS);
}

static void put_q4_0(const uint8_t *block, uint8_t *record, int64_t nr, int64_t n) {
  memcpy(record + HALF * n, block, HALF);
  move_groups(block + HALF, GROUP, record + HALF * nr + GROUP * n, GROUP * nr, 4, 0);
}

static void get_q4_0(const uint8_t *record, int64_t nr, int64_t n, uint8_t *block) {
  memcpy(block, record + HALF * n, HALF);
  move_groups(record + HALF * nr + GROUP * n, GROUP * nr, block + HALF, GROUP, 4, 0);
}

static void put_q4_1(const uint8_t *block, uint8_t *record, int64_t nr, int64_t n) {
  memcpy(record + HALF * n, block, HALF);
  put_q4_0(block + HALF, record + HALF * nr, nr, n);
}

static void get_q4_1(const uint8_t *record, int64_t nr, int64_t n, uint8_t *block) {
  memcpy(block, record + HALF * n, HALF);
  get_q4_0(record + HALF * nr, nr, n, block + HALF);
}

//===-- all of them ------------------------------------------------------------------------------------------------//

static const naxrt_format formats[] = {
    {NAX_STORED_Q8_0, NAX_FILE_Q8_0, "q8_0", BLOCK, 34, 34, 0, 1, decode_q8_0, encode_q8_0, put_q8_0, get_q8_0},
    {NAX_STORED_Q4_0, NAX_FILE_Q4_0, "q4_0", BLOCK, 18, 18, 0, 1, decode_q4_0, encode_q4_0, put_q4_0, get_q4_0},
    {NAX_STORED_Q4_1, NAX_FILE_Q4_1, "q4_1", BLOCK, 20, 20, 0, 2, decode_q4_1, encode_q4_1, put_q4_1, get_q4_1},
    {NAX_STORED_Q6_K, NAX_FILE_Q6_K, "q6_k", NAXRT_MAX_BLOCK, 210, 210, 208, 1, naxrt_decode_q6_k, NULL, naxrt_put_q6_k,
     naxrt_get_q6_k},
    {NAX_STORED_Q4_K, NAX_FILE_Q4_K, "q4_k", NAXRT_MAX_BLOCK, 144, 148, 0, 2, naxrt_decode_q4_k, NULL, naxrt_put_q4_k,
     naxrt_get_q4_k},
};

const naxrt_format *naxrt_format_of_stored(int64_t stored) {
  for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i)
    if (formats[i].stored == stored)
      return &formats[i];
  return NULL;
}

const naxrt_format *naxrt_format_of_dtype(nax_file_dtype dtype) {
  for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i)
    if (formats[i].dtype == dtype)
      return &formats[i];
  return NULL;
}
