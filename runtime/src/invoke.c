/* SPDX-License-Identifier: Apache-2.0 */
/* naxrt_invoke: every argument of an entry is checked here, from the model's description, in the order of the C
   arguments; then the generated code runs and checks nothing. */
#include "invoke.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_BYTES = 160, DEVICE_ALIGNMENT = 16 };

/* Its values are in the memory of a GPU. What says which positions there are is always the host's. */
static bool is_remote(const naxrt_call *call, const nax_buffer_desc *desc) {
  return call->on_device && (desc->role == NAX_INPUT || desc->role == NAX_OUTPUT);
}

int64_t naxrt_call_size(const naxrt_call *call, int64_t axis) {
  if (axis < 0 || axis >= call->model->axis_count)
    return -1;
  if (call->model->axes[axis].size >= 0)
    return call->model->axes[axis].size;
  for (int64_t i = 0; i < call->entry->dim_count; ++i)
    if (call->entry->dims[i] == axis)
      return call->dims[i];
  return -1;
}

/* "B = 2, T = 17": of the sizes that the caller gave */
static const char *dims_text(const naxrt_call *call, char text[TEXT_BYTES]) {
  size_t used = 0;
  text[0] = 0;
  for (int64_t i = 0; i < call->entry->dim_count && used < TEXT_BYTES - 1; ++i) {
    const nax_axis_desc *axis = &call->model->axes[call->entry->dims[i]];
    if (axis->slots_of >= 0)
      continue;
    int written =
        snprintf(text + used, TEXT_BYTES - used, "%s%s = %lld", used ? ", " : "", axis->name, (long long)call->dims[i]);
    if (written < 0)
      break;
    used += (size_t)written;
  }
  return text;
}

static nax_status check_dims(const naxrt_call *call) {
  for (int64_t i = 0; i < call->entry->dim_count; ++i) {
    const nax_axis_desc *axis = &call->model->axes[call->entry->dims[i]];
    long long size = call->dims[i];
    if (size < 0)
      return naxrt_fail(call->context, NAX_E_SIZE, "axis %s: %lld is negative", axis->name, size);
    if (axis->limit >= 0 && size > axis->limit)
      return naxrt_fail(call->context, NAX_E_AXIS, "axis %s: %lld is more than%s %lld%s%s", axis->name, size,
                        axis->limit_reason ? " the" : "", (long long)axis->limit, axis->limit_reason ? " " : "",
                        axis->limit_reason ? axis->limit_reason : "");
  }
  return NAX_OK;
}

typedef struct extent {
  int64_t elements, bytes;
} extent;

static nax_status measure(const naxrt_call *call, const nax_buffer_desc *desc, extent *out) {
  int64_t elements = 1, bytes = 0;
  bool fits = true, empty = false;
  for (int64_t i = 0; i < desc->rank; ++i) {
    int64_t size = naxrt_call_size(call, desc->axes[i]);
    if (size < 0)
      return naxrt_fail(call->context, NAX_E_MODEL, "the description of %s has no size for dimension %lld of %s",
                        call->model->name, (long long)i, desc->name);
    empty |= size == 0;
    fits = fits && naxrt_multiply(elements, size, &elements);
  }
  if (empty)
    elements = 0, fits = true;
  fits = fits && naxrt_multiply(elements, naxrt_dtype_bytes(desc->dtype), &bytes) && bytes <= PTRDIFF_MAX;
  if (!fits) {
    char text[TEXT_BYTES];
    return naxrt_fail(call->context, NAX_E_SIZE, "%s %s with %s is more than memory can address", desc->name,
                      desc->text, dims_text(call, text));
  }
  *out = (extent){elements, bytes};
  return NAX_OK;
}

static nax_status check_buffer(const naxrt_call *call, const nax_buffer_desc *desc, const void *buffer) {
  extent size;
  nax_status status = measure(call, desc, &size);
  if (status != NAX_OK || desc->role == NAX_CACHE)
    return status;
  if (size.bytes == 0)
    return NAX_OK; // nothing is read or written, so that any pointer will do
  if (!buffer && desc->role == NAX_COUNTS)
    return naxrt_check_counts(call, desc, NULL);
  if (!buffer) {
    char text[TEXT_BYTES];
    const char *separator = call->entry->dim_count ? " with " : "";
    return naxrt_fail(call->context, NAX_E_NULL, "%s is null: %s %s%s%s needs %lld bytes", desc->name,
                      naxrt_dtype_name(desc->dtype), desc->text, separator, dims_text(call, text),
                      (long long)size.bytes);
  }
  if (is_remote(call, desc))
    return (uintptr_t)buffer % DEVICE_ALIGNMENT == 0
               ? NAX_OK
               : naxrt_fail(call->context, NAX_E_ALIGNMENT, "%s is not aligned to %d bytes, as kernels need it",
                            desc->name, DEVICE_ALIGNMENT);
  if ((uintptr_t)buffer % (uintptr_t)naxrt_dtype_bytes(desc->dtype))
    return naxrt_fail(call->context, NAX_E_ALIGNMENT, "%s is not aligned to the %lld bytes of an %s", desc->name,
                      (long long)naxrt_dtype_bytes(desc->dtype), naxrt_dtype_name(desc->dtype));
  if (desc->role == NAX_OUTPUT)
    return NAX_OK;
  status = naxrt_check_values(call, desc, buffer, size.elements);
  return status == NAX_OK && desc->role == NAX_COUNTS ? naxrt_check_counts(call, desc, buffer) : status;
}

