/* SPDX-License-Identifier: Apache-2.0 */
/* WordPiece against wordpiece-golden.txt, which an independent one made; test/peers/wordpiece_tokens.py explains its
   form.

   REQUIRES: lowering
   RUN: %python %S/Inputs/make_wordpiece.py %t.txt
   RUN: %cc -std=c11 -Wall -Werror %s %build/lib/libnaxtext.a %naxrt -o %t
   RUN: %t %t.txt %S/Inputs/wordpiece-golden.txt | FileCheck %s

   CHECK-NOT: FAILED
   CHECK: vocabulary of 30522 tokens
   CHECK: 1196 plain, 20 named, 648 cut: all as in the golden file
*/
#include "nax/wordpiece.h"

#include "Inputs/text_test.h"

enum { MAX_LINE = 1 << 16 };

static nax_context *context;
static nax_wordpiece *vocabulary;

/* A text that is cut to `room` ids must be told of with all that it has, and nothing may be written behind the room. */
static void check(int line, nax_specials specials, int64_t room, char *ids_field, const char *text, size_t bytes) {
  static int32_t wanted[MAX_LINE], found[MAX_LINE];
  int64_t wanted_count = read_ids(ids_field, wanted), all = -1, count = -1;
  need(context, nax_wordpiece_encode(context, vocabulary, text, bytes, specials, NULL, 0, &all));
  for (int64_t i = 0; i < MAX_LINE; ++i)
    found[i] = -7;
  need(context, nax_wordpiece_encode(context, vocabulary, text, bytes, specials, found, room, &count));
  EXPECT(count == all && all <= (int64_t)bytes + 2, "line %d: %lld ids, and %lld", line, (long long)count,
         (long long)all);
  int64_t written = count < room ? count : room;
  bool same = written == wanted_count && memcmp(wanted, found, (size_t)written * sizeof *found) == 0;
  EXPECT(same, "line %d: \"%.*s\"", line, (int)bytes, text);
  for (int64_t i = 0; i < written && !same; ++i)
    printf(" %d", found[i]);
  EXPECT(found[room] == -7, "line %d: written behind the room of %lld", line, (long long)room);
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  need(NULL, nax_context_create(NULL, &context));
  need(context, nax_wordpiece_open(context, argv[1], &vocabulary));
  printf("vocabulary of %lld tokens\n", (long long)nax_wordpiece_size(vocabulary));
  FILE *file = fopen(argv[2], "rb");
  if (!file)
    return 2;

  static char line[MAX_LINE], text[MAX_LINE];
  int plain = 0, named = 0, cut = 0;
  for (int number = 1; fgets(line, sizeof line, file); ++number) {
    line[strcspn(line, "\n")] = 0;
    char *first = strchr(line, '\t'), *second = first ? strchr(first + 1, '\t') : NULL;
    if (!second)
      continue;
    *first++ = 0;
    *second++ = 0;
    size_t length = unescape(second, text);
    if (strcmp(line, "plain") == 0 && ++plain)
      check(number, NAX_SPECIALS_PLAIN, MAX_LINE - 1, first, text, length);
    else if (strcmp(line, "named") == 0 && ++named)
      check(number, NAX_SPECIALS_NAMED, MAX_LINE - 1, first, text, length);
    else if (strncmp(line, "cut ", 4) == 0 && ++cut)
      check(number, NAX_SPECIALS_NAMED, atoi(line + 4), first, text, length);
    else
      EXPECT(false, "line %d: \"%s\"", number, line);
  }
  printf("%d plain, %d named, %d cut: %s\n", plain, named, cut, failures ? "some differ" : "all as in the golden file");
  fclose(file);
  nax_wordpiece_close(vocabulary);
  nax_context_destroy(context);
  return failures != 0;
}
