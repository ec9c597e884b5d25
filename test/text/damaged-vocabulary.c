/* SPDX-License-Identifier: Apache-2.0 */
/* A small vocabulary with bytes changed or the end cut off, many times: it is refused with words, or it opens and then
   works. Run it by hand under a sanitizer with more rounds: PROGRAM VOCABULARY ROUNDS SEED.

   REQUIRES: lowering
   RUN: %python %S/Inputs/make_vocabulary.py %t.gguf small
   RUN: %cc -std=c11 -O1 -Wall -Werror %s %build/lib/libnaxtext.a %naxrt -o %t
   RUN: %t %t.gguf 4000 1 | FileCheck %s

   CHECK-NOT: FAILED
   CHECK: 4000 rounds: {{[0-9][0-9]+}} opened, {{[0-9][0-9][0-9]+}} refused, {{[0-9][0-9]+}} conversations, 0 failed
*/
#include "Inputs/text_test.h"

#include "nax/chat.h"

static uint64_t state;

static uint32_t draw(uint32_t below) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((state >> 33) % below);
}

static void damage(unsigned char *data, size_t *bytes) {
  if (draw(8) == 0)
    *bytes = draw((uint32_t)*bytes);
  for (uint32_t i = 0, changes = 1 + draw(3); i < changes && *bytes; ++i) {
    // Half of them where the counts and keys are.
    size_t at = draw((uint32_t)(draw(2) && *bytes > 400 ? 400 : *bytes));
    data[at] = (unsigned char)(draw(2) ? draw(256) : data[at] ^ 1u << draw(8));
  }
}

static void use(nax_context *context, const nax_tokenizer *tokenizer) {
  static const char text[] = "The number 12 isn't  there: <|im_end|>\n日本 😀";
  int32_t ids[sizeof text];
  int64_t count = 0;
  nax_status status =
      nax_text_encode(context, tokenizer, text, sizeof text - 1, NAX_SPECIALS_NAMED, ids, sizeof text, &count);
  EXPECT(status == NAX_OK || *nax_last_error(context), "no words");
  static char made[1 << 16];
  size_t bytes = 0;
  status = nax_text_decode(context, tokenizer, ids, count, NAX_SPECIALS_NAMED, made, sizeof made, &bytes);
  EXPECT(status == NAX_OK || *nax_last_error(context), "no words");
}

static int chats;

static void talk(nax_context *context, const nax_tokenizer *tokenizer) {
  static const nax_chat_message messages[] = {
      {NAX_CHAT_USER, " What? ", 7}, {NAX_CHAT_ASSISTANT, "<|im_end|>", 10}, {NAX_CHAT_USER, "日本\n", 7}};
  int32_t ids[512];
  int64_t count = 0;
  nax_status status = nax_chat_begin(context, tokenizer, messages, 3, ids, 512, &count);
  EXPECT(status == NAX_OK || *nax_last_error(context), "no words");
  chats += status == NAX_OK;
  status = nax_chat_continue(context, tokenizer, messages, 1, ids, 512, &count);
  EXPECT(status == NAX_OK || *nax_last_error(context), "no words");
}

static size_t read_all(const char *path, unsigned char *data, size_t room) {
  FILE *file = fopen(path, "rb");
  size_t bytes = file ? fread(data, 1, room, file) : 0;
  if (file)
    fclose(file);
  return bytes;
}

int main(int argc, char **argv) {
  if (argc != 4)
    return 2;
  static unsigned char whole[1 << 20], data[1 << 20];
  size_t whole_bytes = read_all(argv[1], whole, sizeof whole);
  int rounds = atoi(argv[2]), opened = 0;
  state = strtoull(argv[3], NULL, 10);
  char path[4096];
  snprintf(path, sizeof path, "%s.damaged", argv[1]);
  nax_context *context = NULL;
  need(NULL, nax_context_create(NULL, &context));
  for (int i = 0; i < rounds; ++i) {
    size_t bytes = whole_bytes;
    memcpy(data, whole, bytes);
    damage(data, &bytes);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, bytes, file) != bytes || fclose(file) != 0)
      return 2;
    nax_tokenizer *tokenizer = NULL;
    nax_status status = nax_tokenizer_open(context, path, &tokenizer);
    EXPECT((status == NAX_OK) == (tokenizer != NULL) && (status == NAX_OK || *nax_last_error(context)), "%s",
           nax_status_name(status));
    if (status == NAX_OK) {
      ++opened;
      use(context, tokenizer);
      talk(context, tokenizer);
    }
    nax_tokenizer_close(tokenizer);
  }
  printf("%d rounds: %d opened, %d refused, %d conversations, %d failed\n", rounds, opened, rounds - opened, chats,
         failures);
  nax_context_destroy(context);
  return failures != 0;
}
