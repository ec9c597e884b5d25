/* SPDX-License-Identifier: Apache-2.0 */
/* All that a program needs to talk with a compiled model: minimal MODEL.gguf <questions. A question a line, always the
   likeliest answer. main.c is the same with a terminal, options and commands. */
#include "smollm2.h"

#include "nax/chat.h"
#include "nax/sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CAPACITY = 2048, LINE = 4096 };

typedef struct Chat {
  nax_context *context;
  nax_tokenizer *tokenizer;
  nax_decoder *decoder;
  nax_sampler *sampler;
  smollm2_params *params;
  smollm2_forward_cache *cache;
  float *logits; /* [B,V] with B = 1 */
} Chat;

/* The object has only code in it. The parameters, and the vocabulary, come out of the file. */
static nax_status open_chat(Chat *chat, const char *path) {
  nax_status status = nax_context_create(NULL, &chat->context);
  if (status == NAX_OK)
    status = nax_tokenizer_open(chat->context, path, &chat->tokenizer);
  if (status == NAX_OK)
    status = nax_decoder_open(chat->context, chat->tokenizer, NAX_SPECIALS_PLAIN, &chat->decoder);
  if (status == NAX_OK)
    status = nax_sampler_open(chat->context, smollm2_size_V, /*options=*/NULL, &chat->sampler);
  if (status == NAX_OK)
    status = smollm2_params_open(chat->context, path, &chat->params);
  if (status == NAX_OK)
    status = smollm2_forward_cache_create(chat->context, /*B=*/1, /*T=*/CAPACITY, &chat->cache);
  chat->logits = malloc(smollm2_size_V * sizeof *chat->logits);
  return chat->logits || status != NAX_OK ? status : NAX_E_MEMORY;
}

static void close_chat(Chat *chat) {
  free(chat->logits);
  smollm2_forward_cache_destroy(chat->cache);
  smollm2_params_close(chat->params);
  nax_sampler_close(chat->sampler);
  nax_decoder_close(chat->decoder);
  nax_tokenizer_close(chat->tokenizer);
  nax_context_destroy(chat->context);
}

/* T new positions after those that the cache has: the logits say what may come next. */
static nax_status step(Chat *chat, int64_t T, const int32_t *ids /*[T]*/) {
  return smollm2_forward_step(chat->context, chat->params, chat->cache, /*B=*/1, T, ids, /*T_lengths=*/NULL,
                              chat->logits, /*workspace=*/NULL, 0);
}

/* The tokens of a question, in the form that the model was trained to answer. */
static nax_status read_question(Chat *chat, const char *question) {
  static int32_t ids[CAPACITY];
  nax_chat_message message = {NAX_CHAT_USER, question, strlen(question)};
  int64_t count = 0;
  nax_status status = smollm2_forward_cache_length(chat->cache, /*row=*/0) == 0
                          ? nax_chat_begin(chat->context, chat->tokenizer, &message, 1, ids, CAPACITY, &count)
                          : nax_chat_continue(chat->context, chat->tokenizer, &message, 1, ids, CAPACITY, &count);
  return status == NAX_OK ? step(chat, count, ids) : status;
}

/* Draws and prints tokens until the model ends its answer. */
static nax_status write_answer(Chat *chat) {
  for (;;) {
    int32_t id = 0;
    nax_status status = nax_sampler_next(chat->context, chat->sampler, chat->logits, smollm2_size_V, &id);
    const char *text = NULL; // what the token adds, in whole characters
    size_t bytes = 0;
    if (status != NAX_OK || nax_tokenizer_is_end(chat->tokenizer, id))
      return status != NAX_OK ? status : nax_decoder_finish(chat->context, chat->decoder, &text, &bytes);
    status = nax_decoder_push(chat->context, chat->decoder, id, &text, &bytes);
    if (status == NAX_OK) {
      fwrite(text, 1, bytes, stdout);
      fflush(stdout);
      status = step(chat, 1, &id); // NAX_E_FULL: the cache has no room for another position
    }
    if (status != NAX_OK)
      return status;
  }
}

int main(int argc, char **argv) {
  Chat chat = {0};
  char question[LINE];
  if (argc != 2) {
    fputs("usage: minimal MODEL.gguf <questions\n", stderr);
    return 2;
  }
  nax_status status = open_chat(&chat, argv[1]);
  while (status == NAX_OK && fgets(question, sizeof question, stdin)) {
    question[strcspn(question, "\n")] = '\0';
    status = read_question(&chat, question);
    if (status == NAX_OK)
      status = write_answer(&chat);
    putchar('\n');
  }
  if (status != NAX_OK)
    fprintf(stderr, "%s: %s\n", nax_status_name(status), nax_last_error(chat.context));
  close_chat(&chat);
  return status != NAX_OK;
}
