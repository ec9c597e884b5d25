/* SPDX-License-Identifier: Apache-2.0 */
/* Text to tokens for models of the BERT family that are called uncased (lower case, without accents): WordPiece with a
   vocabulary of one token a line, the file vocab.txt of a checkpoint. A part of libnaxtext.

   What is done to a text is what the package `tokenizers` does with "BertNormalizer", "BertPreTokenizer" and
   "WordPiece", the steps in Devlin et al. 2018 (arXiv 1810.04805): control characters go, each kind of space is one,
   letters lose accents (NFD without nonspacing marks) and case, CJK ideographs and punctuation stand alone; then from
   the left of each word the longest token that fits, where "##" begins a token that goes on with a word. A word that
   does not divide, or has more than 100 characters, is [UNK].

   Text is UTF-8 and has a length. An opened vocabulary is never written again: any number of threads, each with its own
   context, may share it. C99 and C++. */
#ifndef NAX_WORDPIECE_H
#define NAX_WORDPIECE_H

#include "nax/text.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nax_wordpiece nax_wordpiece;

/* Reads a vocabulary; the token of line n has the id n - 1. The file is closed again before the call returns.
   NAX_E_FORMAT: it is not UTF-8, a line is empty, two are the same, or [UNK], [CLS] or [SEP] is missing. */
NAX_NODISCARD nax_status nax_wordpiece_open(nax_context *context, const char *path, nax_wordpiece **out);
void nax_wordpiece_close(nax_wordpiece *vocabulary); /* NULL is allowed */

/* Ids are 0 to size - 1. */
int64_t nax_wordpiece_size(const nax_wordpiece *vocabulary);

/* The token of this name ("word", "##ing", "[MASK]"); -1 when there is none. */
int32_t nax_wordpiece_find(const nax_wordpiece *vocabulary, const char *name);

/* The name of a token, which belongs to the vocabulary; NULL when there is no such id. */
const char *nax_wordpiece_name(const nax_wordpiece *vocabulary, int32_t id);

/* Text to ids: [CLS], the text's tokens, [SEP]. *count is how many that are, never more than the text's bytes and 2.
   Where `capacity` is less, the text is cut: `ids` gets [CLS], the first capacity - 2 tokens and [SEP], and the call
   still succeeds, so that the number of ids written is the lesser of the two. `ids` NULL with capacity 0 only counts.
   `specials`: whether "[SEP]" and the like in the text are letters like any others or the token of that name.
   NAX_E_SIZE: capacity is 1 or negative. NAX_E_VALUE: broken UTF-8; the error names the byte's offset. */
NAX_NODISCARD nax_status nax_wordpiece_encode(nax_context *context, const nax_wordpiece *vocabulary, const char *text,
                                              size_t bytes, nax_specials specials, int32_t *ids, int64_t capacity,
                                              int64_t *count);

#ifdef __cplusplus
}
#endif

#endif
