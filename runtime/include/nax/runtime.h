/* SPDX-License-Identifier: Apache-2.0 */
/* What a program that calls a compiled model includes besides the model's own header: status codes, the context
   with its hooks, and the last error's text. C99 and C++, needs nothing but the C library.

   One context serves one thread at a time; any number of contexts may be used at once. Opened parameters are never
   written again, so several contexts may share them. */
#ifndef NAX_RUNTIME_H
#define NAX_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus) && __cplusplus >= 201703L
#define NAX_NODISCARD [[nodiscard]]
#elif defined(__GNUC__)
#define NAX_NODISCARD __attribute__((warn_unused_result))
#else
#define NAX_NODISCARD
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The number a model is compiled for and the library answers to; they must be equal. */
#define NAX_ABI_VERSION 5

typedef enum nax_status {
  NAX_OK = 0,
  NAX_E_NULL = 1,      /* a pointer is null where something is needed */
  NAX_E_SIZE = 2,      /* a size is negative, not that of the cache, or a product is more than memory can address */
  NAX_E_AXIS = 3,      /* an axis is longer than the model allows */
  NAX_E_RANGE = 4,     /* an id, length, start or document number is out of its range */
  NAX_E_ALIGNMENT = 5, /* a pointer is not a multiple of what its elements need */
  NAX_E_OVERLAP = 6,   /* an output shares memory with another argument */
  NAX_E_WORKSPACE = 7, /* the workspace is too small or not aligned to 64 bytes */
  NAX_E_MEMORY = 8,    /* the allocate hook had no memory */
  NAX_E_CPU = 9,       /* the model has no code for this processor, or for the level that NAX_LEVEL names */
  NAX_E_VERSION = 10,  /* model and library have different NAX_ABI_VERSION */
  NAX_E_FILE = 11,     /* a file can not be opened, read or written */
  NAX_E_FORMAT = 12,   /* a file is damaged, or of a form that is not read */
  NAX_E_PARAMS = 13,   /* a file is sound but does not fit the model: missing tensors, other sizes */
  NAX_E_VALUE = 14,    /* an option or argument has a value that makes no sense */
  NAX_E_MODEL = 15,    /* the model's own description is broken: a bug of the compiler */
  NAX_E_FULL = 16,     /* a row of a cache has no room for the new positions */
  NAX_E_DRIVER = 17,   /* there is no CUDA driver, or it is too old */
  NAX_E_DEVICE = 18,   /* there is no such GPU, or the model has no code for it */
  NAX_E_CUDA = 19      /* the CUDA driver refused something, or a kernel failed */
} nax_status;

typedef struct nax_context nax_context;
typedef struct nax_params nax_params;

typedef enum nax_log_level { NAX_LOG_INFO = 0, NAX_LOG_WARNING = 1 } nax_log_level;

/* The body of a parallel loop; called once for each index. */
typedef void (*nax_task)(void *closure, int64_t index);

/* What a program may replace. A null function means the library's own; allocate and release go together.
   The hooks and what `user` points to must live as long as the context and everything opened with it. */
typedef struct nax_hooks {
  void *user;
  /* `alignment` is a power of two; returns NULL when there is no memory. */
  void *(*allocate)(void *user, size_t bytes, size_t alignment);
  void (*release)(void *user, void *pointer, size_t bytes);
  /* Calls task(closure, i) for every i in [0, count), in any order, on any threads, and returns when all are done. */
  void (*parallel_for)(void *user, int64_t count, nax_task task, void *closure);
  /* Called only by the thread that called the library. Without it nothing is printed. */
  void (*log)(void *user, nax_log_level level, const char *text);
} nax_hooks;

typedef struct nax_options {
  int64_t threads; /* of the library's own pool; 0: the number in NAX_THREADS, else one for each core */
  nax_hooks hooks;
} nax_options;

/* Makes a context; `options` may be NULL. Threads start at the first loop that needs them. On failure *out is NULL
   and nax_last_error(NULL) has the reason. A model's code is that of the best level that it has and this processor
   runs; with NAX_LEVEL=v2, v3, v4, v4+, amx or neon in the environment, of that one: NAX_E_VALUE, NAX_E_CPU. */
NAX_NODISCARD nax_status nax_context_create(const nax_options *options, nax_context **out);

/* Ends the context's threads and frees it; NULL is allowed. Parameters opened with it stay valid. */
void nax_context_destroy(nax_context *context);

/* How many threads, the caller included, the library's own pool uses. */
int64_t nax_context_threads(const nax_context *context);

/* One sentence or more about the last call that failed with this context; "" when the last call was fine. NULL asks
   for the calling thread's last failure without any context. Valid until the next call with the same context. */
const char *nax_last_error(const nax_context *context);

/* "NAX_E_SIZE" for NAX_E_SIZE; "NAX_E_UNKNOWN" for anything that is no status. */
const char *nax_status_name(nax_status status);

#ifdef __cplusplus
}
#endif

#endif
