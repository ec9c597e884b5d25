/* SPDX-License-Identifier: Apache-2.0 */
/* A row of a cache as a file, in this order, numbers as int64 in little-endian:

     "NAXCACHE"
     version, length, reached, begun, capacity   the row, and of which capacity its cache was
     bytes of the model's name, of the entry's; how many parts; how many sizes
     for each part: dtype, ring (-1: fixed), bytes of a slot (fixed: of a row), positions that follow
     each size that a row brings with it, in the order of the step's dimensions; -1 for others
     the two names
     for each part its positions, oldest first; of a fixed one its row
     the checksum of all before: FNV-1a of 64 bits, http://www.isthe.com/chongo/tech/comp/fnv/

   The capacity and the place of a position in a ring are not part of what is saved. All sizes are computed from the
   cache that takes the row, so that a file can only agree or be refused. */
#include "cache.h"
#include "file.h"
#include "write.h"

#include <string.h>

static const char magic[8] = {'N', 'A', 'X', 'C', 'A', 'C', 'H', 'E'};

enum { VERSION = 1, HEAD = 9, OF_PART = 4 };

typedef struct head {
  int64_t version, length, reached, begun, capacity, model_bytes, entry_bytes, parts, sizes;
} head;

_Static_assert(sizeof(head) == HEAD * sizeof(int64_t), "a head is its numbers");

static uint64_t checksum(uint64_t sum, const void *data, int64_t bytes) {
  const uint8_t *at = data;
  for (int64_t i = 0; i < bytes; ++i)
    sum = (sum ^ at[i]) * UINT64_C(0x100000001b3);
  return sum;
}

static const uint64_t checksum_of_nothing = UINT64_C(0xcbf29ce484222325);

/* How many positions of a row are written for the part; a fixed one has none. */
static int64_t positions_of(const naxrt_part *part, int64_t length, int64_t reached) {
  return part->slots < 0 ? 0 : length - naxrt_part_first(part, reached);
}

static int64_t bytes_of(const naxrt_part *part, int64_t length, int64_t reached) {
  return (part->slots < 0 ? 1 : positions_of(part, length, reached)) * part->slot_bytes;
}

static void describe(const naxrt_part *part, int64_t length, int64_t reached, int64_t out[OF_PART]) {
  out[0] = part->desc->dtype;
  out[1] = part->slots < 0 ? -1 : part->ring;
  out[2] = part->slot_bytes;
  out[3] = positions_of(part, length, reached);
}

//===-- saving -----------------------------------------------------------------------------------------------------//

typedef struct output {
  naxrt_writer writer;
  uint64_t sum;
} output;

static void put(output *out, const void *data, int64_t bytes) {
  naxrt_write(&out->writer, data, bytes);
  out->sum = checksum(out->sum, data, bytes);
}

/* `data`: the row, in memory of the host. */
static void put_part(output *out, const naxrt_part *part, const uint8_t *data, const naxrt_row *at) {
  if (part->slots < 0) {
    put(out, data, part->slot_bytes);
    return;
  }
  for (int64_t p = naxrt_part_first(part, at->reached), run; p < at->length; p += run) {
    int64_t slot = p % part->slots;
    run = at->length - p < part->slots - slot ? at->length - p : part->slots - slot;
    put(out, data + slot * part->slot_bytes, run * part->slot_bytes);
  }
}

static int64_t staged_bytes(const nax_cache *cache) {
  int64_t bytes = 0;
  for (int64_t i = 0; i < cache->part_count; ++i)
    bytes += naxrt_part_row_bytes(&cache->parts[i]);
  return bytes;
}

/* A copy of the row of each part, one after another, where the host can read it; NULL: the error is set. */
static uint8_t *stage(nax_context *context, const nax_cache *cache, int64_t row, nax_status *status) {
  uint8_t *staged = naxrt_allocate(context, staged_bytes(cache), "a row of a cache"), *at = staged;
  *status = staged ? NAX_OK : NAX_E_MEMORY;
  for (int64_t i = 0; i < cache->part_count && *status == NAX_OK; ++i) {
    const naxrt_part *part = &cache->parts[i];
    *status = naxrt_cache_move(context, cache, at, naxrt_part_row(part, row), naxrt_part_row_bytes(part));
    at += naxrt_part_row_bytes(part);
  }
  if (*status == NAX_OK)
    return staged;
  naxrt_release(&context->hooks, staged, staged_bytes(cache));
  return NULL;
}

