/* SPDX-License-Identifier: Apache-2.0 */
/* A chat template that is not known, or that the vocabulary does not fit, is refused with a sentence that quotes it; so
   are conversations that a template has no place for. And which tokens end an answer.

   REQUIRES: lowering
   RUN: rm -rf %t.d
   RUN: %python %S/Inputs/make_vocabulary.py --chat-changes %t.d
   RUN: %python %S/Inputs/make_vocabulary.py --chats %S/Inputs/chats.txt %t.d
   RUN: %cc -std=c11 -O1 -Wall -Werror %s %build/lib/libnaxtext.a %naxrt -o %t
   RUN: cd %t.d && %t | FileCheck %s

   CHECK-NOT: FAILED
   CHECK: 0 failed
*/
#include "Inputs/text_test.h"

#include "nax/chat.h"

static nax_context *context;

static const nax_chat_message hello = {NAX_CHAT_USER, "Hello", 5};

static nax_tokenizer *opened(const char *name) {
  nax_tokenizer *tokenizer = NULL;
  char path[64];
  snprintf(path, sizeof path, "%s.gguf", name);
  need(context, nax_tokenizer_open(context, path, &tokenizer));
  return tokenizer;
}

static void refused(const char *name, nax_status status, const char *text) {
  nax_tokenizer *tokenizer = opened(name);
  int32_t ids[64] = {-7};
  int64_t count = 99;
  EXPECT_FAILURE(nax_chat_begin(context, tokenizer, &hello, 1, ids, 64, &count), status, text);
  EXPECT(count == 0, "%lld", (long long)count);
  EXPECT_FAILURE(nax_chat_continue(context, tokenizer, &hello, 1, ids, 64, &count), status, text);
  nax_tokenizer_close(tokenizer);
}

#define UNKNOWN(what, offset)                                                                                          \
  "the file's chat template is none of the known ones (ChatML, Llama 2, Llama 3, Mistral, Zephyr, Phi 3, Gemma): "     \
  "none of them has \"" what "\" at offset " offset

static void templates(void) {
  refused("no-template", NAX_E_FORMAT, "the file has no chat template (tokenizer.chat_template is missing)");
  refused("other-template", NAX_E_FORMAT, UNKNOWN("tools %}<tools>{%- endif %}{% for messag", "7"));
  refused("nearly-template", NAX_E_FORMAT, UNKNOWN(" ' + '?'}}{% endfor %}{% if add_generati", "276"));
  refused("broken-template", NAX_E_FORMAT, UNKNOWN("{% if add_generation_prompt %}{{ '<|im_s", "294"));
  refused("blank-that-stays", NAX_E_FORMAT, UNKNOWN(" {% endfor %}{% if add_generation_prompt", "285"));
  refused("line-end-that-stays", NAX_E_FORMAT, UNKNOWN("?{% if add_generation_prompt %}{{ '<|im_", "298"));
  refused("carriage-return", NAX_E_FORMAT, UNKNOWN("?", "368"));
  refused("template-without-mark", NAX_E_FORMAT,
          "the file's chat template (ChatML) writes <|im_end|>, which is no special token of its vocabulary");
  refused("template-without-begin", NAX_E_FORMAT,
          "the file's chat template (ChatML) writes the beginning-of-sequence token, and the file names none "
          "(tokenizer.ggml.bos_token_id)");
  refused("template-without-end", NAX_E_FORMAT,
          "the file's chat template (Mistral) writes the end-of-sequence token, and the file names none "
          "(tokenizer.ggml.eos_token_id)");
  refused("template-without-utf-8", NAX_E_VALUE,
          "the chat template's system message: the byte 0xFF at offset 14 begins no character of UTF-8");
  nax_tokenizer *tokenizer = opened("template-without-byte");
  int64_t count = 99;
  EXPECT_FAILURE(nax_chat_begin(context, tokenizer, &hello, 1, NULL, 0, &count), NAX_E_VALUE,
                 "the chat template's text: the vocabulary has no token for the byte 0x04 at offset 21");
  nax_tokenizer_close(tokenizer);
}

/* These messages are refused with this text; `template` is a number of chats.txt. */
static void messages_refused(const char *template, const nax_chat_message *messages, int64_t count, const char *text) {
  nax_tokenizer *tokenizer = opened(template);
  int64_t ids = 99;
  EXPECT_FAILURE(nax_chat_begin(context, tokenizer, messages, count, NULL, 0, &ids), NAX_E_VALUE, text);
  EXPECT(ids == 0, "%lld", (long long)ids);
  nax_tokenizer_close(tokenizer);
}

