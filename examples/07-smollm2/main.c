/* SPDX-License-Identifier: Apache-2.0 */
/* SmolLM2 answers a prompt, always with its likeliest token. The prompt is one step of many positions, each token after
   it a step of one; example 08 goes on with further questions. */
#include "smollm2.h"

#include "nax/chat.h"
#include "nax/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { V = smollm2_size_V, POSITIONS = 8192 /* as many as the model was trained on */ };

typedef struct Options {
  const char *model, *prompt;
  long tokens;
  int raw; /* go on with the prompt instead of answering it */
} Options;

typedef struct Session {
  nax_context *context;
  smollm2_params *params;
  nax_tokenizer *tokenizer;
  smollm2_forward_cache *cache; /* one row: the keys and values of the text so far */
  int32_t *ids;                 /* [T]: the prompt */
  int64_t length;
  float *logits; /* [B,V] with B = 1 */
  void *workspace;
  size_t workspace_bytes;
} Session;

static double seconds_now(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void usage(void) {
  fputs("usage: 07-smollm2 --model FILE.gguf [--prompt TEXT] [--tokens N] [--raw]\n"
        "  --tokens N   stop after N tokens (48)\n"
        "  --raw        go on with the text instead of answering it\n",
        stderr);
}

static int read_tokens(const char *text, long *tokens) {
  char *end = NULL;
  *tokens = strtol(text, &end, 10);
  if (end != text && !*end && *tokens > 0 && *tokens < POSITIONS)
    return 1;
  fprintf(stderr, "--tokens can not be %s: it is a number from 1 to %d\n", text, POSITIONS - 1);
  return 0;
}

/* Whether they are good; else what is wrong has been said. */
static int read_options(int argc, char **argv, Options *options) {
  for (int i = 1; i < argc; ++i) {
    const char *value = i + 1 < argc ? argv[i + 1] : NULL;
    if (strcmp(argv[i], "--raw") == 0) {
      options->raw = 1;
      continue;
    }
    const char **text = strcmp(argv[i], "--model") == 0    ? &options->model
                        : strcmp(argv[i], "--prompt") == 0 ? &options->prompt
                                                           : NULL;
    if (!text && strcmp(argv[i], "--tokens") != 0) {
      usage();
      fprintf(stderr, "there is no option %s\n", argv[i]);
      return 0;
    }
    if (!value) {
      fprintf(stderr, "%s needs a value\n", argv[i]);
      return 0;
    }
    if (text)
      *text = value;
    else if (!read_tokens(value, &options->tokens))
      return 0;
    ++i;
  }
  if (!options->model)
    usage();
  return options->model != NULL;
}

static nax_status allocate_ids(Session *s, int64_t count) {
  s->ids = malloc((size_t)(count + 1) * sizeof *s->ids);
  if (s->ids)
    return NAX_OK;
  fprintf(stderr, "no memory for %lld tokens of text\n", (long long)count);
  return NAX_E_MEMORY;
}

/* The tokens of a text to go on with; they are no more than its bytes. */
static nax_status encode_raw(Session *s, const char *text) {
  size_t bytes = strlen(text);
  nax_status status = allocate_ids(s, (int64_t)bytes);
  return status != NAX_OK ? status
                          : nax_text_encode(s->context, s->tokenizer, text, bytes, NAX_SPECIALS_NAMED, s->ids,
                                            (int64_t)bytes, &s->length);
}

/* What the model was trained to answer: the file's chat template filled in. */
static nax_status encode_chat(Session *s, const char *prompt) {
  nax_chat_message question = {NAX_CHAT_USER, prompt, strlen(prompt)};
  int64_t count = 0;
  nax_status status = nax_chat_begin(s->context, s->tokenizer, &question, 1, NULL, 0, &count);
  if (status == NAX_OK)
    status = allocate_ids(s, count);
  return status != NAX_OK ? status : nax_chat_begin(s->context, s->tokenizer, &question, 1, s->ids, count, &s->length);
}

/* For the prompt and as many tokens after it. */
static nax_status make_room(Session *s, int64_t tokens) {
  int64_t room = s->length + tokens;
  if (room > POSITIONS) {
    fprintf(stderr, "%lld tokens of text and %lld more are too many: the model knows %d positions\n",
            (long long)s->length, (long long)tokens, POSITIONS);
    return NAX_E_VALUE;
  }
  s->workspace_bytes = smollm2_forward_step_workspace(/*B=*/1, s->length);
  s->logits = malloc(V * sizeof *s->logits);
  s->workspace = aligned_alloc(64, (s->workspace_bytes + 63) / 64 * 64);
  if (s->logits && s->workspace)
    return smollm2_forward_cache_create(s->context, /*B=*/1, /*T=*/room, &s->cache);
  fprintf(stderr, "no memory for %zu bytes of workspace\n", s->workspace_bytes);
  return NAX_E_MEMORY;
}

/* T new positions after those that the cache has; the logits are what may follow the last. */
static nax_status step(Session *s, int64_t T, const int32_t *ids /*[T]*/) {
  return smollm2_forward_step(s->context, s->params, s->cache, /*B=*/1, T, ids, /*T_lengths=*/NULL, s->logits,
                              s->workspace, s->workspace_bytes);
}

static int32_t likeliest(const float *logits) {
  int32_t best = 0;
  for (int32_t v = 1; v < V; ++v)
    if (logits[v] > logits[best])
      best = v;
  return best;
}

/* Prints the continuation as it comes, after a step; *made is the number of tokens. */
static nax_status go_on(Session *s, long tokens, long *made) {
  nax_decoder *decoder = NULL;
  nax_status status = nax_decoder_open(s->context, s->tokenizer, NAX_SPECIALS_PLAIN, &decoder);
  const char *text = NULL;
  size_t bytes = 0;
  while (status == NAX_OK && *made < tokens) {
    int32_t next = likeliest(s->logits);
    if (nax_tokenizer_is_end(s->tokenizer, next))
      break;
    status = nax_decoder_push(s->context, decoder, next, &text, &bytes);
    if (status != NAX_OK)
      break;
    fwrite(text, 1, bytes, stdout);
    fflush(stdout);
    ++*made;
    status = step(s, 1, &next);
  }
  // No nax_decoder_finish: a character that the last token left unfinished stays unsaid.
  putchar('\n');
  nax_decoder_close(decoder);
  return status;
}

static nax_status run(Session *s, const Options *options) {
  double begin = seconds_now();
  nax_status status = nax_context_create(NULL, &s->context);
  if (status == NAX_OK)
    status = nax_tokenizer_open(s->context, options->model, &s->tokenizer);
  if (status == NAX_OK)
    status = smollm2_params_open(s->context, options->model, &s->params);
  if (status == NAX_OK)
    status = options->raw ? encode_raw(s, options->prompt) : encode_chat(s, options->prompt);
  if (status == NAX_OK)
    status = make_room(s, options->tokens);
  if (status != NAX_OK)
    return status;
  if (s->length == 0) {
    fprintf(stderr, "there is no text to go on with\n");
    return NAX_E_VALUE;
  }
  printf("loaded %s in %.1f s, %lld threads, cache %.1f MB, workspace %.1f MB, %lld tokens of text\n\n", options->model,
         seconds_now() - begin, (long long)nax_context_threads(s->context),
         (double)smollm2_forward_cache_bytes(s->cache) / 1e6, (double)s->workspace_bytes / 1e6, (long long)s->length);
  printf(options->raw ? "%s" : "> %s\n\n", options->prompt);
  fflush(stdout);

  begin = seconds_now();
  status = step(s, s->length, s->ids);
  double read = seconds_now() - begin;
  long made = 0;
  begin = seconds_now();
  if (status == NAX_OK)
    status = go_on(s, options->tokens, &made);
  double written = seconds_now() - begin;
  if (status == NAX_OK)
    printf("\n%ld tokens in %.1f s: %.2f tokens/s; the text of %lld tokens was read in %.2f s: %.2f tokens/s\n", made,
           written, (double)made / written, (long long)s->length, read, (double)s->length / read);
  return status;
}

int main(int argc, char **argv) {
  Options options = {.prompt = "What is gravity?", .tokens = 48};
  if (!read_options(argc, argv, &options))
    return 2;
  Session session = {0};
  nax_status status = run(&session, &options);
  const char *error = nax_last_error(session.context);
  if (status != NAX_OK && *error) // else the program itself has said what is wrong
    fprintf(stderr, "%s: %s\n", nax_status_name(status), error);
  free(session.workspace);
  free(session.logits);
  free(session.ids);
  smollm2_forward_cache_destroy(session.cache);
  smollm2_params_close(session.params);
  nax_tokenizer_close(session.tokenizer);
  nax_context_destroy(session.context);
  return status != NAX_OK;
}
