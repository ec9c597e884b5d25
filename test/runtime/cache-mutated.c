// Files of rows with bytes, numbers and pieces changed at random, half of them signed again as if they were sound: each
// is restored or refused with a text, a refused one has changed nothing, and a step afterwards reads no memory but its own.
// REQUIRES: lowering
// RUN: rm -rf %t && mkdir %t && sh -c 'cd %t && clang -std=c11 -O1 -g -fsanitize=address,undefined \
// RUN:   -fno-sanitize-recover=all -I %src/runtime/include -c %src/runtime/src/*.c'
// RUN: clang -std=c11 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -Wall -Wextra \
// RUN:   -I %src/runtime/include -I %S/Inputs %s %t/*.o -pthread -o %t/mutated
// RUN: cd %t && ./mutated 1 | FileCheck %s

#include "memo.h"
#include "random.h"

#include <stdbool.h>

// CHECK: many restored, many refused
// CHECK-NOT: {{.}}

enum { COUNT = 20000, ROOM = 1 << 12 };

static size_t damage(unsigned char *bytes, size_t size) {
  static const uint64_t numbers[] = {0, 1, 2, 3, 4, 5, 8, 0x7fffffff, 0xffffffff, INT64_MAX, INT64_MAX / 8, UINT64_MAX};
  for (uint64_t n = 1 + any(2); n-- > 0 && size > 96;) {
    size_t at = any(3) ? any(size - 8) : any(size / 8 - 1) * 8;
    uint64_t number = any(2) ? numbers[any(sizeof numbers / sizeof *numbers)] : any(size + 2);
    switch (any(5)) {
    case 0:
      bytes[at] ^= (unsigned char)(1u << any(8));
      break;
    case 1:
      memcpy(bytes + at, &number, 4);
      break;
    case 2:
    case 3:
      memcpy(bytes + at, &number, 8);
      break;
    case 4:
      size -= any(4) ? 0 : any(size - 90);
      break;
    }
  }
  if (any(4)) {
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size - 8; ++i)
      sum = (sum ^ bytes[i]) * UINT64_C(0x100000001b3);
    memcpy(bytes + size - 8, &sum, sizeof sum);
  }
  return size;
}

static void attempt(nax_context *context, nax_cache *cache, bool tells, long *restored, long *refused) {
  static char before[1 << 14];
  size_t bytes = nax_cache_bytes(cache);
  memcpy(before, cache, bytes < sizeof before ? bytes : 0);
  if (nax_cache_restore(context, cache, 1, "bad.row") != NAX_OK) {
    ++*refused;
    if (!*nax_last_error(context) || memcmp(before, cache, bytes) != 0)
      printf("a failure without a text, or the cache changed\n");
    return;
  }
  ++*restored;
  float out[4];
  const int32_t ids[4] = {1, 2, 3, 4}, counts[2] = {0, 2};
  nax_status status = tells ? tell_step(context, cache, 2, 2, 3, ids, counts, out)
                            : listen_step(context, cache, 2, 2, ids, counts, out);
  if (status != NAX_OK && status != NAX_E_FULL && status != NAX_E_VALUE)
    printf("step: %s\n", nax_last_error(context));
}

int main(int argc, char **argv) {
  memory m;
  nax_context *context = memo_context(&m);
  nax_cache *listener = NULL, *teller = NULL, *one = NULL;
  static const float shown[6] = {1, 2, 3, 4, 5, 6};
  static const int32_t ids[16] = {9}, lengths[2] = {2, 3};
  float out[16];
  state = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
  if (listen_create(context, 2, 8, &listener) || tell_create(context, 2, 8, 3, &teller) ||
      tell_create(context, 1, 8, 3, &one) || listen_step(context, listener, 2, 6, ids, NULL, out) ||
      tell_begin(context, one, 1, 3, shown, lengths, 2) || tell_step(context, one, 1, 4, 3, ids, NULL, out) ||
      nax_cache_save(context, listener, 0, "listen.row") || nax_cache_save(context, one, 0, "tell.row"))
    printf("%s\n", nax_last_error(context));
  long restored = 0, refused = 0;
  for (long n = 0; n < COUNT; ++n) {
    bool tells = n % 2;
    static unsigned char bytes[ROOM];
    FILE *file = fopen(tells ? "tell.row" : "listen.row", "rb");
    size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file)
      fclose(file);
    size = damage(bytes, size);
    file = fopen("bad.row", "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
      return 2;
    attempt(context, tells ? teller : listener, tells, &restored, &refused);
  }
  nax_cache_destroy(listener), nax_cache_destroy(teller), nax_cache_destroy(one);
  nax_context_destroy(context);
  printf("%s restored, %s refused\n", restored > 500 ? "many" : "few", refused > 500 ? "many" : "few");
}
