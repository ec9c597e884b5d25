// Arrays are written as numpy writes them, whole or not at all.
// REQUIRES: lowering, numpy
// RUN: rm -rf %t %t.full && mkdir %t
// RUN: %cc -std=c11 -Wall -Wextra %s -o %t/write %naxrt
// RUN: %t/write %t | FileCheck %s
// RUN: %python -c "import numpy as n; [print(f, a.dtype.str, a.shape, a.tolist()) for f in ('a', 'b', 'c', 'd') for a in [n.load('%t/' + f + '.npy')]]" | FileCheck %s --check-prefix=NUMPY
// RUN: %python -c "import numpy as n; n.save('%t/n', n.array([[[1.5]], [[-2]]], 'f'))" && cmp %t/n.npy %t/b.npy
// RUN: ls %t | FileCheck %s --check-prefix=FOLDER

// A full disk, here a limit on the size of files, leaves nothing behind.
// RUN: mkdir %t.full && sh -c 'trap "" XFSZ; ulimit -f 0; %t/write %t.full' | FileCheck %s --check-prefix=FULL
// RUN: ls %t.full | count 0
// FULL-COUNT-4: NAX_E_FILE cannot write {{.*}}: File too large

// NUMPY:      a <i4 () 7
// NUMPY-NEXT: b <f4 (2, 1, 1) {{\[\[\[1.5\]\], \[\[-2.0\]\]\]}}
// NUMPY-NEXT: c |b1 (3,) [True, False, True]
// NUMPY-NEXT: d <f8 (0, 4) []

// FOLDER:      a.npy
// FOLDER-NEXT: b.npy
// FOLDER-NEXT: c.npy
// FOLDER-NEXT: d.npy
// FOLDER-NEXT: n.npy
// FOLDER-NEXT: write
// FOLDER-NOT:  {{.}}

#include "nax/files.h"

#include <stdio.h>

static void attempt(nax_context *context, const char *folder, const char *name, nax_file_dtype dtype, int64_t rank,
                    const int64_t *sizes, const void *data) {
  char path[4096];
  snprintf(path, sizeof path, "%s%s", folder, name);
  nax_status status = nax_npy_write(context, path, dtype, rank, sizes, data);
  printf("%s %s\n", nax_status_name(status), nax_last_error(context));
}

int main(int argc, char **argv) {
  (void)argc;
  nax_context *context;
  if (nax_context_create(NULL, &context) != NAX_OK)
    return 1;
  int32_t seven = 7;
  float numbers[] = {1.5f, -2};
  unsigned char flags[] = {1, 0, 1};
  // CHECK-COUNT-4: NAX_OK
  attempt(context, argv[1], "/a.npy", NAX_FILE_I32, 0, NULL, &seven);
  attempt(context, argv[1], "/b.npy", NAX_FILE_F32, 3, (int64_t[]){2, 1, 1}, numbers);
  attempt(context, argv[1], "/c.npy", NAX_FILE_BOOL, 1, (int64_t[]){3}, flags);
  attempt(context, argv[1], "/d.npy", NAX_FILE_F64, 2, (int64_t[]){0, 4}, NULL);
  // CHECK-NEXT: NAX_E_FILE cannot write {{.*}}/none/a.npy: No such file or directory
  attempt(context, argv[1], "/none/a.npy", NAX_FILE_I32, 0, NULL, &seven);
  // CHECK-NEXT: NAX_E_VALUE nax_npy_write: a dtype or rank that npy files do not have
  attempt(context, argv[1], "/e.npy", NAX_FILE_BF16, 0, NULL, &seven);
  // CHECK-NEXT: NAX_E_NULL nax_npy_write: data is null
  attempt(context, argv[1], "/e.npy", NAX_FILE_F32, 0, NULL, NULL);
  // CHECK-NEXT: NAX_E_SIZE nax_npy_write: a size is negative, or their product too large
  attempt(context, argv[1], "/e.npy", NAX_FILE_F32, 1, (int64_t[]){-1}, numbers);
  nax_context_destroy(context);
}
