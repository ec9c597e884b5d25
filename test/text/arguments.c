/* SPDX-License-Identifier: Apache-2.0 */
/* What the tokenizer's functions answer to arguments that make no sense, to too little room and to very long texts.

   REQUIRES: lowering
   RUN: %python %S/Inputs/make_vocabulary.py %t.gguf
   RUN: %python %S/Inputs/make_vocabulary.py %t.gpt2.gguf gpt-2
   RUN: %python %S/Inputs/make_vocabulary.py %t.user.gguf user-defined
   RUN: %cc -std=c11 -O1 -Wall -Werror %s %build/lib/libnaxtext.a %naxrt -o %t
   RUN: %t %t.gguf %t.gpt2.gguf %t.user.gguf | FileCheck %s

   CHECK-NOT: FAILED
   CHECK: 0 failed
*/
#include "Inputs/text_test.h"

#include <time.h>

static nax_context *context;
static nax_tokenizer *tokenizer;

static void nulls(const char *path) {
  nax_tokenizer *opened = NULL;
  nax_decoder *decoder = NULL;
  const char *part;
  int64_t count = 0;
  size_t bytes = 0;
  int32_t id = 0;
  EXPECT_FAILURE(nax_tokenizer_open(context, NULL, &opened), NAX_E_NULL, "nax_tokenizer_open: path is null");
  EXPECT_FAILURE(nax_tokenizer_open(context, path, NULL), NAX_E_NULL, "nax_tokenizer_open: out is null");
  EXPECT_FAILURE(nax_text_encode(context, NULL, "a", 1, 0, &id, 1, &count), NAX_E_NULL,
                 "nax_text_encode: tokenizer is null");
  EXPECT_FAILURE(nax_text_encode(context, tokenizer, NULL, 1, 0, &id, 1, &count), NAX_E_NULL,
                 "nax_text_encode: text is null");
  EXPECT_FAILURE(nax_text_encode(context, tokenizer, "a", 1, 0, NULL, 1, &count), NAX_E_NULL,
                 "nax_text_encode: ids is null");
  EXPECT_FAILURE(nax_text_encode(context, tokenizer, "a", 1, 0, &id, 1, NULL), NAX_E_NULL,
                 "nax_text_encode: count is null");
  EXPECT_FAILURE(nax_text_decode(context, NULL, &id, 1, 0, NULL, 0, &bytes), NAX_E_NULL,
                 "nax_text_decode: tokenizer is null");
  EXPECT_FAILURE(nax_text_decode(context, tokenizer, NULL, 1, 0, NULL, 0, &bytes), NAX_E_NULL,
                 "nax_text_decode: ids is null");
  EXPECT_FAILURE(nax_text_decode(context, tokenizer, &id, 1, 0, NULL, 4, &bytes), NAX_E_NULL,
                 "nax_text_decode: text is null");
  EXPECT_FAILURE(nax_text_decode(context, tokenizer, &id, 1, 0, NULL, 0, NULL), NAX_E_NULL,
                 "nax_text_decode: bytes is null");
  EXPECT_FAILURE(nax_decoder_open(context, NULL, 0, &decoder), NAX_E_NULL, "nax_decoder_open: tokenizer is null");
  EXPECT_FAILURE(nax_decoder_open(context, tokenizer, 0, NULL), NAX_E_NULL, "nax_decoder_open: out is null");
  EXPECT_FAILURE(nax_decoder_push(context, NULL, 0, &part, &bytes), NAX_E_NULL, "nax_decoder: decoder is null");
  EXPECT(nax_text_encode(NULL, tokenizer, "a", 1, 0, &id, 1, &count) == NAX_E_NULL, "without a context");
  nax_tokenizer_close(NULL);
  nax_decoder_close(NULL);
}

static void sizes(void) {
  int32_t ids[8] = {-7, -7, -7, -7, -7, -7, -7, -7};
  int64_t count = -1;
  size_t bytes = 99;
  char text[8] = "xxxxxxx";
  EXPECT_FAILURE(nax_text_encode(context, tokenizer, "1234", 4, 0, ids, 3, &count), NAX_E_SIZE,
                 "nax_text_encode: the text has 4 tokens, there is room for 3");
  EXPECT(count == 4 && ids[3] == -7, "%lld ids, the fourth is %d", (long long)count, ids[3]);
  EXPECT_FAILURE(nax_text_encode(context, tokenizer, "1", 1, 0, ids, -1, &count), NAX_E_SIZE,
                 "nax_text_encode: capacity is -1");
  need(context, nax_text_encode(context, tokenizer, NULL, 0, 0, NULL, 0, &count));
  EXPECT(count == 0, "%lld ids of nothing", (long long)count);

  int32_t hello = nax_tokenizer_find(tokenizer, "hello", 5);
  EXPECT(hello == 28120, "%d", hello);
  EXPECT_FAILURE(nax_text_decode(context, tokenizer, &hello, 1, 0, text, 4, &bytes), NAX_E_SIZE,
                 "nax_text_decode: the text has 5 bytes, there is room for 4");
  EXPECT(bytes == 5 && text[4] == 'x', "%zu bytes, the fifth is %c", bytes, text[4]);
  need(context, nax_text_decode(context, tokenizer, &hello, 1, 0, NULL, 0, &bytes));
  EXPECT(bytes == 5, "%zu", bytes);
  EXPECT_FAILURE(nax_text_decode(context, tokenizer, &hello, -1, 0, text, 4, &bytes), NAX_E_SIZE,
                 "nax_text_decode: count is -1");
}

