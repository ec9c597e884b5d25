/* SPDX-License-Identifier: Apache-2.0 */
/* A chat template as a row of items, so that two ways of writing the same become the same row: blanks in tags, the two
   kinds of quotes, a.b for a['b'], and strings that are added up and written for text outside of tags. Which line ends
   and blanks around tags count is as transformers has Jinja set up: trim_blocks and lstrip_blocks. */
#include "template.h"

#include <string.h>

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool has(const naxtext_template *reader, const char *at, const char *wanted) {
  int64_t length = (int64_t)strlen(wanted);
  return reader->end - at >= length && memcmp(at, wanted, (size_t)length) == 0;
}

//===-- text outside of tags ---------------------------------------------------------------------------------------//

/* `line_begins`: what stands before `at` is the end of a line. */
static void enter_text(naxtext_template *reader, const char *at, bool line_begins) {
  const char *tag = at;
  while (tag < reader->end && !has(reader, tag, "{{") && !has(reader, tag, "{%") && !has(reader, tag, "{#"))
    ++tag;
  const char *text_end = tag;
  if (reader->end - tag > 2 && tag[2] == '-') {
    while (text_end > at && is_blank(text_end[-1]))
      --text_end;
  } else if (tag < reader->end && tag[1] != '{' && !(reader->end - tag > 2 && tag[2] == '+')) {
    // A statement that is the first on its line takes the blanks before it away.
    const char *line = tag;
    while (line > at && line[-1] != '\n' && is_blank(line[-1]))
      --line;
    if (line > at ? line[-1] == '\n' : line_begins)
      text_end = line;
  }
  reader->place = NAXTEXT_IN_TEXT;
  reader->at = at;
  reader->text_end = text_end;
  reader->resume = tag;
}

void naxtext_template_begin(naxtext_template *reader, const char *text, int64_t length) {
  memset(reader, 0, sizeof *reader);
  reader->end = text + length;
  if (length > 0 && text[length - 1] == '\n')
    --reader->end; // Jinja drops it
  enter_text(reader, text, true);
  const char *carriage_return = length > 0 ? memchr(text, '\r', (size_t)length) : NULL;
  if (carriage_return) { // Jinja would make line ends of them
    reader->place = NAXTEXT_IN_RUINS;
    reader->at = carriage_return;
  }
}

/* `at` is behind a tag with `mark` ('-', '+' or another character) before its last two. */
static void leave_tag(naxtext_template *reader, const char *at, char mark, bool takes_line_end) {
  const char *begin = at;
  if (mark == '-') {
    while (at < reader->end && is_blank(*at))
      ++at;
  } else if (takes_line_end && mark != '+' && at < reader->end && *at == '\n') {
    ++at;
  }
  enter_text(reader, at, at > begin && at[-1] == '\n');
}

/* The reader stands at a tag; a comment is gone over. */
static void enter_tag(naxtext_template *reader) {
  const char *at = reader->resume;
  char kind = at[1];
  at += 2;
  if (at < reader->end && (*at == '-' || *at == '+'))
    ++at;
  if (kind != '#') {
    reader->place = NAXTEXT_IN_TAG;
    reader->at = at;
    reader->writes = kind == '{';
    reader->term = NAXTEXT_TERM_EXPECTED;
    reader->depth = 0;
    return;
  }
  const char *close = at;
  while (close < reader->end && !has(reader, close, "#}"))
    ++close;
  if (close == reader->end)
    reader->place = NAXTEXT_IN_RUINS;
  else
    leave_tag(reader, close + 2, close > at ? close[-1] : 0, true);
}

//===-- strings ----------------------------------------------------------------------------------------------------//

/* The next byte of a string, escapes taken out; -1 at an escape that is not read here. */
static int string_byte(const char **at, const char *end) {
  char c = *(*at)++;
  if (c != '\\')
    return (unsigned char)c;
  if (*at == end)
    return -1;
  switch (c = *(*at)++) {
  case 'n':
    return '\n';
  case 't':
    return '\t';
  case '\\':
  case '\'':
  case '"':
    return c;
  default:
    return -1;
  }
}

