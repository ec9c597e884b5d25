/* SPDX-License-Identifier: Apache-2.0 */
/* A decoder that is told which texts end an answer gives out exactly what stands before the first of them, as early as
   it can, and never half a character: random texts, cut into tokens in many ways, against a search of the whole text.
   By hand with more rounds or another seed: PROGRAM VOCABULARY ROUNDS SEED.

   REQUIRES: lowering
   RUN: %python %S/Inputs/make_vocabulary.py %t.gguf small
   RUN: %cc -std=c11 -O1 -Wall -Werror %s %build/lib/libnaxtext.a %naxrt -o %t
   RUN: %t %t.gguf 20000 1 | FileCheck %s

   CHECK-NOT: FAILED
   CHECK: 20000 rounds: {{[0-9][0-9][0-9][0-9]+}} stopped, {{[0-9][0-9][0-9][0-9]+}} not, 0 failed
*/
#include "Inputs/text_test.h"

enum { CHARACTERS = 24, ROOM = 4 * CHARACTERS + 1, STOPS = 4 };

static uint64_t state;
static nax_context *context;
static nax_tokenizer *tokenizer;

static uint32_t draw(uint32_t below) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((state >> 33) % below);
}

/* Few characters, so that a stop often begins; two of them share their first byte. */
static void draw_text(char *text, uint32_t characters) {
  static const char *const alphabet[] = {"a", "b", "é", "è", "語", "😀"};
  uint32_t kinds = 1 + draw(6);
  *text = 0;
  for (uint32_t i = 0; i < characters; ++i)
    strcat(text, alphabet[draw(kinds)]);
}

static bool ends_with(const char *text, size_t bytes, const char *end, size_t length) {
  return length <= bytes && memcmp(text + bytes - length, end, length) == 0;
}

/* How long the longest end of text[0, bytes) is that is a stop, or (part) a beginning of one. */
static size_t longest_end(const char *text, size_t bytes, char stops[][ROOM], int count, bool part) {
  size_t longest = 0;
  for (int i = 0; i < count; ++i)
    for (size_t length = part ? 1 : strlen(stops[i]); length <= strlen(stops[i]); ++length)
      if (length > longest && ends_with(text, bytes, stops[i], length))
        longest = length;
  return longest;
}

/* Cuts the text into tokens of up to three bytes; ends[i] is the offset behind token i. */
static int cut(const char *text, int32_t *ids, size_t *ends) {
  int count = 0;
  size_t at = 0;
  while (text[at]) {
    size_t length = 1 + draw(3);
    if (length > strlen(text + at))
      length = 1;
    while ((ids[count] = nax_tokenizer_find(tokenizer, text + at, length)) < 0)
      --length;
    ends[count++] = at += length;
  }
  return count;
}

/* What has to have been given out once `pushed` bytes have come; *stopped: a stop is complete. */
static size_t wanted_after(const char *text, size_t pushed, char stops[][ROOM], int count, bool *stopped) {
  while (pushed && first_broken_byte((const unsigned char *)text, pushed) >= 0)
    --pushed; // an unfinished character waits
  for (size_t seen = 1; seen <= pushed; ++seen) {
    size_t complete = longest_end(text, seen, stops, count, false);
    *stopped = complete != 0;
    if (complete)
      return seen - complete;
  }
  *stopped = false;
  return pushed - longest_end(text, pushed, stops, count, true);
}

