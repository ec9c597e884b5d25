// A row is saved whole or not at all, and restored bit for bit, also into a cache of another capacity; a damaged or
// foreign file is refused in words, and the row is then as it was.
// REQUIRES: lowering
// RUN: rm -rf %t %t.full && mkdir %t %t.full
// RUN: %cc -std=c11 -Wall -Wextra %s -I %S/Inputs -o %t/files %naxrt
// RUN: cd %t && ./files all | FileCheck %s --match-full-lines --strict-whitespace
// RUN: ls %t | FileCheck %s --check-prefix=FOLDER

// A full disk, here a limit on the size of files, leaves nothing behind.
// RUN: cd %t.full && sh -c 'trap "" XFSZ; ulimit -f 0; %t/files full' | FileCheck %s --check-prefix=FULL
// RUN: ls %t.full | count 0
// FULL: full: NAX_E_FILE: cannot write heard.row: File too large

// FOLDER:      again.row
// FOLDER-NEXT: bad.row
// FOLDER-NEXT: empty.row
// FOLDER-NEXT: files
// FOLDER-NEXT: heard.row
// FOLDER-NEXT: other.row
// FOLDER-NEXT: pipe
// FOLDER-NEXT: told.row
// FOLDER-NOT:  {{.}}

#include "memo.h"

#include <sys/stat.h>

static memory m;
static nax_context *context;
static char file[1 << 12];
static size_t size;

static nax_cache *listening(int64_t rows, int64_t capacity) {
  nax_cache *cache = NULL;
  if (listen_create(context, rows, capacity, &cache) != NAX_OK)
    printf("%s\n", nax_last_error(context));
  return cache;
}

static float hear(nax_cache *cache, int64_t rows, int64_t count) {
  int32_t ids[64] = {0}, counts[4] = {(int32_t)count};
  float heard[64];
  for (int64_t i = 0; i < count; ++i)
    ids[i] = (int32_t)(nax_cache_length(cache, 0) + i) * 31 % 100;
  if (listen_step(context, cache, rows, count, ids, counts, heard) != NAX_OK)
    printf("%s\n", nax_last_error(context));
  return heard[count - 1];
}

static void read_file(const char *path) {
  FILE *in = fopen(path, "rb");
  size = in ? fread(file, 1, sizeof file, in) : 0;
  if (in)
    fclose(in);
}

static uint64_t sum_of(size_t bytes) {
  uint64_t sum = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < bytes; ++i)
    sum = (sum ^ (unsigned char)file[i]) * UINT64_C(0x100000001b3);
  return sum;
}

/* Restores `file` after a change to it, `resigned` with the checksum of what it then is. */
static void changed(const char *label, nax_cache *cache, size_t at, int64_t number, int resigned) {
  memcpy(file + at, &number, sizeof number);
  uint64_t sum = sum_of(size - 8);
  if (resigned)
    memcpy(file + size - 8, &sum, sizeof sum);
  FILE *out = fopen("bad.row", "wb");
  if (!out || fwrite(file, 1, size, out) != size || fclose(out))
    printf("no bad.row\n");
  static char before[1 << 12];
  memcpy(before, cache, nax_cache_bytes(cache));
  nax_status status = nax_cache_restore(context, cache, 1, "bad.row");
  say(label, context, status);
  if (memcmp(before, cache, nax_cache_bytes(cache)) != 0)
    printf("the cache changed\n");
  read_file("heard.row");
}

static void sound(void) {
  nax_cache *from = listening(1, 20), *to = listening(2, 12), *small = listening(1, 6);
  hear(from, 1, 9);
  // CHECK:saved: NAX_OK
  say("saved", context, nax_cache_save(context, from, 0, "heard.row"));
  // CHECK-NEXT:restored: NAX_OK
  say("restored", context, nax_cache_restore(context, to, 0, "heard.row"));
  // CHECK-NEXT:9 0
  printf("%lld %lld\n", (long long)nax_cache_length(to, 0), (long long)nax_cache_length(to, 1));
  // CHECK-NEXT:saved again: NAX_OK
  say("saved again", context, nax_cache_save(context, to, 0, "again.row"));
  // CHECK-NEXT:no room: NAX_E_FULL: row 0 of the cache: the 9 positions in heard.row are more than its 6
  say("no room", context, nax_cache_restore(context, small, 0, "heard.row"));
  // CHECK-NEXT:goes on the same
  float one = hear(from, 1, 3), other = hear(to, 2, 3);
  printf("goes on %s\n", memcmp(&one, &other, sizeof one) == 0 ? "the same" : "differently");
  // The capacity is not part of the row: 9 numbers in the head of the file, the fifth.
  // CHECK-NEXT:the same but for the capacity
  read_file("heard.row");
  static char first[1 << 12];
  memcpy(first, file, size);
  size_t bytes = size;
  read_file("again.row");
  memcpy(file + 40, first + 40, 8);
  printf("%s\n",
         size == bytes && memcmp(first, file, size - 8) == 0 ? "the same but for the capacity" : "another file");
  // CHECK-NEXT:saved empty: NAX_OK
  say("saved empty", context, nax_cache_save(context, to, 1, "empty.row"));
  // CHECK-NEXT:restored empty: NAX_OK
  say("restored empty", context, nax_cache_restore(context, to, 0, "empty.row"));
  // CHECK-NEXT:0 0
  printf("%lld %lld\n", (long long)nax_cache_length(to, 0), (long long)nax_cache_length(to, 1));
  nax_cache_destroy(from), nax_cache_destroy(to), nax_cache_destroy(small);
}

