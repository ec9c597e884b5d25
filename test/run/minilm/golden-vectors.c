/* SPDX-License-Identifier: Apache-2.0 */
/* all-MiniLM-L6-v2 compiled by nax against golden.txt, which transformers computed from the same files: the vectors of
   sentences of different length in one call lie within 1e-5 of its, and a sentence alone has the same bits. Needs the
   model that ./nax demo --embeddings fetches. By hand, on any file that test/peers/minilm_embeddings.py wrote:
   PROGRAM FOLDER golden.txt.

   REQUIRES: lowering, minilm, cpu-v3
   RUN: mkdir -p %t.dir
   RUN: %naxc %examples/09-embeddings/model.cpp -o %t.dir/minilm.o
   RUN: %cc -std=c11 -O1 -Wall -Werror -I%t.dir -I%src/test/text/Inputs %s %t.dir/minilm.o \
   RUN:   %build/lib/libnaxtext.a %naxrt -o %t.dir/main
   RUN: %t.dir/main %minilm %S/golden.txt | FileCheck %s

   CHECK-NOT: FAILED
   CHECK: 8 sentences, largest difference {{[0-9.]+}}e-0{{[78]}}, 0 failed
*/
#include "minilm.h"

#include "nax/wordpiece.h"

#include "text_test.h"

#include <math.h>

enum { C = minilm_size_C, MAX_LINE = 1 << 16, TOKENS = 256, ROWS = 16 };

static nax_context *context;
static nax_wordpiece *vocabulary;
static minilm_params *params;
static double largest;

typedef struct Row {
  int32_t ids[TOKENS];
  int64_t length;
  float wanted[C];
  int line;
} Row;

static void read_row(char *line, int number, Row *row) {
  static char text[MAX_LINE];
  char *field = strchr(line, '\t');
  if (!field)
    exit(2);
  *field++ = 0;
  size_t bytes = unescape(line, text);
  row->line = number;
  need(context,
       nax_wordpiece_encode(context, vocabulary, text, bytes, NAX_SPECIALS_PLAIN, row->ids, TOKENS, &row->length));
  if (row->length > TOKENS)
    row->length = TOKENS;
  for (int c = 0; c < C; ++c)
    row->wanted[c] = strtof(field, &field);
}

/* The vectors [B,C] of rows side by side; behind the end of a row stand tokens that must not be read. */
static void embed(const Row *rows, int64_t B, float *vectors) {
  static int32_t ids[ROWS * TOKENS], types[ROWS * TOKENS], lengths[ROWS]; // [B,T], [B,T], [B]
  int64_t T = 0;
  for (int64_t b = 0; b < B; ++b)
    T = rows[b].length > T ? rows[b].length : T;
  for (int64_t b = 0; b < B; ++b) {
    lengths[b] = (int32_t)rows[b].length;
    for (int64_t t = 0; t < T; ++t) {
      bool inside = t < rows[b].length;
      ids[b * T + t] = inside ? rows[b].ids[t] : (int32_t)(1000 + 7 * t);
      types[b * T + t] = !inside;
    }
  }
  need(context, minilm_sentences(context, params, B, T, ids, types, lengths, vectors, NULL, 0));
}

static void check_rows(const Row *rows, int64_t B) {
  static float vectors[ROWS * C], alone[C];
  embed(rows, B, vectors);
  for (int64_t b = 0; b < B; ++b) {
    double difference = 0;
    for (int c = 0; c < C; ++c) {
      double here = fabs((double)vectors[b * C + c] - rows[b].wanted[c]);
      if (!(here <= difference))
        difference = here;
    }
    EXPECT(difference < 1e-5, "line %d: %g", rows[b].line, difference);
    if (!(difference <= largest))
      largest = difference;
    embed(rows + b, 1, alone);
    EXPECT(memcmp(alone, vectors + b * C, sizeof alone) == 0, "line %d: other bits alone", rows[b].line);
  }
}

/* A row of no tokens gives zeros, and the row beside it what it always gives. */
static void check_empty_row(const Row *row) {
  static float vectors[2 * C], alone[C], zeros[C];
  Row rows[2] = {*row, *row};
  rows[0].length = 0;
  embed(rows, 2, vectors);
  embed(row, 1, alone);
  EXPECT(memcmp(vectors, zeros, sizeof zeros) == 0, "%g", vectors[0]);
  EXPECT(memcmp(vectors + C, alone, sizeof alone) == 0, "other bits beside an empty row");
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  static char path[4096], line[MAX_LINE];
  static Row rows[ROWS];
  need(NULL, nax_context_create(NULL, &context));
  snprintf(path, sizeof path, "%s/vocab.txt", argv[1]);
  need(context, nax_wordpiece_open(context, path, &vocabulary));
  snprintf(path, sizeof path, "%s/model.safetensors", argv[1]);
  need(context, minilm_params_open(context, path, &params));
  FILE *file = fopen(argv[2], "rb");
  if (!file)
    return 2;
  int sentences = 0;
  int64_t B = 0;
  for (int number = 1; fgets(line, sizeof line, file); ++number) {
    if (line[0] == '#' && number == 1)
      continue;
    read_row(line, number, &rows[B++]);
    ++sentences;
    if (B == ROWS) {
      check_rows(rows, B);
      B = 0;
    }
  }
  check_rows(rows, B);
  check_empty_row(&rows[0]);
  fclose(file);
  printf("%d sentences, largest difference %.1e, %d failed\n", sentences, largest, failures);
  minilm_params_close(params);
  nax_wordpiece_close(vocabulary);
  nax_context_destroy(context);
  return failures != 0;
}
