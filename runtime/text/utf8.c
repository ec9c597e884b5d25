/* SPDX-License-Identifier: Apache-2.0 */
/* Characters of UTF-8 and their Unicode classes, as far as the pre-tokenisers ask for them. */
#include "tokenizer.h"

#include "unicode_ranges.inc"

/* The second byte decides over overlong forms, surrogates and what lies above U+10FFFF; `lead` is 0xC2 to 0xF4. */
static bool second_byte_fits(unsigned char lead, unsigned char second) {
  unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  return second >= low && second <= high;
}

/* Bytes of the character that begins with `lead`; 0: none does. */
static int length_of(unsigned char lead) {
  if (lead < 0x80)
    return 1;
  if (lead < 0xC2 || lead > 0xF4)
    return 0;
  return lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

int naxtext_character(const unsigned char *at, const unsigned char *end, uint32_t *code) {
  int length = length_of(*at);
  if (length == 0 || end - at < length)
    return 0;
  if (length == 1) {
    *code = *at;
    return 1;
  }
  if (!second_byte_fits(at[0], at[1]))
    return 0;
  uint32_t value = at[0] & (0x7Fu >> length);
  for (int i = 1; i < length; ++i) {
    if ((at[i] & 0xC0) != 0x80)
      return 0;
    value = value << 6 | (at[i] & 0x3Fu);
  }
  *code = value;
  return length;
}

bool naxtext_unfinished(const unsigned char *bytes, int count) {
  if (count >= length_of(bytes[0]))
    return false;
  if (count > 1 && !second_byte_fits(bytes[0], bytes[1]))
    return false;
  return count < 3 || (bytes[2] & 0xC0) == 0x80;
}

bool naxtext_is_in(const naxtext_range *ranges, size_t count, uint32_t code) {
  size_t low = 0, high = count; // the first range that ends at or after code is in [low, high]
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (ranges[middle].last < code)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && ranges[low].first <= code;
}

static bool is_space(uint32_t code) {
  return (code >= 0x09 && code <= 0x0D) || code == 0x20 || code == 0x85 || code == 0xA0 || code == 0x1680 ||
         (code >= 0x2000 && code <= 0x200A) || code == 0x2028 || code == 0x2029 || code == 0x202F || code == 0x205F ||
         code == 0x3000;
}

naxtext_class naxtext_classify(uint32_t code) {
  if (is_space(code))
    return NAXTEXT_SPACE;
  if (naxtext_is_in(letters, sizeof letters / sizeof *letters, code))
    return NAXTEXT_LETTER;
  if (naxtext_is_in(numbers, sizeof numbers / sizeof *numbers, code))
    return NAXTEXT_NUMBER;
  return NAXTEXT_OTHER;
}
