/* SPDX-License-Identifier: Apache-2.0 */
/* What WordPiece answers to vocabularies that are none, to arguments that make no sense and to texts that are no text;
   all memory comes from the hook and goes back, and where there is none nothing is lost.

   REQUIRES: lowering
   RUN: %python %S/Inputs/make_wordpiece.py %t.txt
   RUN: rm -rf %t.faults && %python %S/Inputs/make_wordpiece.py --faults %t.faults
   RUN: %cc -std=c11 -O1 -Wall -Werror %s %build/lib/libnaxtext.a %naxrt -o %t
   RUN: %t %t.txt %t.faults | FileCheck %s

   CHECK-NOT: FAILED
   CHECK: {{[1-9]}} allocations refused one by one, 0 failed
*/
#include "nax/wordpiece.h"

#include "Inputs/text_test.h"

static nax_context *context;
static nax_wordpiece *vocabulary;
static int left = 1000; /* allocations until there is no memory */
static int64_t held;    /* bytes */

static void *allocate(void *user, size_t bytes, size_t alignment) {
  if (left-- <= 0)
    return NULL;
  held += (int64_t)bytes;
  return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void release(void *user, void *pointer, size_t bytes) {
  held -= (int64_t)bytes;
  free(pointer);
}

#define EXPECT_FAILURE(call, wanted_status, wanted_text)                                                               \
  do {                                                                                                                 \
    nax_status status = (call);                                                                                        \
    EXPECT(status == (wanted_status), "%s", nax_status_name(status));                                                  \
    EXPECT(strcmp(nax_last_error(context), wanted_text) == 0, "\"%s\"", nax_last_error(context));                      \
  } while (0)

static void refused_files(const char *folder) {
  static const struct {
    const char *name, *says;
  } faults[] = {
      {"empty", "the file is empty"},
      {"empty-line", "line 6 is empty; a vocabulary has one token a line"},
      {"only-a-return", "line 6 is empty; a vocabulary has one token a line"},
      {"same-token", "lines 8 and 10 are the same token"},
      {"latin1", "line 10 is no text in UTF-8; a vocabulary has one token a line"},
      {"cut-short", "line 10 is no text in UTF-8; a vocabulary has one token a line"},
      {"zero-byte", "line 10 is no text in UTF-8; a vocabulary has one token a line"},
      {"no-unknown", "has no token [UNK]; a WordPiece vocabulary has [UNK], [CLS] and [SEP]"},
      {"no-begin", "has no token [CLS]; a WordPiece vocabulary has [UNK], [CLS] and [SEP]"},
      {"no-end", "has no token [SEP]; a WordPiece vocabulary has [UNK], [CLS] and [SEP]"},
      {"lower-case-names", "has no token [UNK]; a WordPiece vocabulary has [UNK], [CLS] and [SEP]"},
      {"one-line", "has no token [UNK]; a WordPiece vocabulary has [UNK], [CLS] and [SEP]"},
  };
  for (size_t i = 0; i < sizeof faults / sizeof *faults; ++i) {
    char path[1024], wanted[2048];
    snprintf(path, sizeof path, "%s/%s.txt", folder, faults[i].name);
    snprintf(wanted, sizeof wanted, "%s: %s", path, faults[i].says);
    nax_wordpiece *opened = vocabulary;
    EXPECT_FAILURE(nax_wordpiece_open(context, path, &opened), NAX_E_FORMAT, wanted);
    EXPECT(!opened, "%s", faults[i].name);
  }
  nax_wordpiece *opened = NULL;
  EXPECT(nax_wordpiece_open(context, folder, &opened) == NAX_E_FILE, "a folder");
  EXPECT(nax_wordpiece_open(context, "/no/such/file", &opened) == NAX_E_FILE, "no file");
}

static void refused_arguments(const char *path) {
  nax_wordpiece *opened = NULL;
  int64_t count = 0;
  int32_t ids[2] = {-7, -7};
  EXPECT_FAILURE(nax_wordpiece_open(context, NULL, &opened), NAX_E_NULL, "nax_wordpiece_open: path is null");
  EXPECT_FAILURE(nax_wordpiece_open(context, path, NULL), NAX_E_NULL, "nax_wordpiece_open: out is null");
  EXPECT(nax_wordpiece_open(NULL, path, &opened) == NAX_E_NULL, "without a context");
  EXPECT_FAILURE(nax_wordpiece_encode(context, NULL, "a", 1, 0, ids, 2, &count), NAX_E_NULL,
                 "nax_wordpiece_encode: vocabulary is null");
  EXPECT_FAILURE(nax_wordpiece_encode(context, vocabulary, NULL, 1, 0, ids, 2, &count), NAX_E_NULL,
                 "nax_wordpiece_encode: text is null");
  EXPECT_FAILURE(nax_wordpiece_encode(context, vocabulary, "a", 1, 0, NULL, 2, &count), NAX_E_NULL,
                 "nax_wordpiece_encode: ids is null");
  EXPECT_FAILURE(nax_wordpiece_encode(context, vocabulary, "a", 1, 0, ids, 2, NULL), NAX_E_NULL,
                 "nax_wordpiece_encode: count is null");
  EXPECT_FAILURE(nax_wordpiece_encode(context, vocabulary, "a", 1, 0, ids, 1, &count), NAX_E_SIZE,
                 "nax_wordpiece_encode: capacity is 1; [CLS] and [SEP] alone need 2");
  EXPECT_FAILURE(nax_wordpiece_encode(context, vocabulary, "a", 1, 0, ids, -2, &count), NAX_E_SIZE,
                 "nax_wordpiece_encode: capacity is -2; [CLS] and [SEP] alone need 2");
  EXPECT_FAILURE(nax_wordpiece_encode(context, vocabulary, "ab\xC3(", 4, 0, ids, 2, &count), NAX_E_VALUE,
                 "text: the byte 0xC3 at offset 2 begins no character of UTF-8");
  EXPECT(count == 0 && ids[0] == -7 && ids[1] == -7, "a failed call has written");
  need(context, nax_wordpiece_encode(context, vocabulary, NULL, 0, 0, ids, 2, &count));
  EXPECT(count == 2 && ids[0] == 101 && ids[1] == 102, "nothing is [CLS] and [SEP]");
  nax_wordpiece_close(NULL);
}

static void names(void) {
  EXPECT(nax_wordpiece_find(vocabulary, "[MASK]") == 103 && nax_wordpiece_find(vocabulary, "##ing") == 2075, "find");
  EXPECT(nax_wordpiece_find(vocabulary, "") == -1 && nax_wordpiece_find(vocabulary, "Cat") == -1, "none");
  EXPECT(nax_wordpiece_find(vocabulary, NULL) == -1, "null");
  EXPECT(strcmp(nax_wordpiece_name(vocabulary, 2075), "##ing") == 0, "%s", nax_wordpiece_name(vocabulary, 2075));
  EXPECT(!nax_wordpiece_name(vocabulary, -1) && !nax_wordpiece_name(vocabulary, 30522), "no such id");
  for (int32_t id = 0; id < 30522; ++id)
    EXPECT(nax_wordpiece_find(vocabulary, nax_wordpiece_name(vocabulary, id)) == id, "%d", id);
}

/* Lines that end as on Windows, and a last line without an end, are the same vocabulary. */
static void other_line_ends(const char *folder) {
  char path[1024];
  snprintf(path, sizeof path, "%s/returns.txt", folder);
  FILE *file = fopen(path, "wb");
  if (!file || fputs("[UNK]\r\n[CLS]\r\n[SEP]\r\nab\r\n##ba", file) < 0 || fclose(file) != 0)
    exit(1);
  nax_wordpiece *opened = NULL;
  need(context, nax_wordpiece_open(context, path, &opened));
  int32_t ids[8];
  int64_t count = 0;
  need(context, nax_wordpiece_encode(context, opened, "abba ABBABA c [MASK]", 20, NAX_SPECIALS_NAMED, ids, 8, &count));
  static const int32_t wanted[8] = {1, 3, 4, 3, 4, 4, 0, 2}; // this vocabulary has no [MASK]
  EXPECT(count == 11 && memcmp(ids, wanted, sizeof wanted) == 0, "%lld ids", (long long)count);
  nax_wordpiece_close(opened);
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  nax_options options = {.threads = 1, .hooks = {.allocate = allocate, .release = release}};
  need(NULL, nax_context_create(&options, &context));
  need(context, nax_wordpiece_open(context, argv[1], &vocabulary));
  refused_files(argv[2]);
  refused_arguments(argv[1]);
  names();
  other_line_ends(argv[2]);
  nax_wordpiece_close(vocabulary);

  int64_t before = held;
  int refused = 0;
  for (bool worked = false; !worked && refused < 100; refused += !worked) {
    left = refused;
    nax_status status = nax_wordpiece_open(context, argv[1], &vocabulary);
    worked = status == NAX_OK;
    EXPECT(worked || (status == NAX_E_MEMORY && !vocabulary), "%s", nax_status_name(status));
    if (worked)
      nax_wordpiece_close(vocabulary);
    EXPECT(held == before, "%lld bytes were not given back", (long long)(held - before));
  }
  printf("%d allocations refused one by one, %d failed\n", refused, failures);
  left = 1000;
  nax_context_destroy(context);
  return failures != 0 || held != 0;
}
