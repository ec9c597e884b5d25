/* SPDX-License-Identifier: Apache-2.0 */
/* Elements of files as f32, and f32 as the elements of a model's parameters. Only representations change here: the
   library computes nothing with tensors. */
#include "blocks.h"
#include "numbers.h"

naxrt_block_size naxrt_file_dtype_block(nax_file_dtype dtype) {
  static const naxrt_block_size sizes[] = {
      [NAX_FILE_F32] = {1, 4},  [NAX_FILE_F16] = {1, 2}, [NAX_FILE_BF16] = {1, 2}, [NAX_FILE_F64] = {1, 8},
      [NAX_FILE_I8] = {1, 1},   [NAX_FILE_I16] = {1, 2}, [NAX_FILE_I32] = {1, 4},  [NAX_FILE_I64] = {1, 8},
      [NAX_FILE_U8] = {1, 1},   [NAX_FILE_U16] = {1, 2}, [NAX_FILE_U32] = {1, 4},  [NAX_FILE_U64] = {1, 8},
      [NAX_FILE_BOOL] = {1, 1},
  };
  const naxrt_format *format = naxrt_format_of_dtype(dtype);
  if (format)
    return (naxrt_block_size){format->elements, format->bytes};
  return (unsigned)dtype <= NAX_FILE_BOOL ? sizes[dtype] : (naxrt_block_size){0, 0};
}

bool naxrt_file_dtype_readable(nax_file_dtype dtype) {
  return dtype == NAX_FILE_F32 || dtype == NAX_FILE_F16 || dtype == NAX_FILE_BF16 || naxrt_format_of_dtype(dtype);
}

//===-- reading ----------------------------------------------------------------------------------------------------//

static void decode_halves(const uint8_t *in, int64_t count, float *out) {
  for (int64_t i = 0; i < count; ++i)
    out[i] = naxrt_float_of_half(naxrt_load16(in + 2 * i));
}

static void decode_bfloats(const uint8_t *in, int64_t count, float *out) {
  for (int64_t i = 0; i < count; ++i)
    out[i] = naxrt_float_of_bfloat(naxrt_load16(in + 2 * i));
}

/* From the middle of a block on and to the middle of another one. */
static void decode_blocks(const naxrt_format *format, const uint8_t *in, int64_t skip, int64_t count, float *out) {
  while (count > 0) {
    int64_t taken = format->elements - skip < count ? format->elements - skip : count;
    float block[NAXRT_MAX_BLOCK];
    if (taken == format->elements) {
      format->decode(in, out);
    } else {
      format->decode(in, block);
      memcpy(out, block + skip, (size_t)taken * sizeof *out);
    }
    in += format->bytes, out += taken, count -= taken, skip = 0;
  }
}

void naxrt_decode(nax_file_dtype dtype, const void *data, int64_t first, int64_t count, float *out) {
  naxrt_block_size block = naxrt_file_dtype_block(dtype);
  const uint8_t *in = (const uint8_t *)data + first / block.elements * block.bytes;
  if (dtype == NAX_FILE_F32)
    memcpy(out, in, (size_t)count * sizeof *out);
  else if (dtype == NAX_FILE_F16)
    decode_halves(in, count, out);
  else if (dtype == NAX_FILE_BF16)
    decode_bfloats(in, count, out);
  else
    decode_blocks(naxrt_format_of_dtype(dtype), in, first % block.elements, count, out);
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
      to[i * stride] = dtype == NAX_F16 ? naxrt_half_of_float(in[i]) : naxrt_bfloat_of_float(in[i]);
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
             : dtype == NAX_F16 ? (double)naxrt_float_of_half(((const uint16_t *)in)[at])
                                : (double)naxrt_float_of_bfloat(((const uint16_t *)in)[at]);
  }
}
