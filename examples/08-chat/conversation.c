/* SPDX-License-Identifier: Apache-2.0 */
#include "conversation.h"

#include "nax/chat.h"
#include "nax/text.h"
#include "smollm2.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
  V = smollm2_size_V, /* the vocabulary */
  CHUNK = 64          /* tokens of a question that are read in one call; Ctrl-C is looked for between two */
};

/* A text that grows, for people to read. */
typedef struct Text {
  char *data; /* with a 0 byte behind it */
  size_t length, room;
} Text;

struct Conversation {
  ConversationOptions options;
  nax_context *context;
  nax_tokenizer *tokenizer;
  smollm2_params *params;
  smollm2_forward_cache *cache; /* one row: the keys and values of all that was said */
  nax_sampler *sampler;
  nax_decoder *decoder;
  float *logits; /* [B,V] with B = 1: what may come after the last position */
  void *workspace;
  size_t workspace_bytes;
  Text text;
  int64_t before; /* how many positions the cache had before the last question; -1: there is none to take back */
  size_t text_before;
  char error[1024];
};

static double seconds_now(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Remembers the message and gives false, so that `return fail(...)` reads well. */
static bool fail(Conversation *c, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(c->error, sizeof c->error, format, arguments);
  va_end(arguments);
  return false;
}

/* Whether the call was fine; else its error is remembered. */
static bool ok(Conversation *c, nax_status status) {
  return status == NAX_OK || fail(c, "%s: %s", nax_status_name(status), nax_last_error(c->context));
}

/* Adds to a text; false where there is no memory. */
static bool append(Text *text, const char *data, size_t length) {
  size_t room = text->length + length + 1;
  if (room > text->room) {
    char *larger = realloc(text->data, 2 * room);
    if (!larger)
      return false;
    text->data = larger;
    text->room = 2 * room;
  }
  memcpy(text->data + text->length, data, length);
  text->length += length;
  text->data[text->length] = '\0';
  return true;
}

static bool open_parts(Conversation *c) {
  const ConversationOptions *o = &c->options;
  if (!ok(c, nax_context_create(NULL, &c->context)) ||
      !ok(c, nax_sampler_open(c->context, V, &o->sampling, &c->sampler)))
    return false;
  if (!ok(c, nax_tokenizer_open(c->context, o->model, &c->tokenizer)) ||
      !ok(c, nax_decoder_open(c->context, c->tokenizer, NAX_SPECIALS_PLAIN, &c->decoder)) ||
      !ok(c, smollm2_params_open(c->context, o->model, &c->params)) ||
      !ok(c, smollm2_forward_cache_create(c->context, /*B=*/1, /*T=*/o->context, &c->cache)))
    return false;
  // For CHUNK positions in one call, and so for fewer, too.
  c->workspace_bytes = smollm2_forward_step_workspace(/*B=*/1, /*T=*/CHUNK);
  c->workspace = aligned_alloc(64, (c->workspace_bytes + 63) / 64 * 64);
  c->logits = malloc(V * sizeof *c->logits);
  if (!c->workspace || !c->logits || !append(&c->text, "", 0))
    return fail(c, "there is no memory");
  fprintf(stderr, "loaded %s: %lld threads, a cache of %.1f MB for %lld tokens\n", o->model,
          (long long)nax_context_threads(c->context), (double)smollm2_forward_cache_bytes(c->cache) / 1e6,
          (long long)o->context);
  return true;
}

Conversation *conversation_open(const ConversationOptions *options) {
  Conversation *c = calloc(1, sizeof *c);
  if (!c)
    return NULL;
  c->options = *options;
  c->before = -1;
  if (open_parts(c))
    return c;
  fprintf(stderr, "%s\n", c->error);
  conversation_close(c);
  return NULL;
}

void conversation_close(Conversation *c) {
  if (!c)
    return;
  free(c->text.data);
  free(c->logits);
  free(c->workspace);
  smollm2_forward_cache_destroy(c->cache);
  smollm2_params_close(c->params);
  nax_decoder_close(c->decoder);
  nax_tokenizer_close(c->tokenizer);
  nax_sampler_close(c->sampler);
  nax_context_destroy(c->context);
  free(c);
}

//===-- a question and its answer ----------------------------------------------------------------------------------//

/* One call of the model: the tokens become positions of the cache, and the logits say what may come after the last. */
static bool step(Conversation *c, const int32_t *ids, int64_t count) {
  return ok(c, smollm2_forward_step(c->context, c->params, c->cache, /*B=*/1, /*T=*/count, ids, /*T_lengths=*/NULL,
                                    c->logits, c->workspace, c->workspace_bytes));
}

/* The question in the form that the model was trained to answer; the first one has the system's message before it.
   NULL: an error. */
static int32_t *encode(Conversation *c, const char *question, int64_t *count) {
  nax_chat_message messages[2];
  int64_t message_count = 0;
  bool first = conversation_length(c) == 0;
  const char *system = c->options.system;
  if (first && system)
    messages[message_count++] = (nax_chat_message){NAX_CHAT_SYSTEM, system, strlen(system)};
  messages[message_count++] = (nax_chat_message){NAX_CHAT_USER, question, strlen(question)};

  // Once to count, once to fill.
  nax_status (*form)(nax_context *, const nax_tokenizer *, const nax_chat_message *, int64_t, int32_t *, int64_t,
                     int64_t *) = first ? nax_chat_begin : nax_chat_continue;
  if (!ok(c, form(c->context, c->tokenizer, messages, message_count, NULL, 0, count)))
    return NULL;
  int32_t *ids = malloc((size_t)*count * sizeof *ids);
  if (!ids) {
    fail(c, "there is no memory for %lld tokens", (long long)*count);
  } else if (!ok(c, form(c->context, c->tokenizer, messages, message_count, ids, *count, count))) {
    free(ids);
    ids = NULL;
  }
  return ids;
}

/* Also of a question that was read in part. */
static bool take_back(Conversation *c) {
  c->text.length = c->text_before;
  c->text.data[c->text.length] = '\0';
  int64_t length = c->before;
  c->before = -1;
  return ok(c, smollm2_forward_cache_truncate(c->context, c->cache, /*row=*/0, length));
}

static Ending read_question(Conversation *c, const int32_t *ids, int64_t count) {
  for (int64_t at = 0; at < count; at += CHUNK) {
    if (c->options.interrupted())
      return ENDING_WITHDRAWN;
    if (!step(c, ids + at, count - at < CHUNK ? count - at : CHUNK))
      return ENDING_ERROR;
  }
  return ok(c, nax_sampler_see(c->context, c->sampler, ids, count)) ? ENDING_DONE : ENDING_ERROR;
}

/* Prints what the token adds, which may be nothing yet: a character can be made of several. */
static bool print(Conversation *c, int32_t id) {
  const char *text;
  size_t bytes;
  if (!ok(c, nax_decoder_push(c->context, c->decoder, id, &text, &bytes)))
    return false;
  for (size_t i = 0; i < bytes; ++i)
    if ((unsigned char)text[i] >= ' ' || text[i] == '\n' || text[i] == '\t') // the others could command the terminal
      putchar(text[i]);
  fflush(stdout);
  return append(&c->text, text, bytes) || fail(c, "there is no memory for the text");
}

static Ending write_answer(Conversation *c, Pace *pace) {
  for (int64_t made = 0; made < c->options.tokens; ++made) {
    if (c->options.interrupted())
      return ENDING_INTERRUPTED;
    int32_t id;
    if (!ok(c, nax_sampler_next(c->context, c->sampler, c->logits, V, &id)))
      return ENDING_ERROR;
    if (nax_tokenizer_is_end(c->tokenizer, id))
      return ENDING_DONE;
    if (conversation_length(c) == c->options.context)
      return ENDING_FULL;
    if (!print(c, id) || !step(c, &id, 1))
      return ENDING_ERROR;
    ++pace->written;
  }
  return ENDING_LIMIT;
}

Ending conversation_ask(Conversation *c, const char *question, Pace *pace) {
  *pace = (Pace){0};
  int64_t count;
  int32_t *ids = encode(c, question, &count);
  if (!ids)
    return ENDING_ERROR;
  if (conversation_length(c) + count >= c->options.context) { // at least one token of answer
    free(ids);
    return ENDING_NO_ROOM;
  }
  c->before = conversation_length(c);
  c->text_before = c->text.length;
  double begin = seconds_now();
  Ending ending = read_question(c, ids, count);
  free(ids);
  if (ending != ENDING_DONE)
    return take_back(c) ? ending : ENDING_ERROR;
  pace->read = count;
  pace->read_seconds = seconds_now() - begin;
  if (!append(&c->text, "> ", 2) || !append(&c->text, question, strlen(question)) || !append(&c->text, "\n", 1))
    return fail(c, "there is no memory for the text"), ENDING_ERROR;

  begin = seconds_now();
  ending = write_answer(c, pace);
  pace->write_seconds = seconds_now() - begin;
  putchar('\n');
  // What the decoder still holds is no whole character.
  const char *rest;
  size_t bytes;
  if (!ok(c, nax_decoder_finish(c->context, c->decoder, &rest, &bytes)) || !append(&c->text, "\n\n", 2))
    return ENDING_ERROR;
  return ending;
}

//===-- the conversation as a whole --------------------------------------------------------------------------------//

int64_t conversation_length(const Conversation *c) { return smollm2_forward_cache_length(c->cache, /*row=*/0); }

bool conversation_reset(Conversation *c) {
  c->before = 0;
  c->text_before = 0;
  nax_sampler_reset(c->sampler, c->options.sampling.seed);
  return take_back(c);
}

bool conversation_undo(Conversation *c) {
  return c->before >= 0 ? take_back(c)
                        : fail(c, "there is no question to take back: none was asked since the begin, /load or /undo");
}

/* NULL: there is no memory. */
static char *path_of(const char *file, const char *ending) {
  size_t bytes = strlen(file) + strlen(ending) + 1;
  char *path = malloc(bytes);
  if (path)
    snprintf(path, bytes, "%s%s", file, ending);
  return path;
}

static bool write_text(const Text *text, const char *path) {
  FILE *file = fopen(path, "wb");
  if (!file)
    return false;
  bool whole = fwrite(text->data, 1, text->length, file) == text->length;
  return fclose(file) == 0 && whole;
}

static bool read_text(Text *text, const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return false;
  char block[4096];
  bool whole = append(text, "", 0);
  for (size_t bytes; whole && (bytes = fread(block, 1, sizeof block, file)) > 0;)
    whole = append(text, block, bytes);
  whole = whole && !ferror(file);
  fclose(file);
  return whole;
}

/* The files of a conversation. The cache comes last when saving and when loading: what fails before has changed
 * nothing. */
static bool save_or_load(Conversation *c, const char *file, bool save) {
  char *text = path_of(file, ".txt"), *cache = path_of(file, ".cache");
  Text loaded = {0};
  bool good = text && cache;
  if (!good)
    fail(c, "there is no memory");
  else if (!(good = save ? write_text(&c->text, text) : read_text(&loaded, text)))
    fail(c, "%s can not be %s: %s", text, save ? "written" : "read", strerror(errno));
  else
    good = ok(c, save ? smollm2_forward_cache_save(c->context, c->cache, /*row=*/0, cache)
                      : smollm2_forward_cache_restore(c->context, c->cache, /*row=*/0, cache));
  if (good && !save) {
    free(c->text.data);
    c->text = loaded;
    c->before = -1;
    nax_sampler_reset(c->sampler, c->options.sampling.seed);
  } else {
    free(loaded.data);
  }
  free(text);
  free(cache);
  return good;
}

bool conversation_save(Conversation *c, const char *file) {
  if (conversation_length(c) == 0)
    return fail(c, "nothing has been said yet");
  return save_or_load(c, file, true);
}

bool conversation_load(Conversation *c, const char *file) { return save_or_load(c, file, false); }

const char *conversation_text(const Conversation *c) { return c->text.data; }

const char *conversation_error(const Conversation *c) { return c->error; }