static nax_status check_buffers(const naxrt_call *call) {
  const nax_buffer_desc *descs = call->entry->buffers;
  nax_status status = NAX_OK;
  for (int64_t i = 0; i < call->entry->buffer_count && status == NAX_OK; ++i)
    status = check_buffer(call, &descs[i], call->buffers[i]);
  for (int64_t i = 0; i < call->entry->buffer_count && status == NAX_OK; ++i) {
    extent size;
    if (descs[i].role == NAX_DOCUMENTS && descs[i].cache >= 0 && (status = measure(call, &descs[i], &size)) == NAX_OK)
      status = naxrt_check_documents(call, &descs[i], call->buffers[i], size.elements);
  }
  return status;
}

static bool overlap(const void *a, int64_t a_bytes, const void *b, int64_t b_bytes) {
  uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;
  return a_bytes > 0 && b_bytes > 0 && x < y + (uintptr_t)b_bytes && y < x + (uintptr_t)a_bytes;
}

/* Sizes were checked before: measuring again can not fail. What the cache holds is looked at as a whole. */
static int64_t bytes_of(const naxrt_call *call, int64_t index) {
  const nax_buffer_desc *desc = &call->entry->buffers[index];
  extent size = {0, 0};
  bool own = desc->role != NAX_CACHE && call->buffers[index];
  return own && measure(call, desc, &size) == NAX_OK ? size.bytes : 0;
}

static nax_status check_cache_overlap(const naxrt_call *call, const void *workspace, size_t workspace_bytes) {
  const nax_cache *cache = call->cache;
  if (!cache)
    return NAX_OK;
  for (int64_t i = 0; i < call->entry->buffer_count; ++i)
    if (overlap(call->buffers[i], bytes_of(call, i), cache, cache->bytes))
      return naxrt_fail(call->context, NAX_E_OVERLAP, "%s overlaps the cache", call->entry->buffers[i].name);
  if (workspace && overlap(workspace, (int64_t)workspace_bytes, cache, cache->bytes))
    return naxrt_fail(call->context, NAX_E_OVERLAP, "workspace overlaps the cache");
  return NAX_OK;
}

static nax_status check_overlap(const naxrt_call *call, const void *block, int64_t block_bytes) {
  const nax_buffer_desc *descs = call->entry->buffers;
  char text[TEXT_BYTES];
  for (int64_t i = 0; i < call->entry->buffer_count; ++i) {
    if (descs[i].role != NAX_OUTPUT)
      continue;
    int64_t bytes = bytes_of(call, i);
    for (int64_t j = 0; j < call->entry->buffer_count; ++j) {
      bool seen_before = descs[j].role == NAX_OUTPUT && j <= i;
      if (!seen_before && overlap(call->buffers[i], bytes, call->buffers[j], bytes_of(call, j)))
        return naxrt_fail(call->context, NAX_E_OVERLAP,
                          "%s overlaps %s: an output needs memory of its own; with %s it has %lld bytes", descs[i].name,
                          descs[j].name, dims_text(call, text), (long long)bytes);
    }
    if (overlap(call->buffers[i], bytes, block, block_bytes))
      return naxrt_fail(call->context, NAX_E_OVERLAP, "%s overlaps the parameters", descs[i].name);
  }
  return NAX_OK;
}

static nax_status check_workspace(const naxrt_call *call, const void *workspace, size_t bytes, int64_t needed,
                                  const void *block, int64_t block_bytes) {
  nax_context *context = call->context;
  char text[TEXT_BYTES];
  if (needed < 0)
    return naxrt_fail(context, NAX_E_SIZE, "the workspace of %s with %s is more than memory can address",
                      call->entry->name, dims_text(call, text));
  if (!workspace)
    return bytes == 0 ? NAX_OK
                      : naxrt_fail(context, NAX_E_NULL,
                                   "workspace is null, but its size is %zu; "
                                   "null with size 0 lets the library allocate it",
                                   bytes);
  if ((uintptr_t)workspace % NAXRT_BLOCK_ALIGNMENT)
    return naxrt_fail(context, NAX_E_WORKSPACE, "workspace is not aligned to 64 bytes");
  if (bytes > PTRDIFF_MAX)
    return naxrt_fail(context, NAX_E_WORKSPACE, "workspace has %zu bytes, which is more than memory can address",
                      bytes);
  if (bytes < (size_t)needed)
    return naxrt_fail(context, NAX_E_WORKSPACE, "workspace has %zu bytes, %s with %s needs %lld", bytes,
                      call->entry->name, dims_text(call, text), (long long)needed);
  if (overlap(workspace, (int64_t)bytes, block, block_bytes))
    return naxrt_fail(context, NAX_E_OVERLAP, "workspace overlaps the parameters");
  for (int64_t i = 0; i < call->entry->buffer_count; ++i)
    if (overlap(workspace, (int64_t)bytes, call->buffers[i], bytes_of(call, i)))
      return naxrt_fail(context, NAX_E_OVERLAP, "workspace overlaps %s", call->entry->buffers[i].name);
  return NAX_OK;
}

