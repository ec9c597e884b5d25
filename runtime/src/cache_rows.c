/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of a cache: asked, emptied, cut back and copied. */
#include "cache.h"

#include <string.h>

int64_t nax_cache_rows(const nax_cache *cache) { return cache ? cache->row_count : 0; }
int64_t nax_cache_capacity(const nax_cache *cache) { return cache ? cache->capacity : 0; }
size_t nax_cache_bytes(const nax_cache *cache) { return cache ? (size_t)(cache->bytes + cache->remote_bytes) : 0; }

static bool has_row(const nax_cache *cache, int64_t row) { return row >= 0 && row < cache->row_count; }

int64_t nax_cache_length(const nax_cache *cache, int64_t row) {
  return cache && has_row(cache, row) ? cache->rows[row].length : -1;
}

int64_t naxrt_cache_buffer_count(const nax_cache *cache) { return cache ? cache->part_count : 0; }

void *naxrt_cache_buffer(nax_cache *cache, int64_t index, size_t *bytes) {
  if (!cache || index < 0 || index >= cache->part_count)
    return NULL;
  const naxrt_part *part = &cache->parts[index];
  if (bytes)
    *bytes = (size_t)(part->rows * naxrt_part_row_bytes(part));
  return part->data;
}

int64_t naxrt_cache_size(const nax_cache *cache, int64_t axis) {
  for (int64_t i = 0; i < cache->step->dim_count; ++i)
    if (cache->step->dims[i] == axis)
      return cache->sizes[i];
  return -1;
}

int64_t naxrt_cache_row_size(const nax_cache *cache, int64_t index) {
  int64_t axis = cache->step->dims[index];
  if (cache->model->axes[axis].slots_of >= 0)
    return -1;
  for (int64_t i = 0; i < cache->counts->rank; ++i)
    if (cache->counts->axes[i] == axis)
      return -1;
  return cache->sizes[index];
}

/* The shortest ring that has lost positions; NULL: none. */
static const naxrt_part *wrapped(const nax_cache *cache, int64_t reached) {
  const naxrt_part *shortest = NULL;
  for (int64_t i = 0; i < cache->part_count; ++i) {
    const naxrt_part *part = &cache->parts[i];
    if (naxrt_part_first(part, reached) > 0 && (!shortest || part->ring < shortest->ring))
      shortest = part;
  }
  return shortest;
}

bool naxrt_cache_wrapped(const nax_cache *cache, int64_t reached) { return wrapped(cache, reached) != NULL; }

nax_status naxrt_check_row(nax_context *context, const nax_cache *cache, int64_t row) {
  if (has_row(cache, row))
    return NAX_OK;
  return naxrt_fail(context, NAX_E_RANGE, "row %lld: the cache has %lld rows, counted from 0", (long long)row,
                    (long long)cache->row_count);
}

bool naxrt_others_begun(const nax_cache *cache, int64_t row) {
  for (int64_t i = 0; i < cache->row_count; ++i)
    if (i != row && cache->rows[i].begun)
      return true;
  return false;
}

nax_status nax_cache_reset(nax_context *context, nax_cache *cache, int64_t row) {
  if (!naxrt_begin(context))
    return naxrt_fail_without_context();
  nax_status status = NAX_OK;
  if (!naxrt_is_cache(context, cache, "cache", &status) || (status = naxrt_check_row(context, cache, row)) != NAX_OK)
    return status;
  cache->rows[row].length = cache->rows[row].reached = 0;
  return NAX_OK;
}

nax_status nax_cache_truncate(nax_context *context, nax_cache *cache, int64_t row, int64_t length) {
  if (!naxrt_begin(context))
    return naxrt_fail_without_context();
  nax_status status = NAX_OK;
  if (!naxrt_is_cache(context, cache, "cache", &status) || (status = naxrt_check_row(context, cache, row)) != NAX_OK)
    return status;
  naxrt_row *at = &cache->rows[row];
  if (length < 0 || length > at->length)
    return naxrt_fail(context, NAX_E_RANGE, "row %lld of the cache has %lld positions and can't be truncated to %lld",
                      (long long)row, (long long)at->length, (long long)length);
  // The next query reads the ring - 1 positions before it: all but the one that the newest has displaced.
  const naxrt_part *ring = wrapped(cache, at->reached);
  if (ring && length > 0 && length < at->reached - 1)
    return naxrt_fail(
        context, NAX_E_VALUE,
        "row %lld of the cache: %lld positions went through a ring of %lld, so that it can be truncated to "
        "%lld at the least, or to 0",
        (long long)row, (long long)at->reached, (long long)ring->ring, (long long)at->reached - 1);
  at->length = length;
  if (!ring || length == 0)
    at->reached = length;
  return NAX_OK;
}

//===-- copying ----------------------------------------------------------------------------------------------------//

nax_status naxrt_cache_move(nax_context *context, const nax_cache *cache, void *to, const void *from, int64_t bytes) {
  if (cache->remote.owner && bytes > 0)
    return cache->remote.copy(cache->remote.owner, context, to, from, bytes);
  memcpy(to, from, (size_t)bytes);
  return NAX_OK;
}

bool naxrt_cache_holds(nax_context *context, const nax_cache *cache, const void *data, const void *other, int64_t bytes,
                       nax_status *status) {
  enum { PIECE = 4096 };
  uint8_t piece[PIECE];
  *status = NAX_OK;
  if (!cache->remote.owner)
    return memcmp(data, other, (size_t)bytes) == 0;
  for (int64_t at = 0, run; at < bytes; at += run) {
    run = bytes - at < PIECE ? bytes - at : PIECE;
    *status = naxrt_cache_move(context, cache, piece, (const uint8_t *)data + at, run);
    if (*status != NAX_OK || memcmp(piece, (const uint8_t *)other + at, (size_t)run) != 0)
      return false;
  }
  return true;
}

