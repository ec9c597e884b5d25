/* SPDX-License-Identifier: Apache-2.0 */
/* Text to the ids of WordPiece. Characters are folded as they come and gathered until the word ends, so that no memory
   beside the word's is needed, and a word is no longer than the 100 characters that may divide. */
#include "wordpiece_internal.h"

#include <string.h>

enum { WORD_CHARACTERS = 100, GOES_ON = 2 /* bytes of "##" */ };

typedef struct Encoder {
  const nax_wordpiece *vocabulary;
  int32_t *ids;
  int64_t capacity;
  int64_t count;  /* of ids found; those that leave no room for [SEP] are only counted */
  int characters; /* of the word so far; beyond WORD_CHARACTERS they are only counted */
  unsigned char *end;
  unsigned char word[GOES_ON + 4 * WORD_CHARACTERS]; /* the word begins at word + GOES_ON */
} Encoder;

static void append_id(Encoder *encoder, int32_t id) {
  if (encoder->count < encoder->capacity - 1)
    encoder->ids[encoder->count] = id;
  ++encoder->count;
}

/* The longest token that begins at `at`, at most to `end`; *stop is where it ends. -1: none. Before `at` there is
   "##" unless the word begins there. */
static int32_t longest_token(const Encoder *encoder, const unsigned char *at, const unsigned char **stop) {
  const unsigned char *begin = at == encoder->word + GOES_ON ? at : at - GOES_ON, *end = encoder->end;
  if (end - begin > encoder->vocabulary->longest) {
    end = begin + encoder->vocabulary->longest;
    while ((*end & 0xC0) == 0x80) // in the middle of a character
      --end;
  }
  while (end > at) {
    int32_t id = naxtext_wordpiece_find(encoder->vocabulary, begin, end - begin);
    if (id >= 0) {
      *stop = end;
      return id;
    }
    do
      --end;
    while ((*end & 0xC0) == 0x80);
  }
  return -1;
}

/* Appends the tokens of the word; false when it does not divide. */
static bool divide(Encoder *encoder) {
  unsigned char *at = encoder->word + GOES_ON;
  while (at < encoder->end) {
    const unsigned char *stop = NULL;
    int32_t id = longest_token(encoder, at, &stop);
    if (id < 0)
      return false;
    append_id(encoder, id);
    at += stop - at;
    memcpy(at - GOES_ON, "##", GOES_ON); // over bytes that are done with
  }
  return true;
}

static void end_word(Encoder *encoder) {
  if (encoder->characters == 0)
    return;
  int64_t before = encoder->count;
  if (encoder->characters > WORD_CHARACTERS || !divide(encoder)) {
    encoder->count = before;
    append_id(encoder, encoder->vocabulary->specials[NAXTEXT_UNK]);
  }
  encoder->characters = 0;
  encoder->end = encoder->word + GOES_ON;
}

static void append_character(Encoder *encoder, uint32_t code) {
  if (++encoder->characters > WORD_CHARACTERS)
    return;
  if (code < 0x80) {
    *encoder->end++ = (unsigned char)code;
    return;
  }
  int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3; // bytes after the first
  *encoder->end++ = (unsigned char)(0xFF00u >> (more + 1) | code >> 6 * more);
  while (more-- > 0)
    *encoder->end++ = (unsigned char)(0x80 | (code >> 6 * more & 0x3F));
}

static void append_folded(Encoder *encoder, uint32_t code) {
  uint32_t folded[3];
  int count = naxtext_fold(code, folded);
  if (count > 0 && naxtext_classify(code) == NAXTEXT_SPACE) { // of the control characters some are spaces, too
    end_word(encoder);
    return;
  }
  bool ideograph = naxtext_is_ideograph(code);
  for (int i = 0; i < count; ++i) {
    bool alone = ideograph || naxtext_is_punctuation(folded[i]);
    if (alone)
      end_word(encoder);
    append_character(encoder, folded[i]);
    if (alone)
      end_word(encoder);
  }
}

/* The special token whose name stands at `at`; -1: none. */
static int32_t special_at(const nax_wordpiece *vocabulary, const unsigned char *at, const unsigned char *end) {
  if (*at != '[')
    return -1;
  for (int i = 0; i < NAXTEXT_SPECIALS; ++i) {
    int32_t id = vocabulary->specials[i];
    if (id < 0)
      continue;
    const naxtext_token *token = &vocabulary->tokens[id];
    if (token->length <= end - at && memcmp(token->bytes, at, (size_t)token->length) == 0)
      return id;
  }
  return -1;
}

static void encode(Encoder *encoder, const unsigned char *at, const unsigned char *end, nax_specials specials) {
  while (at < end) {
    int32_t id = specials == NAX_SPECIALS_NAMED ? special_at(encoder->vocabulary, at, end) : -1;
    if (id >= 0) {
      end_word(encoder);
      append_id(encoder, id);
      at += encoder->vocabulary->tokens[id].length;
      continue;
    }
    uint32_t code = 0;
    at += naxtext_character(at, end, &code);
    append_folded(encoder, code);
  }
  end_word(encoder);
}

nax_status nax_wordpiece_encode(nax_context *context, const nax_wordpiece *vocabulary, const char *text, size_t bytes,
                                nax_specials specials, int32_t *ids, int64_t capacity, int64_t *count) {
  if (!naxrt_begin(context))
    return naxrt_fail_without_context();
  const char *null = !vocabulary        ? "vocabulary"
                     : !text && bytes   ? "text"
                     : !ids && capacity ? "ids"
                     : !count           ? "count"
                                        : NULL;
  if (null)
    return naxrt_fail(context, NAX_E_NULL, "nax_wordpiece_encode: %s is null", null);
  *count = 0;
  if (capacity < 0 || capacity == 1)
    return naxrt_fail(context, NAX_E_SIZE, "nax_wordpiece_encode: capacity is %lld; [CLS] and [SEP] alone need 2",
                      (long long)capacity);
  const unsigned char *begin = (const unsigned char *)text, *end = bytes ? begin + bytes : begin;
  nax_status status = naxtext_check(context, "text", begin, end);
  if (status != NAX_OK)
    return status;

  Encoder encoder = {.vocabulary = vocabulary, .ids = ids, .capacity = capacity};
  encoder.end = encoder.word + GOES_ON;
  append_id(&encoder, vocabulary->specials[NAXTEXT_CLS]);
  encode(&encoder, begin, end, specials);
  int64_t last = encoder.count < capacity ? encoder.count : capacity - 1;
  if (last >= 0)
    ids[last] = vocabulary->specials[NAXTEXT_SEP];
  *count = encoder.count + 1;
  return NAX_OK;
}
