/* SPDX-License-Identifier: Apache-2.0 */
/* Ids to text. Tokens are bytes, and a character may begin in one token and end in the next; its first bytes are held
   back until it is whole. Bytes that can not become a character turn into U+FFFD, one for each longest beginning of a
   character, as Unicode recommends. */
#include "tokenizer.h"

#include <string.h>

enum { REPLACEMENT_BYTES = 3 };
static const unsigned char replacement[REPLACEMENT_BYTES] = {0xEF, 0xBF, 0xBD};

typedef struct Held {
  unsigned char bytes[4];
  int count;
} Held;

/* Text under way; bytes above `capacity` are only counted. */
typedef struct Sink {
  char *text;
  size_t capacity, count;
} Sink;

static void give(Sink *sink, const unsigned char *bytes, size_t count) {
  for (size_t i = 0; i < count; ++i, ++sink->count)
    if (sink->count < sink->capacity)
      sink->text[sink->count] = (char)bytes[i];
}

static void take_byte(Held *held, unsigned char byte, Sink *sink) {
  held->bytes[held->count++] = byte;
  uint32_t code = 0;
  if (naxtext_character(held->bytes, held->bytes + held->count, &code)) {
    give(sink, held->bytes, (size_t)held->count);
    held->count = 0;
  } else if (!naxtext_unfinished(held->bytes, held->count)) {
    bool alone = held->count == 1;
    held->count = 0;
    give(sink, replacement, REPLACEMENT_BYTES);
    if (!alone)
      take_byte(held, byte, sink); // it may begin a character of its own; goes no deeper
  }
}

static void take_token(const nax_tokenizer *tokenizer, int32_t id, nax_specials specials, Held *held, Sink *sink) {
  const naxtext_token *token = &tokenizer->tokens[id];
  if (token->kind == NAXTEXT_CONTROL && specials == NAX_SPECIALS_PLAIN)
    return;
  for (int32_t i = 0; i < token->length; ++i)
    take_byte(held, token->bytes[i], sink);
}

static void finish(Held *held, Sink *sink) {
  if (held->count)
    give(sink, replacement, REPLACEMENT_BYTES);
  held->count = 0;
}

static nax_status wrong_id(nax_context *context, const nax_tokenizer *tokenizer, int64_t index, int32_t id) {
  return naxrt_fail(context, NAX_E_RANGE, "ids[%lld] is %d; the vocabulary has 0 to %lld", (long long)index, id,
                    (long long)tokenizer->size - 1);
}

nax_status nax_text_decode(nax_context *context, const nax_tokenizer *tokenizer, const int32_t *ids, int64_t count,
                           nax_specials specials, char *text, size_t capacity, size_t *bytes) {
  if (!naxrt_begin(context))
    return naxrt_fail_without_context();
  const char *null = !tokenizer          ? "tokenizer"
                     : !ids && count     ? "ids"
                     : !text && capacity ? "text"
                     : !bytes            ? "bytes"
                                         : NULL;
  if (null)
    return naxrt_fail(context, NAX_E_NULL, "nax_text_decode: %s is null", null);
  *bytes = 0;
  if (count < 0)
    return naxrt_fail(context, NAX_E_SIZE, "nax_text_decode: count is %lld", (long long)count);
  for (int64_t i = 0; i < count; ++i)
    if (ids[i] < 0 || ids[i] >= tokenizer->size)
      return wrong_id(context, tokenizer, i, ids[i]);

  Held held = {{0}, 0};
  Sink sink = {text, capacity, 0};
  for (int64_t i = 0; i < count; ++i)
    take_token(tokenizer, ids[i], specials, &held, &sink);
  finish(&held, &sink);
  *bytes = sink.count;
  if (text && sink.count > capacity)
    return naxrt_fail(context, NAX_E_SIZE, "nax_text_decode: the text has %zu bytes, there is room for %zu", sink.count,
                      capacity);
  return NAX_OK;
}

//===-- one by one -------------------------------------------------------------------------------------------------//

struct nax_decoder {
  nax_hooks hooks;
  int64_t block_bytes;
  const nax_tokenizer *tokenizer;
  nax_specials specials;
  Held held;
  int64_t pushed;
  naxtext_stops *stops; /* NULL: none */
  bool stopped;
  size_t capacity;
  char text[];
};

