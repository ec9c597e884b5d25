/* SPDX-License-Identifier: Apache-2.0 */
/* From the order of a file to plain rows or panels. The file's elements are walked in their own order, since that is
   how quantised blocks are decoded; each run along the innermost axis goes to places with one constant step. */
#include "layout.h"

#include <string.h>

bool naxrt_steps_of(const nax_model_desc *model, int64_t block_bytes, const nax_slot_desc *slot,
                    const naxrt_order *order, naxrt_steps *out) {
  const nax_param_desc *param = &model->params[slot->param];
  *out = (naxrt_steps){.slot = slot, .dtype = param->dtype, .n_size = 1, .k_size = 1};
  if (slot->n_count + slot->k_count != order->rank || slot->nr < 0 || (slot->nr == 0 && slot->k_count != 0))
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
  int64_t rows = out->n_size, bytes, end;
  if (slot->nr > 0)
    rows = (rows + slot->nr - 1) / slot->nr * slot->nr;
  return naxrt_multiply(rows, out->k_size, &bytes) && naxrt_multiply(bytes, naxrt_dtype_bytes(param->dtype), &bytes) &&
         slot->offset >= 0 && slot->offset % NAXRT_BLOCK_ALIGNMENT == 0 && naxrt_add(slot->offset, bytes, &end) &&
         end <= block_bytes;
}

static int64_t place_of(const naxrt_steps *steps, int64_t n, int64_t k) {
  int64_t nr = steps->slot->nr;
  return nr ? n / nr * steps->k_size * nr + k * nr + n % nr : n;
}

void naxrt_clear_padding(const naxrt_steps *steps, void *block) {
  int64_t nr = steps->slot->nr;
  if (nr == 0 || steps->n_size % nr == 0)
    return;
  int64_t bytes = naxrt_dtype_bytes(steps->dtype), panel = steps->k_size * nr * bytes;
  memset((uint8_t *)block + steps->slot->offset + steps->n_size / nr * panel, 0, (size_t)panel);
}

/* Component `c` of the paired axis in the file is this one of the parameter. */
static int64_t paired_place(const naxrt_order *order, int64_t place, int64_t c) {
  if (place != order->paired || c >= order->paired_size)
    return c;
  int64_t half = order->paired_size / 2;
  if (order->pairing == NAXRT_TO_HALVES)
    return c / 2 + (c % 2) * half;
  return c < half ? 2 * c : 2 * (c - half) + 1;
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

/* `count` elements along the innermost axis, from its component `first` on; n and k are those of the other axes. */
static void move_run(const naxrt_steps *steps, const naxrt_order *order, const mover *m, int64_t element, int64_t n,
                     int64_t k, int64_t first, int64_t count) {
  int64_t last = order->rank - 1, nr = steps->slot->nr;
  int64_t n_step = last < 0 ? 0 : steps->n[last], k_step = last < 0 ? 0 : steps->k[last];
  if (order->paired >= 0 && order->paired == last) {
    for (int64_t i = 0; i < count; ++i) {
      int64_t c = paired_place(order, last, first + i);
      move(m, element + i, place_of(steps, n + c * n_step, k + c * k_step), 1, 1);
    }
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
      int64_t c = paired_place(order, i, outer % order->sizes[i]);
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
