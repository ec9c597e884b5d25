/* SPDX-License-Identifier: Apache-2.0 */
/* What the test programs of the tokenizer share. */
#ifndef NAX_TEXT_TEST_H
#define NAX_TEXT_TEST_H

#include "nax/text.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

#define EXPECT(condition, ...)                                                                                         \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      ++failures;                                                                                                      \
      printf("FAILED %s:%d: %s: ", __FILE__, __LINE__, #condition);                                                    \
      printf(__VA_ARGS__);                                                                                             \
      printf("\n");                                                                                                    \
    }                                                                                                                  \
  } while (0)

/* `context` is the test's own. */
#define EXPECT_FAILURE(call, wanted_status, wanted_text)                                                               \
  do {                                                                                                                 \
    nax_status status = (call);                                                                                        \
    EXPECT(status == (wanted_status), "%s", nax_status_name(status));                                                  \
    EXPECT(strcmp(nax_last_error(context), wanted_text) == 0, "\"%s\"", nax_last_error(context));                      \
  } while (0)

/* Ends the program when a call that everything after it needs has failed. */
static inline void need(nax_context *context, nax_status status) {
  if (status == NAX_OK)
    return;
  printf("%s: %s\n", nax_status_name(status), nax_last_error(context));
  exit(1);
}

/* Strict UTF-8 after the table of well-formed sequences in the Unicode standard, apart from the library's own way:
   the offset of the first byte that begins no character, or -1. */
static inline long first_broken_byte(const unsigned char *text, size_t bytes) {
  static const struct {
    unsigned char low, high, second_low, second_high;
    int length;
  } rows[] = {{0x00, 0x7F, 0, 0, 1},       {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3},
              {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3},
              {0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4}};
  size_t at = 0;
  while (at < bytes) {
    int length = 0;
    for (size_t row = 0; row < sizeof rows / sizeof *rows && length == 0; ++row) {
      if (text[at] < rows[row].low || text[at] > rows[row].high || bytes - at < (size_t)rows[row].length)
        continue;
      bool fits =
          rows[row].length == 1 || (text[at + 1] >= rows[row].second_low && text[at + 1] <= rows[row].second_high);
      for (int i = 2; i < rows[row].length; ++i)
        fits = fits && text[at + i] >= 0x80 && text[at + i] <= 0xBF;
      if (fits)
        length = rows[row].length;
    }
    if (length == 0)
      return (long)at;
    at += (size_t)length;
  }
  return -1;
}

/* The text of a field of a golden file, escapes taken out; returns its length. */
static inline size_t unescape(const char *field, char *out) {
  char *begin = out;
  while (*field) {
    if (*field != '\\') {
      *out++ = *field++;
      continue;
    }
    char kind = field[1];
    if (kind == 'x') {
      char digits[3] = {field[2], field[3], 0};
      *out++ = (char)strtol(digits, NULL, 16);
      field += 4;
    } else {
      *out++ = kind == 'n' ? '\n' : kind == 'r' ? '\r' : kind == 't' ? '\t' : '\\';
      field += 2;
    }
  }
  return (size_t)(out - begin);
}

static inline int64_t read_ids(char *field, int32_t *ids) {
  int64_t count = 0;
  for (char *word = strtok(field, " "); word; word = strtok(NULL, " "))
    ids[count++] = atoi(word);
  return count;
}

#endif
