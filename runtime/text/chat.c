/* SPDX-License-Identifier: Apache-2.0 */
/* Conversations to ids. What lies between two special tokens of the template, its own words and a message's, is
   encoded as one text, so that the ids are those of the whole text; but only its own words are searched for special
   tokens. */
#include "template.h"

#include <stdio.h>
#include <string.h>

typedef struct Builder {
  naxtext_encoder encoder;
  const naxtext_form *form;
  unsigned char *run; /* what is not encoded yet */
  int64_t run_bytes;
  int64_t trim_from; /* in the run; -1: a special token stands where the spaces to be left out would begin */
} Builder;

const char *nax_chat_form(const nax_tokenizer *tokenizer) {
  return tokenizer && tokenizer->form ? tokenizer->form->name : NULL;
}

//===-- what can not be written ------------------------------------------------------------------------------------//

static nax_status refuse_template(nax_context *context, const nax_tokenizer *tokenizer) {
  const char *text = tokenizer->chat_template, *strayed = text;
  if (!text)
    return naxrt_fail(context, NAX_E_FORMAT, "the file has no chat template (tokenizer.chat_template is missing)");
  int64_t none = 0;
  naxtext_find_form(text, tokenizer->template_bytes, NULL, &none, &strayed);
  int64_t left = text + tokenizer->template_bytes - strayed;
  return naxrt_fail(context, NAX_E_FORMAT,
                    "the file's chat template is none of the known ones (ChatML, Llama 2, Llama 3, Mistral, Zephyr, "
                    "Phi 3, Gemma): none of them has \"%.*s\" at offset %lld",
                    (int)(left < 40 ? left : 40), strayed, (long long)(strayed - text));
}

static bool is_special(const nax_tokenizer *tokenizer, const char *name) {
  int32_t id = nax_tokenizer_find(tokenizer, name, strlen(name));
  return id >= 0 && tokenizer->tokens[id].kind != NAXTEXT_NORMAL;
}

static bool writes(const char *text, const char *token) { return text && strstr(text, token); }

static bool form_writes(const naxtext_form *form, const char *token) {
  bool found = writes(form->begin, token) || writes(form->finish, token) || writes(form->answer, token);
  for (int role = 0; role < 3; ++role)
    found |= writes(form->before[role], token) || writes(form->after[role], token);
  return found;
}

/* Whether the vocabulary has what the form writes. */
static nax_status check_form(nax_context *context, const nax_tokenizer *tokenizer) {
  const naxtext_form *form = tokenizer->form;
  if (!form)
    return refuse_template(context, tokenizer);
  for (int i = 0; form->marks[i]; ++i)
    if (!is_special(tokenizer, form->marks[i]))
      return naxrt_fail(context, NAX_E_FORMAT,
                        "the file's chat template (%s) writes %s, which is no special token of its vocabulary",
                        form->name, form->marks[i]);
  bool begin = form_writes(form, NAXTEXT_BEGIN_TOKEN) && tokenizer->begin_id < 0;
  if (begin || (form_writes(form, NAXTEXT_END_TOKEN) && tokenizer->end_id < 0))
    return naxrt_fail(context, NAX_E_FORMAT,
                      "the file's chat template (%s) writes the %s-of-sequence token, and the file names none (%s)",
                      form->name, begin ? "beginning" : "end",
                      begin ? "tokenizer.ggml.bos_token_id" : "tokenizer.ggml.eos_token_id");
  if (tokenizer->default_bytes > 0) {
    const unsigned char *text = (const unsigned char *)tokenizer->default_system;
    return naxtext_check(context, "the chat template's system message", text, text + tokenizer->default_bytes);
  }
  return NAX_OK;
}

