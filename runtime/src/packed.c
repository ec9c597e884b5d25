/* SPDX-License-Identifier: Apache-2.0 */
/* Packed files: the block of parameters as a level of a model has it in memory, behind a page that says whose it is:

     "NAXPACK" and a 0 byte
     u64  version of this form, NAX_ABI_VERSION, level (nax_cpu)
     u64  fingerprint of the model's parameters (names, dtypes, axes, sizes), fingerprint of the level's slots
     u64  where the block begins, its bytes, its checksum
     the model's name, 56 bytes, a 0 byte at the end
     u64  XXH64 of all before
     zeros to the end of the page, and the block to the end of the file

   in little-endian. The checksum of the block is the XXH64 of the XXH64s of its pieces of 1 MiB, so that threads can
   share the work. All sizes follow from the model, so that a file can only agree or be refused. */
#define _GNU_SOURCE
#include "hash.h"
#include "params.h"
#include "write.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char magic[8] = "NAXPACK";

enum { VERSION = 1, PAGE = 4096, PIECE = 1 << 20 };

typedef struct head {
  char magic[8];
  uint64_t version, abi, cpu, model, layout, block_offset, block_bytes, block_sum;
  char name[56];
  uint64_t sum;
} head;

static const uint8_t zeros[PAGE]; /* behind a head */

_Static_assert(sizeof(head) == 136, "a head has no holes");

//===-- fingerprints and checksums ---------------------------------------------------------------------------------//

static uint64_t hash_number(uint64_t h, int64_t number) { return naxrt_hash(&number, (int64_t)sizeof number, h); }
static uint64_t hash_text(uint64_t h, const char *text) { return naxrt_hash(text, (int64_t)strlen(text) + 1, h); }

static uint64_t fingerprint_of_model(const nax_model_desc *model) {
  uint64_t h = hash_number(0, model->param_count);
  for (int64_t i = 0; i < model->param_count; ++i) {
    const nax_param_desc *param = &model->params[i];
    h = hash_number(hash_number(hash_text(h, param->name), param->dtype), param->rank);
    for (int64_t j = 0; j < param->rank; ++j)
      h = hash_number(hash_text(h, model->axes[param->axes[j]].name), model->axes[param->axes[j]].size);
  }
  return h;
}

static uint64_t fingerprint_of_slots(const nax_level_desc *level) {
  uint64_t h = hash_number(hash_number(0, level->slot_count), level->block_bytes);
  for (int64_t i = 0; i < level->slot_count; ++i) {
    const nax_slot_desc *slot = &level->slots[i];
    const int64_t numbers[] = {slot->param, slot->offset, slot->nr, slot->stored, slot->n_count, slot->k_count};
    h = naxrt_hash(numbers, (int64_t)sizeof numbers, h);
    for (int64_t j = 0; j < slot->n_count; ++j)
      h = hash_number(h, slot->n_axes[j]);
    for (int64_t j = 0; j < slot->k_count; ++j)
      h = hash_number(h, slot->k_axes[j]);
  }
  return h;
}

typedef struct summing {
  const uint8_t *block;
  int64_t bytes;
  uint64_t *sums;
} summing;

static void sum_piece(void *closure, int64_t i) {
  const summing *s = closure;
  int64_t from = i * PIECE, left = s->bytes - from;
  s->sums[i] = naxrt_hash(s->block + from, left < PIECE ? left : PIECE, 0);
}

static nax_status sum_block(nax_context *context, const void *block, int64_t bytes, uint64_t *out) {
  int64_t count = bytes / PIECE + (bytes % PIECE != 0), sums_bytes = count * (int64_t)sizeof(uint64_t);
  summing s = {block, bytes, naxrt_allocate(context, sums_bytes, "the checksums of parameters")};
  if (!s.sums)
    return NAX_E_MEMORY;
  naxrt_parallel_for(context, sum_piece, &s, count);
  *out = naxrt_hash(s.sums, sums_bytes, 0);
  naxrt_release(&context->hooks, s.sums, sums_bytes);
  return NAX_OK;
}

//===-- writing ----------------------------------------------------------------------------------------------------//

static nax_status write_packed(nax_context *context, const nax_params *params, const char *path) {
  head h = {.version = VERSION,
            .abi = NAX_ABI_VERSION,
            .cpu = (uint64_t)params->level->cpu,
            .model = fingerprint_of_model(params->model),
            .layout = fingerprint_of_slots(params->level),
            .block_offset = PAGE,
            .block_bytes = (uint64_t)params->block_bytes};
  memcpy(h.magic, magic, sizeof magic);
  strncpy(h.name, params->model->name, sizeof h.name - 1);
  nax_status status = sum_block(context, params->block, params->block_bytes, &h.block_sum);
  if (status != NAX_OK)
    return status;
  h.sum = naxrt_hash(&h, offsetof(head, sum), 0);
  naxrt_writer writer;
  naxrt_write_open(&writer, context, path);
  naxrt_write(&writer, &h, (int64_t)sizeof h);
  naxrt_write(&writer, zeros, PAGE - (int64_t)sizeof h);
  naxrt_write(&writer, params->block, params->block_bytes);
  return naxrt_write_close(&writer);
}