static void conversations(void) {
  static const char *const chatml = "1", *const llama2 = "8", *const phi3_first = "17", *const gemma = "19";
  nax_chat_message m[] = {{NAX_CHAT_SYSTEM, "Be brief.", 9}, hello, {NAX_CHAT_ASSISTANT, "Hi", 2}, hello, hello};
  messages_refused(gemma, m, 2, "messages[0]: the chat template (Gemma) has no system messages");
  messages_refused(phi3_first, m, 2, "messages[0]: the chat template (Phi 3) has no system messages");
  messages_refused(gemma, m + 2, 1,
                   "messages[0] is the assistant's; with this chat template (Gemma) it is the user's turn");
  messages_refused(llama2, m, 5,
                   "messages[4] is the user's; with this chat template (Llama 2) it is the assistant's turn");
  messages_refused(llama2, m, 1,
                   "messages[0]: with this chat template (Llama 2) the user's message has to follow the system's");
  m[3].role = (nax_chat_role)3;
  messages_refused(chatml, m, 5, "messages[3].role is 3, which is no nax_chat_role");
  m[3] = (nax_chat_message){NAX_CHAT_USER, "na\xEFve", 5};
  messages_refused(chatml, m, 5, "messages[3]: the byte 0xEF at offset 2 begins no character of UTF-8");
  m[3] = (nax_chat_message){NAX_CHAT_USER,
                            "a\x04"
                            "b",
                            3};
  messages_refused(chatml, m, 5, "messages[3]: the vocabulary has no token for the byte 0x04 at offset 1");
  messages_refused(chatml, m, 0, "nax_chat_begin: count is 0; there has to be a message");
}

static void arguments(void) {
  nax_tokenizer *tokenizer = opened("1");
  nax_chat_message null = {NAX_CHAT_USER, NULL, 5};
  int32_t ids[8] = {0, 0, 0, -7};
  int64_t count = 0;
  EXPECT_FAILURE(nax_chat_begin(context, NULL, &hello, 1, ids, 8, &count), NAX_E_NULL,
                 "nax_chat_begin: tokenizer is null");
  EXPECT_FAILURE(nax_chat_continue(context, tokenizer, NULL, 1, ids, 8, &count), NAX_E_NULL,
                 "nax_chat_continue: messages is null");
  EXPECT_FAILURE(nax_chat_begin(context, tokenizer, &hello, 1, NULL, 8, &count), NAX_E_NULL,
                 "nax_chat_begin: ids is null");
  EXPECT_FAILURE(nax_chat_begin(context, tokenizer, &hello, 1, ids, 8, NULL), NAX_E_NULL,
                 "nax_chat_begin: id_count is null");
  EXPECT_FAILURE(nax_chat_begin(context, tokenizer, &null, 1, ids, 8, &count), NAX_E_NULL, "messages[0].text is null");
  EXPECT_FAILURE(nax_chat_begin(context, tokenizer, &hello, 1, ids, -1, &count), NAX_E_SIZE,
                 "nax_chat_begin: capacity is -1");
  nax_chat_message large[] = {{NAX_CHAT_USER, "", (size_t)1 << 31}, {NAX_CHAT_USER, "", SIZE_MAX}};
  EXPECT_FAILURE(nax_chat_begin(context, tokenizer, large, 1, ids, 8, &count), NAX_E_SIZE,
                 "messages[0]: 2147483648 bytes are more than the 2147483647 that are encoded at once");
  EXPECT_FAILURE(nax_chat_begin(context, tokenizer, large + 1, 1, ids, 8, &count), NAX_E_SIZE,
                 "messages[0]: 18446744073709551615 bytes are more than the 2147483647 that are encoded at once");
  need(context, nax_chat_begin(context, tokenizer, &hello, 1, NULL, 0, &count));
  int64_t wanted = count;
  char text[96];
  snprintf(text, sizeof text, "nax_chat_begin: the messages have %lld tokens, there is room for 3", (long long)wanted);
  EXPECT_FAILURE(nax_chat_begin(context, tokenizer, &hello, 1, ids, 3, &count), NAX_E_SIZE, text);
  EXPECT(count == wanted && ids[3] == -7, "%lld ids, the fourth is %d", (long long)count, ids[3]);
  nax_chat_message empty = {NAX_CHAT_USER, NULL, 0};
  need(context, nax_chat_begin(context, tokenizer, &empty, 1, NULL, 0, &count));
  EXPECT(nax_chat_begin(NULL, tokenizer, &hello, 1, ids, 8, &count) == NAX_E_NULL, "without a context");
  EXPECT(nax_chat_form(NULL) == NULL, "the form of nothing");
  nax_tokenizer_close(tokenizer);
}

/* Which ids end an answer, as "2 5 6". */
static void expect_ends(const char *name, const char *wanted) {
  nax_tokenizer *tokenizer = opened(name);
  char found[64] = "";
  for (int64_t id = -3; id < nax_tokenizer_size(tokenizer) + 3; ++id)
    if (nax_tokenizer_is_end(tokenizer, (int32_t)id))
      snprintf(found + strlen(found), sizeof found - strlen(found), " %d", (int)id);
  EXPECT(strcmp(found, wanted) == 0, "%s: ids%s end an answer, not%s", name, found, wanted);
  nax_tokenizer_close(tokenizer);
}

int main(void) {
  need(NULL, nax_context_create(NULL, &context));
  templates();
  conversations();
  arguments();
  expect_ends("no-template", " 2");
  expect_ends("more-ends", " 2 5 6");
  expect_ends("marks", " 2 4"); // </s>, and ChatML's <|im_end|>
  expect_ends("10", " 4 5");    // </s>, and Llama 3's <|eot_id|>
  expect_ends("template-without-end", "");
  printf("%d failed\n", failures);
  nax_context_destroy(context);
  return failures != 0;
}