/* The quote that ends the string which begins at `at`; NULL: none. */
static const char *string_end(const naxtext_template *reader, const char *at) {
  char quote = *at++;
  for (; at < reader->end && *at != quote; ++at)
    if (*at == '\\')
      ++at;
  return at < reader->end ? at : NULL;
}

static bool same_strings(naxtext_item a, naxtext_item b) {
  const char *a_end = a.text + a.length, *b_end = b.text + b.length;
  while (a.text < a_end && b.text < b_end) {
    int a_byte = string_byte(&a.text, a_end), b_byte = string_byte(&b.text, b_end);
    if (a_byte < 0 || a_byte != b_byte)
      return false;
  }
  return a.text == a_end && b.text == b_end;
}

bool naxtext_same_item(naxtext_item a, naxtext_item b) {
  if (a.kind != b.kind || a.kind == NAXTEXT_ITEM_BROKEN)
    return false;
  if (a.kind == NAXTEXT_ITEM_TEXT)
    return a.byte == b.byte;
  if (a.kind == NAXTEXT_ITEM_STRING)
    return same_strings(a, b);
  return a.kind != NAXTEXT_ITEM_WORD || (a.length == b.length && memcmp(a.text, b.text, (size_t)a.length) == 0);
}

//===-- tags -------------------------------------------------------------------------------------------------------//

static naxtext_item item_of(naxtext_item_kind kind, const char *where) { return (naxtext_item){kind, 0, "", 0, where}; }

static const char *behind_blanks(const naxtext_template *reader, const char *at) {
  while (at < reader->end && is_blank(*at))
    ++at;
  return at;
}

/* Behind the end of this tag, if it ends at `at`; else NULL. */
static const char *tag_end(const naxtext_template *reader, const char *at) {
  if (reader->depth > 0)
    return NULL;
  if (at < reader->end && (*at == '-' || (*at == '+' && !reader->writes)))
    ++at;
  return has(reader, at, reader->writes ? "}}" : "%}") ? at + 2 : NULL;
}

static naxtext_item word(naxtext_template *reader, int64_t length) {
  naxtext_item item = {NAXTEXT_ITEM_WORD, 0, reader->at, length, reader->at};
  reader->at += length;
  return item;
}

static naxtext_item ruin(naxtext_template *reader) {
  reader->place = NAXTEXT_IN_RUINS;
  return item_of(NAXTEXT_ITEM_BROKEN, reader->at);
}

static int64_t name_length(const naxtext_template *reader, const char *at) {
  const char *begin = at;
  while (at < reader->end && (begins_name(*at) || is_digit(*at)))
    ++at;
  return at - begin;
}

/* .name gives three items: the bracket here, the others by next_of_subscript. */
static naxtext_item begin_subscript(naxtext_template *reader) {
  const char *dot = reader->at, *name = behind_blanks(reader, dot + 1);
  if (name == reader->end || !begins_name(*name))
    return ruin(reader);
  reader->at = name;
  reader->subscript = 2;
  return (naxtext_item){NAXTEXT_ITEM_WORD, 0, "[", 1, dot};
}

static naxtext_item next_of_subscript(naxtext_template *reader) {
  if (--reader->subscript == 0)
    return (naxtext_item){NAXTEXT_ITEM_WORD, 0, "]", 1, reader->at};
  naxtext_item name = word(reader, name_length(reader, reader->at));
  name.kind = NAXTEXT_ITEM_STRING;
  return name;
}

