/* SPDX-License-Identifier: Apache-2.0 */
/* Finding tokens by their bytes and merges by their parts: hash tables with open places, at most half full. */
#include "tokenizer.h"

#include <string.h>

static uint64_t mixed(uint64_t x) {
  x = (x ^ x >> 31) * 0x7FB5D329728EA185u;
  x = (x ^ x >> 27) * 0x81DADEF4BC2DD44Du;
  return x ^ x >> 33;
}

uint64_t naxtext_hash(const unsigned char *bytes, int64_t length) {
  uint64_t hash = (uint64_t)length;
  for (int64_t i = 0; i < length; ++i)
    hash = (hash ^ bytes[i]) * 0x100000001B3u;
  return mixed(hash);
}

static bool has_bytes(const nax_tokenizer *tokenizer, int32_t id, const unsigned char *bytes, int64_t length) {
  const naxtext_token *token = &tokenizer->tokens[id];
  return token->length == length && memcmp(token->bytes, bytes, (size_t)length) == 0;
}

int32_t *naxtext_normal_slot(const nax_tokenizer *tokenizer, const unsigned char *bytes, int64_t length) {
  uint64_t at = naxtext_hash(bytes, length) & tokenizer->normal_mask;
  while (tokenizer->normal[at] >= 0 && !has_bytes(tokenizer, tokenizer->normal[at], bytes, length))
    at = (at + 1) & tokenizer->normal_mask;
  return &tokenizer->normal[at];
}

naxtext_merge *naxtext_merge_slot(const nax_tokenizer *tokenizer, int32_t left, int32_t right) {
  uint64_t at = mixed((uint64_t)(uint32_t)left << 32 | (uint32_t)right) & tokenizer->merge_mask;
  while (tokenizer->merges[at].left >= 0 &&
         (tokenizer->merges[at].left != left || tokenizer->merges[at].right != right))
    at = (at + 1) & tokenizer->merge_mask;
  return &tokenizer->merges[at];
}

const naxtext_merge *naxtext_find_merge(const nax_tokenizer *tokenizer, int32_t left, int32_t right) {
  const naxtext_merge *merge = naxtext_merge_slot(tokenizer, left, right);
  return merge->left >= 0 ? merge : NULL;
}

int64_t naxtext_slots_for(int64_t count) {
  int64_t slots = 4;
  while (slots < 2 * count)
    slots *= 2;
  return slots;
}

int32_t nax_tokenizer_find(const nax_tokenizer *tokenizer, const char *text, size_t bytes) {
  if (!text || bytes == 0 || bytes > INT32_MAX)
    return -1;
  for (int64_t i = 0; i < tokenizer->special_count; ++i)
    if (has_bytes(tokenizer, tokenizer->specials[i], (const unsigned char *)text, (int64_t)bytes))
      return tokenizer->specials[i];
  return *naxtext_normal_slot(tokenizer, (const unsigned char *)text, (int64_t)bytes);
}
