/* SPDX-License-Identifier: Apache-2.0 */
/* The cache object: laid out from the step's description, and its rows handled. */
#include "cache.h"

#include <string.h>

static const char magic[8] = "naxcach";

bool naxrt_is_cache(nax_context *context, const nax_cache *cache, const char *what, nax_status *status) {
  if (cache && memcmp(cache->magic, magic, sizeof magic) == 0)
    return true;
  *status = cache ? naxrt_fail(context, NAX_E_VALUE, "%s is destroyed, or no cache at all", what)
                  : naxrt_fail(context, NAX_E_NULL, "%s is null", what);
  return false;
}

//===-- layout -----------------------------------------------------------------------------------------------------//

/* A cache in the making, with what it needs of the model. */
typedef struct plan {
  nax_context *context;
  const nax_model_desc *model;
  const nax_entry_desc *step;
  const nax_buffer_desc *counts;
  const int64_t *given; /* sizes */
  int64_t capacity, part_count;
  int64_t bytes; /* placed so far; negative: more than an int64_t can say */
  const naxrt_remote *remote;
  int64_t remote_bytes; /* the same, of parts that are somewhere else */
} plan;

static nax_status broken(const plan *p, const char *what) {
  return naxrt_fail(p->context, NAX_E_MODEL, "the description of %s: %s of %s", p->model->name, what, p->step->name);
}

static bool is_cache(const nax_buffer_desc *desc) { return desc->role == NAX_CACHE; }

static nax_status find_step(plan *p, int64_t step) {
  if (step < 0 || step >= p->model->entry_count || p->model->entries[step].kind != NAX_STEP)
    return naxrt_fail(p->context, NAX_E_VALUE, "entry %lld of model %s is no step", (long long)step, p->model->name);
  p->step = &p->model->entries[step];
  for (int64_t i = 0; i < p->step->buffer_count; ++i) {
    const nax_buffer_desc *desc = &p->step->buffers[i];
    if (desc->role == NAX_COUNTS)
      p->counts = desc;
    p->part_count += is_cache(desc);
  }
  return p->counts ? NAX_OK : broken(p, "there are no counts among the arguments");
}

static bool has_axis(const nax_buffer_desc *desc, int64_t axis) {
  for (int64_t i = 0; i < desc->rank; ++i)
    if (desc->axes[i] == axis)
      return true;
  return false;
}

/* Whether the rows or what is kept of them stand on the axis. */
static bool some_cache_has(const plan *p, int64_t axis) {
  if (has_axis(p->counts, axis))
    return true;
  for (int64_t i = 0; i < p->step->buffer_count; ++i)
    if (is_cache(&p->step->buffers[i]) && has_axis(&p->step->buffers[i], axis))
      return true;
  return false;
}

static nax_status check_capacity(const plan *p, const nax_axis_desc *axis, int64_t capacity) {
  if (axis->limit >= 0 && capacity > axis->limit)
    return naxrt_fail(p->context, NAX_E_AXIS, "axis %s: a capacity of %lld is more than%s %lld%s%s", axis->name,
                      (long long)capacity, axis->limit_reason ? " the" : "", (long long)axis->limit,
                      axis->limit_reason ? " " : "", axis->limit_reason ? axis->limit_reason : "");
  if (capacity >= INT32_MAX)
    return naxrt_fail(p->context, NAX_E_SIZE, "axis %s: a capacity of %lld is more than a cache can count", axis->name,
                      (long long)capacity);
  return NAX_OK;
}

/* Whether create is given the size of this one of the step's axes. */
static bool is_given(const plan *p, int64_t axis) {
  return p->model->axes[axis].slots_of < 0 && (axis == p->counts->data_axis || some_cache_has(p, axis));
}

static nax_status check_sizes(plan *p) {
  const int64_t *given = p->given;
  for (int64_t i = 0; i < p->step->dim_count; ++i) {
    int64_t index = p->step->dims[i];
    const nax_axis_desc *axis = &p->model->axes[index];
    if (!is_given(p, index))
      continue;
    int64_t size = *given++;
    if (size < 0)
      return naxrt_fail(p->context, NAX_E_SIZE, "axis %s: %lld is negative", axis->name, (long long)size);
    if (index != p->counts->data_axis)
      continue;
    p->capacity = size;
    nax_status status = check_capacity(p, axis, size);
    if (status != NAX_OK)
      return status;
  }
  return NAX_OK;
}

