/* SPDX-License-Identifier: Apache-2.0 */
/* What the sources of libnaxrt share: the context, its errors and memory, and the pool. Nothing here is for users.
   Names that the linker sees begin with naxrt_, since a static library can hide nothing. */
#ifndef NAXRT_INTERNAL_H
#define NAXRT_INTERNAL_H

#include "nax/model_desc.h"
#include "nax/runtime.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NAXRT_ERROR_BYTES = 4096, NAXRT_BLOCK_ALIGNMENT = 64 };

typedef struct naxrt_pool naxrt_pool;

/* Which of a model's levels are run. */
typedef struct naxrt_processor {
  int64_t best;  /* nax_cpu, not asking the system for tiles; NAX_CPU_ANY: below all of them */
  int64_t asked; /* by NAX_LEVEL; NAX_CPU_ANY: it is not set */
} naxrt_processor;

struct nax_context {
  nax_hooks hooks; /* complete: what the user left null is the library's own */
  bool own_pool;
  int64_t threads;
  naxrt_pool *pool; /* NULL until the first loop that needs it */
  naxrt_processor processor;
  atomic_bool in_loop; /* a loop of this context is running: further ones run serially */
  _Atomic uint64_t slots; /* a bit for each that a chunk has */
  char error[NAXRT_ERROR_BYTES];
};

/* context.c */

/* Every call of the API begins with it: the text of an earlier failure goes. False when there is no context. */
bool naxrt_begin(nax_context *context);

/* Sets the text of the last error and returns `status`. Control characters, which hostile files may have in their
   names, become '?'. */
nax_status naxrt_fail(nax_context *context, nax_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds a line to the error text; what no longer fits is left out. */
void naxrt_fail_more(nax_context *context, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Fails when a call was made without a context. */
nax_status naxrt_fail_without_context(void);

void naxrt_log(nax_context *context, nax_log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Memory from the hook, or NULL with the error set; `what` ends the sentence "no memory for ...". */
void *naxrt_allocate(nax_context *context, int64_t bytes, const char *what);
void naxrt_release(const nax_hooks *hooks, void *pointer, int64_t bytes);

/* cpu.c */
/* This processor, and what NAX_LEVEL says; when that is no level that it has, `why` is a sentence about it. Asking a
   processor what it is takes long where it is emulated, so contexts keep it. */
nax_status naxrt_find_processor(naxrt_processor *out, char *why, size_t bytes);
/* The level of the model that is run there; NULL: none. */
const nax_level_desc *naxrt_choose_level(const naxrt_processor *processor, const nax_model_desc *model);
/* The same on the context's processor, or NULL with the error set. */
const nax_level_desc *naxrt_level_of(nax_context *context, const nax_model_desc *model);
/* "v4+"; of NAX_CPU_ANY "below v2". */
const char *naxrt_cpu_name(int64_t cpu);
int64_t naxrt_core_count(void);

/* pool.c */
naxrt_pool *naxrt_pool_create(nax_context *context, int64_t threads); /* NULL: no memory */
void naxrt_pool_destroy(naxrt_pool *pool);
void naxrt_pool_run(naxrt_pool *pool, const nax_phase *phases, int64_t count);

/* arithmetic that notices overflow: false when the result is no int64_t */
static inline bool naxrt_multiply(int64_t a, int64_t b, int64_t *out) { return !__builtin_mul_overflow(a, b, out); }
static inline bool naxrt_add(int64_t a, int64_t b, int64_t *out) { return !__builtin_add_overflow(a, b, out); }

/* bytes of one element; 0 for a number that is no nax_dtype */
int64_t naxrt_dtype_bytes(int64_t dtype);
const char *naxrt_dtype_name(int64_t dtype);

#endif
