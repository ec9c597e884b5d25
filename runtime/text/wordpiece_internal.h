/* SPDX-License-Identifier: Apache-2.0 */
/* What the sources of WordPiece share. Nothing here is for users. */
#ifndef NAXTEXT_WORDPIECE_INTERNAL_H
#define NAXTEXT_WORDPIECE_INTERNAL_H

#include "nax/wordpiece.h"

#include "tokenizer.h"

typedef enum naxtext_special {
  NAXTEXT_UNK,
  NAXTEXT_CLS,
  NAXTEXT_SEP,
  NAXTEXT_PAD,
  NAXTEXT_MASK,
  NAXTEXT_SPECIALS
} naxtext_special;

struct nax_wordpiece {
  nax_hooks hooks; /* of the context that opened it: the block goes back to them */
  int64_t block_bytes;
  int64_t size;
  naxtext_token *tokens; /* their bytes are the file's; each has a 0 byte behind it */
  int64_t longest;       /* bytes of the longest token */
  int32_t *slots;        /* hash table of the tokens by their bytes; -1: an empty place */
  uint64_t slot_mask;
  int32_t specials[NAXTEXT_SPECIALS]; /* -1: not there */
};

/* wordpiece_vocabulary.c: the token of exactly these bytes; -1: none */
int32_t naxtext_wordpiece_find(const nax_wordpiece *vocabulary, const unsigned char *bytes, int64_t length);

/* wordpiece_characters.c */

/* What is left of a character that is no space, without accents and case: 0 to 3 others, in `out`. */
int naxtext_fold(uint32_t code, uint32_t out[3]);
bool naxtext_is_ideograph(uint32_t code);
bool naxtext_is_punctuation(uint32_t code);

#endif