/* A name, number, string or operator. */
static naxtext_item next_word(naxtext_template *reader) {
  const char *at = reader->at;
  if (begins_name(*at))
    return word(reader, name_length(reader, at));
  if (is_digit(*at)) {
    int64_t length = 1;
    while (at + length < reader->end && is_digit(at[length]))
      ++length;
    return word(reader, length);
  }
  if (*at == '.')
    return begin_subscript(reader);
  if (*at == '\'' || *at == '"') {
    const char *close = string_end(reader, at);
    if (!close)
      return ruin(reader);
    reader->at = close + 1;
    return (naxtext_item){NAXTEXT_ITEM_STRING, 0, at + 1, close - at - 1, at};
  }
  static const char *const pairs[] = {"==", "!=", "<=", ">=", "//", "**"};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i)
    if (has(reader, at, pairs[i]))
      return word(reader, 2);
  if (*at == 0 || !strchr("()[]{}<>+-*/%|,:~=", *at))
    return ruin(reader);
  reader->depth += *at == '(' || *at == '[' || *at == '{' ? 1 : *at == ')' || *at == ']' || *at == '}' ? -1 : 0;
  return word(reader, 1);
}

/* Begins a term of what a {{ writes. A string that is a whole term is text; true when it was one. */
static bool begin_string_term(naxtext_template *reader) {
  if (*reader->at != '\'' && *reader->at != '"')
    return false;
  const char *close = string_end(reader, reader->at);
  if (!close)
    return false;
  const char *next = behind_blanks(reader, close + 1);
  if (!tag_end(reader, next) && !has(reader, next, "+"))
    return false;
  reader->place = NAXTEXT_IN_STRING;
  ++reader->at;
  reader->text_end = close;
  reader->resume = next;
  reader->term = NAXTEXT_TERM_DONE;
  return true;
}

/* The next item of the tag; false when there is none here and reading goes on elsewhere. */
static bool next_in_tag(naxtext_template *reader, naxtext_item *item) {
  if (reader->subscript) {
    *item = next_of_subscript(reader);
    return true;
  }
  reader->at = behind_blanks(reader, reader->at);
  const char *where = reader->at, *close = tag_end(reader, where);
  if (where == reader->end || (close && reader->term == NAXTEXT_TERM_EXPECTED)) {
    *item = ruin(reader);
    return true;
  }
  if (close) {
    bool open = reader->term == NAXTEXT_TERM_OPEN;
    leave_tag(reader, close, *where, !reader->writes);
    *item = item_of(NAXTEXT_ITEM_CLOSE, where);
    return open;
  }
  if (reader->term == NAXTEXT_TERM_EXPECTED) {
    if (reader->writes && begin_string_term(reader))
      return false;
    reader->term = NAXTEXT_TERM_OPEN;
    *item = item_of(reader->writes ? NAXTEXT_ITEM_OUTPUT : NAXTEXT_ITEM_BLOCK, where);
    return true;
  }
  if (reader->writes && *where == '+' && reader->depth == 0) {
    bool open = reader->term == NAXTEXT_TERM_OPEN;
    ++reader->at;
    reader->term = NAXTEXT_TERM_EXPECTED;
    *item = item_of(NAXTEXT_ITEM_CLOSE, where);
    return open;
  }
  *item = next_word(reader);
  return true;
}

naxtext_item naxtext_template_next(naxtext_template *reader) {
  for (;;) {
    naxtext_item item = item_of(NAXTEXT_ITEM_TEXT, reader->at);
    switch (reader->place) {
    case NAXTEXT_IN_TEXT:
      if (reader->at < reader->text_end) {
        item.byte = (unsigned char)*reader->at++;
        return item;
      }
      if (reader->resume == reader->end)
        return item_of(NAXTEXT_ITEM_END, reader->end);
      enter_tag(reader);
      break;
    case NAXTEXT_IN_STRING:
      if (reader->at < reader->text_end) {
        int byte = string_byte(&reader->at, reader->text_end);
        item.byte = (unsigned char)byte;
        return byte < 0 ? ruin(reader) : item;
      }
      reader->place = NAXTEXT_IN_TAG;
      reader->at = reader->resume;
      break;
    case NAXTEXT_IN_TAG:
      if (next_in_tag(reader, &item))
        return item;
      break;
    case NAXTEXT_IN_RUINS:
      return item_of(NAXTEXT_ITEM_BROKEN, reader->at);
    }
  }
}
