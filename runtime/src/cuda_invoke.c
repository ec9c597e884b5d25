/* SPDX-License-Identifier: Apache-2.0 */
/* Entries of a model on a GPU: checked as on the CPU, then put on the caller's stream. */
#include "cuda.h"
#include "invoke.h"

#include <string.h>

static const char magic[8] = "naxcprm";

struct nax_cuda_params {
  char magic[8];
  const naxrt_cuda_desc *desc;
  nax_cuda *cuda;
  nax_hooks hooks;
  naxrt_cu_ptr block;
};

//===-- parameters -------------------------------------------------------------------------------------------------//

/* From the host, which has them in the layout of the GPU's kernels; `host` is closed in any case. */
static nax_status upload(nax_context *context, nax_cuda *cuda, const naxrt_cuda_desc *desc, nax_params *host,
                         nax_cuda_params **out) {
  int64_t bytes = 0;
  const void *block = naxrt_params_base(context, &desc->model, desc->model.levels, host, &bytes);
  nax_cuda_params *params = naxrt_allocate(context, (int64_t)sizeof *params, "parameters");
  nax_status status = params ? NAX_OK : NAX_E_MEMORY;
  if (params) {
    *params = (nax_cuda_params){.desc = desc, .cuda = cuda, .hooks = context->hooks};
    memcpy(params->magic, magic, sizeof magic);
    status = naxrt_cuda_enter(context, cuda);
  }
  if (status == NAX_OK) {
    status = naxrt_cuda_take(context, cuda, bytes, "the model's parameters", &params->block);
    if (status == NAX_OK)
      status = naxrt_cuda_status(context, cuda, cuda->cu->cuMemcpyHtoD_v2(params->block, block, (size_t)bytes),
                                 "copying the parameters to the GPU");
    // Of pageable memory the driver may still have a part to copy, and streams need not wait for the default one.
    if (status == NAX_OK)
      status =
          naxrt_cuda_status(context, cuda, cuda->cu->cuStreamSynchronize(NULL), "copying the parameters to the GPU");
    // Here rather than in the first call: a model without code for this GPU is noticed early.
    if (status == NAX_OK)
      (void)naxrt_cuda_load(context, cuda, desc, &status);
    naxrt_cuda_leave(cuda);
  }
  naxrt_params_close(host);
  if (status == NAX_OK)
    *out = params;
  else
    naxrt_cuda_params_close(params);
  return status;
}

static nax_status check_open(nax_context *context, const nax_cuda *cuda, const naxrt_cuda_desc *desc,
                             const void *source, nax_cuda_params **out) {
  nax_status status = NAX_OK;
  if (!desc || !source || !out)
    return naxrt_fail(context, NAX_E_NULL, "%s is null", !desc ? "the model" : !source ? "path" : "out");
  *out = NULL;
  return naxrt_is_cuda(context, cuda, &status) ? NAX_OK : status;
}

nax_status naxrt_cuda_params_open(nax_context *context, nax_cuda *cuda, const naxrt_cuda_desc *desc, const char *path,
                                  nax_cuda_params **out) {
  if (!naxrt_begin(context))
    return naxrt_fail_without_context();
  nax_status status = check_open(context, cuda, desc, path, out);
  nax_params *host = NULL;
  if (status == NAX_OK)
    status = naxrt_params_open(context, &desc->model, path, &host);
  return status == NAX_OK ? upload(context, cuda, desc, host, out) : status;
}

nax_status naxrt_cuda_params_from_memory(nax_context *context, nax_cuda *cuda, const naxrt_cuda_desc *desc,
                                         const void *const *values, nax_cuda_params **out) {
  if (!naxrt_begin(context))
    return naxrt_fail_without_context();
  nax_status status = check_open(context, cuda, desc, values, out);
  nax_params *host = NULL;
  if (status == NAX_OK)
    status = naxrt_params_from_memory(context, &desc->model, values, &host);
  return status == NAX_OK ? upload(context, cuda, desc, host, out) : status;
}

void naxrt_cuda_params_close(nax_cuda_params *params) {
  if (!params)
    return;
  nax_cuda_free(params->cuda, (nax_cuda_ptr){params->block});
  memset(params->magic, 0, sizeof magic);
  nax_hooks hooks = params->hooks;
  naxrt_release(&hooks, params, (int64_t)sizeof *params);
}

//===-- calls ------------------------------------------------------------------------------------------------------//

int64_t naxrt_cuda_workspace(const naxrt_cuda_desc *desc, int64_t entry, const int64_t *dims) {
  naxrt_call call = {.model = &desc->model,
                     .entry = &desc->model.entries[entry],
                     .code = &desc->model.levels->code[entry],
                     .dims = (int64_t *)dims, // only read
                     .on_device = true};
  return naxrt_needed(&call);
}

/* Copies what the host gave to `at`, and puts its addresses there in the places. */
static nax_status upload_data(const naxrt_cuda_call *on, const naxrt_call *call, naxrt_cu_ptr at) {
  for (int64_t i = 0; i < call->entry->buffer_count; ++i) {
    const nax_buffer_desc *desc = &call->entry->buffers[i];
    int64_t bytes = naxrt_data_bytes(call, desc);
    if (bytes == 0)
      continue;
    naxrt_cu_result result = on->cuda->cu->cuMemcpyHtoDAsync_v2(at, call->buffers[i], (size_t)bytes, on->stream);
    nax_status status = naxrt_cuda_status(on->context, on->cuda, result, desc->name);
    if (status != NAX_OK)
      return status;
    call->buffers[i] = (void *)(uintptr_t)at;
    at += (naxrt_cu_ptr)naxrt_aligned(bytes);
  }
  return NAX_OK;
}

