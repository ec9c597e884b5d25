/* SPDX-License-Identifier: Apache-2.0 */
/* Random bytes and ids through the tokenizer: whole UTF-8 comes back as it was, anything else is refused at the byte
   that a second check of UTF-8 finds, and any ids make whole UTF-8. Most bytes are drawn where the rules have their
   corners. Run it by hand with more rounds or another seed: PROGRAM VOCABULARY ROUNDS SEED.

   REQUIRES: lowering
   RUN: %python %S/Inputs/make_vocabulary.py %t.gguf
   RUN: %cc -std=c11 -O1 -Wall -Werror %s %build/lib/libnaxtext.a %naxrt -o %t
   RUN: %t %t.gguf 20000 1 | FileCheck %s

   CHECK-NOT: FAILED
   CHECK: 20000 rounds: {{[0-9][0-9][0-9][0-9]+}} came back, {{[0-9][0-9][0-9][0-9]+}} refused, 0 failed
*/
#include "Inputs/text_test.h"

enum { MAX_BYTES = 400, MAX_TEXT = 1 << 16 };

static uint64_t state;
static nax_context *context;
static nax_tokenizer *tokenizer;

static uint32_t draw(uint32_t below) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((state >> 33) % below);
}

static size_t append_character(unsigned char *at, uint32_t code) {
  if (code < 0x80)
    return at[0] = (unsigned char)code, 1;
  int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  at[0] = (unsigned char)((more == 1 ? 0xC0 : more == 2 ? 0xE0 : 0xF0) | code >> 6 * more);
  for (int i = 1; i <= more; ++i)
    at[i] = (unsigned char)(0x80 | (code >> 6 * (more - i) & 0x3F));
  return (size_t)more + 1;
}

static size_t draw_text(unsigned char *text) {
  static const char *const parts[] = {" ",  "  ",   "\n",  "'s", "'ll", "'",  "<|im_end|>", "<|",
                                      "12", "word", "Ünï", "語", "😀",  "\t", "!",          "\xC2\xA0"};
  size_t bytes = 0, wanted = draw(MAX_BYTES - 16);
  bool whole = draw(3) != 0;
  while (bytes < wanted) {
    uint32_t kind = draw(8);
    if (kind < 4) {
      const char *part = parts[draw(sizeof parts / sizeof *parts)];
      memcpy(text + bytes, part, strlen(part));
      bytes += strlen(part);
    } else if (kind < 6) {
      text[bytes++] = (unsigned char)(kind == 4 ? 32 + draw(95) : 'a' + draw(3));
    } else if (kind == 6 || whole) {
      uint32_t code = draw(draw(2) ? 0x3000 : draw(200) ? 0x30000 : 0x110000);
      if (code < 0xD800 || code > 0xDFFF)
        bytes += append_character(text + bytes, code);
    } else {
      text[bytes++] = (unsigned char)draw(256);
    }
  }
  return bytes;
}

static void expect_decoded(const int32_t *ids, int64_t count, const unsigned char *text, size_t bytes) {
  static char made[MAX_TEXT];
  size_t length = 0;
  need(context, nax_text_decode(context, tokenizer, ids, count, NAX_SPECIALS_NAMED, made, sizeof made, &length));
  EXPECT(length == bytes && memcmp(made, text, bytes) == 0, "%zu bytes became %zu", bytes, length);
}

/* Whether the text came back; false when it was refused. */
static bool try_text(const unsigned char *text, size_t bytes) {
  static int32_t ids[MAX_BYTES];
  int64_t count = -1, counted = -1;
  nax_specials specials = draw(2) ? NAX_SPECIALS_NAMED : NAX_SPECIALS_PLAIN;
  nax_status status = nax_text_encode(context, tokenizer, (const char *)text, bytes, specials, ids, MAX_BYTES, &count);
  long broken = first_broken_byte(text, bytes);
  if (broken >= 0) {
    char wanted[128];
    snprintf(wanted, sizeof wanted, "text: the byte 0x%02X at offset %ld begins no character of UTF-8", text[broken],
             broken);
    EXPECT(status == NAX_E_VALUE && strcmp(nax_last_error(context), wanted) == 0, "%s, not %s", nax_last_error(context),
           wanted);
    return false;
  }
  if (status == NAX_E_VALUE && strstr(nax_last_error(context), "has no token for the byte"))
    return false;
  EXPECT(status == NAX_OK, "%s", nax_last_error(context));
  EXPECT(count <= (int64_t)bytes, "%lld ids", (long long)count);
  expect_decoded(ids, count, text, bytes);
  need(context, nax_text_encode(context, tokenizer, (const char *)text, bytes, specials, NULL, 0, &counted));
  EXPECT(counted == count, "%lld ids, then %lld", (long long)count, (long long)counted);
  return true;
}

static void try_ids(void) {
  static char made[MAX_TEXT];
  int32_t ids[32];
  int64_t count = draw(32);
  size_t bytes = 0;
  for (int64_t i = 0; i < count; ++i)
    ids[i] = (int32_t)draw(draw(2) ? 300 : (uint32_t)nax_tokenizer_size(tokenizer));
  nax_specials specials = draw(2) ? NAX_SPECIALS_NAMED : NAX_SPECIALS_PLAIN;
  need(context, nax_text_decode(context, tokenizer, ids, count, specials, made, sizeof made, &bytes));
  EXPECT(first_broken_byte((unsigned char *)made, bytes) < 0, "decoded text is no UTF-8");

  // One by one they give the same text, and at no time half a character.
  nax_decoder *decoder = NULL;
  size_t given = 0;
  need(context, nax_decoder_open(context, tokenizer, specials, &decoder));
  for (int64_t i = 0; i <= count; ++i) {
    const char *part = NULL;
    size_t length = 0;
    need(context, i < count ? nax_decoder_push(context, decoder, ids[i], &part, &length)
                            : nax_decoder_finish(context, decoder, &part, &length));
    EXPECT(first_broken_byte((const unsigned char *)part, length) < 0, "half a character");
    EXPECT(given + length <= bytes && memcmp(made + given, part, length) == 0, "other text one by one");
    given += length;
  }
  EXPECT(given == bytes, "%zu bytes one by one, %zu at once", given, bytes);
  nax_decoder_close(decoder);
}

int main(int argc, char **argv) {
  if (argc != 4)
    return 2;
  int rounds = atoi(argv[2]), back = 0;
  state = strtoull(argv[3], NULL, 10);
  need(NULL, nax_context_create(NULL, &context));
  need(context, nax_tokenizer_open(context, argv[1], &tokenizer));
  for (int i = 0; i < rounds; ++i) {
    // A copy of exactly its size lets a sanitizer see every byte read beyond the end.
    unsigned char drawn[MAX_BYTES];
    size_t bytes = draw_text(drawn);
    unsigned char *text = malloc(bytes ? bytes : 1);
    memcpy(text, drawn, bytes);
    back += try_text(text, bytes);
    free(text);
    try_ids();
  }
  printf("%d rounds: %d came back, %d refused, %d failed\n", rounds, back, rounds - back, failures);
  nax_tokenizer_close(tokenizer);
  nax_context_destroy(context);
  return failures != 0;
}