static void damaged(void) {
  nax_cache *cache = listening(2, 12);
  hear(cache, 2, 2);
  read_file("heard.row");
  // CHECK-NEXT:a bit of the last value: NAX_E_FORMAT: bad.row: the file is damaged or cut short: its checksum is another
  changed("a bit of the last value", cache, size - 16, 1, 0);
  // CHECK-NEXT:no magic: NAX_E_FORMAT: bad.row: this is no row of a cache, or its beginning is damaged
  changed("no magic", cache, 0, 0, 1);
  // CHECK-NEXT:version: NAX_E_FORMAT: bad.row: version 2 of these files, 1 is read
  changed("version", cache, 8, 2, 1);
  // CHECK-NEXT:longer: NAX_E_FORMAT: bad.row: the lengths in its head make no sense
  changed("longer", cache, 16, 10, 1);
  // CHECK-NEXT:reached: NAX_E_FORMAT: bad.row: the lengths in its head make no sense
  changed("reached", cache, 24, 11, 1);
  // CHECK-NEXT:another length: NAX_E_FORMAT: bad.row: the sizes in its head do not fit the file
  changed("another length", cache, 24, 10, 1);
  // CHECK-NEXT:negative: NAX_E_FORMAT: bad.row: the lengths in its head make no sense
  changed("negative", cache, 16, -1, 1);
  // CHECK-NEXT:begun: NAX_E_FORMAT: bad.row: the lengths in its head make no sense
  changed("begun", cache, 32, 2, 1);
  // CHECK-NEXT:huge name: NAX_E_FORMAT: bad.row: the sizes in its head do not fit the file
  changed("huge name", cache, 48, INT64_MAX, 1);
  // CHECK-NEXT:negative name: NAX_E_FORMAT: bad.row: the sizes in its head do not fit the file
  changed("negative name", cache, 56, -6, 1);
  // CHECK-NEXT:huge count: NAX_E_FORMAT: bad.row: the sizes in its head do not fit the file
  changed("huge count", cache, 64, INT64_MAX / 8, 1);
  // CHECK-NEXT:fewer parts: NAX_E_VALUE: bad.row: this is a row of {{.*}}, the cache is one of memo_listen
  changed("fewer parts", cache, 64, 1, 1);
  // CHECK-NEXT:more sizes: NAX_E_VALUE: bad.row: this is a row of {{.*}}, the cache is one of memo_listen
  changed("more sizes", cache, 72, 5, 1);
  // CHECK-NEXT:type: NAX_E_SIZE: bad.row: cache.0 [B,T.cache,D] is i32, in the cache f32
  changed("type", cache, 80, NAX_I32, 1);
  // CHECK-NEXT:bytes: NAX_E_SIZE: bad.row: cache.0 [B,T.cache,D] is 16 bytes for each, in the cache 8
  changed("bytes", cache, 96, 16, 1);
  size -= 4;
  // CHECK-NEXT:cut: NAX_E_FORMAT: bad.row: the file is damaged or cut short: its checksum is another
  changed("cut", cache, 8, 1, 0);
  size -= 4;
  // CHECK-NEXT:a value less: NAX_E_FORMAT: bad.row: the sizes in its head do not fit the file
  changed("a value less", cache, 8, 1, 1);
  size = 60;
  // CHECK-NEXT:no head: NAX_E_FORMAT: bad.row: the file is cut short
  changed("no head", cache, 8, 1, 0);
  // CHECK-NEXT:sound: NAX_OK
  changed("sound", cache, 8, 1, 1);
  // CHECK-NEXT:the cache changed
  // CHECK-NEXT:none: NAX_E_FILE: cannot open none.row: No such file or directory
  say("none", context, nax_cache_restore(context, cache, 0, "none.row"));
  // CHECK-NEXT:a folder: NAX_E_FILE: cannot read .: it is not a regular file
  say("a folder", context, nax_cache_restore(context, cache, 0, "."));
  // CHECK-NEXT:nowhere: NAX_E_FILE: cannot write none/x.row: No such file or directory
  say("nowhere", context, nax_cache_save(context, cache, 0, "none/x.row"));
  // CHECK-NEXT:no file: NAX_E_FILE: cannot write pipe: it is no plain file
  mkfifo("pipe", 0600);
  say("no file", context, nax_cache_save(context, cache, 0, "pipe"));
  // CHECK-NEXT:still there: 1
  struct stat pipe;
  printf("still there: %d\n", stat("pipe", &pipe) == 0 && S_ISFIFO(pipe.st_mode));
  // CHECK-NEXT:no path: NAX_E_NULL: path is null
  say("no path", context, nax_cache_save(context, cache, 0, NULL));
  // CHECK-NEXT:no path: NAX_E_NULL: path is null
  say("no path", context, nax_cache_restore(context, cache, 0, NULL));
  // CHECK-NEXT:no row: NAX_E_RANGE: row 2: the cache has 2 rows, counted from 0
  say("no row", context, nax_cache_restore(context, cache, 2, "heard.row"));
  nax_cache_destroy(cache);
}