static nax_status check_role(nax_context *context, const naxtext_form *form, const nax_chat_message *messages,
                             int64_t index, bool begins) {
  static const char *const names[] = {"system", "user", "assistant"};
  int64_t role = (int64_t)messages[index].role;
  if (role < 0 || role > 2)
    return naxrt_fail(context, NAX_E_VALUE, "messages[%lld].role is %lld, which is no nax_chat_role", (long long)index,
                      (long long)role);
  if (!form->before[role])
    return naxrt_fail(context, NAX_E_VALUE, "messages[%lld]: the chat template (%s) has no %s messages",
                      (long long)index, form->name, names[role]);
  if (form->turns == NAXTEXT_ANY_TURNS || (begins && index == 0 && role == NAX_CHAT_SYSTEM))
    return NAX_OK;
  bool users_turn = index == 0 || messages[index - 1].role != NAX_CHAT_USER;
  if (role != (users_turn ? NAX_CHAT_USER : NAX_CHAT_ASSISTANT))
    return naxrt_fail(context, NAX_E_VALUE,
                      "messages[%lld] is the %s's; with this chat template (%s) it is the %s's turn", (long long)index,
                      names[role], form->name, users_turn ? "user" : "assistant");
  return NAX_OK;
}

/* A message that can be encoded by itself can be so within the template. */
static nax_status check_text(const Builder *builder, const nax_chat_message *message, int64_t index) {
  nax_context *context = builder->encoder.context;
  char name[48];
  snprintf(name, sizeof name, "messages[%lld]", (long long)index);
  if (!message->text && message->bytes)
    return naxrt_fail(context, NAX_E_NULL, "%s.text is null", name);
  if (message->bytes == 0)
    return NAX_OK;
  if (message->bytes > INT32_MAX)
    return naxrt_fail(context, NAX_E_SIZE, "%s: %zu bytes are more than the %d that are encoded at once", name,
                      message->bytes, INT32_MAX);
  const unsigned char *text = (const unsigned char *)message->text, *end = text + message->bytes;
  nax_status status = naxtext_check(context, name, text, end);
  if (status != NAX_OK)
    return status;
  naxtext_encoder counter = {.context = context, .tokenizer = builder->encoder.tokenizer, .what = name};
  status = naxtext_encode(&counter, text, end, NAX_SPECIALS_PLAIN);
  naxrt_release(&context->hooks, counter.scratch, counter.scratch_bytes);
  return status;
}

//===-- writing ----------------------------------------------------------------------------------------------------//

static nax_status flush(Builder *builder) {
  const unsigned char *run = builder->run;
  nax_status status = naxtext_encode(&builder->encoder, run, run + builder->run_bytes, NAX_SPECIALS_PLAIN);
  builder->run_bytes = 0;
  builder->trim_from = -1;
  return status;
}

static nax_status append_special(Builder *builder, int32_t id) {
  nax_status status = flush(builder);
  if (status == NAX_OK)
    naxtext_append(&builder->encoder, id);
  return status;
}

static void append_plain(Builder *builder, const void *text, size_t bytes) {
  if (bytes)
    memcpy(builder->run + builder->run_bytes, text, bytes);
  builder->run_bytes += (int64_t)bytes;
}

/* The template's own words. */
static nax_status append_named(Builder *builder, const char *text, int64_t bytes) {
  const nax_tokenizer *tokenizer = builder->encoder.tokenizer;
  const unsigned char *at = (const unsigned char *)text, *end = at + bytes;
  while (at < end) {
    int32_t id = naxtext_special_at(tokenizer, at, end, NAX_SPECIALS_NAMED);
    if (id < 0) {
      append_plain(builder, at++, 1);
      continue;
    }
    nax_status status = append_special(builder, id);
    if (status != NAX_OK)
      return status;
    at += tokenizer->tokens[id].length;
  }
  return NAX_OK;
}

/* What Python's str.strip takes away. */
static bool is_space(const unsigned char *at, const unsigned char *end) {
  uint32_t code = 0;
  return naxtext_character(at, end, &code) &&
         (naxtext_classify(code) == NAXTEXT_SPACE || (code >= 0x1C && code <= 0x1F));
}