nax_status nax_cache_save(nax_context *context, const nax_cache *cache, int64_t row, const char *path) {
  if (!naxrt_begin(context))
    return naxrt_fail_without_context();
  nax_status status = NAX_OK;
  if (!naxrt_is_cache(context, cache, "cache", &status) || (status = naxrt_check_row(context, cache, row)) != NAX_OK)
    return status;
  if (!path)
    return naxrt_fail(context, NAX_E_NULL, "path is null");
  uint8_t *staged = cache->remote.owner ? stage(context, cache, row, &status) : NULL;
  if (status != NAX_OK)
    return status;
  const naxrt_row *at = &cache->rows[row];
  const char *model = cache->model->name, *entry = cache->step->of;
  head h = {VERSION,
            at->length,
            at->reached,
            at->begun,
            cache->capacity,
            (int64_t)strlen(model),
            (int64_t)strlen(entry),
            cache->part_count,
            cache->step->dim_count};
  output out = {.sum = checksum_of_nothing};
  naxrt_write_open(&out.writer, context, path);
  put(&out, magic, sizeof magic);
  put(&out, &h, sizeof h);
  for (int64_t i = 0; i < cache->part_count; ++i) {
    int64_t numbers[OF_PART];
    describe(&cache->parts[i], at->length, at->reached, numbers);
    put(&out, numbers, sizeof numbers);
  }
  for (int64_t i = 0; i < h.sizes; ++i) {
    int64_t size = naxrt_cache_row_size(cache, i);
    put(&out, &size, sizeof size);
  }
  put(&out, model, h.model_bytes);
  put(&out, entry, h.entry_bytes);
  const uint8_t *data = staged;
  for (int64_t i = 0; i < cache->part_count; ++i) {
    const naxrt_part *part = &cache->parts[i];
    put_part(&out, part, staged ? data : naxrt_part_row(part, row), at);
    data = staged ? data + naxrt_part_row_bytes(part) : NULL;
  }
  uint64_t sum = out.sum;
  put(&out, &sum, sizeof sum);
  naxrt_release(&context->hooks, staged, staged ? staged_bytes(cache) : 0);
  return naxrt_write_close(&out.writer);
}

//===-- restoring --------------------------------------------------------------------------------------------------//

typedef struct input {
  nax_context *context;
  const char *path;
  const uint8_t *at, *end;
} input;

static nax_status bad(const input *in, const char *what) {
  return naxrt_fail(in->context, NAX_E_FORMAT, "%.1024s: %s", in->path, what);
}

/* The next bytes; NULL: there are not so many. */
static const uint8_t *take(input *in, int64_t bytes) {
  if (bytes < 0 || bytes > in->end - in->at)
    return NULL;
  in->at += bytes;
  return in->at - bytes;
}

static nax_status take_head(input *in, head *h) {
  int64_t bytes = in->end - in->at;
  uint64_t sum;
  if (bytes < (int64_t)sizeof magic || memcmp(take(in, sizeof magic), magic, sizeof magic) != 0)
    return bad(in, "this is no row of a cache, or its beginning is damaged");
  if (bytes < (int64_t)(sizeof magic + sizeof *h + sizeof sum))
    return bad(in, "the file is cut short");
  in->end -= sizeof sum;
  memcpy(&sum, in->end, sizeof sum);
  memcpy(h, take(in, sizeof *h), sizeof *h);
  if (checksum(checksum_of_nothing, in->end - (bytes - (int64_t)sizeof sum), bytes - (int64_t)sizeof sum) != sum)
    return bad(in, "the file is damaged or cut short: its checksum is another");
  if (h->version != VERSION)
    return naxrt_fail(in->context, NAX_E_FORMAT, "%.1024s: version %lld of these files, %d is read", in->path,
                      (long long)h->version, VERSION);
  return NAX_OK;
}

static bool is_name(const uint8_t *text, int64_t bytes, const char *name) {
  return (int64_t)strlen(name) == bytes && memcmp(text, name, (size_t)bytes) == 0;
}

/* `count` times `bytes` more; NULL: there are not so many. */
static const uint8_t *take_each(input *in, int64_t count, int64_t bytes) {
  int64_t all;
  return naxrt_multiply(count, bytes, &all) ? take(in, all) : NULL;
}

