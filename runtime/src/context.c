/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts: hooks, error texts, memory. */
#define _GNU_SOURCE
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

const int64_t naxrt_abi_5 = NAX_ABI_VERSION;

/* The one thing that is kept outside of a context: why there is none. */
static _Thread_local char naxrt_lone_error[256];

//===-- the library's own hooks ------------------------------------------------------------------------------------//

enum { LARGE_PAGE = 2 << 20, PAGE_BYTES = 4096 };

static size_t rounded_up(size_t bytes, size_t unit) { return (bytes + unit - 1) & ~(unit - 1); }

/* Parameters and caches are read over and over: large pages spare most of the page faults and of the address look-ups.
   A block that is not a third larger for it consists of whole ones. */
static void *own_allocate(void *user, size_t bytes, size_t alignment) {
  (void)user;
  if (bytes > SIZE_MAX - alignment - LARGE_PAGE)
    return NULL;
  bytes = bytes ? bytes : 1;
  if (alignment < LARGE_PAGE && rounded_up(bytes, LARGE_PAGE) - bytes <= bytes / 3)
    alignment = LARGE_PAGE;
  size_t rounded = rounded_up(bytes, alignment);
  void *pointer = aligned_alloc(alignment, rounded);
  if (pointer && rounded >= LARGE_PAGE) {
    uintptr_t first = rounded_up((uintptr_t)pointer, PAGE_BYTES);
    uintptr_t last = ((uintptr_t)pointer + rounded) & ~(uintptr_t)(PAGE_BYTES - 1);
    (void)madvise((void *)first, last - first, MADV_HUGEPAGE);
  }
  return pointer;
}

static void own_release(void *user, void *pointer, size_t bytes) {
  (void)user;
  (void)bytes;
  free(pointer);
}

//===-- errors and the log -----------------------------------------------------------------------------------------//

/* Names in hostile files must not reach a terminal as commands: ASCII controls, and U+0080 to U+009F as UTF-8. */
static void clean_text(char *text) {
  for (; *text; ++text) {
    unsigned char byte = (unsigned char)text[0], next = (unsigned char)text[1];
    if (byte < 0x20 || byte == 0x7f)
      *text = '?';
    if (byte == 0xc2 && next >= 0x80 && next < 0xa0)
      text[0] = text[1] = '?';
  }
}

static const char no_context[] = "the context is null: nax_context_create makes one";

bool naxrt_begin(nax_context *context) {
  if (context)
    context->error[0] = 0;
  return context != NULL;
}

static nax_status fail_alone(nax_status status, const char *text) {
  snprintf(naxrt_lone_error, sizeof naxrt_lone_error, "%s", text);
  clean_text(naxrt_lone_error);
  return status;
}

nax_status naxrt_fail_without_context(void) { return fail_alone(NAX_E_NULL, no_context); }

nax_status naxrt_fail(nax_context *context, nax_status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(context->error, sizeof context->error, format, arguments);
  va_end(arguments);
  clean_text(context->error);
  return status;
}

void naxrt_fail_more(nax_context *context, const char *format, ...) {
  size_t used = strlen(context->error);
  if (used + 2 >= sizeof context->error)
    return;
  char *end = context->error + used;
  size_t room = sizeof context->error - used;
  va_list arguments;
  va_start(arguments, format);
  int wanted = vsnprintf(end + 1, room - 1, format, arguments);
  va_end(arguments);
  if (wanted < 0 || (size_t)wanted >= room - 1) {
    *end = 0; // half a sentence helps nobody
    return;
  }
  *end = '\n';
  clean_text(end + 1);
}

void naxrt_log(nax_context *context, nax_log_level level, const char *format, ...) {
  if (!context->hooks.log)
    return;
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  clean_text(text);
  context->hooks.log(context->hooks.user, level, text);
}

const char *nax_last_error(const nax_context *context) { return context ? context->error : naxrt_lone_error; }

const char *nax_status_name(nax_status status) {
  static const char *const names[] = {
      "NAX_OK",          "NAX_E_NULL",    "NAX_E_SIZE",      "NAX_E_AXIS",   "NAX_E_RANGE",
      "NAX_E_ALIGNMENT", "NAX_E_OVERLAP", "NAX_E_WORKSPACE", "NAX_E_MEMORY", "NAX_E_CPU",
      "NAX_E_VERSION",   "NAX_E_FILE",    "NAX_E_FORMAT",    "NAX_E_PARAMS", "NAX_E_VALUE",
      "NAX_E_MODEL",     "NAX_E_FULL",    "NAX_E_DRIVER",    "NAX_E_DEVICE", "NAX_E_CUDA",
  };
  if ((unsigned)status >= sizeof names / sizeof *names)
    return "NAX_E_UNKNOWN";
  return names[status];
}