static void trim(Builder *builder) {
  unsigned char *end = builder->run + builder->run_bytes;
  unsigned char *begin = builder->run + (builder->trim_from < 0 ? 0 : builder->trim_from), *first = begin;
  while (end > begin) {
    unsigned char *last = end - 1;
    while (last > begin && (*last & 0xC0) == 0x80)
      --last;
    if (!is_space(last, end))
      break;
    end = last;
  }
  while (builder->trim_from >= 0 && first < end && is_space(first, end))
    do
      ++first;
    while (first < end && (*first & 0xC0) == 0x80);
  memmove(begin, first, (size_t)(end - first));
  builder->run_bytes = begin - builder->run + (end - first);
}

/* A text of the form: words between bytes that stand for something else. */
static nax_status append(Builder *builder, const char *text) {
  const nax_tokenizer *tokenizer = builder->encoder.tokenizer;
  nax_status status = NAX_OK;
  while (text && *text && status == NAX_OK) {
    int64_t words = (int64_t)strcspn(text, NAXTEXT_BEGIN_TOKEN NAXTEXT_END_TOKEN NAXTEXT_TRIM NAXTEXT_TRIMMED);
    status = append_named(builder, text, words);
    text += words;
    if (status != NAX_OK || !*text)
      return status;
    char code = *text++;
    if (code == NAXTEXT_TRIM[0])
      builder->trim_from = builder->run_bytes;
    else if (code == NAXTEXT_TRIMMED[0])
      trim(builder);
    else
      status = append_special(builder, code == NAXTEXT_BEGIN_TOKEN[0] ? tokenizer->begin_id : tokenizer->end_id);
  }
  return status;
}

static nax_status append_message(Builder *builder, const nax_chat_message *message, bool after_system) {
  const naxtext_form *form = builder->form;
  bool other = after_system && message->role == NAX_CHAT_USER && form->before_first_user;
  nax_status status = append(builder, other ? form->before_first_user : form->before[message->role]);
  if (status != NAX_OK)
    return status;
  append_plain(builder, message->text, message->bytes);
  return append(builder, form->after[message->role]);
}

static nax_status append_default(Builder *builder) {
  const nax_tokenizer *tokenizer = builder->encoder.tokenizer;
  nax_status status = append(builder, builder->form->before[NAX_CHAT_SYSTEM]);
  if (status == NAX_OK)
    status = append_named(builder, tokenizer->default_system, tokenizer->default_bytes);
  return status == NAX_OK ? append(builder, builder->form->after[NAX_CHAT_SYSTEM]) : status;
}

static nax_status append_all(Builder *builder, const nax_chat_message *messages, int64_t count, bool begins) {
  const naxtext_form *form = builder->form;
  nax_status status = append(builder, begins ? form->begin : form->after[NAX_CHAT_ASSISTANT]);
  if (status == NAX_OK && begins && builder->encoder.tokenizer->default_bytes >= 0 &&
      messages[0].role != NAX_CHAT_SYSTEM)
    status = append_default(builder);
  for (int64_t i = 0; i < count && status == NAX_OK; ++i)
    status = append_message(builder, &messages[i], i > 0 && messages[i - 1].role == NAX_CHAT_SYSTEM);
  if (status == NAX_OK)
    status = append(builder, messages[count - 1].role == NAX_CHAT_ASSISTANT ? form->finish : form->answer);
  return status == NAX_OK ? flush(builder) : status;
}

//===-- the API ----------------------------------------------------------------------------------------------------//

static int64_t length_of(const char *text) { return text ? (int64_t)strlen(text) : 0; }

/* Bytes of all that is written at most; -1 when that is more than can be encoded at once. */
static int64_t most_bytes(const nax_tokenizer *tokenizer, const nax_chat_message *messages, int64_t count) {
  const naxtext_form *form = tokenizer->form;
  int64_t words = length_of(form->before_first_user), all = 0;
  for (int role = 0; role < 3; ++role)
    words += length_of(form->before[role]) + length_of(form->after[role]);
  for (int64_t i = 0; i < count; ++i) {
    all += words + (int64_t)messages[i].bytes;
    if (all > INT32_MAX)
      return -1;
  }
  all += words + length_of(form->begin) + length_of(form->answer) + length_of(form->finish);
  if (tokenizer->default_bytes > 0)
    all += tokenizer->default_bytes;
  return all > INT32_MAX ? -1 : all;
}