/* The same of two caches, of which both may be somewhere else. */
static bool holds_the_same(nax_context *context, const nax_cache *a, const uint8_t *in_a, const nax_cache *b,
                           const uint8_t *in_b, int64_t bytes, nax_status *status) {
  enum { PIECE = 4096 };
  uint8_t piece[PIECE];
  *status = NAX_OK;
  for (int64_t at = 0, run; at < bytes; at += run) {
    run = bytes - at < PIECE ? bytes - at : PIECE;
    *status = naxrt_cache_move(context, b, piece, in_b + at, run);
    if (*status != NAX_OK || !naxrt_cache_holds(context, a, in_a + at, piece, run, status))
      return false;
  }
  return true;
}

/* Positions [first, end) from the slots of one row to those of another. */
static nax_status copy_positions(nax_context *context, const nax_cache *cache, const naxrt_part *to, int64_t to_row,
                                 const naxrt_part *from, int64_t from_row, int64_t first, int64_t end) {
  nax_status status = NAX_OK;
  uint8_t *out = naxrt_part_row(to, to_row);
  const uint8_t *in = naxrt_part_row(from, from_row);
  for (int64_t p = first, run; p < end && status == NAX_OK; p += run) {
    int64_t in_slot = p % from->slots, out_slot = p % to->slots;
    run = end - p;
    run = run < from->slots - in_slot ? run : from->slots - in_slot;
    run = run < to->slots - out_slot ? run : to->slots - out_slot;
    status = naxrt_cache_move(context, cache, out + out_slot * to->slot_bytes, in + in_slot * from->slot_bytes,
                              run * to->slot_bytes);
  }
  return status;
}

static nax_status check_sizes(nax_context *context, const nax_cache *to, const nax_cache *from) {
  for (int64_t i = 0; i < to->step->dim_count; ++i) {
    int64_t here = naxrt_cache_row_size(to, i), there = naxrt_cache_row_size(from, i);
    if (here != there)
      return naxrt_fail(context, NAX_E_SIZE, "axis %s: the row was created for %lld, the cache that takes it for %lld",
                        to->model->axes[to->step->dims[i]].name, (long long)there, (long long)here);
  }
  return NAX_OK;
}

static nax_status check_shared(nax_context *context, const nax_cache *to, int64_t to_row, const nax_cache *from,
                               bool begun) {
  for (int64_t i = 0; i < to->part_count; ++i) {
    const naxrt_part *in = &from->parts[i], *out = &to->parts[i];
    nax_status status = NAX_OK;
    if (naxrt_part_is_shared(out, to) && begun && naxrt_others_begun(to, to_row) &&
        !holds_the_same(context, from, in->data, to, out->data, in->slot_bytes, &status))
      return status != NAX_OK
                 ? status
                 : naxrt_fail(
                       context, NAX_E_VALUE,
                       "the rows of a cache share %s %s, and what other rows began with is not what this one did",
                       out->desc->name, out->desc->text);
  }
  return NAX_OK;
}

static nax_status check_copy(nax_context *context, const nax_cache *to, int64_t to_row, const nax_cache *from,
                             int64_t from_row) {
  nax_status status = NAX_OK;
  if (!naxrt_is_cache(context, to, "to", &status) || (status = naxrt_check_row(context, to, to_row)) != NAX_OK ||
      !naxrt_is_cache(context, from, "from", &status) || (status = naxrt_check_row(context, from, from_row)) != NAX_OK)
    return status;
  if (!to->remote.owner != !from->remote.owner)
    return naxrt_fail(context, NAX_E_VALUE, "one cache is on a GPU, the other is not: save the row and restore it");
  if (to->model != from->model || to->step != from->step)
    return naxrt_fail(context, NAX_E_VALUE, "one is a cache of %s_%s, the other of %s_%s", to->model->name,
                      to->step->of, from->model->name, from->step->of);
  if (to->remote.memory != from->remote.memory)
    return naxrt_fail(context, NAX_E_VALUE, "the caches are not on the same GPU: save the row and restore it");
  if (from->rows[from_row].length > to->capacity)
    return naxrt_fail(context, NAX_E_FULL, "row %lld of the cache: %lld positions are more than its %lld",
                      (long long)to_row, (long long)from->rows[from_row].length, (long long)to->capacity);
  status = check_sizes(context, to, from);
  return status == NAX_OK ? check_shared(context, to, to_row, from, from->rows[from_row].begun) : status;
}

nax_status nax_cache_copy(nax_context *context, nax_cache *to, int64_t to_row, const nax_cache *from,
                          int64_t from_row) {
  if (!naxrt_begin(context))
    return naxrt_fail_without_context();
  nax_status status = check_copy(context, to, to_row, from, from_row);
  if (status != NAX_OK || (to == from && to_row == from_row))
    return status;
  const naxrt_row *row = &from->rows[from_row];
  if (from->remote.owner)
    status = from->remote.wait(from->remote.owner, context);
  for (int64_t i = 0; i < to->part_count && status == NAX_OK; ++i) {
    const naxrt_part *in = &from->parts[i], *out = &to->parts[i];
    if (in->slots >= 0)
      status = copy_positions(context, to, out, to_row, in, from_row, naxrt_part_first(in, row->reached), row->length);
    else if (row->begun && naxrt_part_row(out, to_row) != naxrt_part_row(in, from_row))
      status = naxrt_cache_move(context, to, naxrt_part_row(out, to_row), naxrt_part_row(in, from_row), in->slot_bytes);
  }
  if (status == NAX_OK)
    to->rows[to_row] = *row;
  return status;
}
