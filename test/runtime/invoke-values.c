// Ids, lengths, starts, documents and booleans are checked before the model reads with them.
// REQUIRES: lowering
// RUN: %cc -std=c11 -Wall -Wextra %s -I %S/Inputs -o %t %naxrt
// RUN: %t | FileCheck %s --match-full-lines --strict-whitespace

#include "toy.h"

static nax_context *context;
static nax_params *params;
static int64_t dims[] = {2, 4};
static int64_t wide[8], seed = 7;
static int32_t one, lengths[2], starts[2], documents[8];
static unsigned char allowed[8];
static float first[2], last;

static void attempt(const char *label) {
  void *buffers[] = {wide, &one, lengths, starts, documents, allowed, &seed, first, &last};
  say(label, context, naxrt_invoke(context, &toy, 1, params, NULL, dims, buffers, NULL, 0));
}

static void forward(const char *label, int32_t id) {
  int32_t ids[4] = {0, 1, 2, id};
  float logits[12];
  int64_t sizes[] = {1, 4};
  void *buffers[] = {ids, logits};
  say(label, context, naxrt_invoke(context, &toy, 0, params, NULL, sizes, buffers, NULL, 0));
}

static void set_documents(const char *label, const int32_t *row) {
  memcpy(documents, (int32_t[8]){0, 0, 1, 1}, sizeof documents);
  memcpy(documents + 4, row, 4 * sizeof *row);
  attempt(label);
  memset(documents, 0, sizeof documents);
}

int main(void) {
  if (nax_context_create(NULL, &context) != NAX_OK)
    return 1;
  params = toy_open(context);

  // CHECK:last id: NAX_OK
  forward("last id", 4);
  // CHECK-NEXT:too large: NAX_E_RANGE: ids[0,3] is 5, V has 5
  forward("too large", 5);
  // CHECK-NEXT:largest: NAX_E_RANGE: ids[0,3] is 2147483647, V has 5
  forward("largest", INT32_MAX);
  // CHECK-NEXT:ignored label: NAX_E_RANGE: ids[0,3] is -100, V has 5
  forward("ignored label", -100);
  // CHECK-NEXT:smallest: NAX_E_RANGE: ids[0,3] is -2147483648, V has 5
  forward("smallest", INT32_MIN);

  // CHECK-NEXT:all fine: NAX_OK
  // CHECK-NEXT:7
  attempt("all fine");
  printf("%g\n", last);
  wide[6] = INT64_C(1) << 32;
  // CHECK-NEXT:i64: NAX_E_RANGE: wide[1,2] is 4294967296, V has 5
  attempt("i64");
  wide[6] = 0, one = -1;
  // CHECK-NEXT:scalar: NAX_E_RANGE: one is -1, V has 5
  attempt("scalar");
  one = 0, lengths[0] = 0, lengths[1] = 4;
  // CHECK-NEXT:whole length: NAX_OK
  attempt("whole length");
  lengths[1] = 5;
  // CHECK-NEXT:length: NAX_E_RANGE: T_lengths[1] is 5, axis T has 4 positions
  attempt("length");
  lengths[1] = 0, starts[0] = -1;
  // CHECK-NEXT:start: NAX_E_RANGE: T_starts[0] is -1, axis T has 4 positions
  attempt("start");
  starts[0] = 0, allowed[5] = 2;
  // CHECK-NEXT:boolean: NAX_E_RANGE: allowed[1,1] is 2, a boolean is 0 or 1
  attempt("boolean");
  allowed[5] = 1;

  // CHECK-NEXT:growing: NAX_OK
  set_documents("growing", (int32_t[]){-1, 0, 7, 7});
  // CHECK-NEXT:shrinking: NAX_OK
  set_documents("shrinking", (int32_t[]){9, 9, 3, 1});
  // CHECK-NEXT:again: NAX_E_RANGE: T_documents[1,3] is 9, a document that has ended before: the positions of a document stand next to each other
  set_documents("again", (int32_t[]){9, 9, 3, 9});
  // CHECK-NEXT:earliest: NAX_E_RANGE: T_documents[1,2] is 5, a document that has ended before: the positions of a document stand next to each other
  set_documents("earliest", (int32_t[]){5, 1, 5, 1});

  // Their length has a limit, the row has none.
  dims[0] = 1, dims[1] = 8;
  memcpy(documents, (int32_t[8]){7, 7, 7, 7, 2, 2, 2, 2}, sizeof documents);
  // CHECK-NEXT:long row: NAX_OK
  attempt("long row");
  memcpy(documents, (int32_t[8]){1, 7, 7, 7, 7, 7, 7, 2}, sizeof documents);
  // CHECK-NEXT:long document: NAX_E_AXIS: T_documents[0,5]: document 7 has 6 positions, more than the 4 positions of the table Pos
  attempt("long document");

  naxrt_params_close(params);
  nax_context_destroy(context);
}
// CHECK-NOT:{{.}}
