/* SPDX-License-Identifier: Apache-2.0 */
/* SmolLM2 compiled by nax against golden.txt, which numpy computed from the same weights: for three prompts the ids of
   the prompt, the first 20 greedy tokens and the five largest logits of each step. A token may differ only where
   numpy's two best logits lie closer than 1e-3; then the test goes on with numpy's choice. Needs the model that ./nax
   demo fetches. By hand: PROGRAM MODEL.gguf golden.txt [WEIGHTS], where the weights may come from another file.

   REQUIRES: lowering, smollm2, cpu-v3
   RUN: mkdir -p %t.dir
   RUN: %naxc %examples/07-smollm2/model.cpp -o %t.dir/smollm2.o
   RUN: %cc -std=c11 -O1 -Wall -Werror -I%t.dir -I%src/test/text/Inputs %s %t.dir/smollm2.o \
   RUN:   %build/lib/libnaxtext.a %naxrt -o %t.dir/main
   RUN: %t.dir/main %smollm2 %S/golden.txt | FileCheck %s

   CHECK-COUNT-3: of 20 tokens as numpy's
   CHECK: 3 prompts, 0 failed
*/
#include "smollm2.h"

#include "text_test.h"

#include <math.h>

enum { V = 49152, MAX_LINE = 1 << 16, MAX_IDS = 256, STEPS = 20, BEST = 5 };

static nax_context *context;
static nax_tokenizer *tokenizer;
static smollm2_params *params;
static float logits[V]; /* [B,V] with B = 1 */

typedef struct Prompt {
  int32_t ids[MAX_IDS];
  int64_t length;
  int steps, same;
  double largest_error; /* of a logit */
} Prompt;

static void start(Prompt *prompt, const char *field) {
  static char text[MAX_LINE];
  char *out = text;
  for (; *field; ++field) {
    if (field[0] == '\\' && field[1] == 'n') {
      *out++ = '\n';
      ++field;
    } else {
      *out++ = *field;
    }
  }
  memset(prompt, 0, sizeof *prompt);
  need(context, nax_text_encode(context, tokenizer, text, (size_t)(out - text), NAX_SPECIALS_NAMED, prompt->ids,
                                MAX_IDS, &prompt->length));
}

static void check_ids(const Prompt *prompt, char *field) {
  int64_t count = 0;
  for (char *word = strtok(field, " "); word; word = strtok(NULL, " "), ++count)
    EXPECT(count < prompt->length && prompt->ids[count] == atoi(word), "token %d of the prompt", (int)count);
  EXPECT(count == prompt->length, "%d tokens", (int)count);
}

static void check_step(Prompt *prompt, char *field) {
  if (prompt->steps == STEPS)
    return;
  need(context, smollm2_forward(context, params, /*B=*/1, prompt->length, prompt->ids, logits, NULL, 0));
  int32_t wanted[BEST], best = 0;
  double wanted_logits[BEST];
  char *at = field;
  for (int i = 0; i < BEST; ++i) {
    wanted[i] = (int32_t)strtol(at, &at, 10);
    wanted_logits[i] = strtod(at, &at);
    double error = fabs(logits[wanted[i]] - wanted_logits[i]);
    if (!(error <= prompt->largest_error))
      prompt->largest_error = error;
  }
  for (int32_t v = 1; v < V; ++v)
    if (logits[v] > logits[best])
      best = v;
  if (best == wanted[0]) {
    ++prompt->same;
  } else {
    double gap = wanted_logits[0] - wanted_logits[1];
    printf("step %d: token %d, not %d; numpy's two best lie %.6f apart, ours %.6f\n", prompt->steps, best, wanted[0],
           gap, logits[best] - logits[wanted[0]]);
    EXPECT(gap < 1e-3, "too far apart for a rounding error");
  }
  prompt->ids[prompt->length++] = wanted[0];
  ++prompt->steps;
}

static void finish(const Prompt *prompt) {
  printf("%d of 20 tokens as numpy's, largest difference of a logit %.1e\n", prompt->same, prompt->largest_error);
  EXPECT(prompt->steps == STEPS, "%d steps", prompt->steps);
  EXPECT(prompt->largest_error < 1e-3, "%g", prompt->largest_error);
}

int main(int argc, char **argv) {
  if (argc != 3 && argc != 4)
    return 2;
  need(NULL, nax_context_create(NULL, &context));
  need(context, nax_tokenizer_open(context, argv[1], &tokenizer));
  need(context, smollm2_params_open(context, argv[argc == 4 ? 3 : 1], &params));
  FILE *file = fopen(argv[2], "rb");
  if (!file)
    return 2;
  static char line[MAX_LINE];
  static Prompt prompt;
  int prompts = 0;
  while (fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = 0;
    char *field = strchr(line, ' ');
    if (!field || line[0] == '#')
      continue;
    *field++ = 0;
    if (strcmp(line, "prompt") == 0)
      start(&prompt, field);
    else if (strcmp(line, "ids") == 0)
      check_ids(&prompt, field);
    else if (strcmp(line, "step") == 0)
      check_step(&prompt, field);
    else if (strcmp(line, "error") == 0 && ++prompts)
      finish(&prompt);
  }
  fclose(file);
  printf("%d prompts, %d failed\n", prompts, failures);
  smollm2_params_close(params);
  nax_tokenizer_close(tokenizer);
  nax_context_destroy(context);
  return failures != 0 || prompts != 3;
}
