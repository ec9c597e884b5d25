/* SPDX-License-Identifier: Apache-2.0 */
/* From the order of a file to plain rows or panels. The file's elements are walked in their own order, since that is
   how quantised blocks are decoded; each run along the innermost axis goes to places with one constant step. */
#include "layout.h"
#include "numbers.h"

#include <string.h>

/* What the slot holds; false: its parameter or its form does not allow it. */
static bool read_stored(const nax_slot_desc *slot, naxrt_steps *out) {
  int64_t stored = slot->stored;
  out->format = naxrt_format_of_stored(stored);
  if (stored == NAX_STORED_AS_DECLARED)
    return true;
  bool pairs = stored == NAX_STORED_BF16_PAIRS, half = stored == NAX_STORED_F16 || stored == NAX_STORED_BF16 || pairs;
  if (out->dtype != NAX_F32 || (!half && !out->format) || (slot->nr == 0 && (pairs || out->format)))
    return false;
  if (half)
    out->dtype = stored == NAX_STORED_F16 ? NAX_F16 : NAX_BF16;
  return true;
}

/* Numbers of K that a column of pairs has. */
static int64_t depth_of_pairs(int64_t k) { return k + (-k & 31); }

/* False: K is no whole number of blocks, or the sizes are too large. */
static bool measure(naxrt_steps *steps) {
  int64_t nr = steps->slot->nr, n = steps->n_size, k = steps->k_size;
  const naxrt_format *format = steps->format;
  if (format && k % format->elements != 0)
    return false;
  if (steps->slot->stored == NAX_STORED_BF16_PAIRS)
    k = depth_of_pairs(k);
  int64_t item = format ? format->column_bytes : naxrt_dtype_bytes(steps->dtype);
  if (format)
    k /= format->elements;
  if (!naxrt_multiply(k, item, &item))
    return false;
  if (nr == 0)
    return naxrt_multiply(item, n, &steps->bytes);
  return naxrt_multiply(item, nr, &steps->panel_bytes) &&
         naxrt_multiply(steps->panel_bytes, n / nr + (n % nr != 0), &steps->bytes);
}

bool naxrt_steps_of(const nax_model_desc *model, int64_t block_bytes, const nax_slot_desc *slot,
                    const naxrt_order *order, naxrt_steps *out) {
  const nax_param_desc *param = &model->params[slot->param];
  *out = (naxrt_steps){.slot = slot, .dtype = param->dtype, .n_size = 1, .k_size = 1};
  if (slot->n_count + slot->k_count != order->rank || slot->nr < 0 || (slot->nr == 0 && slot->k_count != 0) ||
      !read_stored(slot, out))
    return false;
  uint32_t seen = 0;
  for (int64_t part = 0; part < 2; ++part) {
    const int64_t *axes = part ? slot->k_axes : slot->n_axes;
    int64_t *steps = part ? out->k : out->n, *size = part ? &out->k_size : &out->n_size;
    for (int64_t i = (part ? slot->k_count : slot->n_count) - 1; i >= 0; --i) {
      int64_t place = 0;
      while (place < order->rank && order->axes[place] != axes[i])
        ++place;
      if (place == order->rank || (seen >> place & 1))
        return false;
      seen |= UINT32_C(1) << place;
      steps[place] = *size;
      if (!naxrt_multiply(*size, order->sizes[place], size))
        return false;
    }
  }
  int64_t end;
  return measure(out) && slot->offset >= 0 && slot->offset % NAXRT_BLOCK_ALIGNMENT == 0 &&
         naxrt_add(slot->offset, out->bytes, &end) && end <= block_bytes;
}

void naxrt_slot_order(const nax_slot_desc *slot, const naxrt_order *order, naxrt_order *out) {
  *out = *order;
  out->paired = -1;
  for (int64_t i = 0; i < order->rank; ++i) {
    out->axes[i] = i < slot->n_count ? slot->n_axes[i] : slot->k_axes[i - slot->n_count];
    for (int64_t j = 0; j < order->rank; ++j)
      if (order->axes[j] == out->axes[i])
        out->sizes[i] = order->sizes[j];
  }
}

static int64_t place_of(const naxrt_steps *steps, int64_t n, int64_t k) {
  int64_t nr = steps->slot->nr;
  if (steps->slot->stored == NAX_STORED_BF16_PAIRS)
    return (n / nr * (depth_of_pairs(steps->k_size) / 2) + k / 2) * 2 * nr + n % nr * 2 + k % 2;
  return nr ? n / nr * steps->k_size * nr + k * nr + n % nr : n;
}

void naxrt_clear_padding(const naxrt_steps *steps, int64_t block_bytes, void *block) {
  int64_t nr = steps->slot->nr, end = steps->slot->offset + steps->bytes;
  int64_t rest = -end & (NAXRT_BLOCK_ALIGNMENT - 1), behind = block_bytes - end;
  memset((uint8_t *)block + end, 0, (size_t)(rest < behind ? rest : behind));
  uint8_t *slot = (uint8_t *)block + steps->slot->offset;
  if (nr != 0 && steps->n_size % nr != 0)
    memset(slot + steps->n_size / nr * steps->panel_bytes, 0, (size_t)steps->panel_bytes);
  if (steps->slot->stored == NAX_STORED_BF16_PAIRS && steps->k_size % 32 != 0) {
    int64_t pairs = depth_of_pairs(steps->k_size) / 2 - steps->k_size / 2; // from that of an odd last k on
    pairs *= 2 * nr * (int64_t)sizeof(uint16_t);
    for (int64_t at = steps->panel_bytes; at <= steps->bytes && at > 0; at += steps->panel_bytes)
      memset(slot + at - pairs, 0, (size_t)pairs);
  }
}