static bool is_one_file(const struct stat *a, const struct stat *b) {
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Whether a file at `out` would take the place of what is read: the file `in`, or an array in that folder. */
static bool is_read(const char *in, const char *out) {
  struct stat there, read;
  if (stat(out, &there) != 0 || stat(in, &read) != 0)
    return false;
  if (!S_ISDIR(read.st_mode))
    return is_one_file(&there, &read);
  DIR *folder = opendir(in);
  bool found = false;
  for (struct dirent *entry; folder && !found && (entry = readdir(folder));) {
    size_t length = strlen(entry->d_name);
    found = length > 4 && strcmp(entry->d_name + length - 4, ".npy") == 0 &&
            fstatat(dirfd(folder), entry->d_name, &read, 0) == 0 && is_one_file(&there, &read);
  }
  if (folder)
    closedir(folder);
  return found;
}

nax_status naxrt_params_pack(nax_context *context, const nax_model_desc *model, const char *path_in,
                             const char *path_out) {
  if (!naxrt_begin(context))
    return naxrt_fail_without_context();
  if (!path_out)
    return naxrt_fail(context, NAX_E_NULL, "path_out is null");
  if (path_in && is_read(path_in, path_out))
    return naxrt_fail(context, NAX_E_FILE,
                      "cannot write %.1024s: the parameters are read from it; give the packed file another name",
                      path_out);
  nax_params *params = NULL;
  nax_status status = naxrt_params_open(context, model, path_in, &params);
  if (status == NAX_OK)
    status = naxrt_params_verify(context, params);
  if (status == NAX_OK)
    status = write_packed(context, params, path_out);
  naxrt_params_close(params);
  return status;
}

//===-- another level's block --------------------------------------------------------------------------------------//

/* The slot to take a slot's parameter from: one that holds the same, else the first. NULL: there is none. */
static const nax_slot_desc *choose_slot(const nax_level_desc *from, const nax_slot_desc *to) {
  const nax_slot_desc *best = NULL;
  for (int64_t i = 0; i < from->slot_count; ++i) {
    const nax_slot_desc *slot = &from->slots[i];
    if (slot->param == to->param && (!best || (slot->stored == to->stored && best->stored != to->stored)))
      best = slot;
  }
  return best;
}

static nax_status repack_slot(nax_context *context, const nax_model_desc *model, const nax_level_desc *from,
                              const void *old, const nax_level_desc *to, int64_t slot, const char *path, void *block) {
  const nax_slot_desc *source = choose_slot(from, &to->slots[slot]);
  naxrt_order order;
  naxrt_steps steps;
  if (!source || !naxrt_own_order(model, source->param, &order) ||
      !naxrt_steps_of(model, from->block_bytes, source, &order, &steps))
    return naxrt_bad_slot(context, model, slot);
  nax_file_tensor tensor;
  naxrt_source given = {.tensor = &tensor};
  naxrt_slot_order(source, &order, &given.order);
  naxrt_steps_of(model, from->block_bytes, source, &given.order, &steps);
  int64_t bytes;
  void *values = naxrt_slot_values(context, &steps, &given.order, old, &tensor, &bytes);
  if (!values)
    return NAX_E_MEMORY;
  const naxrt_source *sources = &given;
  nax_level_desc one = {.slot_count = 1, .slots = &to->slots[slot], .block_bytes = to->block_bytes};
  nax_status status = naxrt_convert(context, model, &one, &sources, path, block);
  naxrt_release(&context->hooks, values, bytes);
  return status;
}

static nax_status repack(nax_context *context, const nax_model_desc *model, const nax_level_desc *from, const void *old,
                         const nax_level_desc *to, const char *path, nax_params **out) {
  void *block;
  nax_params *params = naxrt_params_create(context, model, to, &block);
  nax_status status = params ? NAX_OK : NAX_E_MEMORY;
  for (int64_t i = 0; i < to->slot_count && status == NAX_OK; ++i)
    status = repack_slot(context, model, from, old, to, i, path, block);
  if (status != NAX_OK) {
    naxrt_params_close(params);
    return status;
  }
  naxrt_log(context, NAX_LOG_INFO, "%.400s: packed for level %s, laid out anew for %s", path, naxrt_cpu_name(from->cpu),
            naxrt_cpu_name(to->cpu));
  *out = params;
  return NAX_OK;
}

//===-- opening ----------------------------------------------------------------------------------------------------//

bool naxrt_is_packed(const char *path) {
  char begin[sizeof magic];
  struct stat info;
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    return false;
  bool packed = fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode) &&
                read(descriptor, begin, sizeof begin) == (ssize_t)sizeof begin &&
                memcmp(begin, magic, sizeof magic) == 0;
  close(descriptor);
  return packed;
}

