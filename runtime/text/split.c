/* SPDX-License-Identifier: Apache-2.0 */
/* Cutting text into the pieces that BPE works on. The rule is GPT-2's pattern

       's|'t|'re|'ve|'m|'ll|'d | ?L+ | ?N+ | ?[^\sLN]+ | \s+(?!\S) | \s+        L: letters, N: numbers

   and for "smollm" every number is first cut out as a piece of its own, so that what stands before it sees the end of
   the text there. Written out by hand: it needs no regular expressions, never backtracks and takes linear time. */
#include "tokenizer.h"

typedef struct Run {
  const unsigned char *end;
  bool at_end;                         /* the text ends there, or a number does that for it */
  const unsigned char *last_character; /* of the run */
} Run;

/* The run of characters of one class from `at` on. */
static Run run_of(naxtext_class wanted, const unsigned char *at, const unsigned char *end, bool digits_alone) {
  Run run = {at, true, at};
  while (run.end < end) {
    uint32_t code = 0;
    int length = naxtext_character(run.end, end, &code);
    naxtext_class found = naxtext_classify(code);
    if (found != wanted) {
      run.at_end = digits_alone && found == NAXTEXT_NUMBER;
      break;
    }
    run.last_character = run.end;
    run.end += length;
  }
  return run;
}

static int contraction_length(const unsigned char *at, const unsigned char *end) {
  if (end - at < 2 || at[0] != '\'')
    return 0;
  switch (at[1]) {
  case 's':
  case 't':
  case 'm':
  case 'd':
    return 2;
  case 'r':
  case 'v':
    return end - at >= 3 && at[2] == 'e' ? 3 : 0;
  case 'l':
    return end - at >= 3 && at[2] == 'l' ? 3 : 0;
  default:
    return 0;
  }
}

const unsigned char *naxtext_piece_end(const unsigned char *at, const unsigned char *end, bool digits_alone) {
  int contraction = contraction_length(at, end);
  if (contraction)
    return at + contraction;

  // A word takes the one space before it along.
  const unsigned char *word = at[0] == ' ' && end - at > 1 ? at + 1 : at;
  uint32_t code = 0;
  int length = naxtext_character(word, end, &code);
  naxtext_class found = naxtext_classify(code);
  if (found == NAXTEXT_NUMBER && digits_alone) {
    if (word == at)
      return at + length;
  } else if (found != NAXTEXT_SPACE) {
    return run_of(found, word, end, digits_alone).end;
  }

  // Of several spaces before a word, the last one stays for it.
  Run spaces = run_of(NAXTEXT_SPACE, at, end, digits_alone);
  return spaces.at_end || spaces.last_character == at ? spaces.end : spaces.last_character;
}