nax_status naxrt_check_model(nax_context *context, const nax_model_desc *model, int64_t entry,
                             const nax_level_desc **level) {
  if (!model)
    return naxrt_fail(context, NAX_E_NULL, "the model is null");
  if (model->abi != NAX_ABI_VERSION)
    return naxrt_fail(context, NAX_E_VERSION, "the model was compiled for version %lld of the library, this is %d",
                      (long long)model->abi, NAX_ABI_VERSION);
  if (entry < 0 || entry >= model->entry_count)
    return naxrt_fail(context, NAX_E_VALUE, "model %s has %lld entries, none has the number %lld", model->name,
                      (long long)model->entry_count, (long long)entry);
  *level = naxrt_level_of(context, model);
  return *level ? NAX_OK : NAX_E_CPU;
}

int64_t naxrt_data_bytes(const naxrt_call *call, const nax_buffer_desc *desc) {
  if (desc->role == NAX_INPUT || desc->role == NAX_OUTPUT || desc->role == NAX_CACHE)
    return 0;
  int64_t bytes = naxrt_dtype_bytes(desc->dtype) * (desc->role == NAX_COUNTS ? 2 : 1);
  for (int64_t i = 0; i < desc->rank; ++i) {
    int64_t size = naxrt_call_size(call, desc->axes[i]);
    if (size < 0 || !naxrt_multiply(bytes, size, &bytes) || bytes > PTRDIFF_MAX / 2)
      return 0;
  }
  return bytes;
}

int64_t naxrt_needed(const naxrt_call *call) {
  int64_t bytes = call->code->workspace ? call->code->workspace(call->dims) : 0;
  if (!call->on_device || bytes < 0)
    return bytes;
  bytes = naxrt_aligned(bytes);
  for (int64_t i = 0; i < call->entry->buffer_count; ++i)
    if (!naxrt_add(bytes, naxrt_aligned(naxrt_data_bytes(call, &call->entry->buffers[i])), &bytes))
      return -1;
  return bytes;
}

int64_t naxrt_workspace(const nax_model_desc *model, int64_t entry, const int64_t *dims) {
  naxrt_processor processor;
  char why[256];
  bool known = naxrt_find_processor(&processor, why, sizeof why) == NAX_OK;
  const nax_level_desc *level = known ? naxrt_choose_level(&processor, model) : NULL;
  if (!level)
    return -1;
  return level->code[entry].workspace ? level->code[entry].workspace(dims) : 0;
}

nax_status naxrt_check_call(naxrt_call *call, const void *block, int64_t block_bytes, const void *workspace,
                            size_t workspace_bytes, int64_t *needed) {
  nax_status status = naxrt_enter_cache(call);
  if (status == NAX_OK)
    status = check_dims(call);
  if (status == NAX_OK)
    status = naxrt_check_cache_sizes(call);
  if (status == NAX_OK)
    status = check_buffers(call);
  if (status == NAX_OK)
    status = check_overlap(call, block, block_bytes);
  if (status != NAX_OK)
    return status;
  *needed = naxrt_needed(call);
  status = check_workspace(call, workspace, workspace_bytes, *needed, block, block_bytes);
  return status == NAX_OK ? check_cache_overlap(call, workspace, workspace_bytes) : status;
}

nax_status naxrt_invoke(nax_context *context, const nax_model_desc *model, int64_t entry, const nax_params *params,
                        nax_cache *cache, int64_t *dims, void **buffers, void *workspace, size_t workspace_bytes) {
  if (!naxrt_begin(context))
    return naxrt_fail_without_context();
  const nax_level_desc *level = NULL;
  nax_status status = naxrt_check_model(context, model, entry, &level);
  if (status != NAX_OK)
    return status;
  naxrt_call call = {.context = context,
                     .model = model,
                     .entry = &model->entries[entry],
                     .code = &level->code[entry],
                     .cache = cache,
                     .dims = dims,
                     .buffers = buffers};

  const void *block = NULL;
  int64_t block_bytes = 0, needed = 0;
  if (model->param_count > 0) {
    block = naxrt_params_base(context, model, level, params, &block_bytes);
    if (!block)
      return params ? NAX_E_PARAMS : NAX_E_NULL;
  }
  status = naxrt_check_call(&call, block, block_bytes, workspace, workspace_bytes, &needed);
  if (status != NAX_OK)
    return status;
  void *own = NULL;
  if (!workspace && needed > 0) {
    own = naxrt_allocate(context, needed, "the workspace");
    if (!own)
      return NAX_E_MEMORY;
    workspace = own;
  }
  naxrt_set_span(&call);
  call.code->body(context, block, dims, buffers, workspace);
  naxrt_leave_cache(&call);
  naxrt_release(&context->hooks, own, needed);
  return NAX_OK;
}
