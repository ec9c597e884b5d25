/* SPDX-License-Identifier: Apache-2.0 */
/* Sentences to vectors, all in one call, and how alike the vectors are. */
#include "minilm.h"

#include "nax/wordpiece.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { C = minilm_size_C, TOKENS = 256 /* as many as the model was trained on; what is longer is cut */ };

typedef struct Session {
  nax_context *context;
  nax_wordpiece *vocabulary;
  minilm_params *params;
} Session;

/* Sentences of different length, side by side; behind the end of a row are zeros, which nothing reads. */
typedef struct Batch {
  int64_t B, T;
  int64_t cut;      /* rows that had more tokens than fit */
  int32_t *ids;     /* [B,T] */
  int32_t *types;   /* [B,T]: all 0, since no sentence is the second of a pair */
  int32_t *lengths; /* [B] */
  float *vectors;   /* [B,C] */
} Batch;

static const char *const examples[] = {
    "A cat is asleep on the windowsill.",    "The kitten naps by the window.", "How do I reset my password?",
    "I can't log in to my account any more", "Shares fell sharply on Monday.",
};

static double seconds_now(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static nax_status open_model(Session *s, const char *folder) {
  char path[4096];
  if (strlen(folder) > sizeof path - 32) {
    fprintf(stderr, "the folder's name is too long\n");
    return NAX_E_FILE;
  }
  nax_status status = nax_context_create(NULL, &s->context);
  if (status != NAX_OK)
    return status;
  sprintf(path, "%s/vocab.txt", folder);
  status = nax_wordpiece_open(s->context, path, &s->vocabulary);
  if (status != NAX_OK)
    return status;
  sprintf(path, "%s/model.safetensors", folder);
  return minilm_params_open(s->context, path, &s->params);
}

static nax_status encode(const Session *s, const char *text, int32_t *ids, int64_t room, int64_t *count) {
  return nax_wordpiece_encode(s->context, s->vocabulary, text, strlen(text), NAX_SPECIALS_PLAIN, ids, room, count);
}

static void *zeros(int64_t count, size_t bytes) { return count > 0 ? calloc((size_t)count, bytes) : NULL; }

static nax_status make_batch(const Session *s, int64_t B, const char *const *sentences, Batch *batch) {
  *batch = (Batch){.B = B};
  int64_t count = 0;
  for (int64_t b = 0; b < B; ++b) { // the longest row says how long all are
    nax_status status = encode(s, sentences[b], NULL, 0, &count);
    if (status != NAX_OK)
      return status;
    if (count > TOKENS)
      ++batch->cut;
    if (count > batch->T)
      batch->T = count < TOKENS ? count : TOKENS;
  }
  batch->ids = zeros(B * batch->T, sizeof *batch->ids);
  batch->types = zeros(B * batch->T, sizeof *batch->types);
  batch->lengths = zeros(B, sizeof *batch->lengths);
  batch->vectors = zeros(B * C, sizeof *batch->vectors);
  if (!batch->ids || !batch->types || !batch->lengths || !batch->vectors) {
    fprintf(stderr, "no memory for %lld sentences\n", (long long)B);
    return NAX_E_MEMORY;
  }
  for (int64_t b = 0; b < B; ++b) {
    nax_status status = encode(s, sentences[b], batch->ids + b * batch->T, batch->T, &count);
    if (status != NAX_OK)
      return status;
    batch->lengths[b] = (int32_t)(count < batch->T ? count : batch->T);
  }
  return NAX_OK;
}

static void free_batch(Batch *batch) {
  free(batch->ids);
  free(batch->types);
  free(batch->lengths);
  free(batch->vectors);
}

static nax_status embed(const Session *s, const Batch *batch) {
  return minilm_sentences(s->context, s->params, batch->B, batch->T, batch->ids, batch->types, batch->lengths,
                          batch->vectors, NULL, 0);
}

/* Of two vectors of length 1. */
static double cosine(const float *x, const float *y) {
  double sum = 0;
  for (int c = 0; c < C; ++c)
    sum += (double)x[c] * y[c];
  return sum;
}

/* The beginning of a text, whole characters, at most as much as goes on a line. */
static int shown_bytes(const char *text) {
  size_t bytes = strlen(text);
  if (bytes > 60)
    for (bytes = 60; ((unsigned char)text[bytes] & 0xC0) == 0x80;)
      --bytes;
  return (int)bytes;
}

static void print_cosines(const Batch *batch, const char *const *sentences) {
  for (int64_t b = 0; b < batch->B; ++b) {
    printf("%2lld", (long long)b + 1);
    for (int64_t other = 0; other < batch->B; ++other)
      printf(" %6.3f", cosine(batch->vectors + b * C, batch->vectors + other * C));
    int bytes = shown_bytes(sentences[b]);
    printf("  %.*s%s\n", bytes, sentences[b], sentences[b][bytes] ? " ..." : "");
  }
}

/* A sentence by itself must have the vector that it has among others, to the last bit. */
static nax_status check_alone(const Session *s, const Batch *batch, const char *const *sentences, int64_t *differ) {
  for (int64_t b = 0; b < batch->B; ++b) {
    Batch alone;
    nax_status status = make_batch(s, 1, sentences + b, &alone);
    if (status == NAX_OK)
      status = embed(s, &alone);
    if (status == NAX_OK)
      *differ += memcmp(alone.vectors, batch->vectors + b * C, C * sizeof(float)) != 0;
    free_batch(&alone);
    if (status != NAX_OK)
      return status;
  }
  return NAX_OK;
}

static nax_status run(Session *s, const char *folder, int64_t B, const char *const *sentences) {
  double begin = seconds_now();
  nax_status status = open_model(s, folder);
  if (status != NAX_OK)
    return status;
  printf("loaded %s in %.1f s, %lld threads\n", folder, seconds_now() - begin,
         (long long)nax_context_threads(s->context));
  Batch batch;
  status = make_batch(s, B, sentences, &batch);
  if (status == NAX_OK) {
    begin = seconds_now();
    status = embed(s, &batch);
  }
  if (batch.cut)
    printf("%lld of the sentences have more than %d tokens, of which the first count\n", (long long)batch.cut, TOKENS);
  if (status == NAX_OK) {
    printf("%lld sentences of up to %lld tokens in %.0f ms; their cosines:\n\n", (long long)B, (long long)batch.T,
           1e3 * (seconds_now() - begin));
    print_cosines(&batch, sentences);
    int64_t differ = 0;
    status = check_alone(s, &batch, sentences, &differ);
    if (status == NAX_OK && differ == 0)
      printf("\neach sentence alone: the same bits\n");
    else if (status == NAX_OK)
      printf("\n%lld of the sentences have other bits alone\n", (long long)differ);
  }
  free_batch(&batch);
  return status;
}

int main(int argc, char **argv) {
  if (argc < 3 || strcmp(argv[1], "--model") != 0) {
    fprintf(stderr, "usage: 09-embeddings --model FOLDER [SENTENCE...]\n"
                    "  FOLDER has model.safetensors and vocab.txt\n");
    return 2;
  }
  Session session = {0};
  bool own = argc > 3;
  nax_status status = run(&session, argv[2], own ? argc - 3 : (int64_t)(sizeof examples / sizeof *examples),
                          own ? (const char *const *)argv + 3 : examples);
  const char *error = nax_last_error(session.context);
  if (status != NAX_OK && *error) // else the program itself has said what is wrong
    fprintf(stderr, "%s: %s\n", nax_status_name(status), error);
  minilm_params_close(session.params);
  nax_wordpiece_close(session.vocabulary);
  nax_context_destroy(session.context);
  return status != NAX_OK;
}
