/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters: found in a file, checked against the model, converted into the block that generated code reads. */
#include "params.h"
#include "invoke.h"

#include <string.h>

static const char magic[8] = "naxparm";

nax_params *naxrt_params_mapped(nax_context *context, const nax_model_desc *model, const nax_level_desc *level,
                                naxrt_bytes mapping, const void *block) {
  nax_params *params = naxrt_allocate(context, (int64_t)sizeof *params, "parameters");
  if (!params)
    return NULL;
  *params = (nax_params){.model = model,
                         .level = level,
                         .hooks = context->hooks,
                         .block_bytes = level->block_bytes,
                         .block = block,
                         .mapping = mapping};
  memcpy(params->magic, magic, sizeof magic);
  return params;
}

nax_params *naxrt_params_create(nax_context *context, const nax_model_desc *model, const nax_level_desc *level,
                                void **block) {
  *block = naxrt_allocate(context, level->block_bytes, "the model's parameters");
  if (!*block)
    return NULL;
  nax_params *params = naxrt_params_mapped(context, model, level, (naxrt_bytes){0}, *block);
  if (!params)
    naxrt_release(&context->hooks, *block, level->block_bytes);
  return params;
}

/* Each slot gets the source of its parameter. */
static nax_status fill(nax_context *context, const nax_params *params, const naxrt_source *sources, const char *path,
                       void *block) {
  const nax_level_desc *level = params->level;
  int64_t bytes = level->slot_count * (int64_t)sizeof(naxrt_source *);
  const naxrt_source **of_slots = naxrt_allocate(context, bytes, "the list of parameters");
  if (!of_slots)
    return NAX_E_MEMORY;
  nax_status status = NAX_OK;
  for (int64_t i = 0; i < level->slot_count && status == NAX_OK; ++i) {
    int64_t param = level->slots[i].param;
    if (param < 0 || param >= params->model->param_count)
      status = naxrt_bad_slot(context, params->model, i);
    else
      of_slots[i] = &sources[param];
  }
  if (status == NAX_OK)
    status = naxrt_convert(context, params->model, level, of_slots, path, block);
  naxrt_release(&context->hooks, (void *)of_slots, bytes);
  return status;
}

static nax_status make(nax_context *context, const nax_model_desc *model, const naxrt_source *sources, const char *path,
                       nax_params **out) {
  const nax_level_desc *level = naxrt_level_of(context, model);
  if (!level)
    return NAX_E_CPU;
  void *block;
  nax_params *params = naxrt_params_create(context, model, level, &block);
  if (!params)
    return NAX_E_MEMORY;
  nax_status status = fill(context, params, sources, path, block);
  if (status != NAX_OK)
    naxrt_params_close(params);
  else
    *out = params;
  return status;
}

static nax_status open_file(nax_context *context, const nax_model_desc *model, const nax_file *file,
                            naxrt_source *sources, nax_params **out) {
  const char *table = NULL;
  nax_status status = naxrt_find_sources(context, model, file, sources, &table);
  if (status == NAX_OK)
    status = make(context, model, sources, file->path, out);
  if (status != NAX_OK)
    return status;
  naxrt_log_unused(context, model, file, sources);
  naxrt_log(context, NAX_LOG_INFO, "%.400s: %lld parameters of %s, names %s", file->path, (long long)model->param_count,
            model->name, table ? table : "as in the model");
  return NAX_OK;
}

//===-- the API ----------------------------------------------------------------------------------------------------//

static nax_status check_model(nax_context *context, const nax_model_desc *model) {
  if (model->abi != NAX_ABI_VERSION)
    return naxrt_fail(context, NAX_E_VERSION, "the model was compiled for version %lld of the library, this is %d",
                      (long long)model->abi, NAX_ABI_VERSION);
  if (model->param_count < 1)
    return naxrt_fail(context, NAX_E_VALUE, "model %s has no parameters", model->name);
  for (int64_t i = 0; i < model->param_count; ++i) {
    int64_t dtype = model->params[i].dtype;
    if (dtype < NAX_F32 || dtype > NAX_F64)
      return naxrt_fail(context, NAX_E_MODEL, "the description of parameter %s is broken: its dtype is %s",
                        model->params[i].name, naxrt_dtype_name(dtype));
  }
  // Before the file is read.
  return naxrt_level_of(context, model) ? NAX_OK : NAX_E_CPU;
}

nax_status naxrt_params_open(nax_context *context, const nax_model_desc *model, const char *path, nax_params **out) {
  if (!naxrt_begin(context))
    return naxrt_fail_without_context();
  if (!model || !path || !out)
    return naxrt_fail(context, NAX_E_NULL, "%s is null", !model ? "the model" : !path ? "path" : "out");
  *out = NULL;
  nax_status status = check_model(context, model);
  if (status == NAX_OK && naxrt_is_packed(path))
    return naxrt_packed_open(context, model, naxrt_level_of(context, model), path, out);
  nax_file *file = NULL;
  if (status == NAX_OK)
    status = nax_file_open(context, path, &file);
  if (status != NAX_OK)
    return status;
  int64_t bytes = model->param_count * (int64_t)sizeof(naxrt_source);
  naxrt_source *sources = naxrt_allocate(context, bytes, "the list of parameters");
  status = sources ? open_file(context, model, file, sources, out) : NAX_E_MEMORY;
  naxrt_release(&context->hooks, sources, bytes);
  nax_file_close(file);
  return status;
}

