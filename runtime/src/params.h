/* SPDX-License-Identifier: Apache-2.0 */
/* Opened parameters, and files of packed ones. */
#ifndef NAXRT_PARAMS_H
#define NAXRT_PARAMS_H

#include "layout.h"

struct nax_params {
  char magic[8];
  const nax_model_desc *model;
  const nax_level_desc *level; /* whose layout the block has */
  nax_hooks hooks;
  int64_t block_bytes;
  const void *block;
  naxrt_bytes mapping; /* the packed file that the block is in; its data is NULL: the block is memory of its own */
};

/* params.c. Parameters whose block is still to be filled: `block` has its memory. NULL: the error is set. */
nax_params *naxrt_params_create(nax_context *context, const nax_model_desc *model, const nax_level_desc *level,
                                void **block);
/* The same around a block in a mapping, which then belongs to them. */
nax_params *naxrt_params_mapped(nax_context *context, const nax_model_desc *model, const nax_level_desc *level,
                                naxrt_bytes mapping, const void *block);

/* packed.c. Whether the file says that it is a packed one; false where it can't be read. */
bool naxrt_is_packed(const char *path);
nax_status naxrt_packed_open(nax_context *context, const nax_model_desc *model, const nax_level_desc *level,
                             const char *path, nax_params **out);

#endif
