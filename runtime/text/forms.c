/* SPDX-License-Identifier: Apache-2.0 */
/* The chat templates that are known, each with what it writes. A file's template has to be one of them, item by item;
   test/text/Inputs/chats.txt has what an interpreter of Jinja makes of their published spellings. */
#include "template.h"

#include <string.h>

/* In a known template: any text, that of the default system message. */
#define DEFAULT "\5"

#define EACH(body) "{% for message in messages %}" body "{% endfor %}"
#define ANSWERING(text) "{% if add_generation_prompt %}" text "{% endif %}"
#define MAY_BE_UNDEFINED                                                                                               \
  "{% if not add_generation_prompt is defined %}{% set add_generation_prompt = false %}{% endif %}"
#define MUST_ALTERNATE                                                                                                 \
  "{% if (message.role == 'user') != (loop.index0 % 2 == 0) %}"                                                        \
  "{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}{% endif %}"

#define CHATML_DEFAULT                                                                                                 \
  "{% if loop.first and messages[0].role != 'system' %}<|im_start|>system\n" DEFAULT "<|im_end|>\n{% endif %}"
#define CHATML_TURN "<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n"
#define CHATML_ANSWER "<|im_start|>assistant\n"
#define CHATML                                                                                                         \
  .name = "ChatML", .before = {"<|im_start|>system\n", "<|im_start|>user\n", CHATML_ANSWER},                           \
  .after = {"<|im_end|>\n", "<|im_end|>\n", "<|im_end|>\n"}, .answer = CHATML_ANSWER, .end = "<|im_end|>",             \
  .marks = {"<|im_start|>", "<|im_end|>"}

#define LLAMA3_HEADER(role) "<|start_header_id|>" role "<|end_header_id|>\n\n"
#define LLAMA3_END NAXTEXT_TRIMMED "<|eot_id|>"

#define MISTRAL(behind)                                                                                                \
  .name = "Mistral", .begin = NAXTEXT_BEGIN_TOKEN, .before = {NULL, "[INST] ", ""},                                    \
  .after = {NULL, " [/INST]", NAXTEXT_END_TOKEN behind}, .answer = "", .turns = NAXTEXT_ALTERNATE
#define MISTRAL_TEXT(behind)                                                                                           \
  "{{ bos_token }}" EACH(MUST_ALTERNATE                                                                                \
                         "{% if message.role == 'user' %}[INST] {{ message.content }} [/INST]"                         \
                         "{% elif message.role == 'assistant' %}{{ message.content }}{{ eos_token }}" behind           \
                         "{% else %}{{ raise_exception('Only user and assistant roles are supported!') }}{% endif %}")

#define PHI3(system, behind_user, before_answer, ...)                                                                  \
  .name = "Phi 3", .before = {system, "<|user|>\n", before_answer},                                                    \
  .after = {"<|end|>\n", "<|end|>\n" behind_user, "<|end|>\n"}, .answer = before_answer, .end = "<|end|>",             \
  .marks = {"<|user|>", "<|assistant|>", "<|end|>", __VA_ARGS__}
#define PHI3_TURN(role) "<|" role "|>\n{{ message.content }}<|end|>\n"
#define PHI3_EARLY                                                                                                     \
  EACH("{% if (message.role == 'user') %}<|user|>\n{{ message.content }}<|end|>\n<|assistant|>\n"                      \
       "{% elif (message.role == 'assistant') %}{{ message.content }}<|end|>\n{% endif %}")

#define GEMMA                                                                                                          \
  .name = "Gemma", .before = {NULL, "<start_of_turn>user\n" NAXTEXT_TRIM, "<start_of_turn>model\n" NAXTEXT_TRIM},      \
  .after = {NULL, NAXTEXT_TRIMMED "<end_of_turn>\n", NAXTEXT_TRIMMED "<end_of_turn>\n"},                               \
  .answer = "<start_of_turn>model\n", .turns = NAXTEXT_ALTERNATE, .end = "<end_of_turn>",                              \
  .marks = {"<start_of_turn>", "<end_of_turn>"}
