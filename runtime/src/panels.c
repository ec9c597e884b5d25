/* SPDX-License-Identifier: Apache-2.0 */
/* Quantised slots: records of blocks, each of one column. They are walked in their own order, column by column, since
   a block has to be there as a whole; the file is read where its axes have the column. */
#include "layout.h"
#include "numbers.h"

#include <string.h>

static int64_t place_of_axis(const naxrt_order *order, int64_t axis) {
  int64_t place = 0;
  while (order->axes[place] != axis)
    ++place;
  return place;
}

/* Innermost axes of K that are the innermost of the order as well, one after another; those of size one are no axes. */
static int64_t run_of(const nax_slot_desc *slot, const naxrt_order *order) {
  int64_t run = 1, place = order->rank - 1;
  for (int64_t i = slot->k_count - 1; i >= 0; --i) {
    int64_t wanted = place_of_axis(order, slot->k_axes[i]);
    if (order->sizes[wanted] == 1)
      continue;
    while (place >= 0 && order->sizes[place] == 1)
      --place;
    if (wanted != place || place == order->paired)
      break;
    run *= order->sizes[place--];
  }
  return run;
}

void naxrt_columns_of(const naxrt_steps *steps, const naxrt_order *order, naxrt_columns *out) {
  *out = (naxrt_columns){.steps = steps, .order = order, .run = run_of(steps->slot, order)};
  int64_t stride = 1;
  for (int64_t place = order->rank - 1; place >= 0; --place) {
    out->strides[place] = stride;
    stride *= order->sizes[place];
  }
}

bool naxrt_has_whole_blocks(const naxrt_columns *columns) {
  return columns->run % columns->steps->format->elements == 0;
}

/* What index `index`, row-major over some of the parameter's axes, adds to the place of an element in the order. */
static int64_t offset_of(const naxrt_columns *columns, const int64_t *axes, int64_t count, int64_t index) {
  const naxrt_order *order = columns->order;
  int64_t offset = 0;
  for (int64_t i = count - 1; i >= 0; --i) {
    int64_t place = place_of_axis(order, axes[i]), size = order->sizes[place];
    offset += naxrt_unpaired(order, place, index % size) * columns->strides[place];
    index /= size;
  }
  return offset;
}

static int64_t offset_of_n(const naxrt_columns *columns, int64_t n) {
  return offset_of(columns, columns->steps->slot->n_axes, columns->steps->slot->n_count, n);
}

static int64_t offset_of_k(const naxrt_columns *columns, int64_t k) {
  return offset_of(columns, columns->steps->slot->k_axes, columns->steps->slot->k_count, k);
}

/* The record with the column's block that begins at k. */
static int64_t record_of(const naxrt_steps *steps, int64_t n, int64_t k) {
  const naxrt_format *format = steps->format;
  return steps->slot->offset + n / steps->slot->nr * steps->panel_bytes +
         k / format->elements * format->column_bytes * steps->slot->nr;
}

static bool has_finite_scales(const naxrt_format *format, const uint8_t *block) {
  bool finite = true;
  for (int64_t i = 0; i < format->scale_count; ++i)
    finite &= (naxrt_load16(block + format->scales + 2 * i) & 0x7c00) != 0x7c00;
  return finite;
}

/* Blocks of column n from k on, which are one piece of the tensor from element `from` on. */
static bool move_blocks(const naxrt_steps *steps, const nax_file_tensor *tensor, int64_t from, uint8_t *block,
                        int64_t n, int64_t k, int64_t count) {
  const naxrt_format *format = steps->format;
  const uint8_t *in = (const uint8_t *)tensor->data + from / format->elements * format->bytes;
  bool finite = true;
  for (int64_t i = 0; i < count; i += format->elements, in += format->bytes) {
    format->put(in, block + record_of(steps, n, k + i), steps->slot->nr, n % steps->slot->nr);
    finite &= has_finite_scales(format, in);
  }
  return finite;
}

static bool quantise_blocks(const naxrt_steps *steps, const nax_file_tensor *tensor, int64_t from, uint8_t *block,
                            int64_t n, int64_t k, int64_t count) {
  const naxrt_format *format = steps->format;
  for (int64_t i = 0; i < count;) {
    float values[NAXRT_MAX_BLOCK];
    int64_t piece = count - i < NAXRT_MAX_BLOCK ? count - i : NAXRT_MAX_BLOCK;
    naxrt_decode(tensor->dtype, tensor->data, from + i, piece, values);
    for (int64_t j = 0; j < piece; j += format->elements) {
      uint8_t one[NAXRT_MAX_BLOCK_BYTES];
      if (!format->encode(values + j, one))
        return false;
      format->put(one, block + record_of(steps, n, k + i + j), steps->slot->nr, n % steps->slot->nr);
    }
    i += piece;
  }
  return true;
}

bool naxrt_fill_panels(const naxrt_columns *columns, const nax_file_tensor *tensor, void *block, int64_t first,
                       int64_t last) {
  const naxrt_steps *steps = columns->steps;
  int64_t end = last * steps->slot->nr < steps->n_size ? last * steps->slot->nr : steps->n_size;
  for (int64_t n = first * steps->slot->nr; n < end; ++n) {
    int64_t column = offset_of_n(columns, n);
    for (int64_t k = 0; k < steps->k_size; k += columns->run) {
      int64_t from = column + offset_of_k(columns, k);
      bool as_it_is = tensor->dtype == steps->format->dtype;
      if (!(as_it_is ? move_blocks : quantise_blocks)(steps, tensor, from, block, n, k, columns->run))
        return false;
    }
  }
  return true;
}

void naxrt_read_panels(const naxrt_columns *columns, const void *block, double *out) {
  const naxrt_steps *steps = columns->steps;
  const naxrt_format *format = steps->format;
  int64_t nr = steps->slot->nr;
  for (int64_t n = 0; n < steps->n_size; ++n) {
    int64_t column = offset_of_n(columns, n);
    for (int64_t k = 0; k < steps->k_size; k += format->elements) {
      uint8_t one[NAXRT_MAX_BLOCK_BYTES];
      float values[NAXRT_MAX_BLOCK];
      format->get((const uint8_t *)block + record_of(steps, n, k), nr, n % nr, one);
      format->decode(one, values);
      for (int64_t i = 0; i < format->elements; ++i)
        out[column + offset_of_k(columns, k + i)] = values[i];
    }
  }
}

void naxrt_take_blocks(const naxrt_steps *steps, const void *block, uint8_t *out) {
  const naxrt_format *format = steps->format;
  int64_t nr = steps->slot->nr;
  for (int64_t n = 0; n < steps->n_size; ++n)
    for (int64_t k = 0; k < steps->k_size; k += format->elements, out += format->bytes)
      format->get((const uint8_t *)block + record_of(steps, n, k), nr, n % nr, out);
}
