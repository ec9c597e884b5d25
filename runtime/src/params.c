/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters: found in a file, checked against the model, converted into the block that generated code reads. */
#include "invoke.h"
#include "layout.h"

#include <string.h>

static const char magic[8] = "naxparm";

struct nax_params {
  char magic[8];
  const nax_model_desc *model;
  const nax_level_desc *level; /* whose layout the block has */
  nax_hooks hooks;
  int64_t block_bytes;
  void *block;
};

//===-- converting -------------------------------------------------------------------------------------------------//

enum {
  SEGMENT = 512,          /* elements decoded at once; on the stack of every thread, so small */
  TASK_ELEMENTS = 1 << 17 /* of one index of the parallel loop; a multiple of SEGMENT and of every block */
};

typedef struct conversion {
  const nax_model_desc *model;
  const nax_level_desc *level;
  const naxrt_source *sources;
  const int64_t *first_tasks; /* of each parameter, and the number of all */
  void *block;
} conversion;

static int64_t param_of_task(const conversion *c, int64_t task) {
  int64_t low = 0, high = c->model->param_count - 1;
  while (low < high) {
    int64_t middle = (low + high + 1) / 2;
    if (c->first_tasks[middle] <= task)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

static void convert_segment(const conversion *c, const naxrt_steps *steps, const naxrt_source *from, int64_t first,
                            int64_t count) {
  float narrow[SEGMENT];
  double wide[SEGMENT];
  bool is_wide = from->tensor->dtype == NAX_FILE_F64;
  if (is_wide) // possible only for parameters of f64
    memcpy(wide, (const uint8_t *)from->tensor->data + first * 8, (size_t)count * 8);
  else
    naxrt_decode(from->tensor->dtype, from->tensor->data, first, count, narrow);
  naxrt_scatter(steps, &from->order, c->block, first, count, is_wide ? NULL : narrow, is_wide ? wide : NULL);
}

static void convert_task(void *closure, int64_t task) {
  const conversion *c = closure;
  int64_t param = param_of_task(c, task);
  const naxrt_source *from = &c->sources[param];
  int64_t begin = (task - c->first_tasks[param]) * TASK_ELEMENTS, end = begin + TASK_ELEMENTS;
  if (end > from->order.elements)
    end = from->order.elements;
  for (int64_t i = 0; i < c->level->slot_count; ++i) {
    if (c->level->slots[i].param != param)
      continue;
    naxrt_steps steps;
    naxrt_steps_of(c->model, c->level->block_bytes, &c->level->slots[i], &from->order, &steps);
    for (int64_t first = begin; first < end; first += SEGMENT)
      convert_segment(c, &steps, from, first, end - first < SEGMENT ? end - first : SEGMENT);
  }
}

static nax_status bad_slot(nax_context *context, const nax_model_desc *model, int64_t slot) {
  return naxrt_fail(context, NAX_E_MODEL, "the description of %s: slot %lld does not fit its parameter or the block",
                    model->name, (long long)slot);
}

static nax_status check_slots(nax_context *context, const nax_params *params, const naxrt_source *sources) {
  const nax_model_desc *model = params->model;
  for (int64_t i = 0; i < params->level->slot_count; ++i) {
    const nax_slot_desc *slot = &params->level->slots[i];
    naxrt_steps steps;
    if (slot->param < 0 || slot->param >= model->param_count ||
        !naxrt_steps_of(model, params->block_bytes, slot, &sources[slot->param].order, &steps))
      return bad_slot(context, model, i);
    naxrt_clear_padding(&steps, params->block);
  }
  return NAX_OK;
}

static nax_status convert(nax_context *context, const nax_params *params, const naxrt_source *sources) {
  const nax_model_desc *model = params->model;
  nax_status status = check_slots(context, params, sources);
  if (status != NAX_OK)
    return status;
  int64_t bytes = (model->param_count + 1) * (int64_t)sizeof(int64_t), tasks = 0;
  int64_t *first_tasks = naxrt_allocate(context, bytes, "the list of parameters");
  if (!first_tasks)
    return NAX_E_MEMORY;
  for (int64_t i = 0; i < model->param_count; ++i) {
    first_tasks[i] = tasks;
    tasks += (sources[i].order.elements + TASK_ELEMENTS - 1) / TASK_ELEMENTS;
  }
  first_tasks[model->param_count] = tasks;
  conversion c = {model, params->level, sources, first_tasks, params->block};
  naxrt_parallel_for(context, convert_task, &c, tasks);
  naxrt_release(&context->hooks, first_tasks, bytes);
  return NAX_OK;
}

static nax_status make(nax_context *context, const nax_model_desc *model, const naxrt_source *sources,
                       nax_params **out) {
  const nax_level_desc *level = naxrt_level_of(context, model);
  if (!level)
    return NAX_E_CPU;
  nax_params *params = naxrt_allocate(context, (int64_t)sizeof *params, "parameters");
  if (!params)
    return NAX_E_MEMORY;
  *params = (nax_params){.model = model, .level = level, .hooks = context->hooks, .block_bytes = level->block_bytes};
  memcpy(params->magic, magic, sizeof magic);
  params->block = naxrt_allocate(context, params->block_bytes, "the model's parameters");
  nax_status status = params->block ? convert(context, params, sources) : NAX_E_MEMORY;
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
    status = make(context, model, sources, out);
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
    status = make(context, model, sources, out);
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
      return bad_slot(context, model, i);
    naxrt_gather(&steps, &order, params->block, 0, order.elements, out);
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
  naxrt_release(&hooks, params->block, params->block_bytes);
  memset(params->magic, 0, sizeof magic); // so that a later use is noticed, if the memory still shows it
  naxrt_release(&hooks, params, (int64_t)sizeof *params);
}
