/* SPDX-License-Identifier: Apache-2.0 */
/* Where the elements of a file's tensor go in the block of parameters. */
#ifndef NAXRT_LAYOUT_H
#define NAXRT_LAYOUT_H

#include "blocks.h"

enum { NAXRT_MAX_AXES = 16, NAXRT_TEXT = 512 };

typedef enum naxrt_pairing { NAXRT_AS_IT_IS, NAXRT_TO_HALVES, NAXRT_TO_INTERLEAVED } naxrt_pairing;

/* A parameter's axes in the order in which the file has them, innermost last. Where the file joins axes into one
   dimension nothing changes here, since joined axes are row-major like all others. */
typedef struct naxrt_order {
  int64_t rank, elements;
  int64_t axes[NAXRT_MAX_AXES]; /* positions in the parameter's own axes */
  int64_t sizes[NAXRT_MAX_AXES];
  int64_t paired; /* the place in this order whose components are re-ordered; -1: none */
  int64_t paired_size;
  naxrt_pairing pairing;
} naxrt_order;

/* names.c. The order in which `tensor` holds parameter `param`; `name` may be NULL. When they do not fit, the status
   is NAX_E_PARAMS (NAX_E_MODEL: the names table is wrong), and `why` a sentence without the file's path. */
nax_status naxrt_order_of(const nax_model_desc *model, int64_t param, const nax_name_desc *name,
                          const nax_file_tensor *tensor, naxrt_order *out, char why[NAXRT_TEXT]);

/* The parameter's own order. False: its description is broken. */
bool naxrt_own_order(const nax_model_desc *model, int64_t param, naxrt_order *out);

/* Which tensor of the file is parameter `param` according to `table` (NULL: none, the parameter's own name). Returns
   NULL when the file lacks it; `wanted` is then the name it should have. *name is the table's line or NULL. */
const nax_file_tensor *naxrt_find_by_table(const nax_model_desc *model, const char *table, int64_t param,
                                           const nax_file *file, const nax_name_desc **name, char wanted[NAXRT_TEXT]);

/* layout.c */

/* The steps of a slot for each axis of an order. */
typedef struct naxrt_steps {
  const nax_slot_desc *slot;
  int64_t dtype;              /* nax_dtype of what is stored; of quantised slots the parameter's */
  const naxrt_format *format; /* of quantised slots; else NULL */
  int64_t n_size, k_size;
  int64_t n[NAXRT_MAX_AXES], k[NAXRT_MAX_AXES];
  int64_t panel_bytes, bytes; /* of a panel (nr > 0) and of the whole slot */
} naxrt_steps;

/* False when the slot's description does not fit the parameter or a block of `block_bytes`. */
bool naxrt_steps_of(const nax_model_desc *model, int64_t block_bytes, const nax_slot_desc *slot,
                    const naxrt_order *order, naxrt_steps *out);

/* Zeros in the parts of panels that no element goes to, and behind the slot up to where another one may begin. */
void naxrt_clear_padding(const naxrt_steps *steps, int64_t block_bytes, void *block);

/* Elements [first, first + count) of the order go to their places; exactly one of `f32` and `f64` is not NULL. Not for
   quantised slots. */
void naxrt_scatter(const naxrt_steps *steps, const naxrt_order *order, void *block, int64_t first, int64_t count,
                   const float *f32, const double *f64);
/* And back. */
void naxrt_gather(const naxrt_steps *steps, const naxrt_order *order, const void *block, int64_t first, int64_t count,
                  double *out);

/* The order of a slot itself, its n_axes and then its k_axes; `order` is any other of the parameter. */
void naxrt_slot_order(const nax_slot_desc *slot, const naxrt_order *order, naxrt_order *out);

/* Component `c` that the paired axis has in the file, as the parameter numbers it, and back. */
int64_t naxrt_paired(const naxrt_order *order, int64_t place, int64_t c);
int64_t naxrt_unpaired(const naxrt_order *order, int64_t place, int64_t c);

/* panels.c: quantised slots */

/* Where an order has the columns of a slot. */
typedef struct naxrt_columns {
  const naxrt_steps *steps;
  const naxrt_order *order;
  int64_t strides[NAXRT_MAX_AXES]; /* of each place of the order, in elements */
  int64_t run; /* so many neighbours along K, from each multiple of it on, are neighbours in the order, too */
} naxrt_columns;

void naxrt_columns_of(const naxrt_steps *steps, const naxrt_order *order, naxrt_columns *out);
/* Whether each of the slot's blocks is one piece of the order. */
bool naxrt_has_whole_blocks(const naxrt_columns *columns);

/* Panels [first, last) get their records: of the same type as they are, of others quantised. The columns have whole
   blocks. False: some number can't be quantised, or a block's scale is not finite. */
bool naxrt_fill_panels(const naxrt_columns *columns, const nax_file_tensor *tensor, void *block, int64_t first,
                       int64_t last);
/* All values, in the order. */
void naxrt_read_panels(const naxrt_columns *columns, const void *block, double *out);
/* All blocks [N][K/B], one after another as in a file. */
void naxrt_take_blocks(const naxrt_steps *steps, const void *block, uint8_t *out);

/* params_find.c, convert.c: from a file into the block */

/* One parameter on its way: where it comes from and in which order. */
typedef struct naxrt_source {
  const nax_file_tensor *tensor;
  const nax_name_desc *name;
  naxrt_order order;
} naxrt_source;

/* Fills in a source for each parameter. Otherwise the error text names all that are missing or do not fit. *table is
   the names table that was chosen, NULL for the parameters' own names. */
nax_status naxrt_find_sources(nax_context *context, const nax_model_desc *model, const nax_file *file,
                              naxrt_source *sources, const char **table);
void naxrt_log_unused(nax_context *context, const nax_model_desc *model, const nax_file *file,
                      const naxrt_source *sources);

/* Fills the level's block; sources[i] is where its slot i comes from, and `path` the file, NULL: memory. */
nax_status naxrt_convert(nax_context *context, const nax_model_desc *model, const nax_level_desc *level,
                         const naxrt_source *const *sources, const char *path, void *block);
/* What a slot of `block` holds, in its own order, as a tensor of a file would have it; NULL: the error is set. The
   memory and its `bytes` are the caller's. */
void *naxrt_slot_values(nax_context *context, const naxrt_steps *steps, const naxrt_order *order, const void *block,
                        nax_file_tensor *tensor, int64_t *bytes);
nax_status naxrt_bad_slot(nax_context *context, const nax_model_desc *model, int64_t slot);

#endif
