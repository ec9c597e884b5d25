/* SPDX-License-Identifier: Apache-2.0 */
/* Text to ids: check the text, take out the special tokens, cut the rest into pieces, merge each. */
#include "tokenizer.h"

#include <string.h>

nax_status naxtext_check(nax_context *context, const char *what, const unsigned char *text, const unsigned char *end) {
  if (end - text > INT32_MAX)
    return naxrt_fail(context, NAX_E_SIZE, "%s: %lld bytes are more than the %d that are encoded at once", what,
                      (long long)(end - text), INT32_MAX);
  for (const unsigned char *at = text; at < end;) {
    uint32_t code = 0;
    int length = naxtext_character(at, end, &code);
    if (length == 0)
      return naxrt_fail(context, NAX_E_VALUE, "%s: the byte 0x%02X at offset %lld begins no character of UTF-8", what,
                        *at, (long long)(at - text));
    at += length;
  }
  return NAX_OK;
}

int32_t naxtext_special_at(const nax_tokenizer *tokenizer, const unsigned char *at, const unsigned char *end,
                           nax_specials specials) {
  if (!tokenizer->special_first[*at])
    return -1;
  for (int64_t i = 0; i < tokenizer->special_count; ++i) {
    const naxtext_token *token = &tokenizer->tokens[tokenizer->specials[i]];
    bool wanted = specials == NAX_SPECIALS_NAMED || token->kind == NAXTEXT_USER_DEFINED;
    if (wanted && token->length <= end - at && memcmp(token->bytes, at, (size_t)token->length) == 0)
      return tokenizer->specials[i];
  }
  return -1;
}

static nax_status encode_plain(naxtext_encoder *encoder, const unsigned char *text, const unsigned char *at,
                               const unsigned char *end) {
  for (const unsigned char *byte = at; byte < end; ++byte)
    if (encoder->tokenizer->byte_ids[*byte] < 0)
      return naxrt_fail(encoder->context, NAX_E_VALUE,
                        "%s: the vocabulary has no token for the byte 0x%02X at offset %lld", encoder->what, *byte,
                        (long long)(byte - text));
  while (at < end) {
    const unsigned char *next = naxtext_piece_end(at, end, encoder->tokenizer->digits_alone);
    nax_status status = naxtext_encode_piece(encoder, at, next - at);
    if (status != NAX_OK)
      return status;
    at = next;
  }
  return NAX_OK;
}

nax_status naxtext_encode(naxtext_encoder *encoder, const unsigned char *text, const unsigned char *end,
                          nax_specials specials) {
  const unsigned char *plain = text; // what lies between it and `at` is not encoded yet
  for (const unsigned char *at = text; at < end;) {
    int32_t id = naxtext_special_at(encoder->tokenizer, at, end, specials);
    if (id < 0) {
      ++at;
      continue;
    }
    nax_status status = encode_plain(encoder, text, plain, at);
    if (status != NAX_OK)
      return status;
    naxtext_append(encoder, id);
    at += encoder->tokenizer->tokens[id].length;
    plain = at;
  }
  return encode_plain(encoder, text, plain, end);
}

nax_status nax_text_encode(nax_context *context, const nax_tokenizer *tokenizer, const char *text, size_t bytes,
                           nax_specials specials, int32_t *ids, int64_t capacity, int64_t *count) {
  if (!naxrt_begin(context))
    return naxrt_fail_without_context();
  const char *null = !tokenizer         ? "tokenizer"
                     : !text && bytes   ? "text"
                     : !ids && capacity ? "ids"
                     : !count           ? "count"
                                        : NULL;
  if (null)
    return naxrt_fail(context, NAX_E_NULL, "nax_text_encode: %s is null", null);
  *count = 0;
  if (capacity < 0)
    return naxrt_fail(context, NAX_E_SIZE, "nax_text_encode: capacity is %lld", (long long)capacity);
  if (bytes == 0)
    return NAX_OK;

  const unsigned char *begin = (const unsigned char *)text, *end = begin + bytes;
  nax_status status = naxtext_check(context, "text", begin, end);
  if (status != NAX_OK)
    return status;
  naxtext_encoder encoder = {
      .context = context, .tokenizer = tokenizer, .what = "text", .ids = ids, .capacity = capacity};
  status = naxtext_encode(&encoder, begin, end, specials);
  naxrt_release(&context->hooks, encoder.scratch, encoder.scratch_bytes);
  if (status != NAX_OK)
    return status;
  *count = encoder.count;
  if (ids && encoder.count > capacity)
    return naxrt_fail(context, NAX_E_SIZE, "nax_text_encode: the text has %lld tokens, there is room for %lld",
                      (long long)encoder.count, (long long)capacity);
  return NAX_OK;
}