/* The extent that an axis has in a cache; -1: none. */
static int64_t extent_of(const plan *p, int64_t axis) {
  if (axis < 0 || axis >= p->model->axis_count || axis == p->counts->data_axis)
    return -1;
  const nax_axis_desc *desc = &p->model->axes[axis];
  if (desc->size >= 0)
    return desc->size;
  if (desc->slots_of >= 0)
    return desc->ring > 0 && desc->ring < p->capacity ? desc->ring : p->capacity;
  const int64_t *given = p->given;
  for (int64_t i = 0; i < p->step->dim_count; ++i)
    if (p->step->dims[i] == axis)
      return is_given(p, axis) ? *given : -1;
    else
      given += is_given(p, p->step->dims[i]);
  return -1;
}

/* Room for `bytes` at the next multiple of 64; the offset, or 0 once the sum is too large. */
static int64_t place_in(int64_t *used, int64_t bytes) {
  int64_t at = *used, end;
  if (at < 0 || bytes < 0 || !naxrt_add(at, bytes, &end) || !naxrt_add(end, NAXRT_BLOCK_ALIGNMENT - 1, &end)) {
    *used = -1;
    return 0;
  }
  *used = end / NAXRT_BLOCK_ALIGNMENT * NAXRT_BLOCK_ALIGNMENT;
  return at;
}

static int64_t place(plan *p, int64_t bytes) { return place_in(&p->bytes, bytes); }

static int64_t product(int64_t a, int64_t b) {
  int64_t result;
  return a >= 0 && b >= 0 && naxrt_multiply(a, b, &result) ? result : -1;
}

/* Fills all of the part but its memory. Rows are outermost, then slots; a fixed value has all rows or none. */
static nax_status describe_part(const plan *p, const nax_buffer_desc *desc, int64_t rows, naxrt_part *out) {
  int64_t at = 0;
  *out = (naxrt_part){.desc = desc, .rows = 1, .slots = -1, .slot_bytes = naxrt_dtype_bytes(desc->dtype)};
  while (at < desc->rank && at < p->counts->rank && desc->axes[at] == p->counts->axes[at])
    ++at;
  if (at == p->counts->rank)
    out->rows = rows;
  else if (at > 0)
    return broken(p, "a cache has some of the rows' axes");
  for (; at < desc->rank; ++at) {
    int64_t size = extent_of(p, desc->axes[at]);
    if (size < 0)
      return broken(p, "a cache has a dimension without a size");
    const nax_axis_desc *axis = &p->model->axes[desc->axes[at]];
    if (axis->slots_of < 0) {
      out->slot_bytes = product(out->slot_bytes, size);
      continue;
    }
    if (at != p->counts->rank)
      return broken(p, "the slots of a cache do not follow its rows");
    out->slots = size;
    out->ring = axis->ring;
  }
  return NAX_OK;
}

static int64_t part_bytes(const naxrt_part *part) {
  return product(part->rows, part->slots < 0 ? part->slot_bytes : product(part->slots, part->slot_bytes));
}

static int64_t row_count(const plan *p) {
  int64_t rows = 1;
  for (int64_t i = 0; i < p->counts->rank; ++i)
    rows = product(rows, extent_of(p, p->counts->axes[i]));
  return rows;
}

/* Places the tables and the parts; `cache` NULL: only to see how large it all is. */
static nax_status lay_out(plan *p, nax_cache *cache) {
  int64_t rows = row_count(p), dims = p->step->dim_count;
  uint8_t *base = (uint8_t *)cache;
  uint8_t *parts_base = cache && p->remote ? cache->remote_block : base;
  p->bytes = p->remote_bytes = 0;
  place(p, (int64_t)sizeof(nax_cache));
  int64_t sizes_at = place(p, product(dims, (int64_t)sizeof(int64_t)));
  int64_t parts_at = place(p, product(p->part_count, (int64_t)sizeof(naxrt_part)));
  int64_t rows_at = place(p, product(rows, (int64_t)sizeof(naxrt_row)));
  int64_t span_at = place(p, product(rows, 2 * (int64_t)sizeof(int32_t)));
  if (cache) {
    cache->sizes = (int64_t *)(base + sizes_at);
    cache->parts = (naxrt_part *)(base + parts_at);
    cache->rows = (naxrt_row *)(base + rows_at);
    cache->span = (int32_t *)(base + span_at);
    cache->row_count = rows;
    memset(cache->parts, 0, (size_t)(span_at - parts_at)); // parts and rows
    for (int64_t i = 0; i < dims; ++i)
      cache->sizes[i] = extent_of(p, p->step->dims[i]);
  }
  for (int64_t i = 0; i < p->step->buffer_count; ++i) {
    const nax_buffer_desc *desc = &p->step->buffers[i];
    naxrt_part part;
    if (!is_cache(desc))
      continue;
    nax_status status = describe_part(p, desc, rows, &part);
    if (status != NAX_OK)
      return status;
    int64_t bytes = part_bytes(&part), at = place_in(p->remote ? &p->remote_bytes : &p->bytes, bytes);
    if (!cache)
      continue;
    if (desc->cache < 0 || desc->cache >= p->part_count || cache->parts[desc->cache].desc)
      return broken(p, "the caches are not numbered from 0, each by its own number, in the arguments");
    part.data = parts_base + at;
    cache->parts[desc->cache] = part;
    cache->has_fixed |= part.slots < 0;
    if (part.slots < 0 && !p->remote) // so that a row without positions may be computed, to no effect
      memset(part.data, 0, (size_t)bytes);
  }
  return NAX_OK;
}