static nax_status check_messages(const Builder *builder, const nax_chat_message *messages, int64_t count, bool begins) {
  nax_status status = NAX_OK;
  for (int64_t i = 0; i < count && status == NAX_OK; ++i) {
    status = check_role(builder->encoder.context, builder->form, messages, i, begins);
    if (status == NAX_OK)
      status = check_text(builder, &messages[i], i);
  }
  if (status == NAX_OK && builder->form->turns != NAXTEXT_ANY_TURNS && messages[count - 1].role == NAX_CHAT_SYSTEM)
    return naxrt_fail(builder->encoder.context, NAX_E_VALUE,
                      "messages[%lld]: with this chat template (%s) the user's message has to follow the system's",
                      (long long)count - 1, builder->form->name);
  return status;
}

static nax_status encode_chat(Builder *builder, const nax_chat_message *messages, int64_t count, bool begins) {
  nax_context *context = builder->encoder.context;
  nax_status status = check_messages(builder, messages, count, begins);
  if (status != NAX_OK)
    return status;
  int64_t bytes = most_bytes(builder->encoder.tokenizer, messages, count);
  if (bytes < 0)
    return naxrt_fail(context, NAX_E_SIZE,
                      "messages: together they have more than the %d bytes that are encoded at once", INT32_MAX);
  builder->run = naxrt_allocate(context, bytes + 1, "a conversation");
  if (!builder->run)
    return NAX_E_MEMORY;
  status = append_all(builder, messages, count, begins);
  naxrt_release(&context->hooks, builder->run, bytes + 1);
  naxrt_release(&context->hooks, builder->encoder.scratch, builder->encoder.scratch_bytes);
  return status;
}

static nax_status chat(nax_context *context, const nax_tokenizer *tokenizer, const nax_chat_message *messages,
                       int64_t count, int32_t *ids, int64_t capacity, int64_t *id_count, bool begins) {
  const char *name = begins ? "nax_chat_begin" : "nax_chat_continue";
  if (!naxrt_begin(context))
    return naxrt_fail_without_context();
  const char *null = !tokenizer         ? "tokenizer"
                     : !messages        ? "messages"
                     : !ids && capacity ? "ids"
                     : !id_count        ? "id_count"
                                        : NULL;
  if (null)
    return naxrt_fail(context, NAX_E_NULL, "%s: %s is null", name, null);
  *id_count = 0;
  if (capacity < 0)
    return naxrt_fail(context, NAX_E_SIZE, "%s: capacity is %lld", name, (long long)capacity);
  if (count < 1)
    return naxrt_fail(context, NAX_E_VALUE, "%s: count is %lld; there has to be a message", name, (long long)count);
  nax_status status = check_form(context, tokenizer);
  if (status != NAX_OK)
    return status;
  Builder builder = {.form = tokenizer->form};
  builder.encoder = (naxtext_encoder){.context = context, .tokenizer = tokenizer, .what = "the chat template's text"};
  builder.encoder.ids = ids;
  builder.encoder.capacity = capacity;
  status = encode_chat(&builder, messages, count, begins);
  if (status != NAX_OK)
    return status;
  *id_count = builder.encoder.count;
  if (ids && *id_count > capacity)
    return naxrt_fail(context, NAX_E_SIZE, "%s: the messages have %lld tokens, there is room for %lld", name,
                      (long long)*id_count, (long long)capacity);
  return NAX_OK;
}

nax_status nax_chat_begin(nax_context *context, const nax_tokenizer *tokenizer, const nax_chat_message *messages,
                          int64_t count, int32_t *ids, int64_t capacity, int64_t *id_count) {
  return chat(context, tokenizer, messages, count, ids, capacity, id_count, true);
}

nax_status nax_chat_continue(nax_context *context, const nax_tokenizer *tokenizer, const nax_chat_message *messages,
                             int64_t count, int32_t *ids, int64_t capacity, int64_t *id_count) {
  return chat(context, tokenizer, messages, count, ids, capacity, id_count, false);
}
