/* SPDX-License-Identifier: Apache-2.0 */
/* What a step and a begin do with their cache, around the generated code: which one it is, room for the new positions,
   the span, and afterwards the lengths. Nothing of the cache changes before all checks of a call have passed. */
#include "invoke.h"

static bool has_cache(const naxrt_call *call) { return call->entry->kind != NAX_WHOLE; }

static int64_t counts_index(const nax_entry_desc *entry) {
  for (int64_t i = 0; i < entry->buffer_count; ++i)
    if (entry->buffers[i].role == NAX_COUNTS)
      return i;
  return -1;
}

static nax_status check_cache(const naxrt_call *call) {
  const nax_cache *cache = call->cache;
  const nax_model_desc *model = call->model;
  nax_status status = NAX_OK;
  if (!cache)
    return naxrt_fail(call->context, NAX_E_NULL, "cache is null: %s_%s_%scache_create makes one", model->name,
                      call->entry->of, call->on_device ? "cuda_" : "");
  if (!naxrt_is_cache(call->context, cache, "cache", &status))
    return status;
  if ((cache->remote.owner != NULL) != call->on_device)
    return naxrt_fail(call->context, NAX_E_VALUE, "cache is on %s, %s_%s runs on %s",
                      call->on_device ? "the CPU" : "a GPU", model->name, call->entry->name,
                      call->on_device ? "a GPU" : "the CPU");
  if (cache->model != model || cache->step != &model->entries[call->entry->step])
    return naxrt_fail(call->context, NAX_E_VALUE, "cache is not one of %s_%s: it was created for %s_%s", model->name,
                      call->entry->of, cache->model->name, cache->step->of);
  return NAX_OK;
}

nax_status naxrt_enter_cache(naxrt_call *call) {
  const nax_entry_desc *entry = call->entry;
  if (!has_cache(call)) {
    call->cache = NULL; // whatever was given
    return NAX_OK;
  }
  if (entry->step < 0 || entry->step >= call->model->entry_count ||
      (entry->kind == NAX_STEP && counts_index(entry) < 0))
    return naxrt_fail(call->context, NAX_E_MODEL, "the description of %s: %s has no step or no counts",
                      call->model->name, entry->name);
  nax_status status = check_cache(call);
  if (status != NAX_OK)
    return status;
  for (int64_t i = 0; i < entry->dim_count; ++i)
    if (call->model->axes[entry->dims[i]].slots_of >= 0)
      call->dims[i] = naxrt_cache_size(call->cache, entry->dims[i]);
  for (int64_t i = 0; i < entry->buffer_count; ++i) {
    const nax_buffer_desc *desc = &entry->buffers[i];
    bool is_part = desc->role == NAX_CACHE;
    if ((is_part && desc->cache < 0) || desc->cache >= call->cache->part_count)
      return naxrt_fail(call->context, NAX_E_MODEL, "the description of %s: there is no cache for %s",
                        call->model->name, desc->name);
    if (is_part)
      call->buffers[i] = call->cache->parts[desc->cache].data;
  }
  return NAX_OK;
}

nax_status naxrt_check_cache_sizes(const naxrt_call *call) {
  for (int64_t i = 0; call->cache && i < call->entry->dim_count; ++i) {
    int64_t axis = call->entry->dims[i], size = naxrt_cache_size(call->cache, axis);
    if (size >= 0 && size != call->dims[i])
      return naxrt_fail(call->context, NAX_E_SIZE, "axis %s: %lld, the cache was created for %lld",
                        call->model->axes[axis].name, (long long)call->dims[i], (long long)size);
  }
  return NAX_OK;
}

static int64_t count_in(const naxrt_call *call, const nax_buffer_desc *desc, const int32_t *counts, int64_t row) {
  return counts ? counts[row] : naxrt_call_size(call, desc->data_axis);
}

int64_t naxrt_count_of(const naxrt_call *call, int64_t row) {
  int64_t index = counts_index(call->entry);
  return count_in(call, &call->entry->buffers[index], call->buffers[index], row);
}

nax_status naxrt_check_counts(const naxrt_call *call, const nax_buffer_desc *desc, const int32_t *counts) {
  const nax_cache *cache = call->cache;
  for (int64_t row = 0; row < cache->row_count; ++row) {
    int64_t count = count_in(call, desc, counts, row), length = cache->rows[row].length;
    if (count > cache->capacity - length)
      return naxrt_fail(call->context, NAX_E_FULL,
                        "row %lld of the cache: %lld positions and %lld new ones are more than its %lld",
                        (long long)row, (long long)length, (long long)count, (long long)cache->capacity);
    if (count > 0 && cache->has_fixed && !cache->rows[row].begun)
      return naxrt_fail(call->context, NAX_E_VALUE,
                        "row %lld of the cache: %s_%s_begin computes what a step reads besides, and was not called",
                        (long long)row, call->model->name, call->entry->of);
  }
  return NAX_OK;
}

void naxrt_set_span(naxrt_call *call) {
  if (call->entry->kind != NAX_STEP)
    return;
  nax_cache *cache = call->cache;
  for (int64_t row = 0; row < cache->row_count; ++row) {
    int64_t length = cache->rows[row].length;
    cache->span[2 * row] = (int32_t)length;
    cache->span[2 * row + 1] = (int32_t)(length + naxrt_count_of(call, row));
  }
  void **place = &call->buffers[counts_index(call->entry)];
  call->counts = *place;
  *place = cache->span;
}

void naxrt_leave_cache(const naxrt_call *call) {
  nax_cache *cache = call->cache;
  if (call->entry->kind == NAX_STEP)
    call->buffers[counts_index(call->entry)] = call->counts; // the caller may call again
  for (int64_t row = 0; cache && row < cache->row_count; ++row) {
    naxrt_row *at = &cache->rows[row];
    if (call->entry->kind == NAX_BEGIN) {
      *at = (naxrt_row){.begun = 1};
      continue;
    }
    at->length = cache->span[2 * row + 1];
    if (at->reached < at->length)
      at->reached = at->length;
  }
}
