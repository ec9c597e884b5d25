/* SPDX-License-Identifier: Apache-2.0 */
/* The types of ggml whose blocks have 256 elements. */
#ifndef NAXRT_BLOCKS_K_H
#define NAXRT_BLOCKS_K_H

#include <stdint.h>

void naxrt_decode_q4_k(const uint8_t *block, float *out);
void naxrt_put_q4_k(const uint8_t *block, uint8_t *record, int64_t nr, int64_t n);
void naxrt_get_q4_k(const uint8_t *record, int64_t nr, int64_t n, uint8_t *block);
void naxrt_decode_q6_k(const uint8_t *block, float *out);
void naxrt_put_q6_k(const uint8_t *block, uint8_t *record, int64_t nr, int64_t n);
void naxrt_get_q6_k(const uint8_t *record, int64_t nr, int64_t n, uint8_t *block);

#endif
