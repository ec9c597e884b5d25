// Any window of a tensor can be read, also one that begins within a quantised block.
// REQUIRES: lowering, numpy
// RUN: rm -rf %t && %python %S/Inputs/samples.py %t
// RUN: %cc -std=c11 -Wall -Wextra %s -o %t/read %naxrt
// RUN: %t/read %t/sound-3.gguf | FileCheck %s --match-full-lines --strict-whitespace

#include "nax/files.h"

#include <stdio.h>
#include <string.h>

static nax_context *context;

static int windows_agree(const nax_file_tensor *t) {
  float all[512], some[512];
  if (nax_file_read_f32(context, t, 0, t->elements, all) != NAX_OK)
    return 0;
  for (int64_t first = 0; first <= t->elements; ++first)
    for (int64_t count = 0; count <= t->elements - first; ++count) {
      memset(some, 0x7f, sizeof some);
      if (nax_file_read_f32(context, t, first, count, some) != NAX_OK ||
          (count && memcmp(some, all + first, (size_t)count * 4) != 0) ||
          (count < 512 && memcmp(some + count, "\x7f\x7f\x7f\x7f", 4) != 0))
        return 0;
    }
  return 1;
}

static void attempt(const nax_file_tensor *t, int64_t first, int64_t count) {
  float out[4];
  nax_status status = nax_file_read_f32(context, t, first, count, out);
  printf("%s: %s\n", nax_status_name(status), nax_last_error(context));
}

int main(int argc, char **argv) {
  nax_file *file;
  if (argc != 2 || nax_context_create(NULL, &context) != NAX_OK || nax_file_open(context, argv[1], &file) != NAX_OK)
    return 1;
  // CHECK:table fine, half fine, brain fine, q8 fine, q4 fine, q41 fine, q4k fine, q6k fine
  static const char *const names[] = {"table", "half", "brain", "q8", "q4", "q41", "q4k", "q6k"};
  for (int i = 0; i < 8; ++i)
    printf("%s %s%s", names[i], windows_agree(nax_file_find_tensor(file, names[i])) ? "fine" : "wrong",
           i < 7 ? ", " : "\n");
  const nax_file_tensor *half = nax_file_find_tensor(file, "half");
  // CHECK-NEXT:NAX_E_RANGE: half has 4 elements: 2 from 3 on are more
  attempt(half, 3, 2);
  // CHECK-NEXT:NAX_E_RANGE: half has 4 elements: 1 from -1 on are more
  attempt(half, -1, 1);
  // CHECK-NEXT:NAX_E_RANGE: half has 4 elements: 9223372036854775807 from 4 on are more
  attempt(half, 4, INT64_MAX);
  // CHECK-NEXT:NAX_E_NULL: nax_file_read_f32: tensor is null
  attempt(nax_file_find_tensor(file, "none"), 0, 1);
  // CHECK-NEXT:NAX_E_FORMAT: k is Q5_K, which is not read as f32
  attempt(nax_file_find_tensor(file, "k"), 0, 1);

  // Questions about what is not there have an answer.
  // CHECK-NEXT:1 1 1 0 0
  const nax_file_value *f32 = nax_file_find_value(file, "f32");
  printf("%d %d %d %g %lld\n", !nax_file_tensor_at(file, -1), !nax_file_tensor_at(file, 9),
         !nax_file_find_value(file, "nothing"), nax_file_value_real(f32, 1),
         (long long)nax_file_value_integer(NULL, 0));
  nax_file_close(file);
  // CHECK-NEXT:NAX_E_NULL: nax_file_open: path is null
  nax_status status = nax_file_open(context, NULL, &file);
  printf("%s: %s\n", nax_status_name(status), nax_last_error(context));
  nax_context_destroy(context);
}
// CHECK-NOT:{{.}}