static nax_status check_params(nax_context *context, const nax_cuda *cuda, const naxrt_cuda_desc *desc,
                               const nax_cuda_params *params) {
  if (desc->model.param_count == 0)
    return NAX_OK;
  if (!params)
    return naxrt_fail(context, NAX_E_NULL, "params is null: %s_cuda_params_open makes them", desc->model.name);
  if (memcmp(params->magic, magic, sizeof magic) != 0)
    return naxrt_fail(context, NAX_E_PARAMS, "params are closed, or no parameters on a GPU");
  if (params->desc != desc)
    return naxrt_fail(context, NAX_E_PARAMS, "params are not those of model %s: they were opened for %s",
                      desc->model.name, params->desc->model.name);
  if (params->cuda != cuda)
    return naxrt_fail(context, NAX_E_PARAMS, "params are on another GPU than cuda");
  return NAX_OK;
}

typedef struct body {
  const naxrt_call *call;
  const void *block;
  void *workspace;
} body;

static void run_body(naxrt_cuda_call *on, void *closure) {
  const body *b = closure;
  b->call->code->body(on, b->block, b->call->dims, b->call->buffers, b->workspace);
}

/* The caller captures: then its graph gets the launches, one by one. */
static bool is_captured(const nax_cuda *cuda, void *stream) {
  int capturing = 0;
  return stream && !cuda->cu->cuStreamIsCapturing(stream, &capturing) && capturing;
}

static nax_status run_entry(naxrt_cuda_call *on, nax_cuda *cuda, naxrt_call *call, const void *block, void *workspace) {
  body b = {call, block, workspace};
  bool captured = is_captured(cuda, on->stream);
  naxrt_cuda_home *home = call->cache ? call->cache->remote.owner : NULL;
  int64_t plain = call->code->workspace ? call->code->workspace(call->dims) : 0;
  nax_status status = upload_data(on, call, (naxrt_cu_ptr)(uintptr_t)workspace + (naxrt_cu_ptr)naxrt_aligned(plain));
  // The step before may be on another stream. What is captured runs when the caller says.
  if (status == NAX_OK && home && !captured)
    status = naxrt_cuda_status(on->context, cuda, cuda->cu->cuStreamWaitEvent(on->stream, home->used, 0), "the cache");
  if (status != NAX_OK)
    return status;
  if (call->entry->kind == NAX_STEP && !captured)
    return naxrt_cuda_run_captured(on, cuda, home, run_body, &b);
  run_body(on, &b);
  if (on->status == NAX_OK && home && !captured)
    on->status = naxrt_cuda_status(on->context, cuda, cuda->cu->cuEventRecord(home->used, on->stream), "the cache");
  return on->status;
}

/* Within enter and leave. */
static nax_status invoke(naxrt_cuda_call *on, nax_cuda *cuda, const naxrt_cuda_desc *desc, naxrt_call *call,
                         const void *block, int64_t block_bytes, void *workspace, size_t workspace_bytes) {
  int64_t needed = 0;
  nax_status status = NAX_OK;
  on->kernels = naxrt_cuda_load(on->context, cuda, desc, &status);
  if (status == NAX_OK)
    status = naxrt_check_call(call, block, block_bytes, workspace, workspace_bytes, &needed);
  if (status != NAX_OK)
    return status;
  naxrt_cu_ptr own = 0;
  if (!workspace && needed > 0) {
    naxrt_cu_result result = cuda->cu->cuMemAllocAsync(&own, (size_t)needed, on->stream);
    status = naxrt_cuda_taken(on->context, cuda, result, needed, "the workspace");
    if (result == NAXRT_CU_OUT_OF_MEMORY)
      naxrt_fail_more(on->context, "%s_%s_cuda_workspace says how much a call takes", desc->model.name,
                      call->entry->name);
    workspace = (void *)(uintptr_t)own;
  }
  if (status == NAX_OK) {
    naxrt_set_span(call);
    status = run_entry(on, cuda, call, block, workspace);
    if (status == NAX_OK)
      naxrt_leave_cache(call);
  }
  if (own)
    (void)cuda->cu->cuMemFreeAsync(own, on->stream);
  return status;
}

nax_status naxrt_cuda_invoke(nax_context *context, nax_cuda *cuda, const naxrt_cuda_desc *desc, int64_t entry,
                             const nax_cuda_params *params, nax_cache *cache, nax_cuda_stream stream, int64_t *dims,
                             void **buffers, void *workspace, size_t workspace_bytes) {
  if (!naxrt_begin(context))
    return naxrt_fail_without_context();
  const nax_level_desc *level = NULL;
  nax_status status = naxrt_check_model(context, desc ? &desc->model : NULL, entry, &level);
  if (status != NAX_OK || !naxrt_is_cuda(context, cuda, &status))
    return status;
  status = check_params(context, cuda, desc, params);
  if (status == NAX_OK && cache && cache->remote.owner && ((naxrt_cuda_home *)cache->remote.owner)->cuda != cuda)
    status = naxrt_fail(context, NAX_E_VALUE, "cache is on another GPU than cuda");
  if (status == NAX_OK)
    status = naxrt_cuda_enter(context, cuda);
  if (status != NAX_OK)
    return status;
  naxrt_call call = {.context = context,
                     .model = &desc->model,
                     .entry = &desc->model.entries[entry],
                     .code = &level->code[entry],
                     .cache = cache,
                     .dims = dims,
                     .buffers = buffers,
                     .on_device = true};
  naxrt_cuda_call on = {.context = context, .cuda = cuda, .stream = stream};
  const void *block = params ? (const void *)(uintptr_t)params->block : NULL;
  status = invoke(&on, cuda, desc, &call, block, level->block_bytes, workspace, workspace_bytes);
  naxrt_cuda_leave(cuda);
  return status;
}