static void ids_out_of_range(void) {
  int32_t ids[] = {5, 49152, -1};
  size_t bytes = 0;
  const char *part = NULL;
  nax_decoder *decoder = NULL;
  EXPECT_FAILURE(nax_text_decode(context, tokenizer, ids, 2, 0, NULL, 0, &bytes), NAX_E_RANGE,
                 "ids[1] is 49152; the vocabulary has 0 to 49151");
  need(context, nax_decoder_open(context, tokenizer, NAX_SPECIALS_NAMED, &decoder));
  EXPECT_FAILURE(nax_decoder_push(context, decoder, ids[2], &part, &bytes), NAX_E_RANGE,
                 "ids[0] is -1; the vocabulary has 0 to 49151");
  EXPECT(bytes == 0 && part && !*part, "%zu", bytes);
  nax_decoder_close(decoder);
}

static void names(void) {
  EXPECT(nax_tokenizer_size(tokenizer) == 49152, "%lld", (long long)nax_tokenizer_size(tokenizer));
  EXPECT(nax_tokenizer_begin(tokenizer) == 1 && nax_tokenizer_end(tokenizer) == 2, "the ends");
  EXPECT(nax_tokenizer_find(tokenizer, "<|im_end|>", 10) == 2, "a special token");
  EXPECT(nax_tokenizer_find(tokenizer, " the", 4) == 260, "%d", nax_tokenizer_find(tokenizer, " the", 4));
  EXPECT(nax_tokenizer_find(tokenizer, "\n", 1) == 198, "a byte that the file writes as another letter");
  EXPECT(nax_tokenizer_find(tokenizer, "no such token", 13) == -1 && nax_tokenizer_find(tokenizer, "", 0) == -1,
         "none");
  const char *chat = nax_tokenizer_chat_template(tokenizer);
  EXPECT(chat && strstr(chat, "<|im_start|>"), "%s", chat ? chat : "none");
}

/* Special tokens are left out of plain text, and half a character before one is not lost. */
static void specials_decoded(void) {
  int32_t ids[] = {nax_tokenizer_find(tokenizer, "hello", 5), 2,
                   nax_tokenizer_find(tokenizer, "\xE6", 1),  1,
                   nax_tokenizer_find(tokenizer, "\x97", 1),  nax_tokenizer_find(tokenizer, "\xA5", 1)};
  char text[64];
  size_t bytes = 0;
  need(context, nax_text_decode(context, tokenizer, ids, 6, NAX_SPECIALS_PLAIN, text, sizeof text, &bytes));
  EXPECT(bytes == 8 && memcmp(text, "hello日", 8) == 0, "%.*s", (int)bytes, text);
  need(context, nax_text_decode(context, tokenizer, ids, 6, NAX_SPECIALS_NAMED, text, sizeof text, &bytes));
  const char *wanted = "hello<|im_end|>\xEF\xBF\xBD<|im_start|>\xEF\xBF\xBD\xEF\xBF\xBD";
  EXPECT(bytes == strlen(wanted) && memcmp(text, wanted, bytes) == 0, "%.*s", (int)bytes, text);
}

static double seconds_for(const char *text, size_t bytes, int64_t *count) {
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  need(context, nax_text_encode(context, tokenizer, text, bytes, NAX_SPECIALS_PLAIN, NULL, 0, count));
  clock_gettime(CLOCK_MONOTONIC, &end);
  return (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
}

/* A piece of a megabyte: squared time would take hours. */
static void long_pieces(void) {
  enum { BYTES = 1 << 20 };
  char *text = malloc(BYTES);
  for (int kind = 0; kind < 3; ++kind) {
    memset(text, " a!"[kind], BYTES);
    int64_t count = 0;
    double seconds = seconds_for(text, BYTES, &count);
    EXPECT(seconds < 20, "%g seconds for a megabyte of '%c'", seconds, " a!"[kind]);
    EXPECT(count > 0 && count < BYTES, "%lld", (long long)count);
  }
  free(text);
}

static void expect_ids(const nax_tokenizer *other, nax_specials specials, const char *text, int64_t wanted_count,
                       int32_t first) {
  int32_t ids[64];
  int64_t count = 0;
  need(context, nax_text_encode(context, other, text, strlen(text), specials, ids, 64, &count));
  EXPECT(count == wanted_count && ids[0] == first, "\"%s\": %lld ids, the first is %d", text, (long long)count, ids[0]);
}

int main(int argc, char **argv) {
  if (argc != 4)
    return 2;
  nax_tokenizer *gpt2 = NULL, *user = NULL;
  need(NULL, nax_context_create(NULL, &context));
  need(context, nax_tokenizer_open(context, argv[1], &tokenizer));
  need(context, nax_tokenizer_open(context, argv[2], &gpt2));
  need(context, nax_tokenizer_open(context, argv[3], &user));
  nulls(argv[1]);
  sizes();
  ids_out_of_range();
  names();
  specials_decoded();
  long_pieces();
  // With "gpt-2" a space belongs to the number after it; this vocabulary has no merge for the two.
  expect_ids(tokenizer, NAX_SPECIALS_PLAIN, "a  1", 3, nax_tokenizer_find(tokenizer, "a", 1));
  expect_ids(gpt2, NAX_SPECIALS_PLAIN, "a  1", 4, nax_tokenizer_find(tokenizer, "a", 1));
  // A user-defined token is one in any text, a control token only where specials are named.
  expect_ids(user, NAX_SPECIALS_PLAIN, "<repo_name>", 1, 3);
  expect_ids(tokenizer, NAX_SPECIALS_NAMED, "<repo_name>", 1, 3);
  expect_ids(tokenizer, NAX_SPECIALS_PLAIN, "<repo_name>", 5, nax_tokenizer_find(tokenizer, "<", 1));
  printf("%d failed\n", failures);
  nax_tokenizer_close(user);
  nax_tokenizer_close(gpt2);
  nax_tokenizer_close(tokenizer);
  nax_context_destroy(context);
  return failures != 0;
}
