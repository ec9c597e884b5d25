// The hooks of a context: all memory comes from allocate and goes back, running out of it anywhere is a status, loops
// go to parallel_for, what is unused in a file goes to log.
// REQUIRES: lowering, numpy
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: %python -c "import numpy as n; n.save('%t.d/table', n.ones((5, 3), 'f')); n.save('%t.d/spare', n.ones(1))"
// RUN: %cc -std=c11 -Wall -Wextra %s -I %S/Inputs -o %t %naxrt
// The hook that ignores alignment gives nothing back, which is no leak of the runtime.
// RUN: env ASAN_OPTIONS=detect_leaks=0 %t %t.d | FileCheck %s --match-full-lines --strict-whitespace

#define _GNU_SOURCE
#include "toy.h"

#include <stdlib.h>

typedef struct memory {
  int64_t live, bytes, calls, fail_at; /* the call that gets nothing; -1: none */
  int64_t loops, indices;
  char text[2048];
} memory;

static void *allocate(void *user, size_t bytes, size_t alignment) {
  memory *m = user;
  if (m->calls++ == m->fail_at)
    return NULL;
  ++m->live, m->bytes += (int64_t)bytes;
  return aligned_alloc(alignment, (bytes / alignment + 1) * alignment);
}

static void release(void *user, void *pointer, size_t bytes) {
  memory *m = user;
  --m->live, m->bytes -= (int64_t)bytes;
  free(pointer);
}

static void *allocate_odd(void *user, size_t bytes, size_t alignment) {
  memory *m = user;
  size_t shift = m->calls++ > 0 ? 8 : 0; /* the context itself is let through */
  return (char *)malloc(bytes + 2 * alignment) + shift;
}

static void release_odd(void *user, void *pointer, size_t bytes) { (void)user, (void)pointer, (void)bytes; }

static void backwards(void *user, int64_t count, nax_task task, void *closure) {
  memory *m = user;
  ++m->loops, m->indices += count;
  for (int64_t i = count; i-- > 0;)
    task(closure, i);
}

static void log_line(void *user, nax_log_level level, const char *text) {
  memory *m = user;
  strcat(strcat(m->text, level == NAX_LOG_WARNING ? "warning: " : "info: "), text);
  strcat(m->text, "\n");
}

/* Everything a program does, once. */
static nax_status program(memory *m, const char *path) {
  nax_options options = {1, {m, allocate, release, NULL, log_line}};
  nax_context *context;
  nax_status status = nax_context_create(&options, &context);
  if (status != NAX_OK)
    return status;
  nax_params *params = NULL;
  status = naxrt_params_open(context, &toy, path, &params);
  int32_t ids[2] = {0, 4};
  float logits[6];
  int64_t dims[] = {2, 1};
  void *buffers[] = {ids, logits};
  if (status == NAX_OK)
    status = naxrt_invoke(context, &toy, 0, params, NULL, dims, buffers, NULL, 0);
  if (status == NAX_E_MEMORY && strncmp(nax_last_error(context), "no memory for ", 14) != 0)
    printf("unexpected text: %s\n", nax_last_error(context));
  naxrt_params_close(params);
  nax_context_destroy(context);
  return status;
}

static void add(void *closure, int64_t index) { *(int64_t *)closure += index; }

static void append(void *closure, int64_t index) { *(int64_t *)closure = 10 * *(int64_t *)closure + index + 1; }

int main(int argc, char **argv) {
  (void)argc;
  memory m = {.fail_at = -1};
  // CHECK:program: NAX_OK, 0 live
  printf("program: %s, %lld live\n", nax_status_name(program(&m, argv[1])), (long long)m.live);
  // CHECK-NEXT:warning: {{.*}}.d: 1 tensors are not used by toy: spare
  // CHECK-NEXT:info: {{.*}}.d: 1 parameters of toy, names as in the model
  printf("%s", m.text);
  int64_t calls = m.calls, refused = 0;
  for (int64_t i = 0; i < calls; ++i) {
    m = (memory){.fail_at = i};
    refused += program(&m, argv[1]) == NAX_E_MEMORY;
    if (m.live || m.bytes)
      printf("call %lld: %lld blocks, %lld bytes left\n", (long long)i, (long long)m.live, (long long)m.bytes);
  }
  // Only the list of unused tensors, for the log, can be done without.
  // CHECK-NEXT:all but one refused
  printf("%s refused\n", calls > 8 && refused == calls - 1 ? "all but one" : "other");

  memory odd = {0};
  nax_options options = {1, {&odd, allocate_odd, release_odd, NULL, NULL}};
  nax_context *context;
  nax_params *params;
  if (nax_context_create(&options, &context) != NAX_OK)
    return 1;
  // CHECK-NEXT:odd: NAX_E_MEMORY: the allocate hook was asked for alignment 64 and gave a pointer without it
  say("odd", context, naxrt_params_open(context, &toy, argv[1], &params));

  m = (memory){.fail_at = -1};
  options = (nax_options){0, {&m, NULL, NULL, backwards, NULL}};
  if (nax_context_create(&options, &context) != NAX_OK)
    return 1;
  int64_t sum = 0;
  naxrt_parallel_for(context, add, &sum, 100);
  naxrt_parallel_for(context, add, &sum, 0);
  naxrt_parallel_for(context, add, &sum, -1);
  // CHECK-NEXT:4950 in 1 loops of 100
  printf("%lld in %lld loops of %lld\n", (long long)sum, (long long)m.loops, (long long)m.indices);
  // Numbers of one phase come backwards, phases and rounds in their order; a loop of one number needs no hook.
  int64_t order = 0;
  nax_phase phases[] = {
      {append, &order, 3, 1}, {append, &order, 1, 1}, {append, &order, 0, 1}, {append, &order, 2, 2}, {append, &order, 2, 0}};
  m.loops = m.indices = 0;
  naxrt_parallel_phases(context, phases, 5);
  // CHECK-NEXT:32112143 in 3 loops of 7
  printf("%lld in %lld loops of %lld\n", (long long)order, (long long)m.loops, (long long)m.indices);
  nax_context_destroy(context);

  options = (nax_options){0, {NULL, allocate, NULL, NULL, NULL}};
  // CHECK-NEXT:half: NAX_E_VALUE: nax_context_create: the hooks allocate and release go together, one is null
  say("half", NULL, nax_context_create(&options, &context));
  options = (nax_options){-1, {NULL, NULL, NULL, NULL, NULL}};
  // CHECK-NEXT:threads: NAX_E_VALUE: nax_context_create: threads is not between 0 and 1024
  say("threads", NULL, nax_context_create(&options, &context));
  // CHECK-NEXT:out: NAX_E_NULL: nax_context_create: out is null
  say("out", NULL, nax_context_create(NULL, NULL));
  setenv("NAX_THREADS", "3", 1);
  // CHECK-NEXT:three: NAX_OK
  // CHECK-NEXT:3
  say("three", NULL, nax_context_create(NULL, &context));
  printf("%lld\n", (long long)nax_context_threads(context));
  nax_context_destroy(context);
  setenv("NAX_THREADS", "3x", 1);
  // CHECK-NEXT:environment: NAX_E_VALUE: NAX_THREADS is not a number between 1 and 1024
  say("environment", NULL, nax_context_create(NULL, &context));
  // CHECK-NEXT:NAX_E_CUDA NAX_E_UNKNOWN
  printf("%s %s\n", nax_status_name(NAX_E_CUDA), nax_status_name((nax_status)20));
}
// CHECK-NOT:{{.}}
