/* SPDX-License-Identifier: Apache-2.0 */
/* Conversations by published chat templates against chats.txt, which Jinja and an independent tokenizer made
   (test/peers/chat_templates.py has its form): whole, and turn by turn behind answers as they were drawn.
   PROGRAM GOLDEN FOLDER, with N.gguf for the N-th template; or FILE.gguf for the one template that this file has.

   REQUIRES: lowering
   RUN: rm -rf %t.d
   RUN: %python %S/Inputs/make_vocabulary.py --chats %S/Inputs/chats.txt %t.d
   RUN: %cc -std=c11 -O1 -Wall -Werror %s %build/lib/libnaxtext.a %naxrt -o %t
   RUN: %t %S/Inputs/chats.txt %t.d | FileCheck %s

   CHECK-NOT: FAILED
   CHECK: 20 templates: 756 conversations, 216 turn by turn, 124 refused, 0 failed
*/
#include "Inputs/text_test.h"

#include "nax/chat.h"

enum { ROOM = 1 << 13, MESSAGES = 32 };

static nax_context *context;
static nax_tokenizer *tokenizer;
static int templates, begins, steps, refusals;

static char *next_field(char **rest) {
  char *field = *rest, *tab = field ? strchr(field, '\t') : NULL;
  if (tab)
    *tab = 0;
  *rest = tab ? tab + 1 : NULL;
  return field;
}

static int64_t read_messages(char *rest, nax_chat_message *messages) {
  int64_t count = 0;
  while (rest) {
    const char *role = next_field(&rest);
    char *text = next_field(&rest);
    messages[count].role = *role == 's' ? NAX_CHAT_SYSTEM : *role == 'u' ? NAX_CHAT_USER : NAX_CHAT_ASSISTANT;
    messages[count].bytes = unescape(text, text);
    text[messages[count].bytes] = 0;
    messages[count++].text = text;
  }
  return count;
}

static void expect_ids(int line, const char *how, const int32_t *found, int64_t count, const int32_t *wanted,
                       int64_t wanted_count) {
  bool same = count == wanted_count && memcmp(found, wanted, (size_t)count * sizeof *found) == 0;
  EXPECT(same, "line %d, %s: %lld ids, not %lld", line, how, (long long)count, (long long)wanted_count);
  for (int64_t i = 0; i < count && !same; ++i)
    printf(" %d%s", found[i], i < wanted_count && found[i] == wanted[i] ? "" : "!");
}

/* The beginning, then each answer as a model would have drawn it, then what follows it. */
static void check_steps(int line, const nax_chat_message *messages, int64_t count, const char *lead,
                        const int32_t *wanted, int64_t wanted_count) {
  static int32_t ids[ROOM];
  int64_t all = 0, found = 0, from = 0;
  for (int64_t at = 0; at < count; ++at) {
    if (messages[at].role != NAX_CHAT_ASSISTANT)
      continue;
    need(context, (from ? nax_chat_continue : nax_chat_begin)(context, tokenizer, messages + from, at - from, ids + all,
                                                              ROOM - all, &found));
    all += found;
    char answer[ROOM];
    snprintf(answer, sizeof answer, "%s%s", lead, messages[at].text);
    need(context, nax_text_encode(context, tokenizer, answer, strlen(answer), NAX_SPECIALS_PLAIN, ids + all, ROOM - all,
                                  &found));
    all += found;
    from = at + 1;
  }
  if (from < count) {
    need(context, nax_chat_continue(context, tokenizer, messages + from, count - from, ids + all, ROOM - all, &found));
    all += found;
    expect_ids(line, "turn by turn", ids, all, wanted, wanted_count);
  } else {
    // The last answer's turn has no end yet.
    expect_ids(line, "turn by turn", ids, all, wanted, all < wanted_count ? all : wanted_count);
  }
  ++steps;
}

static void check(int line, const char *kind, char *ids_field, char *rest, const char *lead) {
  static int32_t wanted[ROOM], found[ROOM];
  nax_chat_message messages[MESSAGES];
  int64_t count = read_messages(rest, messages), wanted_count = read_ids(ids_field, wanted), found_count = 0;
  if (*kind == 'r') {
    nax_status status = nax_chat_begin(context, tokenizer, messages, count, found, ROOM, &found_count);
    EXPECT(status == NAX_E_VALUE && strncmp(nax_last_error(context), "messages[", 9) == 0, "line %d: %s", line,
           nax_last_error(context));
    ++refusals;
    return;
  }
  need(context, nax_chat_begin(context, tokenizer, messages, count, found, ROOM, &found_count));
  expect_ids(line, "whole", found, found_count, wanted, wanted_count);
  ++begins;
  if (*kind == 's')
    check_steps(line, messages, count, lead, wanted, wanted_count);
}

/* Opens the file for a template; false when it is to be left out. */
static bool open_file(const char *where, int number, const char *form, const char *text) {
  bool alone = strlen(where) > 5 && strcmp(where + strlen(where) - 5, ".gguf") == 0;
  char path[4096];
  snprintf(path, sizeof path, alone ? "%s" : "%s/%d.gguf", where, number);
  nax_tokenizer_close(tokenizer);
  need(context, nax_tokenizer_open(context, path, &tokenizer));
  if (alone && strcmp(nax_tokenizer_chat_template(tokenizer), text) != 0)
    return false;
  const char *found = nax_chat_form(tokenizer);
  EXPECT(found && strcmp(found, form) == 0, "template %d is %s, not %s", number, found ? found : "unknown", form);
  ++templates;
  return true;
}

int main(int argc, char **argv) {
  static char line[1 << 16], lead[16];
  FILE *file = argc == 3 ? fopen(argv[1], "rb") : NULL;
  if (!file)
    return 2;
  need(NULL, nax_context_create(NULL, &context));
  bool open = false;
  for (int number = 1, count = 0; fgets(line, sizeof line, file); ++number) {
    line[strcspn(line, "\n")] = 0;
    char *rest = line, *kind = next_field(&rest), *second = next_field(&rest);
    if (strcmp(kind, "template") == 0) {
      const char *form = next_field(&rest);
      snprintf(lead, sizeof lead, "%s", next_field(&rest));
      rest[unescape(rest, rest)] = 0;
      open = open_file(argv[2], count++, form, rest);
    } else if (open && second) {
      check(number, kind, second, rest, lead);
    }
  }
  printf("%d templates: %d conversations, %d turn by turn, %d refused, %d failed\n", templates, begins, steps, refusals,
         failures);
  fclose(file);
  nax_tokenizer_close(tokenizer);
  nax_context_destroy(context);
  return failures != 0;
}