/* Whose row it is; the numbers of its parts and its sizes stay to be compared. */
static nax_status take_names(input *in, const head *h, const nax_cache *cache, const uint8_t **numbers,
                             const uint8_t **sizes) {
  *numbers = take_each(in, h->parts, OF_PART * (int64_t)sizeof(int64_t));
  *sizes = *numbers ? take_each(in, h->sizes, (int64_t)sizeof(int64_t)) : NULL;
  const uint8_t *model = *sizes ? take(in, h->model_bytes) : NULL;
  const uint8_t *entry = model ? take(in, h->entry_bytes) : NULL;
  if (!entry)
    return bad(in, "the sizes in its head do not fit the file");
  const char *wanted_model = cache->model->name, *wanted_entry = cache->step->of;
  if (is_name(model, h->model_bytes, wanted_model) && is_name(entry, h->entry_bytes, wanted_entry))
    return NAX_OK;
  enum { SHOWN = 100 };
  return naxrt_fail(in->context, NAX_E_VALUE, "%.1024s: this is a row of %.*s_%.*s, the cache is one of %s_%s",
                    in->path, (int)(h->model_bytes < SHOWN ? h->model_bytes : SHOWN), (const char *)model,
                    (int)(h->entry_bytes < SHOWN ? h->entry_bytes : SHOWN), (const char *)entry, wanted_model,
                    wanted_entry);
}

static nax_status check_sizes(const input *in, const head *h, const nax_cache *cache, const uint8_t *sizes) {
  if (h->sizes != cache->step->dim_count)
    return bad(in, "it has the sizes of another form of this entry");
  for (int64_t i = 0; i < h->sizes; ++i) {
    int64_t here = naxrt_cache_row_size(cache, i), there;
    memcpy(&there, sizes + i * (int64_t)sizeof there, sizeof there);
    if (here != there)
      return naxrt_fail(in->context, NAX_E_SIZE, "%.1024s: axis %s: the row was created for %lld, the cache for %lld",
                        in->path, cache->model->axes[cache->step->dims[i]].name, (long long)there, (long long)here);
  }
  return NAX_OK;
}

/* The row's lengths, what it is made of, and that just so many bytes follow. */
static nax_status check_row(const input *in, const head *h, const nax_cache *cache, int64_t row,
                            const uint8_t *numbers) {
  bool taken_back = h->reached > 0 && h->length == h->reached - 1 && naxrt_cache_wrapped(cache, h->reached);
  if (h->length < 0 || (h->reached != h->length && !taken_back) || (h->begun != 0 && h->begun != 1))
    return bad(in, "the lengths in its head make no sense");
  if (h->length > cache->capacity)
    return naxrt_fail(in->context, NAX_E_FULL,
                      "row %lld of the cache: the %lld positions in %.1024s are more than its %lld", (long long)row,
                      (long long)h->length, in->path, (long long)cache->capacity);
  if (h->parts != cache->part_count)
    return naxrt_fail(in->context, NAX_E_SIZE, "%.1024s: a row of %lld buffers, the cache has %lld", in->path,
                      (long long)h->parts, (long long)cache->part_count);
  int64_t left = in->end - in->at;
  for (int64_t i = 0; i < cache->part_count; ++i) {
    const naxrt_part *part = &cache->parts[i];
    int64_t wanted[OF_PART], found[OF_PART];
    describe(part, h->length, h->reached, wanted);
    memcpy(found, numbers + i * (int64_t)sizeof found, sizeof found);
    if (found[0] != wanted[0])
      return naxrt_fail(in->context, NAX_E_SIZE, "%.1024s: %s %s is %s, in the cache %s", in->path, part->desc->name,
                        part->desc->text, naxrt_dtype_name(found[0]), naxrt_dtype_name(wanted[0]));
    if (found[2] != wanted[2])
      return naxrt_fail(in->context, NAX_E_SIZE, "%.1024s: %s %s is %lld bytes for each, in the cache %lld", in->path,
                        part->desc->name, part->desc->text, (long long)found[2], (long long)wanted[2]);
    if (found[1] != wanted[1])
      return naxrt_fail(in->context, NAX_E_SIZE, "%.1024s: %s %s is of another window", in->path, part->desc->name,
                        part->desc->text);
    if (found[3] != wanted[3])
      return bad(in, "the sizes in its head do not fit the file");
    left -= bytes_of(part, h->length, h->reached); // no more than the capacity's, so that nothing overflows
  }
  return left == 0 ? NAX_OK : bad(in, "the sizes in its head do not fit the file");
}

/* How many values an element may have; -1: any. What generated code uses as an index is checked here, as an argument
   would be. */
static int64_t values_of(const nax_cache *cache, const nax_buffer_desc *desc) {
  if (desc->dtype == NAX_BOOL)
    return 2;
  if (desc->bound >= 0 || desc->data_axis < 0)
    return desc->bound;
  for (int64_t i = 0; i < desc->rank; ++i)
    if (desc->axes[i] == desc->data_axis)
      return -1;                                           // documents, which are only compared
  int64_t size = cache->model->axes[desc->data_axis].size; // lengths and starts: up to the whole axis
  if (size < 0)
    size = naxrt_cache_size(cache, desc->data_axis);
  return size < 0 ? -1 : size + 1;
}

