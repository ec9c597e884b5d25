/* SPDX-License-Identifier: Apache-2.0 */
/* Text to tokens and back, with the vocabulary that a GGUF file carries: byte-level BPE ("gpt2") behind the
   pre-tokenisers "smollm" and "gpt-2". The library is libnaxtext; it needs libnaxrt and nothing else.

   Text is UTF-8 and has a length, so it may hold 0 bytes. An opened tokenizer is never written again: any number of
   threads, each with its own context, may share it. C99 and C++. */
#ifndef NAX_TEXT_H
#define NAX_TEXT_H

#include "nax/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nax_tokenizer nax_tokenizer;
typedef struct nax_decoder nax_decoder;

/* What "<|im_end|>" in a text is, and whether the token of that name is shown when text is made of tokens. */
typedef enum nax_specials {
  NAX_SPECIALS_PLAIN = 0, /* encoding: letters like any others, which is right for text that a stranger wrote;
                             decoding: left out */
  NAX_SPECIALS_NAMED = 1  /* encoding: the special token of that name; decoding: written as its name */
} nax_specials;

/* Reads the vocabulary of a GGUF file. The file is closed again before the call returns. */
NAX_NODISCARD nax_status nax_tokenizer_open(nax_context *context, const char *path, nax_tokenizer **out);
void nax_tokenizer_close(nax_tokenizer *tokenizer); /* NULL is allowed */

/* Ids are 0 to size - 1. */
int64_t nax_tokenizer_size(const nax_tokenizer *tokenizer);

/* The file's beginning-of-sequence and end-of-sequence tokens; -1 when it names none. */
int32_t nax_tokenizer_begin(const nax_tokenizer *tokenizer);
int32_t nax_tokenizer_end(const nax_tokenizer *tokenizer);

/* Whether an answer ends with this token: the file's end-of-sequence, end-of-turn or end-of-message token, or the one
   that ends the assistant's turn in the file's chat template. 0 for what is no id. */
int nax_tokenizer_is_end(const nax_tokenizer *tokenizer, int32_t id);

/* The token whose bytes are exactly these (a special one: its name); -1 when there is none. */
int32_t nax_tokenizer_find(const nax_tokenizer *tokenizer, const char *text, size_t bytes);

/* The file's chat template, a program in the language Jinja; NULL when it has none. nax/chat.h makes use of it. */
const char *nax_tokenizer_chat_template(const nax_tokenizer *tokenizer);

/* Text to ids. *count is how many ids the text has, never more than its bytes, also when `capacity` is less and the
   call fails with NAX_E_SIZE. `ids` NULL with capacity 0 only counts.
   Broken UTF-8, and a byte that the vocabulary has no token for, is NAX_E_VALUE; the error names the byte's offset. */
NAX_NODISCARD nax_status nax_text_encode(nax_context *context, const nax_tokenizer *tokenizer, const char *text,
                                         size_t bytes, nax_specials specials, int32_t *ids, int64_t capacity,
                                         int64_t *count);

/* Ids to text, always whole UTF-8: bytes that are none become U+FFFD. *bytes is the length of the text, also when
   `capacity` is less and the call fails with NAX_E_SIZE. `text` NULL with capacity 0 only counts. No 0 byte is
   added. An id outside of the vocabulary is NAX_E_RANGE. */
NAX_NODISCARD nax_status nax_text_decode(nax_context *context, const nax_tokenizer *tokenizer, const int32_t *ids,
                                         int64_t count, nax_specials specials, char *text, size_t capacity,
                                         size_t *bytes);

/* The same while the ids arrive: what `push` gives joins to what nax_text_decode gives at once. The bytes of an
   unfinished character wait inside of the decoder, so that half a character is never given out. */
NAX_NODISCARD nax_status nax_decoder_open(nax_context *context, const nax_tokenizer *tokenizer, nax_specials specials,
                                          nax_decoder **out);
void nax_decoder_close(nax_decoder *decoder); /* NULL is allowed */

/* *text belongs to the decoder, holds until its next call and has a 0 byte behind it; *bytes may be 0. */
NAX_NODISCARD nax_status nax_decoder_push(nax_context *context, nax_decoder *decoder, int32_t id, const char **text,
                                          size_t *bytes);

/* Texts that end an answer, as C strings: from now on `push` gives nothing from the first one on, and holds back what
   may become one until it is known. First is the one that is complete first; of those complete at the same byte, the
   longest. It may span tokens; how the text is cut into tokens makes no difference. `count` 0: none any more.
   An empty text, or one that is not UTF-8, is NAX_E_VALUE, as is a call between a push and the next finish. */
NAX_NODISCARD nax_status nax_decoder_stop_at(nax_context *context, nax_decoder *decoder, const char *const *texts,
                                             int64_t count);

/* Whether one of these texts has come since the last finish: then the answer is at its end. */
int nax_decoder_stopped(const nax_decoder *decoder);

/* What is left at the end: what was held back, and U+FFFD for an unfinished character. The decoder can then be used
   anew, with the same texts that end an answer. */
NAX_NODISCARD nax_status nax_decoder_finish(nax_context *context, nax_decoder *decoder, const char **text,
                                            size_t *bytes);

#ifdef __cplusplus
}
#endif

#endif