nax_status nax_decoder_open(nax_context *context, const nax_tokenizer *tokenizer, nax_specials specials,
                            nax_decoder **out) {
  if (!naxrt_begin(context))
    return naxrt_fail_without_context();
  if (!tokenizer || !out)
    return naxrt_fail(context, NAX_E_NULL, "nax_decoder_open: %s is null", tokenizer ? "out" : "tokenizer");
  *out = NULL;
  // At worst every byte of a token, and what was held before it, becomes a replacement character.
  int64_t room = REPLACEMENT_BYTES * (tokenizer->longest + 1);
  int64_t bytes = (int64_t)sizeof(nax_decoder) + room + 1;
  nax_decoder *made = naxrt_allocate(context, bytes, "a decoder");
  if (!made)
    return NAX_E_MEMORY;
  memset(made, 0, sizeof *made);
  made->hooks = context->hooks;
  made->block_bytes = bytes;
  made->tokenizer = tokenizer;
  made->specials = specials;
  made->capacity = (size_t)room;
  *out = made;
  return NAX_OK;
}

void nax_decoder_close(nax_decoder *decoder) {
  if (!decoder)
    return;
  nax_hooks hooks = decoder->hooks;
  naxtext_stops_close(decoder->stops);
  naxrt_release(&hooks, decoder, decoder->block_bytes);
}

nax_status nax_decoder_stop_at(nax_context *context, nax_decoder *decoder, const char *const *texts, int64_t count) {
  if (!naxrt_begin(context))
    return naxrt_fail_without_context();
  if (!decoder || (!texts && count))
    return naxrt_fail(context, NAX_E_NULL, "nax_decoder_stop_at: %s is null", decoder ? "texts" : "decoder");
  if (count < 0)
    return naxrt_fail(context, NAX_E_SIZE, "nax_decoder_stop_at: count is %lld", (long long)count);
  if (decoder->pushed)
    return naxrt_fail(context, NAX_E_VALUE,
                      "nax_decoder_stop_at: the decoder is in the middle of a text; call nax_decoder_finish before");
  naxtext_stops *stops = NULL;
  if (count) {
    nax_status status = naxtext_stops_open(context, texts, count, (int64_t)decoder->capacity, &stops);
    if (status != NAX_OK)
      return status;
  }
  naxtext_stops_close(decoder->stops);
  decoder->stops = stops;
  return NAX_OK;
}

int nax_decoder_stopped(const nax_decoder *decoder) { return decoder && decoder->stopped; }

static void hand_out(nax_decoder *decoder, const Sink *sink, bool last, const char **text, size_t *bytes) {
  decoder->text[sink->count] = 0;
  *text = decoder->text;
  *bytes = sink->count;
  if (decoder->stops)
    decoder->stopped = naxtext_stops_pass(decoder->stops, last, text, bytes);
}

static nax_status check_decoder(nax_context *context, const nax_decoder *decoder, const char **text, size_t *bytes) {
  if (!naxrt_begin(context))
    return naxrt_fail_without_context();
  const char *null = !decoder ? "decoder" : !text ? "text" : !bytes ? "bytes" : NULL;
  return null ? naxrt_fail(context, NAX_E_NULL, "nax_decoder: %s is null", null) : NAX_OK;
}

nax_status nax_decoder_push(nax_context *context, nax_decoder *decoder, int32_t id, const char **text, size_t *bytes) {
  nax_status status = check_decoder(context, decoder, text, bytes);
  if (status != NAX_OK)
    return status;
  *text = "";
  *bytes = 0;
  if (id < 0 || id >= decoder->tokenizer->size)
    return wrong_id(context, decoder->tokenizer, decoder->pushed, id);
  ++decoder->pushed;
  if (decoder->stopped)
    return NAX_OK;
  Sink sink = {decoder->text, decoder->capacity, 0};
  take_token(decoder->tokenizer, id, decoder->specials, &decoder->held, &sink);
  hand_out(decoder, &sink, false, text, bytes);
  return NAX_OK;
}

nax_status nax_decoder_finish(nax_context *context, nax_decoder *decoder, const char **text, size_t *bytes) {
  nax_status status = check_decoder(context, decoder, text, bytes);
  if (status != NAX_OK)
    return status;
  *text = "";
  *bytes = 0;
  Sink sink = {decoder->text, decoder->capacity, 0};
  finish(&decoder->held, &sink);
  if (!decoder->stopped)
    hand_out(decoder, &sink, true, text, bytes);
  if (decoder->stops)
    naxtext_stops_reset(decoder->stops);
  decoder->stopped = false;
  decoder->pushed = 0;
  return NAX_OK;
}
