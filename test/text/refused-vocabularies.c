/* SPDX-License-Identifier: Apache-2.0 */
/* A GGUF file whose tokenizer is damaged or of another kind is refused with a sentence that names file and place; so
   is a file that has none.

   REQUIRES: lowering
   RUN: rm -rf %t.d
   RUN: %python %S/Inputs/make_vocabulary.py --faults %t.d
   RUN: %cc -std=c11 -O1 -Wall -Werror %s %build/lib/libnaxtext.a %naxrt -o %t
   RUN: cd %t.d
   RUN: %t another-model another-pre no-model no-pre no-tokens no-merges no-kinds few-kinds \
   RUN:    empty-token space-in-token latin1-token same-token \
   RUN:    merge-without-space merge-with-two-spaces merge-of-nothing merge-empty \
   RUN:    merge-left-unknown merge-right-unknown merge-makes-unknown end-outside end-is-text > out
   RUN: FileCheck %s --match-full-lines --input-file=out

   CHECK:      NAX_E_FORMAT another-model.gguf: tokenizer.ggml.model is "llama"; only "gpt2" is read
   CHECK-NEXT: NAX_E_FORMAT another-pre.gguf: tokenizer.ggml.pre is "qwen2"; only "smollm" and "gpt-2" are known
   CHECK-NEXT: NAX_E_FORMAT no-model.gguf: has no tokenizer (tokenizer.ggml.model is missing)
   CHECK-NEXT: NAX_E_FORMAT no-pre.gguf: does not say how text is cut before merging (tokenizer.ggml.pre is missing)
   CHECK-NEXT: NAX_E_FORMAT no-tokens.gguf: tokenizer.ggml.tokens is no list of tokens
   CHECK-NEXT: NAX_E_FORMAT no-merges.gguf: tokenizer.ggml.merges is no list of merges
   CHECK-NEXT: NAX_E_FORMAT no-kinds.gguf: tokenizer.ggml.token_type is no list of numbers
   CHECK-NEXT: NAX_E_FORMAT few-kinds.gguf: has 49152 tokens and 49151 token types
   CHECK-NEXT: NAX_E_FORMAT empty-token.gguf: token 300 is empty
   CHECK-NEXT: NAX_E_FORMAT space-in-token.gguf: token 300 is not written in the letters that stand for bytes
   CHECK-NEXT: NAX_E_FORMAT latin1-token.gguf: token 300 is not written in the letters that stand for bytes
   CHECK-NEXT: NAX_E_FORMAT same-token.gguf: tokens 299 and 300 are the same
   CHECK-NEXT: NAX_E_FORMAT merge-without-space.gguf: merge 2 is not two tokens with a space between them
   CHECK-NEXT: NAX_E_FORMAT merge-with-two-spaces.gguf: merge 2 is not two tokens with a space between them
   CHECK-NEXT: NAX_E_FORMAT merge-of-nothing.gguf: merge 2 is not two tokens with a space between them
   CHECK-NEXT: NAX_E_FORMAT merge-empty.gguf: merge 2 is not two tokens with a space between them
   CHECK-NEXT: NAX_E_FORMAT merge-left-unknown.gguf: merge 2 ("qzqzq n"): its left part is no token
   CHECK-NEXT: NAX_E_FORMAT merge-right-unknown.gguf: merge 2 ("i qzqzq"): its right part is no token
   CHECK-NEXT: NAX_E_FORMAT merge-makes-unknown.gguf: merge 2 ("q z"): what it makes is no token
   CHECK-NEXT: NAX_E_FORMAT end-outside.gguf: tokenizer.ggml.eos_token_id is not one of the 49152 tokens
   CHECK-NEXT: NAX_E_FORMAT end-is-text.gguf: tokenizer.ggml.eos_token_id is not one of the 49152 tokens
*/
#include "Inputs/text_test.h"

int main(int argc, char **argv) {
  nax_context *context = NULL;
  need(NULL, nax_context_create(NULL, &context));
  for (int i = 1; i < argc; ++i) {
    char path[256];
    nax_tokenizer *tokenizer = NULL;
    snprintf(path, sizeof path, "%s.gguf", argv[i]);
    nax_status status = nax_tokenizer_open(context, path, &tokenizer);
    printf("%s %s\n", nax_status_name(status), nax_last_error(context));
    EXPECT((status == NAX_OK) == (tokenizer != NULL), "%s", path);
    nax_tokenizer_close(tokenizer);
  }
  nax_context_destroy(context);
  return failures != 0;
}
