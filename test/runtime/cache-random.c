// Thousands of steps, cuts, copies, savings and restorings in any order, on three caches of different capacity, hear what
// a list of ids for each row says they should. Between them every slot that must not be read again is made NaN.
// REQUIRES: lowering
// RUN: rm -rf %t && mkdir %t && sh -c 'cd %t && clang -std=c11 -O1 -g -fsanitize=address,undefined \
// RUN:   -fno-sanitize-recover=all -I %src/runtime/include -c %src/runtime/src/*.c'
// RUN: clang -std=c11 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -Wall -Wextra \
// RUN:   -I %src/runtime/include -I %S/Inputs %s %t/*.o -pthread -o %t/random
// RUN: %t/random %t/row.cache 1 | FileCheck %s
// RUN: %t/random %t/row.cache 2 | FileCheck %s

#include "memo.h"

#include <stdbool.h>

// CHECK: 3 caches, 20000 operations: all as expected
// CHECK-NOT: {{.}}

enum { CACHES = 3, ROWS = 3, CAPACITY = 23, CHUNK = 9, OPERATIONS = 20000 };

typedef struct row {
  int64_t length, reached;
  int32_t ids[CAPACITY];
} row;

static const int64_t capacities[CACHES] = {CAPACITY, 11, 3}; /* the last is shorter than the ring */
static nax_context *context;
static nax_cache *caches[CACHES];
static row rows[CACHES][ROWS];
static uint64_t state;
static int wrong;

static int64_t any(int64_t below) {
  state += UINT64_C(0x9E3779B97F4A7C15);
  uint64_t z = state;
  z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
  return (int64_t)((z ^ z >> 31) % (uint64_t)below);
}

static void expect(const char *what, nax_status found, nax_status wanted) {
  if (found == wanted)
    return;
  if (++wrong < 20)
    printf("%s: %s instead of %s: %s\n", what, nax_status_name(found), nax_status_name(wanted),
           nax_last_error(context));
}

static float hears(const row *r, int64_t end) {
  double sum = 0, few = 0;
  for (int64_t p = 0; p < end; ++p) {
    sum += (double)(p + 1) * r->ids[p];
    few += p >= end - WINDOW ? r->ids[p] : 0;
  }
  return (float)(sum + 100000 * few);
}

static void step(int64_t c) {
  int64_t size = any(CHUNK + 1);
  int32_t ids[ROWS * CHUNK], counts[ROWS];
  float heard[ROWS * CHUNK];
  nax_status wanted = NAX_OK;
  bool all = any(4) == 0;
  for (int64_t i = 0; i < ROWS * CHUNK; ++i)
    ids[i] = (int32_t)any(100);
  for (int64_t r = 0; r < ROWS; ++r) {
    counts[r] = (int32_t)(all ? size : any(size + 1));
    if (rows[c][r].length + counts[r] > capacities[c])
      wanted = NAX_E_FULL;
  }
  expect("step", listen_step(context, caches[c], ROWS, size, ids, all ? NULL : counts, heard), wanted);
  for (int64_t r = 0; r < ROWS && wanted == NAX_OK; ++r) {
    row *mine = &rows[c][r];
    for (int32_t t = 0; t < counts[r]; ++t) {
      mine->ids[mine->length++] = ids[r * size + t];
      float value = hears(mine, mine->length);
      if (memcmp(&heard[r * size + t], &value, sizeof value) != 0 && ++wrong < 20)
        printf("cache %lld, row %lld at %lld: %.0f instead of %.0f\n", (long long)c, (long long)r,
               (long long)mine->length - 1, (double)heard[r * size + t], (double)value);
    }
    if (mine->reached < mine->length)
      mine->reached = mine->length;
  }
}

static void cut(int64_t c, int64_t r) {
  row *mine = &rows[c][r];
  int64_t length = any(3) ? mine->length - any(3) : any(CAPACITY);
  bool wrapped = mine->reached > WINDOW;
  nax_status wanted = length < 0 || length > mine->length                   ? NAX_E_RANGE
                      : wrapped && length > 0 && length < mine->reached - 1 ? NAX_E_VALUE
                                                                            : NAX_OK;
  expect("truncate", nax_cache_truncate(context, caches[c], r, length), wanted);
  if (wanted != NAX_OK)
    return;
  mine->length = length;
  if (!wrapped || length == 0)
    mine->reached = length;
}

static void move(int64_t c, int64_t r, const char *path) {
  int64_t other = any(CACHES), from = any(ROWS);
  nax_status wanted = rows[other][from].length > capacities[c] ? NAX_E_FULL : NAX_OK;
  if (any(4)) {
    expect("copy", nax_cache_copy(context, caches[c], r, caches[other], from), wanted);
  } else {
    expect("save", nax_cache_save(context, caches[other], from, path), NAX_OK);
    expect("restore", nax_cache_restore(context, caches[c], r, path), wanted);
  }
  if (wanted == NAX_OK)
    rows[c][r] = rows[other][from];
}

/* NaN in each slot but those of positions that the next query may read. */
static void poison(int64_t c) {
  float *kept = naxrt_cache_buffer(caches[c], 0, NULL), *last = naxrt_cache_buffer(caches[c], 1, NULL);
  int64_t slots = capacities[c], ring = slots < WINDOW ? slots : WINDOW;
  for (int64_t r = 0; r < ROWS; ++r) {
    int64_t length = rows[c][r].length, first = length > ring ? length - ring : 0;
    bool used[CAPACITY] = {false};
    for (int64_t p = length; p < slots; ++p)
      memset(&kept[2 * memo_slot(r, slots, p)], 0xff, 2 * sizeof(float));
    for (int64_t p = rows[c][r].reached > length ? first + 1 : first; p < length; ++p)
      used[p % ring] = true;
    for (int64_t s = 0; s < ring; ++s)
      if (!used[s])
        memset(&last[r * ring + s], 0xff, sizeof(float));
  }
}

int main(int argc, char **argv) {
  memory m;
  if (argc != 3)
    return 2;
  context = memo_context(&m);
  state = strtoull(argv[2], NULL, 10);
  for (int64_t c = 0; c < CACHES; ++c)
    expect("create", listen_create(context, ROWS, capacities[c], &caches[c]), NAX_OK);
  for (int64_t n = 0; n < OPERATIONS; ++n) {
    int64_t c = any(CACHES), r = any(ROWS), what = any(10);
    if (what < 5)
      step(c);
    else if (what < 7)
      cut(c, r);
    else if (what < 9)
      move(c, r, argv[1]);
    else if (any(4) == 0)
      expect("reset", nax_cache_reset(context, caches[c], r), NAX_OK), rows[c][r].length = rows[c][r].reached = 0;
    poison(any(CACHES));
    for (int64_t i = 0; i < CACHES * ROWS; ++i)
      wrong += nax_cache_length(caches[i / ROWS], i % ROWS) != rows[i / ROWS][i % ROWS].length;
  }
  for (int64_t c = 0; c < CACHES; ++c)
    nax_cache_destroy(caches[c]);
  nax_context_destroy(context);
  remove(argv[1]);
  printf("%d caches, %d operations: %s\n", CACHES, OPERATIONS, wrong ? "wrong" : "all as expected");
}
