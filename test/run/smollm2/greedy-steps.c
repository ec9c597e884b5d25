/* SPDX-License-Identifier: Apache-2.0 */
/* 200 greedy tokens for each of five prompts by the derived step, all five in one batch of rows that differ in length,
   against greedy.txt, which numpy computed from the same weights. A token may differ only where numpy's two best logits
   lie closer than 1e-3; then the row goes on with numpy's choice. Then the first prompt alone: the same bits as in the
   batch. Needs the model that ./nax demo fetches.

   REQUIRES: lowering, smollm2, cpu-v3
   UNSUPPORTED: asan
   RUN: mkdir -p %t.dir
   RUN: %naxc %examples/07-smollm2/model.cpp --decode=forward -o %t.dir/smollm2.o
   RUN: %cc -std=c11 -O1 -Wall -Werror -I%t.dir -I%src/test/text/Inputs %s %t.dir/smollm2.o \
   RUN:   %build/lib/libnaxtext.a %naxrt -o %t.dir/main
   RUN: %t.dir/main %smollm2 %S/greedy.txt | FileCheck %s
   With matrices as the file has them, and rows as they are, it is the same.
   RUN: %naxc %examples/07-smollm2/model.cpp --weights-of=%smollm2 --activations=f32 --cpu=native --decode=forward -o %t.dir/smollm2.o
   RUN: %cc -std=c11 -O1 -I%t.dir -I%src/test/text/Inputs %s %t.dir/smollm2.o %build/lib/libnaxtext.a %naxrt -o %t.dir/main
   RUN: %t.dir/main %smollm2 %S/greedy.txt | FileCheck %s

   CHECK-COUNT-5: of 200 tokens as numpy's
   CHECK-NEXT: prompt 1 alone: the same bits
   CHECK-NEXT: 0 failed
*/
#include "smollm2.h"

#include "text_test.h"

enum { ROWS = 5, STEPS = 200, MAX_IDS = 256, MAX_LINE = 1 << 16, V = smollm2_size_V };

typedef struct Prompt {
  int32_t ids[MAX_IDS], wanted[STEPS], second[STEPS];
  double gap[STEPS];
  int64_t length;
  int steps, same;
} Prompt;

static nax_context *context;
static smollm2_params *params;
static Prompt prompts[ROWS];
static float logits[ROWS * V];             /* [B,V] */
static uint64_t sums[STEPS], alone[STEPS]; /* of the bits of the first row's logits */

/* ID, or ID:GAP:SECOND where the two best are near each other. */
static void read_tokens(Prompt *prompt, char *field) {
  for (char *word = strtok(field, " "); word && prompt->steps < STEPS; word = strtok(NULL, " ")) {
    int n = prompt->steps++;
    prompt->gap[n] = 1;
    prompt->second[n] = -1;
    sscanf(word, "%d:%lf:%d", &prompt->wanted[n], &prompt->gap[n], &prompt->second[n]);
  }
}

static int read_prompts(const char *path) {
  static char line[MAX_LINE];
  int count = -1;
  FILE *file = fopen(path, "rb");
  while (file && fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = 0;
    if (strncmp(line, "prompt ", 7) == 0)
      ++count;
    else if (count >= 0 && count < ROWS && strncmp(line, "ids ", 4) == 0)
      prompts[count].length = read_ids(line + 4, prompts[count].ids);
    else if (count >= 0 && count < ROWS && strncmp(line, "greedy ", 7) == 0)
      read_tokens(&prompts[count], line + 7);
  }
  if (file)
    fclose(file);
  return count + 1;
}

static int32_t best_of(const float *row) {
  int32_t best = 0;
  for (int32_t v = 1; v < V; ++v)
    if (row[v] > row[best])
      best = v;
  return best;
}

static uint64_t sum_of(const float *row) {
  uint64_t sum = 1469598103934665603u; /* FNV-1a */
  for (size_t i = 0; i < V * sizeof *row; ++i)
    sum = (sum ^ ((const unsigned char *)row)[i]) * 1099511628211u;
  return sum;
}

static void check_token(int row, int step) {
  Prompt *prompt = &prompts[row];
  int32_t wanted = prompt->wanted[step], best = best_of(logits + (size_t)row * V);
  if (best == wanted) {
    ++prompt->same;
    return;
  }
  printf("prompt %d, token %d is %d, not %d; numpy's two best lie %.6f apart, ours %.6f\n", row + 1, step, best, wanted,
         prompt->gap[step], logits[(size_t)row * V + best] - logits[(size_t)row * V + wanted]);
  EXPECT(best == prompt->second[step] && prompt->gap[step] < 1e-3, "too far apart for a rounding error");
}

/* The first `rows` prompts at once: their tokens in one chunk, then numpy's tokens one by one. */
static void run(int64_t rows, uint64_t *out) {
  static int32_t ids[ROWS * MAX_IDS];
  int32_t lengths[ROWS];
  int64_t longest = 0;
  for (int row = 0; row < rows; ++row)
    longest = prompts[row].length > longest ? prompts[row].length : longest;
  memset(ids, 0, sizeof ids);
  for (int row = 0; row < rows; ++row) {
    lengths[row] = (int32_t)prompts[row].length;
    memcpy(ids + row * longest, prompts[row].ids, (size_t)prompts[row].length * sizeof *ids);
  }
  smollm2_forward_cache *cache;
  need(context, smollm2_forward_cache_create(context, rows, longest + STEPS, &cache));
  need(context, smollm2_forward_step(context, params, cache, rows, longest, ids, lengths, logits, NULL, 0));
  for (int step = 0; step < STEPS; ++step) {
    out[step] = sum_of(logits);
    for (int row = 0; row < rows; ++row) {
      if (rows == ROWS)
        check_token(row, step);
      ids[row] = prompts[row].wanted[step];
    }
    if (step + 1 < STEPS)
      need(context, smollm2_forward_step(context, params, cache, rows, 1, ids, NULL, logits, NULL, 0));
  }
  EXPECT(smollm2_forward_cache_length(cache, 0) == prompts[0].length + STEPS - 1, "the row's length");
  smollm2_forward_cache_destroy(cache);
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  need(NULL, nax_context_create(NULL, &context));
  need(context, smollm2_params_open(context, argv[1], &params));
  EXPECT(read_prompts(argv[2]) == ROWS, "%s", argv[2]);
  run(ROWS, sums);
  for (int row = 0; row < ROWS; ++row) {
    printf("prompt %d: %d of %d tokens as numpy's\n", row + 1, prompts[row].same, prompts[row].steps);
    EXPECT(prompts[row].steps == STEPS, "prompt %d", row + 1);
  }
  run(1, alone);
  int step = 0;
  while (step < STEPS && sums[step] == alone[step])
    ++step;
  EXPECT(step == STEPS, "token %d of prompt 1 has other logits in the batch", step);
  if (step == STEPS)
    printf("prompt 1 alone: the same bits\n");
  printf("%d failed\n", failures);
  smollm2_params_close(params);
  nax_context_destroy(context);
  return failures != 0;
}
