/* SPDX-License-Identifier: Apache-2.0 */
/* For a compiler that stores parameters as a file has them. */
#include "layout.h"
#include "invoke.h"

static nax_stored stored_of(nax_file_dtype dtype) {
  if (dtype == NAX_FILE_F16)
    return NAX_STORED_F16;
  if (dtype == NAX_FILE_BF16)
    return NAX_STORED_BF16;
  const naxrt_format *format = naxrt_format_of_dtype(dtype);
  return format ? (nax_stored)format->stored : NAX_STORED_AS_DECLARED;
}

nax_status naxrt_params_stored(nax_context *context, const nax_model_desc *model, const char *path, int64_t *stored) {
  if (!naxrt_begin(context))
    return naxrt_fail_without_context();
  if (!model || !path || !stored)
    return naxrt_fail(context, NAX_E_NULL, "%s is null", !model ? "the model" : !path ? "path" : "stored");
  nax_file *file = NULL;
  nax_status status = nax_file_open(context, path, &file);
  if (status != NAX_OK)
    return status;
  int64_t bytes = model->param_count * (int64_t)sizeof(naxrt_source);
  naxrt_source *sources = naxrt_allocate(context, bytes, "the list of parameters");
  const char *table = NULL;
  status = sources ? naxrt_find_sources(context, model, file, sources, &table) : NAX_E_MEMORY;
  for (int64_t i = 0; i < model->param_count && status == NAX_OK; ++i)
    stored[i] = stored_of(sources[i].tensor->dtype);
  naxrt_release(&context->hooks, sources, bytes);
  nax_file_close(file);
  return status;
}
