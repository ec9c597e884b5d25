/* SPDX-License-Identifier: Apache-2.0 */
/* The tokenizer against golden.txt, which an independent one made; test/peers/smollm2_tokens.py explains its form.

   REQUIRES: lowering
   RUN: %python %S/Inputs/make_vocabulary.py %t.gguf
   RUN: %cc -std=c11 -Wall -Werror %s %build/lib/libnaxtext.a %naxrt -o %t
   RUN: %t %t.gguf %S/Inputs/golden.txt | FileCheck %s

   CHECK-NOT: FAILED
   CHECK: vocabulary of 49152 tokens
   CHECK: 797 plain, 47 named, 17 refused, 41 broken, 60 bytes: all as in the golden file
*/
#include "Inputs/text_test.h"

enum { MAX_LINE = 1 << 16 };

static nax_context *context;
static nax_tokenizer *tokenizer;

static bool same_ids(const int32_t *a, int64_t a_count, const int32_t *b, int64_t b_count) {
  return a_count == b_count && memcmp(a, b, (size_t)a_count * sizeof *a) == 0;
}

/* Both ways of making text out of ids, which must agree, must be whole UTF-8 at every step and must give `text`. */
static void check_decoding(int line, const int32_t *ids, int64_t count, const char *text, size_t bytes) {
  static char made[MAX_LINE];
  size_t length = 0;
  need(context, nax_text_decode(context, tokenizer, ids, count, NAX_SPECIALS_NAMED, made, sizeof made, &length));
  EXPECT(length == bytes && memcmp(made, text, bytes) == 0, "line %d: decoded \"%.*s\"", line, (int)length, made);

  nax_decoder *decoder = NULL;
  need(context, nax_decoder_open(context, tokenizer, NAX_SPECIALS_NAMED, &decoder));
  size_t all = 0;
  for (int64_t i = 0; i <= count; ++i) {
    const char *part = NULL;
    need(context, i < count ? nax_decoder_push(context, decoder, ids[i], &part, &length)
                            : nax_decoder_finish(context, decoder, &part, &length));
    EXPECT(first_broken_byte((const unsigned char *)part, length) < 0, "line %d: token %d gives half a character", line,
           (int)i);
    EXPECT(part[length] == 0, "line %d", line);
    EXPECT(all + length <= bytes && memcmp(text + all, part, length) == 0, "line %d: token %d", line, (int)i);
    all += length;
  }
  EXPECT(all == bytes, "line %d: %zu bytes in steps, %zu at once", line, all, bytes);
  nax_decoder_close(decoder);
}

static void check_encoding(int line, nax_specials specials, char *ids_field, const char *text, size_t bytes) {
  static int32_t wanted[MAX_LINE], found[MAX_LINE];
  int64_t wanted_count = read_ids(ids_field, wanted), count = -1;
  need(context, nax_text_encode(context, tokenizer, text, bytes, specials, found, MAX_LINE, &count));
  bool same = same_ids(wanted, wanted_count, found, count);
  EXPECT(same, "line %d: \"%.*s\"", line, (int)bytes, text);
  for (int64_t i = 0; i < count && !same; ++i)
    printf(" %d", found[i]);
  check_decoding(line, wanted, wanted_count, text, bytes);
}

static void check_refusal(int line, const char *text, size_t bytes, const char *wanted) {
  int64_t count = -1;
  nax_status status = nax_text_encode(context, tokenizer, text, bytes, NAX_SPECIALS_NAMED, NULL, 0, &count);
  EXPECT(status == NAX_E_VALUE, "line %d: %s", line, nax_status_name(status));
  EXPECT(strcmp(nax_last_error(context), wanted) == 0, "line %d: \"%s\", not \"%s\"", line, nax_last_error(context),
         wanted);
  EXPECT(count == 0, "line %d", line);
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  need(NULL, nax_context_create(NULL, &context));
  need(context, nax_tokenizer_open(context, argv[1], &tokenizer));
  printf("vocabulary of %lld tokens\n", (long long)nax_tokenizer_size(tokenizer));
  FILE *file = fopen(argv[2], "rb");
  if (!file)
    return 2;

  static char line[MAX_LINE], text[MAX_LINE];
  int plain = 0, named = 0, refused = 0, broken = 0, bytes = 0;
  for (int number = 1; fgets(line, sizeof line, file); ++number) {
    line[strcspn(line, "\n")] = 0;
    char *first = strchr(line, '\t'), *second = first ? strchr(first + 1, '\t') : NULL;
    if (!second)
      continue;
    *first++ = 0;
    *second++ = 0;
    size_t length = unescape(second, text);
    char wanted[128];
    if (strcmp(line, "plain") == 0 && ++plain) {
      check_encoding(number, NAX_SPECIALS_PLAIN, first, text, length);
    } else if (strcmp(line, "named") == 0 && ++named) {
      check_encoding(number, NAX_SPECIALS_NAMED, first, text, length);
    } else if (strcmp(line, "refused") == 0 && ++refused) {
      snprintf(wanted, sizeof wanted, "text: the vocabulary has no token for the byte 0x%s at offset %d",
               strchr(first, ' ') + 1, atoi(first));
      check_refusal(number, text, length, wanted);
    } else if (strcmp(line, "broken") == 0 && ++broken) {
      snprintf(wanted, sizeof wanted, "text: the byte 0x%02X at offset %d begins no character of UTF-8",
               (unsigned char)text[atoi(first)], atoi(first));
      check_refusal(number, text, length, wanted);
    } else if (strcmp(line, "bytes") == 0 && ++bytes) {
      static int32_t ids[MAX_LINE];
      check_decoding(number, ids, read_ids(first, ids), text, length);
    } else {
      EXPECT(false, "line %d: \"%s\"", number, line);
    }
  }
  printf("%d plain, %d named, %d refused, %d broken, %d bytes: %s\n", plain, named, refused, broken, bytes,
         failures ? "some differ" : "all as in the golden file");
  fclose(file);
  nax_tokenizer_close(tokenizer);
  nax_context_destroy(context);
  return failures != 0;
}
