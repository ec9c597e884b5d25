/* SPDX-License-Identifier: Apache-2.0 */
/* Continues the lines given on the command line, or a few of its own, and says how surprised it was by each. */
#include "gpt.h"

#include <stdio.h>
#include <string.h>

enum { P = 96 }; /* as many positions as were learned */

static const char *const own[] = {"monday tuesday ", "march april may ", "eleven twelve thirteen ", "a b c d ",
                                  "37 38 39 ",       "8+7=",             "16+9=",                   "twinkle twinkle little star "};

static nax_context *context;
static gpt_params *params;

/* Greedy: the prefix is read anew for every token. Stops at the end of the line. */
static nax_status go_on(const char *prompt) {
  int32_t ids[P], next; /* [B,T] with B = 1 */
  int64_t length = (int64_t)strlen(prompt);
  if (length == 0 || length >= P) {
    fprintf(stderr, "a line has 1 to %d bytes: %s\n", P - 1, prompt);
    return NAX_E_VALUE;
  }
  for (int64_t t = 0; t < length; ++t)
    ids[t] = (unsigned char)prompt[t];

  printf("%s|", prompt);
  while (length < P) {
    nax_status status = gpt_follow(context, params, /*B=*/1, /*T=*/length, ids, &next, NULL, 0);
    if (status)
      return status;
    ids[length++] = next;
    if (next == '\n')
      break;
    putchar(next);
    fflush(stdout);
  }
  float loss;
  nax_status status = gpt_loss(context, params, 1, length, ids, &loss, NULL, 0);
  if (!status)
    printf("   (loss %.3f)\n", loss);
  return status;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: 05-gpt gpt.safetensors [LINE...]\n");
    return 2;
  }
  nax_status status = nax_context_create(NULL, &context);
  if (!status)
    status = gpt_params_open(context, argv[1], &params);
  size_t count = argc > 2 ? (size_t)argc - 2 : sizeof own / sizeof *own;
  for (size_t i = 0; i < count && !status; ++i)
    status = go_on(argc > 2 ? argv[2 + i] : own[i]);
  if (status)
    fprintf(stderr, "%s\n", nax_last_error(context));
  gpt_params_close(params);
  nax_context_destroy(context);
  return status != NAX_OK;
}