//===-- memory -----------------------------------------------------------------------------------------------------//

void *naxrt_allocate(nax_context *context, int64_t bytes, const char *what) {
  void *pointer = context->hooks.allocate(context->hooks.user, (size_t)bytes, NAXRT_BLOCK_ALIGNMENT);
  if (!pointer) {
    naxrt_fail(context, NAX_E_MEMORY, "no memory for %s: %lld bytes", what, (long long)bytes);
    return NULL;
  }
  if ((uintptr_t)pointer % NAXRT_BLOCK_ALIGNMENT) {
    context->hooks.release(context->hooks.user, pointer, (size_t)bytes);
    naxrt_fail(context, NAX_E_MEMORY, "the allocate hook was asked for alignment 64 and gave a pointer without it");
    return NULL;
  }
  return pointer;
}

void naxrt_release(const nax_hooks *hooks, void *pointer, int64_t bytes) {
  if (pointer)
    hooks->release(hooks->user, pointer, (size_t)bytes);
}

int64_t naxrt_dtype_bytes(int64_t dtype) {
  static const int64_t bytes[] = {4, 2, 2, 8, 4, 8, 1};
  return dtype >= 0 && dtype <= NAX_BOOL ? bytes[dtype] : 0;
}

const char *naxrt_dtype_name(int64_t dtype) {
  static const char *const names[] = {"f32", "f16", "bf16", "f64", "i32", "i64", "bool"};
  return dtype >= 0 && dtype <= NAX_BOOL ? names[dtype] : "unknown";
}

//===-- making and ending ------------------------------------------------------------------------------------------//

enum { MAX_THREADS = 1024 };

/* The number in NAX_THREADS; 0: not set; -1: no number that makes sense. */
static int64_t threads_of_environment(void) {
  const char *text = getenv("NAX_THREADS");
  if (!text || !*text)
    return 0;
  char *end = NULL;
  long value = strtol(text, &end, 10);
  return *end || value < 1 || value > MAX_THREADS ? -1 : value;
}

nax_status nax_context_create(const nax_options *options, nax_context **out) {
  naxrt_lone_error[0] = 0;
  if (!out)
    return fail_alone(NAX_E_NULL, "nax_context_create: out is null");
  *out = NULL;

  nax_hooks hooks = {0};
  int64_t threads = 0;
  if (options) {
    hooks = options->hooks;
    threads = options->threads;
  }
  if (!hooks.allocate != !hooks.release)
    return fail_alone(NAX_E_VALUE, "nax_context_create: the hooks allocate and release go together, one is null");
  if (threads < 0 || threads > MAX_THREADS)
    return fail_alone(NAX_E_VALUE, "nax_context_create: threads is not between 0 and 1024");
  char why[sizeof naxrt_lone_error];
  naxrt_processor processor;
  nax_status status = naxrt_find_processor(&processor, why, sizeof why);
  if (status != NAX_OK)
    return fail_alone(status, why);
  if (threads == 0)
    threads = threads_of_environment();
  if (threads < 0)
    return fail_alone(NAX_E_VALUE, "NAX_THREADS is not a number between 1 and 1024");
  if (threads == 0)
    threads = naxrt_core_count();
  if (!hooks.allocate) {
    hooks.allocate = own_allocate;
    hooks.release = own_release;
  }

  nax_context *context = hooks.allocate(hooks.user, sizeof *context, NAXRT_BLOCK_ALIGNMENT);
  if (!context)
    return fail_alone(NAX_E_MEMORY, "nax_context_create: no memory");
  memset(context, 0, sizeof *context);
  context->hooks = hooks;
  context->own_pool = hooks.parallel_for == NULL;
  context->threads = threads < MAX_THREADS ? threads : MAX_THREADS;
  context->processor = processor;
  atomic_init(&context->in_loop, false);
  atomic_init(&context->slots, 0);
  *out = context;
  return NAX_OK;
}

void nax_context_destroy(nax_context *context) {
  if (!context)
    return;
  naxrt_pool_destroy(context->pool);
  nax_hooks hooks = context->hooks;
  hooks.release(hooks.user, context, sizeof *context);
}

int64_t nax_context_threads(const nax_context *context) { return context ? context->threads : 0; }
