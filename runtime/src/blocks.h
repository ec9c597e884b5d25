/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of quantised numbers: one after another as GGUF has them, and as a column of a record (nax_slot_desc). */
#ifndef NAXRT_BLOCKS_H
#define NAXRT_BLOCKS_H

#include "file.h"

enum { NAXRT_MAX_BLOCK = 256, NAXRT_MAX_BLOCK_BYTES = 210 };

typedef struct naxrt_format {
  int64_t stored; /* nax_stored */
  nax_file_dtype dtype;
  const char *name;
  int64_t elements, bytes;     /* of a block in a file */
  int64_t column_bytes;        /* of a block in a record */
  int64_t scales, scale_count; /* where a block in a file has its scales, one f16 after another */
  void (*decode)(const uint8_t *block, float *out);
  /* False: the numbers are not finite, or too large for the block's scale. NULL: only files give such blocks. */
  bool (*encode)(const float *in, uint8_t *block);
  /* A block becomes column n of a record for nr of them, and back: every bit of a block has its place in a record. */
  void (*put)(const uint8_t *block, uint8_t *record, int64_t nr, int64_t n);
  void (*get)(const uint8_t *record, int64_t nr, int64_t n, uint8_t *block);
} naxrt_format;

/* NULL: it is no quantised type. */
const naxrt_format *naxrt_format_of_stored(int64_t stored);
const naxrt_format *naxrt_format_of_dtype(nax_file_dtype dtype);

#endif
