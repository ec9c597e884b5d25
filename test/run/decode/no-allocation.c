/* SPDX-License-Identifier: Apache-2.0 */
/* A prompt in one chunk and the steps after it allocate nothing: neither through the context's hooks nor by any other
   way to malloc. The program's own malloc counts for libc, the runtime and the model alike. That it can count shows the
   last call, which leaves the workspace to the library.

   REQUIRES: lowering, cpu-v3
   UNSUPPORTED: asan
   RUN: mkdir -p %t.dir
   RUN: %naxc %examples/05-gpt/model.cpp --decode=forward -o %t.dir/gpt.o
   RUN: %cc -std=c11 -O1 -Wall -Werror -I%t.dir %s %t.dir/gpt.o %naxrt -o %t.dir/main
   RUN: %t.dir/main %examples/05-gpt/gpt.safetensors | FileCheck %s

   CHECK:      prompt of 40 and 30 steps in rows of their own: 0 calls of malloc, 0 of the hook
   CHECK-NEXT: without a workspace: 1 of the hook
*/
#define _GNU_SOURCE
#include "gpt.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { B = 3, PROMPT = 40, STEPS = 30, CAPACITY = PROMPT + STEPS + 1, V = gpt_size_V };

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static volatile int counting;
static volatile long mallocs, hooked;

static void count(void) {
  if (counting)
    ++mallocs;
}

void *malloc(size_t bytes) {
  count();
  return __libc_malloc(bytes);
}
void *calloc(size_t n, size_t bytes) {
  count();
  return __libc_calloc(n, bytes);
}
void *realloc(void *pointer, size_t bytes) {
  count();
  return __libc_realloc(pointer, bytes);
}
void *memalign(size_t alignment, size_t bytes) {
  count();
  return __libc_memalign(alignment, bytes);
}
void *aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }
int posix_memalign(void **out, size_t alignment, size_t bytes) {
  *out = memalign(alignment, bytes);
  return *out ? 0 : ENOMEM;
}

static void *allocate(void *user, size_t bytes, size_t alignment) {
  (void)user;
  if (counting)
    ++hooked;
  return __libc_memalign(alignment, bytes);
}
static void release(void *user, void *pointer, size_t bytes) {
  (void)user, (void)bytes;
  free(pointer);
}

static nax_context *context;

static void need(nax_status status) {
  if (status == NAX_OK)
    return;
  printf("%s\n", nax_last_error(context));
  exit(1);
}

static int32_t ids[B * PROMPT];
static float logits[B * PROMPT * V]; /* [B,T,V] */

/* A prompt of which the second row has half, then one token after the other, the third row pausing at times. */
static void talk(const gpt_params *params, gpt_forward_cache *cache, void *workspace, size_t bytes) {
  const int32_t half[B] = {PROMPT, PROMPT / 2, PROMPT};
  need(gpt_forward_step(context, params, cache, B, PROMPT, ids, half, logits, workspace, bytes));
  for (int step = 0; step < STEPS; ++step) {
    const int32_t some[B] = {1, 1, step % 3 != 0};
    need(gpt_forward_step(context, params, cache, B, 1, ids, some, logits, workspace, bytes));
  }
}

int main(int argc, char **argv) {
  nax_options options = {.threads = 2, .hooks = {.allocate = allocate, .release = release}};
  gpt_params *params;
  gpt_forward_cache *cache;
  if (argc != 2 || nax_context_create(&options, &context) != NAX_OK)
    return 2;
  need(gpt_params_open(context, argv[1], &params));
  need(gpt_forward_cache_create(context, B, CAPACITY, &cache));
  for (int i = 0; i < B * PROMPT; ++i)
    ids[i] = i * 7 % V;
  size_t bytes = gpt_forward_step_workspace(B, PROMPT);
  void *workspace = __libc_memalign(64, bytes);
  talk(params, cache, workspace, bytes); /* the threads start */
  for (int row = 0; row < B; ++row)
    need(gpt_forward_cache_reset(context, cache, row));

  counting = 1;
  talk(params, cache, workspace, bytes);
  counting = 0;
  printf("prompt of %d and %d steps in rows of their own: %ld calls of malloc, %ld of the hook\n", PROMPT, STEPS,
         mallocs, hooked);
  counting = 1;
  need(gpt_forward_step(context, params, cache, B, 1, ids, NULL, logits, NULL, 0));
  counting = 0;
  printf("without a workspace: %ld of the hook\n", hooked);
  free(workspace);
  gpt_forward_cache_destroy(cache);
  gpt_params_close(params);
  nax_context_destroy(context);
  return 0;
}
