/* SPDX-License-Identifier: Apache-2.0 */
/* Elements of files as f32, and f32 as the elements of a model's parameters. Only representations change here: the
   library computes nothing with tensors. */
#include "file.h"

#include <string.h>

enum { BLOCK = 32 /* elements in a block of each quantised type that is read */ };

naxrt_block_size naxrt_file_dtype_block(nax_file_dtype dtype) {
  static const naxrt_block_size sizes[] = {
      [NAX_FILE_F32] = {1, 4},       [NAX_FILE_F16] = {1, 2},       [NAX_FILE_BF16] = {1, 2},
      [NAX_FILE_F64] = {1, 8},       [NAX_FILE_I8] = {1, 1},        [NAX_FILE_I16] = {1, 2},
      [NAX_FILE_I32] = {1, 4},       [NAX_FILE_I64] = {1, 8},       [NAX_FILE_U8] = {1, 1},
      [NAX_FILE_U16] = {1, 2},       [NAX_FILE_U32] = {1, 4},       [NAX_FILE_U64] = {1, 8},
      [NAX_FILE_BOOL] = {1, 1},      [NAX_FILE_Q8_0] = {BLOCK, 34}, [NAX_FILE_Q4_0] = {BLOCK, 18},
      [NAX_FILE_Q4_1] = {BLOCK, 20}, [NAX_FILE_OTHER] = {0, 0},
  };
  return (unsigned)dtype <= NAX_FILE_OTHER ? sizes[dtype] : (naxrt_block_size){0, 0};
}

bool naxrt_file_dtype_readable(nax_file_dtype dtype) {
  return dtype == NAX_FILE_F32 || dtype == NAX_FILE_F16 || dtype == NAX_FILE_BF16 || dtype == NAX_FILE_Q8_0 ||
         dtype == NAX_FILE_Q4_0 || dtype == NAX_FILE_Q4_1;
}

//===-- single numbers ---------------------------------------------------------------------------------------------//

