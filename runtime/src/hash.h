/* SPDX-License-Identifier: Apache-2.0 */
/* XXH64, https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md: fast, and no protection against intent. */
#ifndef NAXRT_HASH_H
#define NAXRT_HASH_H

#include <stdint.h>

uint64_t naxrt_hash(const void *data, int64_t bytes, uint64_t seed);

#endif
