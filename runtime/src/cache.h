/* SPDX-License-Identifier: Apache-2.0 */
/* What the sources that know the inside of a cache share. A cache is one block of memory: this head, its tables, and
   its parts, each on a multiple of 64 bytes. */
#ifndef NAXRT_CACHE_H
#define NAXRT_CACHE_H

#include "internal.h"
#include "nax/cache.h"

/* One of the buffers that a cache consists of. Position p of a row is in slot p % slots. */
typedef struct naxrt_part {
  const nax_buffer_desc *desc; /* among the step's arguments */
  uint8_t *data;
  int64_t rows;       /* those of the cache; 1: without a row axis, stored once */
  int64_t slots;      /* of a row; -1: fixed, a value of a begin */
  int64_t ring;       /* > 0: only as many positions are kept */
  int64_t slot_bytes; /* of one slot; fixed: of a row */
} naxrt_part;

typedef struct naxrt_row {
  int64_t length;
  /* How many positions have gone through the row's slots. More than `length` only after the last one was taken back
     from rings that had wrapped: they lack the position that it displaced. */
  int64_t reached;
  int64_t begun; /* 1: its fixed values are there */
} naxrt_row;

/* Where the parts of a cache are, when the host can not read them. Addresses `to` and `from` are each either there or
   of the host. */
typedef struct naxrt_remote {
  void *owner;
  const void *memory; /* the same for caches between which `copy` can copy */
  nax_status (*allocate)(void *owner, nax_context *context, int64_t bytes, void **out); /* filled with zeros */
  void (*release)(void *owner, void *block);
  void (*end)(void *owner); /* with the cache, after its block was released */
  nax_status (*copy)(void *owner, nax_context *context, void *to, const void *from, int64_t bytes);
  nax_status (*wait)(void *owner, nax_context *context); /* until steps no longer write there */
} naxrt_remote;

struct nax_cache {
  char magic[8];
  const nax_model_desc *model;
  const nax_entry_desc *step;
  const nax_buffer_desc *counts; /* among the step's arguments */
  nax_hooks hooks;
  int64_t bytes;
  int64_t row_count, capacity;
  bool has_fixed;
  int64_t part_count;
  naxrt_part *parts; /* by number */
  int64_t *sizes;    /* of each of step->dims; -1: none of the cache's business */
  naxrt_row *rows;
  int32_t *span;       /* [rows,2], of the step that is running */
  naxrt_remote remote; /* owner NULL: the parts are in the block */
  void *remote_block;
  int64_t remote_bytes;
};

/* naxrt_cache_create, with the parts somewhere else; `remote` NULL: in memory of the host. The owner is the cache's
   only when it succeeds. */
nax_status naxrt_cache_create_in(nax_context *context, const nax_model_desc *model, int64_t step, const int64_t *sizes,
                                 const naxrt_remote *remote, nax_cache **out);

/* memcpy between slots of the cache, or between them and the host. */
nax_status naxrt_cache_move(nax_context *context, const nax_cache *cache, void *to, const void *from, int64_t bytes);

/* Whether `bytes` of the cache at `data` are those at `other`, which is of the host. A failure is a status. */
bool naxrt_cache_holds(nax_context *context, const nax_cache *cache, const void *data, const void *other, int64_t bytes,
                       nax_status *status);

/* Sets the error and gives false when it is null, or no cache. `what` is the argument's name. */
bool naxrt_is_cache(nax_context *context, const nax_cache *cache, const char *what, nax_status *status);

/* The extent that an axis of the model has in the cache; -1: none. */
int64_t naxrt_cache_size(const nax_cache *cache, int64_t axis);

/* The size of the step's dimension `index` that a row brings with it: not how many rows there are, nor their capacity;
   -1: none of the kind. Rows go between caches that agree in all of them. */
int64_t naxrt_cache_row_size(const nax_cache *cache, int64_t index);

static inline int64_t naxrt_part_row_bytes(const naxrt_part *part) {
  return part->slots < 0 ? part->slot_bytes : part->slots * part->slot_bytes;
}

static inline uint8_t *naxrt_part_row(const naxrt_part *part, int64_t row) {
  return part->data + (part->rows == 1 ? 0 : row) * naxrt_part_row_bytes(part);
}

/* A value of a begin that has no row axis, in a cache of several rows. */
static inline bool naxrt_part_is_shared(const naxrt_part *part, const nax_cache *cache) {
  return part->slots < 0 && part->rows != cache->row_count;
}

/* The first position that the part still has of a row that `reached` so many. */
static inline int64_t naxrt_part_first(const naxrt_part *part, int64_t reached) {
  return part->ring > 0 && reached > part->ring ? reached - part->ring : 0;
}

/* Whether a ring of the cache has lost positions of a row that `reached` so many. */
bool naxrt_cache_wrapped(const nax_cache *cache, int64_t reached);

/* NAX_OK if there is the row; else the error is set. */
nax_status naxrt_check_row(nax_context *context, const nax_cache *cache, int64_t row);

/* Whether a row other than `row` has fixed values. */
bool naxrt_others_begun(const nax_cache *cache, int64_t row);

#endif
