/* SPDX-License-Identifier: Apache-2.0 */
/* Caches: what the step of a model keeps of the positions it has seen, a number of its own for each row of the batch.
   A model's header declares the same functions with a type of its own (`smollm2_forward_cache_copy`); these are for
   programs that handle the caches of any model, which cast: (nax_cache *)cache. C99 and C++.

   One thread at a time may use a cache, in any context. A function that fails has changed nothing of it. Slots that no
   position has been written to hold whatever the allocate hook gave, and are never read. */
#ifndef NAX_CACHE_H
#define NAX_CACHE_H

#include "nax/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nax_cache nax_cache;

/* Frees it; NULL is allowed. It may outlive the context that it was created with. */
void nax_cache_destroy(nax_cache *cache);

int64_t nax_cache_rows(const nax_cache *cache);
int64_t nax_cache_capacity(const nax_cache *cache); /* positions that each row has room for */
size_t nax_cache_bytes(const nax_cache *cache);     /* all of its memory */

/* How many positions the row has; -1: there is no such row. */
int64_t nax_cache_length(const nax_cache *cache, int64_t row);

/* The row has no positions any more; what a begin has computed stays. NAX_E_RANGE: no such row. */
NAX_NODISCARD nax_status nax_cache_reset(nax_context *context, nax_cache *cache, int64_t row);

/* Takes back the row's last positions, so that it has `length` of them. NAX_E_RANGE: no such row, or the row has fewer.
   NAX_E_VALUE: under a window the cache is a ring, and once more positions went through it than it has slots only the
   last one can be taken back, or all of them. */
NAX_NODISCARD nax_status nax_cache_truncate(nax_context *context, nax_cache *cache, int64_t row, int64_t length);

/* Row `to_row` of `to` becomes what row `from_row` of `from` is, a shared beginning for example; only what is used is
   copied. Both are caches of one entry of one model, or one and the same; capacities may differ. NAX_E_VALUE: another
   entry's, or what all rows share (without a row axis) differs from what other rows of `to` hold. NAX_E_FULL: `to` is
   too short. NAX_E_SIZE: other sizes. */
NAX_NODISCARD nax_status nax_cache_copy(nax_context *context, nax_cache *to, int64_t to_row, const nax_cache *from,
                                        int64_t from_row);

/* Writes the row to a file: by rename, whole or not at all. The file belongs to the model and the parameters that
   filled the cache; of the latter it knows nothing. NAX_E_FILE: it can not be written. */
NAX_NODISCARD nax_status nax_cache_save(nax_context *context, const nax_cache *cache, int64_t row, const char *path);

/* The row becomes what was saved, bit for bit; the capacity may be another. NAX_E_FILE: can not be read. NAX_E_FORMAT:
   damaged, or no such file. NAX_E_VALUE, NAX_E_FULL, NAX_E_SIZE: as of nax_cache_copy. */
NAX_NODISCARD nax_status nax_cache_restore(nax_context *context, nax_cache *cache, int64_t row, const char *path);

#ifdef __cplusplus
}
#endif

#endif
