/* SPDX-License-Identifier: Apache-2.0 */
/* All memory of the tokenizer comes from the allocate hook and goes back with its size; wherever there is none, the
   call is a status and nothing is lost.

   REQUIRES: lowering
   RUN: %python %S/Inputs/make_vocabulary.py %t.gguf small
   RUN: %cc -std=c11 -O1 -Wall -Werror %s %build/lib/libnaxtext.a %naxrt -o %t
   RUN: %t %t.gguf | FileCheck %s

   CHECK-NOT: FAILED
   CHECK: {{[1-9]}} allocations refused one by one, 0 failed
*/
#include "Inputs/text_test.h"

#include "nax/chat.h"
#include "nax/sample.h"

static int left = 1000; /* allocations until there is no memory */
static int64_t held;    /* bytes */

static void *allocate(void *user, size_t bytes, size_t alignment) {
  if (left-- <= 0)
    return NULL;
  held += (int64_t)bytes;
  return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void release(void *user, void *pointer, size_t bytes) {
  held -= (int64_t)bytes;
  free(pointer);
}

/* Whether everything worked; else it was for want of memory. */
static bool use(nax_context *context, const char *path) {
  static const char text[] = "some words that are longer than one byte";
  nax_tokenizer *tokenizer = NULL;
  nax_decoder *decoder = NULL;
  int32_t ids[sizeof text];
  int64_t count = 0;
  nax_status status = nax_tokenizer_open(context, path, &tokenizer);
  if (status == NAX_OK)
    status = nax_text_encode(context, tokenizer, text, strlen(text), NAX_SPECIALS_PLAIN, ids, sizeof text, &count);
  static const nax_chat_message message = {NAX_CHAT_USER, text, sizeof text - 1};
  if (status == NAX_OK)
    status = nax_chat_begin(context, tokenizer, &message, 1, NULL, 0, &count);
  if (status == NAX_OK)
    status = nax_decoder_open(context, tokenizer, NAX_SPECIALS_PLAIN, &decoder);
  static const char *const stop = "\nuser:";
  if (status == NAX_OK)
    status = nax_decoder_stop_at(context, decoder, &stop, 1);
  EXPECT(status == NAX_OK || status == NAX_E_MEMORY, "%s: %s", nax_status_name(status), nax_last_error(context));
  EXPECT(status == NAX_OK || strncmp(nax_last_error(context), "no memory for ", 14) == 0, "%s",
         nax_last_error(context));
  nax_decoder_close(decoder);
  nax_tokenizer_close(tokenizer);
  return status == NAX_OK;
}

/* Once a sampler is open, it needs no more memory. */
static bool draw(nax_context *context) {
  static const float logits[] = {0, 3, 2, 1, 3};
  static const int32_t ids[] = {1, 2, 3, 4, 0};
  nax_sampler_options options = {
      .temperature = 1, .top_k = 4, .top_p = 0.9, .min_p = 0.01, .repetition_penalty = 1.1, .repetition_window = 3};
  nax_sampler *sampler = NULL;
  nax_status status = nax_sampler_open(context, 5, &options, &sampler);
  EXPECT(status == NAX_OK || status == NAX_E_MEMORY, "%s: %s", nax_status_name(status), nax_last_error(context));
  if (status == NAX_OK) {
    left = 0;
    need(context, nax_sampler_see(context, sampler, ids, 5));
    for (int i = 0; i < 100; ++i) {
      int32_t id = 0;
      need(context, nax_sampler_next(context, sampler, logits, 5, &id));
    }
    EXPECT(left == 0, "%d allocations asked for", -left);
  }
  nax_sampler_close(sampler);
  return status == NAX_OK;
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  nax_options options = {.threads = 1, .hooks = {.allocate = allocate, .release = release}};
  nax_context *context = NULL;
  need(NULL, nax_context_create(&options, &context));
  int64_t before = held;
  int refused = 0;
  for (bool worked = false; !worked && refused < 100; refused += !worked) {
    left = refused;
    worked = use(context, argv[1]);
    EXPECT(held == before, "%lld bytes were not given back", (long long)(held - before));
  }
  left = 0;
  EXPECT(!draw(context), "a sampler without memory");
  left = 1;
  EXPECT(draw(context), "a sampler needs more than one block");
  EXPECT(held == before, "%lld bytes were not given back", (long long)(held - before));
  printf("%d allocations refused one by one, %d failed\n", refused, failures);
  nax_context_destroy(context);
  return failures != 0 || held != 0;
}
