/* SPDX-License-Identifier: Apache-2.0 */
/* Conversations to tokens, in the form that the chat template of a GGUF file gives them. Part of libnaxtext.

   A template is a program in the language Jinja. It is not run but recognised: it has to say the same as one of the
   templates that are known here, tag by tag (how they are quoted and spaced does not matter), with the text of its
   default system message as the one thing that may differ. Known are ChatML, Llama 2, Llama 3, Mistral, Zephyr, Phi 3
   and Gemma in their published forms; what is none of them is refused, since a model that is addressed in a form that
   it was not trained on answers fluent nonsense.

   Only the template makes special tokens. "<|im_end|>" in a message is those ten letters and ends nothing. C99 and
   C++. */
#ifndef NAX_CHAT_H
#define NAX_CHAT_H

#include "nax/text.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum nax_chat_role { NAX_CHAT_SYSTEM = 0, NAX_CHAT_USER = 1, NAX_CHAT_ASSISTANT = 2 } nax_chat_role;

/* One turn. The text is UTF-8 and belongs to the caller. */
typedef struct nax_chat_message {
  nax_chat_role role;
  const char *text;
  size_t bytes;
} nax_chat_message;

/* The form of the file's chat template, "ChatML"; NULL when the file has none or one that is not known. */
const char *nax_chat_form(const nax_tokenizer *tokenizer);

/* The ids of a conversation from its beginning: what the template writes for these messages, its default system
   message included where it has one and the first message is not the system's. When the last message is not the
   assistant's, the ids end where its answer begins. They are those of the whole text that the template writes, so the
   ids of a template that some program runs and then encodes are the same.
   *id_count is how many they are, also when `capacity` is less and the call fails with NAX_E_SIZE; `ids` NULL with
   capacity 0 only counts.
   NAX_E_FORMAT: no template, or one that is not known (the error quotes where it leaves what is), or its marks are no
   tokens of the vocabulary. NAX_E_VALUE: no message, an order of roles that the template refuses, or a text that
   can not be encoded; the error names the message. */
NAX_NODISCARD nax_status nax_chat_begin(nax_context *context, const nax_tokenizer *tokenizer,
                                        const nax_chat_message *messages, int64_t count, int32_t *ids, int64_t capacity,
                                        int64_t *id_count);

/* The ids that follow an answer as it was drawn, without the token that ended it: the end of the assistant's turn, the
   messages (most often one, the user's), and where the next answer begins. So a cache of keys and values gets only
   what is new:

     nax_chat_begin(m[0..i]), the drawn ids of the answer m[i+1], nax_chat_continue(m[i+2..])

   are the ids of nax_chat_begin(m) wherever the whole text, encoded, has the ids that were drawn, and the answer has no
   spaces at its ends that the template leaves out. An answer may have been broken off at any token. */
NAX_NODISCARD nax_status nax_chat_continue(nax_context *context, const nax_tokenizer *tokenizer,
                                           const nax_chat_message *messages, int64_t count, int32_t *ids,
                                           int64_t capacity, int64_t *id_count);

#ifdef __cplusplus
}
#endif

#endif
