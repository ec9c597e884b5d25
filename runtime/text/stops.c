/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that end an answer. After each byte every one of them knows how much of its beginning the text ends with
   (Knuth, Morris, Pratt 1977), so that what may still become one is held back, and no byte is looked at twice. */
#include "tokenizer.h"

#include <stdio.h>
#include <string.h>

typedef struct Stop {
  const unsigned char *bytes;
  int32_t *shorter; /* [length]: of the first i + 1 bytes, the longest proper end that is also a beginning */
  int32_t length;
  int32_t matched; /* the text so far ends with this many of its first bytes */
} Stop;

struct naxtext_stops {
  nax_hooks hooks;
  int64_t block_bytes;
  char *text; /* what is handed out; bytes held back are never in it but restored from their stop */
  int64_t count;
  Stop items[];
};

static void fill_shorter(Stop *stop) {
  stop->shorter[0] = 0;
  for (int32_t i = 1, matched = 0; i < stop->length; ++i) {
    while (matched && stop->bytes[matched] != stop->bytes[i])
      matched = stop->shorter[matched - 1];
    if (stop->bytes[matched] == stop->bytes[i])
      ++matched;
    stop->shorter[i] = matched;
  }
}

/* Fails when one of the texts can not be a stop; else the bytes of all, and of the longest. */
static nax_status measure(nax_context *context, const char *const *texts, int64_t count, int64_t *all,
                          int64_t *longest) {
  for (int64_t i = 0; i < count; ++i) {
    char name[32];
    snprintf(name, sizeof name, "texts[%lld]", (long long)i);
    if (!texts[i])
      return naxrt_fail(context, NAX_E_NULL, "nax_decoder_stop_at: %s is null", name);
    int64_t length = (int64_t)strlen(texts[i]);
    if (length == 0)
      return naxrt_fail(context, NAX_E_VALUE, "nax_decoder_stop_at: %s is empty, so that no text could be given out",
                        name);
    const unsigned char *bytes = (const unsigned char *)texts[i];
    nax_status status = naxtext_check(context, name, bytes, bytes + length);
    if (status != NAX_OK)
      return status;
    *all += length;
    if (length > *longest)
      *longest = length;
  }
  return NAX_OK;
}

nax_status naxtext_stops_open(nax_context *context, const char *const *texts, int64_t count, int64_t room,
                              naxtext_stops **out) {
  int64_t all = 0, longest = 0;
  nax_status status = measure(context, texts, count, &all, &longest);
  if (status != NAX_OK)
    return status;
  int64_t numbers = (int64_t)sizeof(naxtext_stops) + count * (int64_t)sizeof(Stop);
  int64_t bytes = numbers + all * (int64_t)sizeof(int32_t) + all + longest + room + 1;
  naxtext_stops *made = naxrt_allocate(context, bytes, "the texts that end an answer");
  if (!made)
    return NAX_E_MEMORY;
  made->hooks = context->hooks;
  made->block_bytes = bytes;
  made->count = count;
  int32_t *shorter = (int32_t *)((char *)made + numbers);
  char *at = (char *)(shorter + all);
  for (int64_t i = 0; i < count; ++i) {
    int32_t length = (int32_t)strlen(texts[i]);
    memcpy(at, texts[i], (size_t)length);
    made->items[i] = (Stop){(const unsigned char *)at, shorter, length, 0};
    fill_shorter(&made->items[i]);
    at += length;
    shorter += length;
  }
  made->text = at;
  *out = made;
  return NAX_OK;
}

void naxtext_stops_close(naxtext_stops *stops) {
  if (!stops)
    return;
  nax_hooks hooks = stops->hooks;
  naxrt_release(&hooks, stops, stops->block_bytes);
}

void naxtext_stops_reset(naxtext_stops *stops) {
  for (int64_t i = 0; i < stops->count; ++i)
    stops->items[i].matched = 0;
}

/* The stop of which most is matched; that much of the text is held back. */
static const Stop *holder(const naxtext_stops *stops) {
  const Stop *most = &stops->items[0];
  for (int64_t i = 1; i < stops->count; ++i)
    if (stops->items[i].matched > most->matched)
      most = &stops->items[i];
  return most;
}

/* Takes a byte of text; the length of the longest stop that it completes, else 0. */
static int32_t advance(naxtext_stops *stops, unsigned char byte) {
  int32_t complete = 0;
  for (int64_t i = 0; i < stops->count; ++i) {
    Stop *stop = &stops->items[i];
    while (stop->matched && stop->bytes[stop->matched] != byte)
      stop->matched = stop->shorter[stop->matched - 1];
    if (stop->bytes[stop->matched] == byte)
      ++stop->matched;
    if (stop->matched == stop->length && stop->length > complete)
      complete = stop->length;
  }
  return complete;
}

bool naxtext_stops_pass(naxtext_stops *stops, bool last, const char **text, size_t *bytes) {
  const Stop *held = holder(stops);
  size_t count = (size_t)held->matched;
  memcpy(stops->text, held->bytes, count);
  int32_t complete = 0;
  for (size_t i = 0; i < *bytes && !complete; ++i) {
    stops->text[count++] = (*text)[i];
    complete = advance(stops, (unsigned char)(*text)[i]);
  }
  if (complete)
    count -= (size_t)complete;
  else if (!last)
    count -= (size_t)holder(stops)->matched;
  stops->text[count] = 0;
  *text = stops->text;
  *bytes = count;
  return complete != 0;
}