#define GEMMA_TEXT                                                                                                     \
  "{% if messages[0].role == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}" EACH(           \
      MUST_ALTERNATE "{% if (message.role == 'assistant') %}{% set role = 'model' %}"                                  \
                     "{% else %}{% set role = message.role %}{% endif %}"                                              \
                     "<start_of_turn>{{ role }}\n{{ message.content | trim }}<end_of_turn>\n")                         \
      ANSWERING("<start_of_turn>model\n")

static const naxtext_form forms[] = {
    {.text = EACH(CHATML_DEFAULT CHATML_TURN) ANSWERING(CHATML_ANSWER), CHATML},
    {.text = EACH(CHATML_TURN) ANSWERING(CHATML_ANSWER), CHATML},
    {.text = MAY_BE_UNDEFINED EACH(CHATML_TURN) ANSWERING(CHATML_ANSWER), CHATML},
    {.text = "{{ bos_token }}" EACH(CHATML_TURN) ANSWERING(CHATML_ANSWER), .begin = NAXTEXT_BEGIN_TOKEN, CHATML},
    // The first Qwen 1.5: it writes the same whenever an answer is wanted.
    {.text = EACH(CHATML_DEFAULT
                  "<|im_start|>{{ message.role }}\n{{ message.content }}"
                  "{% if (loop.last and add_generation_prompt) or not loop.last %}<|im_end|>\n"
                  "{% endif %}") "{% if add_generation_prompt and messages[-1].role != 'assistant' %}" CHATML_ANSWER
                                 "{% endif %}",
     CHATML},

    {.name = "Llama 2",
     .text = "{% if messages[0].role == 'system' %}"
             "{% set loop_messages = messages[1:] %}{% set system_message = messages[0].content %}"
             "{% else %}{% set loop_messages = messages %}{% set system_message = false %}{% endif %}"
             "{% for message in loop_messages %}" MUST_ALTERNATE "{% if loop.index0 == 0 and system_message != false %}"
             "{% set content = '<<SYS>>\n' + system_message + '\n<</SYS>>\n\n' + message.content %}"
             "{% else %}{% set content = message.content %}{% endif %}"
             "{% if message.role == 'user' %}{{ bos_token }}[INST] {{ content.strip() }} [/INST]"
             "{% elif message.role == 'assistant' %} {{ content.strip() }} {{ eos_token }}{% endif %}{% endfor %}",
     .before = {NAXTEXT_BEGIN_TOKEN "[INST] " NAXTEXT_TRIM "<<SYS>>\n", NAXTEXT_BEGIN_TOKEN "[INST] " NAXTEXT_TRIM,
                " " NAXTEXT_TRIM},
     .after = {"\n<</SYS>>\n\n", NAXTEXT_TRIMMED " [/INST]", NAXTEXT_TRIMMED " " NAXTEXT_END_TOKEN},
     .before_first_user = "",
     .answer = "",
     .turns = NAXTEXT_ALTERNATE},

    {.name = "Llama 3",
     .text = "{% set loop_messages = messages %}{% for message in loop_messages %}"
             "{% set content = '<|start_header_id|>' + message.role + '<|end_header_id|>\n\n' + message.content | trim"
             " + '<|eot_id|>' %}{% if loop.index0 == 0 %}{% set content = bos_token + content %}{% endif %}"
             "{{ content }}{% endfor %}" ANSWERING(LLAMA3_HEADER("assistant")),
     .begin = NAXTEXT_BEGIN_TOKEN,
     .before = {LLAMA3_HEADER("system") NAXTEXT_TRIM, LLAMA3_HEADER("user") NAXTEXT_TRIM,
                LLAMA3_HEADER("assistant") NAXTEXT_TRIM},
     .after = {LLAMA3_END, LLAMA3_END, LLAMA3_END},
     .answer = LLAMA3_HEADER("assistant"),
     .end = "<|eot_id|>",
     .marks = {"<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"}},

    {.text = MISTRAL_TEXT(""), MISTRAL("")},
    {.text = MISTRAL_TEXT("{{ ' ' }}"), MISTRAL(" ")},

    {.name = "Zephyr",
     .text = EACH("\n{% if message.role == 'user' %}\n<|user|>\n{{ message.content }}{{ eos_token }}\n"
                  "{% elif message.role == 'system' %}\n<|system|>\n{{ message.content }}{{ eos_token }}\n"
                  "{% elif message.role == 'assistant' %}\n<|assistant|>\n{{ message.content }}{{ eos_token }}\n"
                  "{% endif %}\n{% if loop.last and add_generation_prompt %}\n<|assistant|>\n{% endif %}\n"),
     .before = {"<|system|>\n", "<|user|>\n", "<|assistant|>\n"},
     .after = {NAXTEXT_END_TOKEN "\n", NAXTEXT_END_TOKEN "\n", NAXTEXT_END_TOKEN "\n"},
     .answer = "<|assistant|>\n"},

    {.text = EACH("{% if message.role == 'system' %}" PHI3_TURN("system") "{% elif message.role == 'user' %}" PHI3_TURN(
         "user") "{% elif message.role == 'assistant' %}" PHI3_TURN("assistant") "{% endif %}") "{% if "
                                                                                                "add_generation_prompt "
                                                                                                "%}{{ "
                                                                                                "'<|assistant|>\n' "
                                                                                                "}}{% else %}{{ "
                                                                                                "eos_token }}{% endif "
                                                                                                "%}",
     .finish = NAXTEXT_END_TOKEN,
     PHI3("<|system|>\n", "", "<|assistant|>\n", "<|system|>")},
    {.text = "{{ bos_token }}" EACH(
         "<|{{ message.role }}|>\n{{ message.content }}<|end|>\n") "{% if add_generation_prompt %}{{ "
                                                                   "'<|assistant|>\n' }}{% else %}{{ eos_token "
                                                                   "}}{% endif %}",
     .begin = NAXTEXT_BEGIN_TOKEN,
     .finish = NAXTEXT_END_TOKEN,
     PHI3("<|system|>\n", "", "<|assistant|>\n", "<|system|>")},
    // They leave a system message out without a word; here it is refused.
    {.text = "{{ bos_token }}" PHI3_EARLY, .begin = NAXTEXT_BEGIN_TOKEN, PHI3(NULL, "<|assistant|>\n", "", NULL)},
    {.text = PHI3_EARLY, PHI3(NULL, "<|assistant|>\n", "", NULL)},

    {.text = "{{ bos_token }}" GEMMA_TEXT, .begin = NAXTEXT_BEGIN_TOKEN, GEMMA},
    {.text = GEMMA_TEXT, GEMMA},
};