static nax_status make(plan *p, nax_cache **out) {
  nax_status status = lay_out(p, NULL);
  if (status == NAX_OK &&
      (p->bytes < 0 || p->bytes > PTRDIFF_MAX || p->remote_bytes < 0 || p->remote_bytes > PTRDIFF_MAX))
    status =
        naxrt_fail(p->context, NAX_E_SIZE, "a cache of %s_%s with a capacity of %lld is more than memory can address",
                   p->model->name, p->step->of, (long long)p->capacity);
  if (status != NAX_OK)
    return status;
  nax_cache *cache = naxrt_allocate(p->context, p->bytes, "a cache");
  if (!cache)
    return NAX_E_MEMORY;
  *cache = (nax_cache){.model = p->model,
                       .step = p->step,
                       .counts = p->counts,
                       .hooks = p->context->hooks,
                       .bytes = p->bytes,
                       .capacity = p->capacity,
                       .part_count = p->part_count,
                       .remote_bytes = p->remote_bytes};
  memcpy(cache->magic, magic, sizeof magic);
  if (p->remote)
    status = p->remote->allocate(p->remote->owner, p->context, p->remote_bytes, &cache->remote_block);
  if (p->remote && status == NAX_OK)
    cache->remote = *p->remote;
  if (status == NAX_OK)
    status = lay_out(p, cache);
  if (status == NAX_OK) {
    *out = cache;
    return NAX_OK;
  }
  if (cache->remote.owner)
    cache->remote.release(cache->remote.owner, cache->remote_block);
  cache->remote.owner = NULL;
  nax_cache_destroy(cache);
  return status;
}

nax_status naxrt_cache_create(nax_context *context, const nax_model_desc *model, int64_t step, const int64_t *sizes,
                              nax_cache **out) {
  return naxrt_cache_create_in(context, model, step, sizes, NULL, out);
}

nax_status naxrt_cache_create_in(nax_context *context, const nax_model_desc *model, int64_t step, const int64_t *sizes,
                                 const naxrt_remote *remote, nax_cache **out) {
  if (!naxrt_begin(context))
    return naxrt_fail_without_context();
  if (!model || !sizes || !out)
    return naxrt_fail(context, NAX_E_NULL, "%s is null", !model ? "the model" : !sizes ? "sizes" : "out");
  *out = NULL;
  if (model->abi != NAX_ABI_VERSION)
    return naxrt_fail(context, NAX_E_VERSION, "the model was compiled for version %lld of the library, this is %d",
                      (long long)model->abi, NAX_ABI_VERSION);
  plan p = {.context = context, .model = model, .given = sizes, .remote = remote};
  nax_status status = find_step(&p, step);
  if (status == NAX_OK)
    status = check_sizes(&p);
  return status == NAX_OK ? make(&p, out) : status;
}

void nax_cache_destroy(nax_cache *cache) {
  if (!cache)
    return;
  nax_hooks hooks = cache->hooks;
  if (cache->remote.owner) {
    cache->remote.release(cache->remote.owner, cache->remote_block);
    cache->remote.end(cache->remote.owner);
  }
  memset(cache->magic, 0, sizeof magic); // so that a later use is noticed, if the memory still shows it
  naxrt_release(&hooks, cache, cache->bytes);
}