static void foreign(void) {
  nax_cache *cache = NULL, *one = NULL, *other = NULL, *listener = listening(1, 12);
  if (tell_create(context, 2, 8, 3, &cache) || tell_create(context, 1, 4, 3, &one) ||
      tell_create(context, 1, 4, 2, &other))
    printf("%s\n", nax_last_error(context));
  const float shown[] = {1, 2, 3, 4, 5, 6};
  const int32_t ids[] = {7, 8};
  float told[2];
  // CHECK-NEXT:another entry's: NAX_E_VALUE: heard.row: this is a row of memo_listen, the cache is one of memo_tell
  say("another entry's", context, nax_cache_restore(context, cache, 0, "heard.row"));
  if (tell_begin(context, one, 1, 3, shown, (int32_t[]){3}, 2) || tell_step(context, one, 1, 2, 3, ids, NULL, told) ||
      nax_cache_save(context, one, 0, "told.row"))
    printf("%s\n", nax_last_error(context));
  // CHECK-NEXT:other sizes: NAX_E_SIZE: told.row: axis P: the row was created for 3, the cache for 2
  say("other sizes", context, nax_cache_restore(context, other, 0, "told.row"));
  // CHECK-NEXT:with its begin: NAX_OK
  say("with its begin", context, nax_cache_restore(context, cache, 1, "told.row"));
  // CHECK-NEXT:told: NAX_OK
  // CHECK-NEXT:23012
  say("told", context, tell_step(context, cache, 2, 1, 3, (int32_t[]){0, 8}, (int32_t[]){0, 1}, told));
  printf("%.0f\n", told[1]);
  if (tell_begin(context, one, 1, 3, shown, (int32_t[]){3}, 5) || nax_cache_save(context, one, 0, "other.row"))
    printf("%s\n", nax_last_error(context));
  // CHECK-NEXT:shared: NAX_E_VALUE: other.row: the rows of a cache share cache.3 [], and what other rows began with is not what this one did
  say("shared", context, nax_cache_restore(context, cache, 0, "other.row"));
  // CHECK-NEXT:by nobody else: NAX_OK
  say("by nobody else", context, nax_cache_restore(context, cache, 1, "other.row"));
  // A length of P beyond P would make the step read beyond its memory.
  // CHECK-NEXT:length: NAX_E_RANGE: bad.row: cache.2 [B] has values out of their range
  read_file("other.row");
  int64_t length = 4;
  memcpy(&length, file + size - 16, 8);
  length = (length & ~INT64_C(0xffffffff)) | 4;
  changed("length", cache, size - 16, length, 1);
  nax_cache_destroy(cache), nax_cache_destroy(one), nax_cache_destroy(other), nax_cache_destroy(listener);

  // Numbers of documents, here the bits of what was shown, are any.
  nax_buffer_desc buffers[7];
  nax_entry_desc entries[4];
  nax_model_desc filed = memo;
  memcpy(buffers, memo_tell_buffers, sizeof buffers), memcpy(entries, memo_entries, sizeof entries);
  buffers[3].dtype = NAX_I32, buffers[3].data_axis = P, entries[TELL].buffers = buffers, filed.entries = entries;
  int64_t sizes[] = {1, 4, 3}, dims[] = {1, 3};
  float factor = 1;
  void *begins[] = {(void *)shown, (int32_t[]){3}, &factor, NULL, NULL, NULL};
  if (naxrt_cache_create(context, &filed, TELL, sizes, &cache) ||
      naxrt_invoke(context, &filed, TELL_BEGIN, NULL, cache, dims, begins, NULL, 0) ||
      nax_cache_save(context, cache, 0, "told.row"))
    printf("%s\n", nax_last_error(context));
  // CHECK-NEXT:documents: NAX_OK
  say("documents", context, nax_cache_restore(context, cache, 0, "told.row"));
  nax_cache_destroy(cache);
}

int main(int argc, char **argv) {
  context = memo_context(&m);
  if (argc > 1 && strcmp(argv[1], "full") == 0) {
    nax_cache *cache = listening(1, 12);
    say("full", context, nax_cache_save(context, cache, 0, "heard.row"));
    nax_cache_destroy(cache);
  } else {
    sound();
    damaged();
    foreign();
    // CHECK-NEXT:1 block left
    printf("%lld block left\n", (long long)m.live);
  }
  nax_context_destroy(context);
}
// CHECK-NOT:{{.}}