/* Whether a stop came. */
static bool try_one(nax_decoder *decoder) {
  char text[ROOM], stops[STOPS][ROOM];
  const char *pointers[STOPS], *part = NULL;
  int32_t ids[ROOM];
  size_t ends[ROOM], given = 0, bytes = 0;
  draw_text(text, draw(CHARACTERS));
  int count = 1 + (int)draw(STOPS), tokens = cut(text, ids, ends);
  for (int i = 0; i < count; ++i) {
    draw_text(stops[i], 1 + draw(8));
    pointers[i] = stops[i];
  }
  need(context, nax_decoder_stop_at(context, decoder, pointers, count));

  bool stopped = false;
  for (int i = 0; i < tokens; ++i) {
    need(context, nax_decoder_push(context, decoder, ids[i], &part, &bytes));
    EXPECT(part[bytes] == 0 && first_broken_byte((const unsigned char *)part, bytes) < 0, "half a character");
    EXPECT(given + bytes <= strlen(text) && memcmp(text + given, part, bytes) == 0, "\"%s\": other text", text);
    given += bytes;
    size_t wanted = wanted_after(text, ends[i], stops, count, &stopped);
    EXPECT(given == wanted, "\"%s\" before \"%s\": %zu bytes given at %zu, not %zu", text, stops[0], given, ends[i],
           wanted);
    EXPECT(nax_decoder_stopped(decoder) == stopped, "\"%s\" before \"%s\" at %zu", text, stops[0], ends[i]);
  }
  need(context, nax_decoder_finish(context, decoder, &part, &bytes));
  EXPECT(stopped ? bytes == 0 : strcmp(text + given, part) == 0, "\"%s\": \"%s\" at the end", text, part);
  EXPECT(!nax_decoder_stopped(decoder), "stopped after a finish");
  return stopped;
}

static void refusals(nax_decoder *decoder) {
  const char *texts[] = {"a", NULL}, *part;
  size_t bytes;
  EXPECT_FAILURE(nax_decoder_stop_at(context, NULL, texts, 1), NAX_E_NULL, "nax_decoder_stop_at: decoder is null");
  EXPECT_FAILURE(nax_decoder_stop_at(context, decoder, NULL, 1), NAX_E_NULL, "nax_decoder_stop_at: texts is null");
  EXPECT_FAILURE(nax_decoder_stop_at(context, decoder, texts, 2), NAX_E_NULL, "nax_decoder_stop_at: texts[1] is null");
  EXPECT_FAILURE(nax_decoder_stop_at(context, decoder, texts, -1), NAX_E_SIZE, "nax_decoder_stop_at: count is -1");
  texts[1] = "";
  EXPECT_FAILURE(nax_decoder_stop_at(context, decoder, texts, 2), NAX_E_VALUE,
                 "nax_decoder_stop_at: texts[1] is empty, so that no text could be given out");
  texts[1] = "ab\xC3";
  EXPECT_FAILURE(nax_decoder_stop_at(context, decoder, texts, 2), NAX_E_VALUE,
                 "texts[1]: the byte 0xC3 at offset 2 begins no character of UTF-8");
  need(context, nax_decoder_push(context, decoder, nax_tokenizer_find(tokenizer, "a", 1), &part, &bytes));
  EXPECT_FAILURE(nax_decoder_stop_at(context, decoder, texts, 1), NAX_E_VALUE,
                 "nax_decoder_stop_at: the decoder is in the middle of a text; call nax_decoder_finish before");
  EXPECT(bytes == 1 && nax_decoder_stopped(decoder) == 0 && nax_decoder_stopped(NULL) == 0, "a refused stop stops");
  need(context, nax_decoder_finish(context, decoder, &part, &bytes));
}

int main(int argc, char **argv) {
  if (argc != 4)
    return 2;
  nax_decoder *decoder = NULL;
  int rounds = atoi(argv[2]), stopped = 0;
  state = strtoull(argv[3], NULL, 10);
  need(NULL, nax_context_create(NULL, &context));
  need(context, nax_tokenizer_open(context, argv[1], &tokenizer));
  need(context, nax_decoder_open(context, tokenizer, NAX_SPECIALS_PLAIN, &decoder));
  refusals(decoder);
  for (int i = 0; i < rounds; ++i)
    stopped += try_one(decoder);
  need(context, nax_decoder_stop_at(context, decoder, NULL, 0));
  printf("%d rounds: %d stopped, %d not, %d failed\n", rounds, stopped, rounds - stopped, failures);
  nax_decoder_close(decoder);
  nax_tokenizer_close(tokenizer);
  nax_context_destroy(context);
  return failures != 0;
}