nax_status naxrt_params_from_memory(nax_context *context, const nax_model_desc *model, const void *const *values,
                                    nax_params **out) {
  if (!naxrt_begin(context))
    return naxrt_fail_without_context();
  if (!model || !values || !out)
    return naxrt_fail(context, NAX_E_NULL, "%s is null", !model ? "the model" : !values ? "values" : "out");
  *out = NULL;
  nax_status status = check_model(context, model);
  if (status != NAX_OK)
    return status;
  int64_t bytes = model->param_count * (int64_t)(sizeof(naxrt_source) + sizeof(nax_file_tensor));
  naxrt_source *sources = naxrt_allocate(context, bytes, "the list of parameters");
  if (!sources)
    return NAX_E_MEMORY;
  nax_file_tensor *tensors = (nax_file_tensor *)(sources + model->param_count);
  static const nax_file_dtype dtypes[] = {NAX_FILE_F32, NAX_FILE_F16, NAX_FILE_BF16, NAX_FILE_F64};
  for (int64_t i = 0; i < model->param_count && status == NAX_OK; ++i) {
    tensors[i] = (nax_file_tensor){.dtype = dtypes[model->params[i].dtype], .data = values[i]};
    sources[i].tensor = &tensors[i];
    if (!naxrt_own_order(model, i, &sources[i].order))
      status = naxrt_fail(context, NAX_E_MODEL, "the description of parameter %s is broken", model->params[i].name);
    else if (!values[i] && sources[i].order.elements > 0)
      status = naxrt_fail(context, NAX_E_NULL, "the values of %s are null", model->params[i].name);
  }
  if (status == NAX_OK)
    status = make(context, model, sources, NULL, out);
  naxrt_release(&context->hooks, sources, bytes);
  return status;
}

static bool is_params(const nax_params *params) { return memcmp(params->magic, magic, sizeof magic) == 0; }

nax_status naxrt_params_read(nax_context *context, const nax_params *params, int64_t param, double *out) {
  if (!naxrt_begin(context))
    return naxrt_fail_without_context();
  if (!params || !out)
    return naxrt_fail(context, NAX_E_NULL, "%s is null", params ? "out" : "params");
  const nax_model_desc *model = params->model;
  if (param < 0 || param >= model->param_count)
    return naxrt_fail(context, NAX_E_VALUE, "model %s has %lld parameters, none has the number %lld", model->name,
                      (long long)model->param_count, (long long)param);
  for (int64_t i = 0; i < params->level->slot_count; ++i) {
    const nax_slot_desc *slot = &params->level->slots[i];
    naxrt_order order;
    naxrt_steps steps;
    if (slot->param != param)
      continue;
    if (!naxrt_own_order(model, param, &order) || !naxrt_steps_of(model, params->block_bytes, slot, &order, &steps))
      return naxrt_bad_slot(context, model, i);
    if (steps.format) {
      naxrt_columns columns;
      naxrt_columns_of(&steps, &order, &columns);
      naxrt_read_panels(&columns, params->block, out);
    } else {
      naxrt_gather(&steps, &order, params->block, 0, order.elements, out);
    }
    return NAX_OK;
  }
  return naxrt_fail(context, NAX_E_MODEL, "model %s does not keep parameter %s", model->name,
                    model->params[param].name);
}

const void *naxrt_params_base(nax_context *context, const nax_model_desc *model, const nax_level_desc *level,
                              const nax_params *params, int64_t *bytes) {
  if (!params) {
    naxrt_fail(context, NAX_E_NULL, "params is null: %s_params_open makes them", model->name);
    return NULL;
  }
  if (!is_params(params) || params->model != model) {
    naxrt_fail(context, NAX_E_PARAMS, "params are not those of model %s: they %s%s", model->name,
               is_params(params) ? "were opened for " : "are closed, or no parameters at all",
               is_params(params) ? params->model->name : "");
    return NULL;
  }
  if (params->level != level) {
    naxrt_fail(context, NAX_E_PARAMS, "params were opened while NAX_LEVEL was another one");
    return NULL;
  }
  *bytes = params->block_bytes;
  return params->block;
}

void naxrt_params_close(nax_params *params) {
  if (!params)
    return;
  nax_hooks hooks = params->hooks;
  if (params->mapping.data)
    naxrt_unmap(params->mapping);
  else
    naxrt_release(&hooks, (void *)params->block, params->block_bytes);
  memset(params->magic, 0, sizeof magic); // so that a later use is noticed, if the memory still shows it
  naxrt_release(&hooks, params, (int64_t)sizeof *params);
}