/* The level of the model that the file was packed for: the wanted one, where its slots are the same. */
static const nax_level_desc *find_level(const nax_model_desc *model, const nax_level_desc *wanted, const head *h) {
  if (h->layout == fingerprint_of_slots(wanted))
    return wanted;
  for (int64_t i = 0; i < model->level_count; ++i)
    if (h->layout == fingerprint_of_slots(&model->levels[i]))
      return &model->levels[i];
  return NULL;
}

static nax_status check_head(nax_context *context, const nax_model_desc *model, const char *path, naxrt_bytes bytes,
                             head *h) {
  if (bytes.size < PAGE)
    return naxrt_fail(context, NAX_E_FORMAT, "%.1024s: the packed file is cut short: it has %lld bytes", path,
                      (long long)bytes.size);
  memcpy(h, bytes.data, sizeof *h);
  bool rest_is_zeros = memcmp(bytes.data + sizeof *h, zeros, PAGE - sizeof *h) == 0;
  if (h->sum != naxrt_hash(h, offsetof(head, sum), 0) || !rest_is_zeros)
    return naxrt_fail(context, NAX_E_FORMAT, "%.1024s: the beginning of the packed file is damaged", path);
  if (h->version != VERSION || h->abi != NAX_ABI_VERSION)
    return naxrt_fail(context, NAX_E_FORMAT,
                      "%.1024s: packed by version %llu of the library, this is %d: pack it anew with naxc pack", path,
                      (unsigned long long)h->abi, NAX_ABI_VERSION);
  h->name[sizeof h->name - 1] = 0;
  if (h->model != fingerprint_of_model(model))
    return naxrt_fail(
        context, NAX_E_PARAMS,
        "%.1024s: packed for model %s, whose parameters are not those of %s: pack the original file for it "
        "with naxc pack",
        path, h->name, model->name);
  return NAX_OK;
}

static nax_status check_block(nax_context *context, const nax_level_desc *level, const char *path, naxrt_bytes bytes,
                              const head *h) {
  if (h->block_offset != PAGE || h->block_bytes != (uint64_t)level->block_bytes)
    return naxrt_fail(context, NAX_E_FORMAT, "%.1024s: the beginning of the packed file is damaged", path);
  if (bytes.size - PAGE == level->block_bytes)
    return NAX_OK;
  return naxrt_fail(context, NAX_E_FORMAT,
                    "%.1024s: the packed file is cut short or damaged: it has %lld bytes, not %lld", path,
                    (long long)bytes.size, (long long)level->block_bytes + PAGE);
}

/* The head has been checked. */
static nax_status check_sum(nax_context *context, const char *path, naxrt_bytes bytes) {
  head h;
  memcpy(&h, bytes.data, sizeof h);
  uint64_t sum = 0;
  nax_status status = sum_block(context, bytes.data + PAGE, bytes.size - PAGE, &sum);
  if (status == NAX_OK && sum != h.block_sum)
    return naxrt_fail(context, NAX_E_FORMAT, "%.1024s: the parameters in the packed file are damaged", path);
  return status;
}

nax_status naxrt_params_verify(nax_context *context, const nax_params *params) {
  if (!naxrt_begin(context))
    return naxrt_fail_without_context();
  if (!params)
    return naxrt_fail(context, NAX_E_NULL, "params is null");
  return params->mapping.data ? check_sum(context, params->model->name, params->mapping) : NAX_OK;
}

static nax_status open_mapped(nax_context *context, const nax_model_desc *model, const nax_level_desc *level,
                              const char *path, naxrt_bytes *bytes, nax_params **out) {
  head h;
  nax_status status = check_head(context, model, path, *bytes, &h);
  if (status != NAX_OK)
    return status;
  const nax_level_desc *packed = find_level(model, level, &h);
  if (!packed)
    return naxrt_fail(
        context, NAX_E_PARAMS,
        "%.1024s: packed for another compilation of %s: with other --weights or --cpu, or by another naxc; "
        "pack it anew with naxc pack and the options of this one",
        path, model->name);
  status = check_block(context, packed, path, *bytes, &h);
  if (status != NAX_OK)
    return status;
  const void *block = bytes->data + PAGE;
  if (packed != level && (status = check_sum(context, path, *bytes)) != NAX_OK)
    return status;
  if (packed != level)
    return repack(context, model, packed, block, level, path, out);
  *out = naxrt_params_mapped(context, model, level, *bytes, block);
  if (!*out)
    return NAX_E_MEMORY;
  bytes->data = NULL; // it is the parameters' now
  naxrt_log(context, NAX_LOG_INFO, "%.400s: %lld packed parameters of %s", path, (long long)model->param_count,
            model->name);
  return NAX_OK;
}

nax_status naxrt_packed_open(nax_context *context, const nax_model_desc *model, const nax_level_desc *level,
                             const char *path, nax_params **out) {
  naxrt_bytes bytes;
  nax_status status = naxrt_map(context, path, &bytes);
  if (status != NAX_OK)
    return status;
  status = open_mapped(context, model, level, path, &bytes, out);
  if (bytes.data)
    naxrt_unmap(bytes);
  return status;
}
