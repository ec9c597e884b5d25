/* SPDX-License-Identifier: Apache-2.0 */
/* Characters as WordPiece of uncased models sees them. One by one: NFD would also sort several marks over one letter,
   but of those that it sorts, the ones that stay are in no vocabulary, and the word is [UNK] either way. */
#include "wordpiece_internal.h"

typedef struct One {
  uint32_t code, becomes;
} One;

typedef struct Several {
  uint32_t code, become[3]; /* 0: no more */
} Several;

#include "wordpiece_characters.inc"

#define COUNT(table) (sizeof(table) / sizeof *(table))

bool naxtext_is_ideograph(uint32_t code) { return naxtext_is_in(ideographs, COUNT(ideographs), code); }

bool naxtext_is_punctuation(uint32_t code) { return naxtext_is_in(punctuation, COUNT(punctuation), code); }

/* A syllable of Hangul is two or three jamo by the Unicode standard's formula; 0: it is none. */
static int hangul(uint32_t code, uint32_t out[3]) {
  if (code < 0xAC00 || code > 0xD7A3)
    return 0;
  uint32_t index = code - 0xAC00;
  out[0] = 0x1100 + index / 588;
  out[1] = 0x1161 + index % 588 / 28;
  out[2] = 0x11A7 + index % 28;
  return out[2] == 0x11A7 ? 2 : 3;
}

static int from_several(uint32_t code, uint32_t out[3]) {
  for (size_t i = 0; i < COUNT(several) && several[i].code <= code; ++i) {
    if (several[i].code != code)
      continue;
    int count = 0;
    for (; count < 3 && several[i].become[count]; ++count)
      out[count] = several[i].become[count];
    return count;
  }
  return 0;
}

static uint32_t from_one(uint32_t code) {
  size_t low = 0, high = COUNT(one); // the first row that is not before code is in [low, high]
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (one[middle].code < code)
      low = middle + 1;
    else
      high = middle;
  }
  return low < COUNT(one) && one[low].code == code ? one[low].becomes : code;
}

int naxtext_fold(uint32_t code, uint32_t out[3]) {
  if (naxtext_is_in(gone, COUNT(gone), code))
    return 0;
  int count = hangul(code, out);
  if (count == 0)
    count = from_several(code, out);
  if (count > 0)
    return count;
  out[0] = from_one(code);
  return 1;
}
