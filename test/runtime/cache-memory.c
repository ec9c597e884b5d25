// Steps, begins and all that is done to rows take no memory: every malloc of the program is counted, on one thread and on
// four. A cache itself is one allocation.
// REQUIRES: lowering
// UNSUPPORTED: asan
// RUN: %cc -std=c11 -Wall -Wextra %s -I %S/Inputs -o %t %naxrt
// RUN: env NAX_THREADS=1 %t | FileCheck %s --match-full-lines --strict-whitespace
// RUN: env NAX_THREADS=4 %t | FileCheck %s --match-full-lines --strict-whitespace

#include "memo.h"

#include <errno.h>

static long calls;

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

void *malloc(size_t bytes) { return ++calls, __libc_malloc(bytes); }
void *calloc(size_t count, size_t bytes) { return ++calls, __libc_calloc(count, bytes); }
void *realloc(void *old, size_t bytes) { return ++calls, __libc_realloc(old, bytes); }
void *aligned_alloc(size_t alignment, size_t bytes) { return ++calls, __libc_memalign(alignment, bytes); }
void *memalign(size_t alignment, size_t bytes) { return ++calls, __libc_memalign(alignment, bytes); }
int posix_memalign(void **out, size_t alignment, size_t bytes) {
  *out = (++calls, __libc_memalign(alignment, bytes));
  return *out ? 0 : ENOMEM;
}

static void count(const char *label, nax_status status) {
  static long before;
  printf("%s: %s, %ld\n", label, nax_status_name(status), calls - before);
  before = calls;
}

int main(void) {
  static char line[1 << 12];
  setvbuf(stdout, line, _IOFBF, sizeof line);
  nax_context *context;
  nax_cache *listener, *teller, *filer;
  const int32_t ids[8] = {1, 2, 3}, lengths[2] = {1, 3};
  float heard[8], shown[6] = {1, 2, 3};
  int32_t place[8];
  _Alignas(64) static char room[64];
  nax_status status = nax_context_create(NULL, &context);
  if (status != NAX_OK)
    return 1;
  int64_t sizes[] = {2, 8};
  count("context", NAX_OK);
  // CHECK:a cache: NAX_OK, 1
  count("a cache", listen_create(context, 2, 8, &listener));
  // CHECK-NEXT:another: NAX_OK, 1
  count("another", tell_create(context, 2, 8, 3, &teller));
  // CHECK-NEXT:a third: NAX_OK, 1
  count("a third", naxrt_cache_create(context, &memo, FILE_STEP, sizes, &filer));

  // CHECK-NEXT:step: NAX_OK, 0
  count("step", listen_step(context, listener, 2, 3, ids, NULL, heard));
  // CHECK-NEXT:begin: NAX_OK, 0
  count("begin", tell_begin(context, teller, 2, 3, shown, lengths, 1));
  int64_t dims[] = {2, 1, 0, 3};
  void *buffers[] = {(void *)ids, NULL, NULL, NULL, NULL, NULL, heard};
  // CHECK-NEXT:own workspace: NAX_OK, 0
  count("own workspace", naxrt_invoke(context, &memo, TELL, NULL, teller, dims, buffers, room, sizeof room));
  // CHECK-NEXT:no workspace: NAX_OK, 1
  count("no workspace", naxrt_invoke(context, &memo, TELL, NULL, teller, dims, buffers, NULL, 0));
  // CHECK-NEXT:documents: NAX_OK, 0
  count("documents", file_step(context, filer, 2, 3, (int32_t[]){9, 9, 4, 7, 1, 1}, NULL, place));
  // CHECK-NEXT:one that ended: NAX_E_RANGE, 0
  count("one that ended", file_step(context, filer, 2, 2, (int32_t[]){4, 9, 1, 1}, NULL, place));

  // CHECK-NEXT:truncate: NAX_OK, 0
  count("truncate", nax_cache_truncate(context, listener, 0, 2));
  // CHECK-NEXT:copy: NAX_OK, 0
  count("copy", nax_cache_copy(context, listener, 1, listener, 0));
  // CHECK-NEXT:reset: NAX_OK, 0
  count("reset", nax_cache_reset(context, listener, 0));
  // CHECK-NEXT:full: NAX_E_FULL, 0
  count("full", listen_step(context, listener, 1, 9, ids, NULL, heard) == NAX_E_SIZE
                    ? listen_step(context, listener, 2, 4, ids, (int32_t[]){4, 4}, heard) == NAX_OK
                          ? listen_step(context, listener, 2, 3, ids, (int32_t[]){3, 3}, heard)
                          : NAX_OK
                    : NAX_OK);
  nax_cache_destroy(listener), nax_cache_destroy(teller), nax_cache_destroy(filer);
  nax_context_destroy(context);
}
// CHECK-NOT:{{.}}
