/* SPDX-License-Identifier: Apache-2.0 */
/* What the sources of libnaxtext share: an opened tokenizer, and characters of UTF-8. Nothing here is for users. */
#ifndef NAXTEXT_TOKENIZER_H
#define NAXTEXT_TOKENIZER_H

#include "nax/text.h"

#include "internal.h"

/* A token's kind, in the numbers of GGUF's tokenizer.ggml.token_type. */
enum { NAXTEXT_NORMAL = 1, NAXTEXT_UNKNOWN = 2, NAXTEXT_CONTROL = 3, NAXTEXT_USER_DEFINED = 4 };

typedef struct naxtext_token {
  const unsigned char *bytes; /* what it stands for in a text */
  int32_t length;
  int32_t kind;
} naxtext_token;

/* Two neighbours that may become one; the lower rank goes first. */
typedef struct naxtext_merge {
  int32_t left, right; /* left -1: an empty place of the table */
  int32_t rank;
  int32_t result;
} naxtext_merge;

typedef struct naxtext_form naxtext_form;

struct nax_tokenizer {
  nax_hooks hooks; /* of the context that opened it: the block goes back to them */
  int64_t block_bytes;
  int64_t size;
  naxtext_token *tokens;
  int64_t longest;       /* bytes of the longest token */
  int32_t byte_ids[256]; /* the token that is this byte alone; -1: none */
  bool digits_alone;     /* "smollm": each digit is a piece of its own */
  naxtext_merge *merges; /* hash table; merge_mask + 1 places */
  uint64_t merge_mask;
  int32_t *normal; /* hash table of the normal tokens by their bytes; -1: an empty place */
  uint64_t normal_mask;
  int32_t *specials; /* control and user-defined tokens, the longest first */
  int64_t special_count;
  bool special_first[256]; /* whether a special token begins with this byte */
  int32_t begin_id, end_id;
  int32_t ends[4];     /* whatever ends an answer; -1: none */
  char *chat_template; /* NULL: none */
  int64_t template_bytes;
  const naxtext_form *form; /* of the template; NULL: it is not known */
  char *default_system;     /* the text of the template's default system message */
  int64_t default_bytes;    /* -1: it has none */
};

/* lookup.c */
uint64_t naxtext_hash(const unsigned char *bytes, int64_t length);
int64_t naxtext_slots_for(int64_t count); /* of a hash table that is at most half full; a power of two */
int32_t *naxtext_normal_slot(const nax_tokenizer *tokenizer, const unsigned char *bytes, int64_t length);
naxtext_merge *naxtext_merge_slot(const nax_tokenizer *tokenizer, int32_t left, int32_t right);
const naxtext_merge *naxtext_find_merge(const nax_tokenizer *tokenizer, int32_t left, int32_t right); /* NULL: none */

/* utf8.c */

/* Length of the character at `at` and its number; 0 when the bytes there are none: cut short, overlong, a surrogate,
   above U+10FFFF. */
int naxtext_character(const unsigned char *at, const unsigned char *end, uint32_t *code);

/* Whether more bytes could make a character of these `count` (1 to 3) ones. */
bool naxtext_unfinished(const unsigned char *bytes, int count);

typedef enum naxtext_class { NAXTEXT_LETTER, NAXTEXT_NUMBER, NAXTEXT_SPACE, NAXTEXT_OTHER } naxtext_class;
naxtext_class naxtext_classify(uint32_t code);

typedef struct naxtext_range {
  uint32_t first, last;
} naxtext_range;

/* Whether one of these sorted ranges holds the character. */
bool naxtext_is_in(const naxtext_range *ranges, size_t count, uint32_t code);

/* split.c */

/* End of the piece that begins at `at`; a merge never reaches over it. `end` is where the text or the run between two
   special tokens ends, and at < end. The text is whole UTF-8. */
const unsigned char *naxtext_piece_end(const unsigned char *at, const unsigned char *end, bool digits_alone);

/* merge.c */

typedef struct naxtext_encoder {
  nax_context *context;
  const nax_tokenizer *tokenizer;
  const char *what; /* the name that errors have for the text */
  int32_t *ids;
  int64_t capacity;
  int64_t count; /* of ids found; those above `capacity` are only counted */
  void *scratch; /* grows with the longest piece */
  int64_t scratch_bytes;
} naxtext_encoder;

/* Appends the ids of one piece, all of whose bytes have a token. */
nax_status naxtext_encode_piece(naxtext_encoder *encoder, const unsigned char *piece, int64_t length);

static inline void naxtext_append(naxtext_encoder *encoder, int32_t id) {
  if (encoder->count < encoder->capacity)
    encoder->ids[encoder->count] = id;
  ++encoder->count;
}

/* encode.c */

/* Fails unless the text, called `what` in the error, is whole UTF-8 and not too long. */
nax_status naxtext_check(nax_context *context, const char *what, const unsigned char *text, const unsigned char *end);

/* The longest special token that stands at `at`, of all or (plain) of the user-defined ones; -1: none. */
int32_t naxtext_special_at(const nax_tokenizer *tokenizer, const unsigned char *at, const unsigned char *end,
                           nax_specials specials);

/* Appends the ids of a text that has been checked. */
nax_status naxtext_encode(naxtext_encoder *encoder, const unsigned char *text, const unsigned char *end,
                          nax_specials specials);

/* stops.c */

typedef struct naxtext_stops naxtext_stops;

/* `count` is 1 at least; `room` is how many bytes of text come at once, at most. */
nax_status naxtext_stops_open(nax_context *context, const char *const *texts, int64_t count, int64_t room,
                              naxtext_stops **out);
void naxtext_stops_close(naxtext_stops *stops);
void naxtext_stops_reset(naxtext_stops *stops); /* a new text begins */

/* Takes a part of a text and gives in its place what can be said by now: without what may become a stop, unless it is
   the last part. True when a stop is complete; then it is all that comes before the stop, and nothing more may be
   passed without a reset. */
bool naxtext_stops_pass(naxtext_stops *stops, bool last, const char **text, size_t *bytes);

/* exponential.c */
double naxtext_exponential(double x); /* e^x for x <= 0, to one unit in the last place; 0 below -708 */

#endif