static int64_t to_halves(int64_t size, int64_t c) { return c / 2 + c % 2 * (size / 2); }
static int64_t to_interleaved(int64_t size, int64_t c) { return c < size / 2 ? 2 * c : 2 * (c - size / 2) + 1; }

int64_t naxrt_paired(const naxrt_order *order, int64_t place, int64_t c) {
  if (place != order->paired || c >= order->paired_size)
    return c;
  return order->pairing == NAXRT_TO_HALVES ? to_halves(order->paired_size, c) : to_interleaved(order->paired_size, c);
}

int64_t naxrt_unpaired(const naxrt_order *order, int64_t place, int64_t c) {
  if (place != order->paired || c >= order->paired_size)
    return c;
  return order->pairing == NAXRT_TO_HALVES ? to_interleaved(order->paired_size, c) : to_halves(order->paired_size, c);
}

/* Where the walk puts or takes elements. */
typedef struct mover {
  int64_t dtype;
  void *slot;
  const float *f32;
  const double *f64;
  double *out;
} mover;

static inline void move(const mover *m, int64_t element, int64_t place, int64_t step, int64_t count) {
  if (m->f32)
    naxrt_store_f32(m->dtype, m->slot, place, step, m->f32 + element, count);
  else if (m->f64)
    naxrt_store_f64(m->slot, place, step, m->f64 + element, count);
  else
    naxrt_load_f64(m->dtype, m->slot, place, step, m->out + element, count);
}

/* Neighbours along K from an even one on; `place` is its own. */
static void move_pairs(const mover *m, int64_t element, int64_t place, int64_t nr, int64_t count) {
  uint16_t *to = (uint16_t *)m->slot + place;
  if (m->f32) // the parameter is f32, and so no f64 comes here
    for (int64_t i = 0; i < count; ++i)
      to[i / 2 * 2 * nr + i % 2] = naxrt_bfloat_of_float(m->f32[element + i]);
  else
    for (int64_t i = 0; i < count; ++i)
      m->out[element + i] = naxrt_float_of_bfloat(to[i / 2 * 2 * nr + i % 2]);
}

/* `count` elements along the innermost axis, from its component `first` on; n and k are those of the other axes. */
static void move_run(const naxrt_steps *steps, const naxrt_order *order, const mover *m, int64_t element, int64_t n,
                     int64_t k, int64_t first, int64_t count) {
  int64_t last = order->rank - 1, nr = steps->slot->nr;
  int64_t n_step = last < 0 ? 0 : steps->n[last], k_step = last < 0 ? 0 : steps->k[last];
  if (order->paired >= 0 && order->paired == last) {
    for (int64_t i = 0; i < count; ++i) {
      int64_t c = naxrt_paired(order, last, first + i);
      move(m, element + i, place_of(steps, n + c * n_step, k + c * k_step), 1, 1);
    }
  } else if (steps->slot->stored == NAX_STORED_BF16_PAIRS && n_step == 0 && k_step == 1) {
    int64_t odd = (k + first) % 2 < count ? (k + first) % 2 : count;
    move(m, element, place_of(steps, n, k + first), 1, odd);
    move_pairs(m, element + odd, place_of(steps, n, k + first + odd), nr, count - odd);
  } else if (steps->slot->stored == NAX_STORED_BF16_PAIRS) {
    for (int64_t i = 0; i < count; ++i)
      move(m, element + i, place_of(steps, n + (first + i) * n_step, k + (first + i) * k_step), 1, 1);
  } else if (nr == 0 || n_step == 0) {
    int64_t step = nr == 0 ? n_step : k_step * nr;
    move(m, element, place_of(steps, n + first * n_step, k + first * k_step), step, count);
  } else if (n_step == 1) {
    for (int64_t i = 0, at = n + first; i < count;) {
      int64_t piece = nr - at % nr < count - i ? nr - at % nr : count - i;
      move(m, element + i, place_of(steps, at, k), 1, piece);
      i += piece, at += piece;
    }
  } else {
    for (int64_t i = 0; i < count; ++i)
      move(m, element + i, place_of(steps, n + (first + i) * n_step, k), 1, 1);
  }
}

static void walk(const naxrt_steps *steps, const naxrt_order *order, const mover *m, int64_t first, int64_t count) {
  int64_t last = order->rank - 1, inner = last < 0 ? 1 : order->sizes[last];
  for (int64_t done = 0; done < count;) {
    int64_t at = first + done, component = at % inner, outer = at / inner, n = 0, k = 0;
    int64_t run = inner - component < count - done ? inner - component : count - done;
    for (int64_t i = last - 1; i >= 0; --i) {
      int64_t c = naxrt_paired(order, i, outer % order->sizes[i]);
      outer /= order->sizes[i];
      n += c * steps->n[i];
      k += c * steps->k[i];
    }
    move_run(steps, order, m, done, n, k, component, run);
    done += run;
  }
}

void naxrt_scatter(const naxrt_steps *steps, const naxrt_order *order, void *block, int64_t first, int64_t count,
                   const float *f32, const double *f64) {
  mover m = {.dtype = steps->dtype, .slot = (uint8_t *)block + steps->slot->offset, .f32 = f32, .f64 = f64};
  walk(steps, order, &m, first, count);
}

void naxrt_gather(const naxrt_steps *steps, const naxrt_order *order, const void *block, int64_t first, int64_t count,
                  double *out) {
  mover m = {.dtype = steps->dtype, .slot = (uint8_t *)block + steps->slot->offset, .out = out};
  walk(steps, order, &m, first, count);
}
