/* SPDX-License-Identifier: Apache-2.0 */
/* One call of an entry, as its checks see it. */
#ifndef NAXRT_INVOKE_H
#define NAXRT_INVOKE_H

#include "cache.h"
#include "internal.h"

typedef struct naxrt_call {
  nax_context *context;
  const nax_model_desc *model;
  const nax_entry_desc *entry;
  const nax_code_desc *code; /* the entry's */
  nax_cache *cache;          /* NULL: the entry has none */
  int64_t *dims;
  void **buffers;
  void *counts;   /* the caller's, while the span is in their place */
  bool on_device; /* inputs, outputs, caches and the workspace are in the memory of a GPU: addresses, not to be read */
} naxrt_call;

/* The extent of one of the model's axes in this call; -1 when the description gives none. */
int64_t naxrt_call_size(const naxrt_call *call, int64_t axis);

/* invoke_values.c: ids in range, lengths and starts within their axis, documents in one piece and not too long,
   booleans 0 or 1. `buffer` has been found to be there and aligned, with `elements` of them. */
nax_status naxrt_check_values(const naxrt_call *call, const nax_buffer_desc *desc, const void *buffer,
                              int64_t elements);

/* The same of the documents of a step, `counts` of each row (NULL: all), which follow those in the cache. */
nax_status naxrt_check_documents(const naxrt_call *call, const nax_buffer_desc *desc, const int32_t *buffer,
                                 int64_t elements);

/* invoke_cache.c. Whether the cache is one of this entry's; then fills in the slots' extents and the caches' memory. */
nax_status naxrt_enter_cache(naxrt_call *call);
/* The sizes that the cache was created for are those of this call. */
nax_status naxrt_check_cache_sizes(const naxrt_call *call);
/* How many new positions a row of a step has, once its counts are checked. `counts` NULL: all of T. */
int64_t naxrt_count_of(const naxrt_call *call, int64_t row);
/* Every row has room for its new positions. `counts` have been found to be there and aligned; NULL: all of T. */
nax_status naxrt_check_counts(const naxrt_call *call, const nax_buffer_desc *desc, const int32_t *counts);
/* After all checks, before the body and after it. */
void naxrt_set_span(naxrt_call *call);
void naxrt_leave_cache(const naxrt_call *call);

/* invoke.c. All checks of a call, in the order of its C arguments; nothing has changed when one fails. `block` are the
   parameters. `needed`: the bytes of workspace, the caller's or to be allocated; on a device with room at its end for
   what the host gives, as naxrt_cuda_workspace says. */
nax_status naxrt_check_model(nax_context *context, const nax_model_desc *model, int64_t entry,
                             const nax_level_desc **level);
nax_status naxrt_check_call(naxrt_call *call, const void *block, int64_t block_bytes, const void *workspace,
                            size_t workspace_bytes, int64_t *needed);
/* Bytes of workspace that the call needs; negative: more than an int64_t can say. */
int64_t naxrt_needed(const naxrt_call *call);
/* Of a call on a device: the bytes of lengths, starts, documents, a seed, or of the span that takes the place of
   counts: given by the host, read by kernels. 0 for another buffer, and where its sizes are none, which checks find. */
int64_t naxrt_data_bytes(const naxrt_call *call, const nax_buffer_desc *desc);

static inline int64_t naxrt_aligned(int64_t bytes) {
  return (bytes + NAXRT_BLOCK_ALIGNMENT - 1) / NAXRT_BLOCK_ALIGNMENT * NAXRT_BLOCK_ALIGNMENT;
}

/* The block of opened parameters, or NULL with the error set when they belong to another model or level. params.c */
const void *naxrt_params_base(nax_context *context, const nax_model_desc *model, const nax_level_desc *level,
                              const nax_params *params, int64_t *bytes);

#endif