static float float_of_bits(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static uint32_t bits_of_float(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static uint16_t load16(const uint8_t *at) {
  uint16_t bits;
  memcpy(&bits, at, sizeof bits);
  return bits;
}

/* Without branches, so that loops over it become vector code. */
static float float_of_half(uint16_t half) {
  const uint32_t rebias = UINT32_C(112) << 23; // exponents are biased by 15 in one and by 127 in the other
  uint32_t sign = (uint32_t)(half & 0x8000) << 16, rest = half & 0x7fff;
  uint32_t normal = (rest << 13) + rebias;
  uint32_t special = normal + rebias; // infinities and NaN: all bits of the exponent
  uint32_t tiny = bits_of_float((float)(int32_t)rest * 0x1p-24f);
  return float_of_bits(sign | (rest >= 0x7c00 ? special : rest >= 0x0400 ? normal : tiny));
}

static float float_of_bfloat(uint16_t bits) { return float_of_bits((uint32_t)bits << 16); }

static uint16_t half_of_float(float value) {
  uint32_t bits = bits_of_float(value), sign = bits >> 16 & 0x8000, rest = bits & 0x7fffffff;
  if (rest > 0x7f800000)
    return (uint16_t)(sign | 0x7e00); // NaN
  if (rest >= 0x47800000)
    return (uint16_t)(sign | 0x7c00); // 65536 and more
  if (rest < 0x38800000)              // below 2^-14: adding 0.5 leaves a multiple of 2^-24 in the low bits, rounded
    return (uint16_t)(sign | (bits_of_float(float_of_bits(rest) + 0.5f) - bits_of_float(0.5f)));
  uint32_t odd = rest >> 13 & 1;
  return (uint16_t)(sign | ((rest - (UINT32_C(112) << 23) + 0xfff + odd) >> 13));
}

static uint16_t bfloat_of_float(float value) {
  uint32_t bits = bits_of_float(value);
  if ((bits & 0x7fffffff) > 0x7f800000)
    return (uint16_t)(bits >> 16 | 0x40); // NaN stays NaN
  return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

//===-- reading ----------------------------------------------------------------------------------------------------//

static void decode_halves(const uint8_t *in, int64_t count, float *out) {
  for (int64_t i = 0; i < count; ++i)
    out[i] = float_of_half(load16(in + 2 * i));
}

static void decode_bfloats(const uint8_t *in, int64_t count, float *out) {
  for (int64_t i = 0; i < count; ++i)
    out[i] = float_of_bfloat(load16(in + 2 * i));
}

/* {f16 step; int8 number[32]} */
static void decode_q8_0(const uint8_t *in, float *out) {
  float step = float_of_half(load16(in));
  for (int i = 0; i < BLOCK; ++i)
    out[i] = (float)(int8_t)in[2 + i] * step;
}

/* {f16 step; two numbers of four bits in each of 16 bytes}: the low halves come first */
static void decode_q4_0(const uint8_t *in, float *out) {
  float step = float_of_half(load16(in));
  for (int i = 0; i < BLOCK / 2; ++i) {
    out[i] = (float)((in[2 + i] & 15) - 8) * step;
    out[i + BLOCK / 2] = (float)((in[2 + i] >> 4) - 8) * step;
  }
}

/* {f16 step; f16 least; as in q4_0} */
static void decode_q4_1(const uint8_t *in, float *out) {
  float step = float_of_half(load16(in)), least = float_of_half(load16(in + 2));
  for (int i = 0; i < BLOCK / 2; ++i) {
    out[i] = (float)(in[4 + i] & 15) * step + least;
    out[i + BLOCK / 2] = (float)(in[4 + i] >> 4) * step + least;
  }
}

static void decode_block(nax_file_dtype dtype, const uint8_t *in, float *out) {
  if (dtype == NAX_FILE_Q8_0)
    decode_q8_0(in, out);
  else if (dtype == NAX_FILE_Q4_0)
    decode_q4_0(in, out);
  else
    decode_q4_1(in, out);
}

void naxrt_decode(nax_file_dtype dtype, const void *data, int64_t first, int64_t count, float *out) {
  naxrt_block_size block = naxrt_file_dtype_block(dtype);
  const uint8_t *in = (const uint8_t *)data + first / block.elements * block.bytes;
  if (dtype == NAX_FILE_F32) {
    memcpy(out, in, (size_t)count * sizeof *out);
  } else if (dtype == NAX_FILE_F16) {
    decode_halves(in, count, out);
  } else if (dtype == NAX_FILE_BF16) {
    decode_bfloats(in, count, out);
  } else {
    int64_t i = 0;
    for (; count - i >= BLOCK; i += BLOCK, in += block.bytes)
      decode_block(dtype, in, out + i);
    if (i < count) {
      float rest[BLOCK];
      decode_block(dtype, in, rest);
      memcpy(out + i, rest, (size_t)(count - i) * sizeof *out);
    }
  }
}

nax_status nax_file_read_f32(nax_context *context, const nax_file_tensor *tensor, int64_t first, int64_t count,
                             float *out) {
  if (!naxrt_begin(context))
    return naxrt_fail_without_context();
  if (!tensor || (count > 0 && !out))
    return naxrt_fail(context, NAX_E_NULL, "nax_file_read_f32: %s is null", tensor ? "out" : "tensor");
  if (!naxrt_file_dtype_readable(tensor->dtype))
    return naxrt_fail(context, NAX_E_FORMAT, NAME " is %s, which is not read as f32", tensor->name, tensor->dtype_name);
  if (first < 0 || count < 0 || first > tensor->elements || count > tensor->elements - first)
    return naxrt_fail(context, NAX_E_RANGE, NAME " has %lld elements: %lld from %lld on are more", tensor->name,
                      (long long)tensor->elements, (long long)count, (long long)first);
  int64_t skip = first % naxrt_file_dtype_block(tensor->dtype).elements;
  if (skip && count) {
    float block[BLOCK];
    naxrt_decode(tensor->dtype, tensor->data, first - skip, BLOCK, block);
    int64_t taken = count < BLOCK - skip ? count : BLOCK - skip;
    memcpy(out, block + skip, (size_t)taken * sizeof *out);
    first += taken, count -= taken, out += taken;
  }
  if (count)
    naxrt_decode(tensor->dtype, tensor->data, first, count, out);
  return NAX_OK;
}

//===-- into and out of a model's parameters -----------------------------------------------------------------------//

void naxrt_store_f32(int64_t dtype, void *out, int64_t index, int64_t stride, const float *in, int64_t count) {
  if (dtype == NAX_F32) {
    float *to = (float *)out + index;
    if (stride == 1)
      memcpy(to, in, (size_t)count * sizeof *to);
    else
      for (int64_t i = 0; i < count; ++i)
        to[i * stride] = in[i];
  } else if (dtype == NAX_F64) {
    double *to = (double *)out + index;
    for (int64_t i = 0; i < count; ++i)
      to[i * stride] = in[i];
  } else {
    uint16_t *to = (uint16_t *)out + index;
    for (int64_t i = 0; i < count; ++i)
      to[i * stride] = dtype == NAX_F16 ? half_of_float(in[i]) : bfloat_of_float(in[i]);
  }
}

void naxrt_store_f64(double *out, int64_t index, int64_t stride, const double *in, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    out[index + i * stride] = in[i];
}

void naxrt_load_f64(int64_t dtype, const void *in, int64_t index, int64_t stride, double *out, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    int64_t at = index + i * stride;
    out[i] = dtype == NAX_F32   ? (double)((const float *)in)[at]
             : dtype == NAX_F64 ? ((const double *)in)[at]
             : dtype == NAX_F16 ? (double)float_of_half(((const uint16_t *)in)[at])
                                : (double)float_of_bfloat(((const uint16_t *)in)[at]);
  }
}
