/* SPDX-License-Identifier: Apache-2.0 */
/* A conversation with SmolLM2: the compiled model, its tokenizer, and a cache of keys and values that grows by every
   question and answer, so that nothing is read twice. */
#ifndef CONVERSATION_H
#define CONVERSATION_H

#include "nax/sample.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct Conversation Conversation;

typedef struct ConversationOptions {
  const char *model;  /* a GGUF file */
  const char *system; /* what the model is told before the first question; NULL: what its file says */
  int64_t context;    /* positions that the cache has room for, at most CONVERSATION_POSITIONS */
  int64_t tokens;     /* of one answer, at most */
  nax_sampler_options sampling;
  bool (*interrupted)(void); /* asked between two tokens */
} ConversationOptions;

enum { CONVERSATION_POSITIONS = 8192 /* as many as the model was trained on */ };

typedef enum Ending {
  ENDING_DONE,        /* the model said that the answer is complete */
  ENDING_LIMIT,       /* `tokens` */
  ENDING_INTERRUPTED, /* by Ctrl-C within the answer, which stays part of the conversation */
  ENDING_WITHDRAWN,   /* by Ctrl-C while the question was read: it is as if it had not been asked */
  ENDING_FULL,        /* no position is left for the rest of the answer */
  ENDING_NO_ROOM,     /* the question does not fit; it is as if it had not been asked */
  ENDING_ERROR        /* conversation_error() says which */
} Ending;

/* How many tokens of questions were read and of answers written, and in how many seconds. */
typedef struct Pace {
  int64_t read, written;
  double read_seconds, write_seconds;
} Pace;

/* NULL: the error has been printed. */
Conversation *conversation_open(const ConversationOptions *options);
void conversation_close(Conversation *conversation); /* NULL is allowed */

/* Reads the question and writes the answer to standard output as it comes. */
Ending conversation_ask(Conversation *conversation, const char *question, Pace *pace);

/* Positions that are used. */
int64_t conversation_length(const Conversation *conversation);

/* Everything is forgotten; the last question is taken back, with its answer (false: there is none). */
bool conversation_reset(Conversation *conversation);
bool conversation_undo(Conversation *conversation);

/* FILE.cache is what the model knows, by which a later conversation goes on without reading anything again; FILE.txt is
   the same for people. False: conversation_error() says why, and a conversation that was to be replaced is unchanged.
 */
bool conversation_save(Conversation *conversation, const char *file);
bool conversation_load(Conversation *conversation, const char *file);

/* Questions and answers so far, for people. */
const char *conversation_text(const Conversation *conversation);

const char *conversation_error(const Conversation *conversation);

#endif