//===-- recognition ------------------------------------------------------------------------------------------------//

typedef struct Defaults {
  char *bytes;   /* NULL: only counted */
  int64_t count; /* -1: none */
} Defaults;

static bool matches(naxtext_template known, naxtext_template file, Defaults *defaults, const char **strayed);

/* At the place of the default system message: as little text as lets the rest match. */
static bool matches_default(naxtext_template known, naxtext_template file, Defaults *defaults, const char **strayed) {
  for (defaults->count = 0;;) {
    if (matches(known, file, defaults, strayed))
      return true;
    naxtext_item item = naxtext_template_next(&file);
    if (item.kind != NAXTEXT_ITEM_TEXT)
      return false;
    if (defaults->bytes)
      defaults->bytes[defaults->count] = (char)item.byte;
    ++defaults->count;
  }
}

static bool matches(naxtext_template known, naxtext_template file, Defaults *defaults, const char **strayed) {
  for (;;) {
    naxtext_item wanted = naxtext_template_next(&known);
    if (wanted.kind == NAXTEXT_ITEM_TEXT && wanted.byte == DEFAULT[0])
      return matches_default(known, file, defaults, strayed);
    naxtext_item found = naxtext_template_next(&file);
    if (!naxtext_same_item(wanted, found)) {
      if (found.where > *strayed)
        *strayed = found.where;
      return false;
    }
    if (found.kind == NAXTEXT_ITEM_END)
      return true;
  }
}

const naxtext_form *naxtext_find_form(const char *text, int64_t length, char *defaults, int64_t *default_bytes,
                                      const char **strayed) {
  *strayed = text;
  for (size_t i = 0; i < sizeof forms / sizeof *forms; ++i) {
    naxtext_template known, file;
    Defaults found = {defaults, -1};
    naxtext_template_begin(&known, forms[i].text, (int64_t)strlen(forms[i].text));
    naxtext_template_begin(&file, text, length);
    bool same = matches(known, file, &found, strayed);
    if (same) {
      *default_bytes = found.count;
      return &forms[i];
    }
  }
  return NULL;
}
