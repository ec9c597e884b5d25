/* SPDX-License-Identifier: Apache-2.0 */
/* What the sources of chat templates share: a template read item by item, and the table of known forms. */
#ifndef NAXTEXT_TEMPLATE_H
#define NAXTEXT_TEMPLATE_H

#include "nax/chat.h"

#include "tokenizer.h"

//===-- template.c -------------------------------------------------------------------------------------------------//

typedef enum naxtext_item_kind {
  NAXTEXT_ITEM_TEXT,   /* a byte that is written as it is */
  NAXTEXT_ITEM_OUTPUT, /* the value of an expression is written: here it begins */
  NAXTEXT_ITEM_BLOCK,  /* a statement begins */
  NAXTEXT_ITEM_CLOSE,  /* either of them ends */
  NAXTEXT_ITEM_WORD,   /* in either: a name, a number, an operator */
  NAXTEXT_ITEM_STRING, /* in either; its escapes are still in it */
  NAXTEXT_ITEM_END,
  NAXTEXT_ITEM_BROKEN /* no Jinja, or a part of it that is not read here */
} naxtext_item_kind;

typedef struct naxtext_item {
  naxtext_item_kind kind;
  unsigned char byte;
  const char *text; /* of words and strings */
  int64_t length;
  const char *where; /* in the template */
} naxtext_item;

/* Where reading has come to; a copy goes on from there by itself. */
typedef struct naxtext_template {
  const char *at, *end;
  enum { NAXTEXT_IN_TEXT, NAXTEXT_IN_TAG, NAXTEXT_IN_STRING, NAXTEXT_IN_RUINS } place;
  const char *text_end;                                                      /* of the text or string */
  const char *resume;                                                        /* where reading goes on behind it */
  bool writes;                                                               /* the tag is {{ and not {% */
  enum { NAXTEXT_TERM_EXPECTED, NAXTEXT_TERM_OPEN, NAXTEXT_TERM_DONE } term; /* of the sum that a {{ writes */
  int64_t depth;                                                             /* of brackets in the tag */
  int subscript; /* what is left of a .name, which is read as ['name']: 2 the string, 1 the bracket, 0 nothing */
} naxtext_template;

void naxtext_template_begin(naxtext_template *reader, const char *text, int64_t length);
naxtext_item naxtext_template_next(naxtext_template *reader);

/* Whether they say the same; where they stand does not matter. */
bool naxtext_same_item(naxtext_item a, naxtext_item b);

//===-- forms.c ----------------------------------------------------------------------------------------------------//

/* Bytes that stand for something else in what a form writes. */
#define NAXTEXT_BEGIN_TOKEN "\1" /* the file's token of this kind */
#define NAXTEXT_END_TOKEN "\2"
#define NAXTEXT_TRIM "\3" /* from here to the other one, spaces at the ends are left out */
#define NAXTEXT_TRIMMED "\4"

typedef enum naxtext_turns {
  NAXTEXT_ANY_TURNS,
  NAXTEXT_ALTERNATE /* user, assistant, user, ...; before them one system message if the form has such a role */
} naxtext_turns;

/* A known template and what it writes around each message. */
struct naxtext_form {
  const char *name;
  const char *text;
  const char *begin;                /* before the first message; NULL: nothing */
  const char *before[3], *after[3]; /* by nax_chat_role; NULL: there is no such role */
  const char *before_first_user;    /* behind a system message; NULL: as before any other */
  const char *answer;               /* where an answer begins */
  const char *finish;               /* at the end of a conversation that no answer follows; NULL: nothing */
  naxtext_turns turns;
  const char *end;      /* the token that ends an answer; NULL: the file's end-of-sequence token */
  const char *marks[5]; /* what has to be a special token; the first NULL ends the list */
};

/* The form of this template; NULL: none. `defaults`, with room for `length` bytes or NULL, gets the text of its default
   system message, and *default_bytes the length, -1 if there is none. When no form is found, *strayed is the place in
   the template that no form reaches with what stands there. */
const naxtext_form *naxtext_find_form(const char *text, int64_t length, char *defaults, int64_t *default_bytes,
                                      const char **strayed);

#endif