static bool are_in_range(int64_t values, int64_t dtype, const uint8_t *data, int64_t bytes) {
  int64_t width = naxrt_dtype_bytes(dtype);
  for (int64_t at = 0; values >= 0 && at < bytes; at += width) {
    int64_t value = data[at];
    int32_t narrow;
    if (dtype == NAX_I64)
      memcpy(&value, data + at, sizeof value);
    else if (dtype == NAX_I32)
      memcpy(&narrow, data + at, sizeof narrow), value = narrow;
    if (value < 0 || value >= values)
      return false;
  }
  return true;
}

static nax_status check_values(const input *in, const head *h, const nax_cache *cache, int64_t row) {
  const uint8_t *data = in->at;
  for (int64_t i = 0; i < cache->part_count; ++i) {
    const naxrt_part *part = &cache->parts[i];
    const nax_buffer_desc *desc = part->desc;
    int64_t bytes = bytes_of(part, h->length, h->reached);
    if (!are_in_range(values_of(cache, desc), desc->dtype, data, bytes))
      return naxrt_fail(in->context, NAX_E_RANGE, "%.1024s: %s %s has values out of their range", in->path, desc->name,
                        desc->text);
    nax_status status = NAX_OK;
    if (naxrt_part_is_shared(part, cache) && h->begun && naxrt_others_begun(cache, row) &&
        !naxrt_cache_holds(in->context, cache, part->data, data, bytes, &status))
      return status != NAX_OK
                 ? status
                 : naxrt_fail(
                       in->context, NAX_E_VALUE,
                       "%.1024s: the rows of a cache share %s %s, and what other rows began with is not what this one "
                       "did",
                       in->path, desc->name, desc->text);
    data += bytes;
  }
  return NAX_OK;
}

static nax_status take_part(input *in, const nax_cache *cache, const naxrt_part *part, int64_t row, const head *h) {
  nax_status status = NAX_OK;
  uint8_t *out = naxrt_part_row(part, row);
  if (part->slots < 0) {
    const uint8_t *data = take(in, part->slot_bytes);
    return h->begun ? naxrt_cache_move(in->context, cache, out, data, part->slot_bytes) : NAX_OK;
  }
  for (int64_t p = naxrt_part_first(part, h->reached), run; p < h->length && status == NAX_OK; p += run) {
    int64_t slot = p % part->slots;
    run = h->length - p < part->slots - slot ? h->length - p : part->slots - slot;
    status = naxrt_cache_move(in->context, cache, out + slot * part->slot_bytes, take(in, run * part->slot_bytes),
                              run * part->slot_bytes);
  }
  return status;
}

static nax_status restore(input *in, nax_cache *cache, int64_t row) {
  head h;
  const uint8_t *numbers = NULL, *sizes = NULL;
  nax_status status = take_head(in, &h);
  if (status == NAX_OK)
    status = take_names(in, &h, cache, &numbers, &sizes);
  if (status == NAX_OK)
    status = check_sizes(in, &h, cache, sizes);
  if (status == NAX_OK)
    status = check_row(in, &h, cache, row, numbers);
  if (status == NAX_OK)
    status = check_values(in, &h, cache, row);
  if (status != NAX_OK)
    return status;
  for (int64_t i = 0; i < cache->part_count && status == NAX_OK; ++i)
    status = take_part(in, cache, &cache->parts[i], row, &h);
  if (status == NAX_OK)
    cache->rows[row] = (naxrt_row){h.length, h.reached, h.begun};
  return status;
}

nax_status nax_cache_restore(nax_context *context, nax_cache *cache, int64_t row, const char *path) {
  if (!naxrt_begin(context))
    return naxrt_fail_without_context();
  nax_status status = NAX_OK;
  if (!naxrt_is_cache(context, cache, "cache", &status) || (status = naxrt_check_row(context, cache, row)) != NAX_OK)
    return status;
  if (!path)
    return naxrt_fail(context, NAX_E_NULL, "path is null");
  naxrt_bytes bytes;
  status = naxrt_map(context, path, &bytes);
  if (status != NAX_OK)
    return status;
  input in = {context, path, bytes.data, bytes.data + bytes.size};
  status = restore(&in, cache, row);
  naxrt_unmap(bytes);
  return status;
}
