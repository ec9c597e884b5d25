/* SPDX-License-Identifier: Apache-2.0 */
/* One call of an entry, as its checks see it. */
#ifndef NAXRT_INVOKE_H
#define NAXRT_INVOKE_H

#include "internal.h"

typedef struct naxrt_call {
  nax_context *context;
  const nax_model_desc *model;
  const nax_entry_desc *entry;
  const int64_t *dims;
  void *const *buffers;
} naxrt_call;

/* The extent of one of the model's axes in this call; -1 when the description gives none. */
int64_t naxrt_call_size(const naxrt_call *call, int64_t axis);

/* invoke_values.c: ids in range, lengths and starts within their axis, documents in one piece, booleans 0 or 1.
   `buffer` has been found to be there and aligned, with `elements` of them. */
nax_status naxrt_check_values(const naxrt_call *call, const nax_buffer_desc *desc, const void *buffer,
                              int64_t elements);

/* The block of opened parameters, or NULL with the error set when they belong to another model. params.c */
const void *naxrt_params_base(nax_context *context, const nax_model_desc *model, const nax_params *params,
                              int64_t *bytes);

#endif
