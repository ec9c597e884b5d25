// Every argument of a call is checked before the model runs, and the text says which one is wrong and why.
// REQUIRES: lowering
// RUN: %cc -std=c11 -Wall -Wextra %s -I %S/Inputs -o %t %naxrt
// RUN: %t | FileCheck %s --match-full-lines --strict-whitespace

#include "toy.h"

#include <stdlib.h>

static nax_context *context;
static nax_params *params;

typedef struct call {
  int64_t dims[2];
  const void *ids;
  void *logits;
  void *workspace;
  size_t bytes;
} call;

static nax_status run(call c) {
  void *buffers[] = {(void *)c.ids, c.logits};
  return naxrt_invoke(context, &toy, 0, params, NULL, c.dims, buffers, c.workspace, c.bytes);
}

static void attempt(const char *label, call c) { say(label, context, run(c)); }

int main(void) {
  if (nax_context_create(NULL, &context) != NAX_OK)
    return 1;
  params = toy_open(context);
  int32_t ids[8] = {4, 0, 1, 2, 3, 0, 0, 0};
  float logits[64];
  _Alignas(64) static char room[256];

  // CHECK:good: NAX_OK
  // CHECK-NEXT:40 41 42, 0 1 2
  attempt("good", (call){{1, 2}, ids, logits, NULL, 0});
  printf("%g %g %g, %g %g %g\n", logits[0], logits[1], logits[2], logits[3], logits[4], logits[5]);
  // CHECK-NEXT:own workspace: NAX_OK
  attempt("own workspace", (call){{1, 2}, ids, logits, room, 24});
  // CHECK-NEXT:no rows: NAX_OK
  attempt("no rows", (call){{0, 7}, NULL, NULL, NULL, 0});
  // CHECK-NEXT:no positions: NAX_OK
  attempt("no positions", (call){{7, 0}, NULL, NULL, NULL, 0});

  // CHECK-NEXT:negative: NAX_E_SIZE: axis B: -1 is negative
  attempt("negative", (call){{-1, 2}, ids, logits, NULL, 0});
  // CHECK-NEXT:limit: NAX_E_AXIS: axis T: 2000 is more than the 1024 positions of the table positions
  attempt("limit", (call){{1, 2000}, ids, logits, NULL, 0});
  // CHECK-NEXT:product: NAX_E_SIZE: ids [B,T] with B = 9223372036854775807, T = 3 is more than memory can address
  attempt("product", (call){{INT64_MAX, 3}, ids, logits, NULL, 0});
  // CHECK-NEXT:empty product: NAX_OK
  attempt("empty product", (call){{INT64_MAX, 0}, NULL, NULL, NULL, 0});
  // CHECK-NEXT:null input: NAX_E_NULL: ids is null: i32 [B,T] with B = 1, T = 2 needs 8 bytes
  attempt("null input", (call){{1, 2}, NULL, logits, NULL, 0});
  // CHECK-NEXT:null output: NAX_E_NULL: logits is null: f32 [B,T,C] with B = 1, T = 2 needs 24 bytes
  attempt("null output", (call){{1, 2}, ids, NULL, NULL, 0});
  // CHECK-NEXT:odd input: NAX_E_ALIGNMENT: ids is not aligned to the 4 bytes of an i32
  attempt("odd input", (call){{1, 2}, (char *)ids + 2, logits, NULL, 0});
  // CHECK-NEXT:odd output: NAX_E_ALIGNMENT: logits is not aligned to the 4 bytes of an f32
  attempt("odd output", (call){{1, 2}, ids, (char *)logits + 1, NULL, 0});
  // CHECK-NEXT:in place: NAX_E_OVERLAP: logits overlaps ids: an output needs memory of its own; with {{.*}} it has {{[1-9][0-9]*}} bytes
  attempt("in place", (call){{1, 2}, logits + 5, memset(logits, 0, sizeof logits), NULL, 0});
  // CHECK-NEXT:side by side: NAX_OK
  attempt("side by side", (call){{1, 2}, logits + 6, logits, NULL, 0});

  // CHECK-NEXT:small workspace: NAX_E_WORKSPACE: workspace has 23 bytes, forward with B = 1, T = 2 needs 24
  attempt("small workspace", (call){{1, 2}, ids, logits, room, 23});
  // CHECK-NEXT:odd workspace: NAX_E_WORKSPACE: workspace is not aligned to 64 bytes
  attempt("odd workspace", (call){{1, 2}, ids, logits, room + 32, 64});
  // CHECK-NEXT:null workspace: NAX_E_NULL: workspace is null, but its size is 24; null with size 0 lets the library allocate it
  attempt("null workspace", (call){{1, 2}, ids, logits, NULL, 24});
  // CHECK-NEXT:huge workspace: NAX_E_WORKSPACE: workspace has 18446744073709551615 bytes, which is more than memory can address
  attempt("huge workspace", (call){{1, 2}, ids, logits, room, SIZE_MAX});
  // CHECK-NEXT:shared workspace: NAX_E_OVERLAP: workspace overlaps logits
  attempt("shared workspace", (call){{1, 2}, ids, (float *)(room + 64), room, 256});
  void *block = (void *)toy_block;
  // CHECK-NEXT:output in params: NAX_E_OVERLAP: logits overlaps the parameters
  attempt("output in params", (call){{1, 2}, ids, (char *)block + 40, NULL, 0});
  // CHECK-NEXT:workspace in params: NAX_E_OVERLAP: workspace overlaps the parameters
  attempt("workspace in params", (call){{1, 2}, ids, logits, block, 24});

  // CHECK-NEXT:after a failure: NAX_OK
  attempt("after a failure", (call){{1, 2}, ids, logits, NULL, 0});

  int64_t dims[] = {1, 2};
  void *buffers[] = {ids, logits};
  // CHECK-NEXT:no context: NAX_E_NULL: the context is null: nax_context_create makes one
  say("no context", NULL, naxrt_invoke(NULL, &toy, 0, params, NULL, dims, buffers, NULL, 0));
  // CHECK-NEXT:no model: NAX_E_NULL: the model is null
  say("no model", context, naxrt_invoke(context, NULL, 0, params, NULL, dims, buffers, NULL, 0));
  // CHECK-NEXT:no entry: NAX_E_VALUE: model toy has 5 entries, none has the number 5
  say("no entry", context, naxrt_invoke(context, &toy, 5, params, NULL, dims, buffers, NULL, 0));
  // CHECK-NEXT:no params: NAX_E_NULL: params is null: toy_params_open makes them
  say("no params", context, naxrt_invoke(context, &toy, 0, NULL, NULL, dims, buffers, NULL, 0));

  // CHECK-NEXT:huge: NAX_E_SIZE: the workspace of huge with B = 1, T = 2 is more than memory can address
  say("huge", context, naxrt_invoke(context, &toy, 2, params, NULL, dims, buffers, NULL, 0));
  // CHECK-NEXT:missing: NAX_E_MODEL: the description of toy has no size for dimension 1 of x
  say("missing", context, naxrt_invoke(context, &toy, 3, params, NULL, dims, buffers, NULL, 0));
  // CHECK-NEXT:float ids: NAX_E_MODEL: the description of toy: x holds indices, but is f32
  say("float ids", context, naxrt_invoke(context, &toy, 4, params, NULL, NULL, buffers, NULL, 0));

  nax_model_desc other = toy;
  other.name = "other";
  // CHECK-NEXT:other params: NAX_E_PARAMS: params are not those of model other: they were opened for toy
  say("other params", context, naxrt_invoke(context, &other, 0, params, NULL, dims, buffers, NULL, 0));
  char zeros[256] = {0};
  // CHECK-NEXT:no params at all: NAX_E_PARAMS: params are not those of model toy: they are closed, or no parameters at all
  say("no params at all", context, naxrt_invoke(context, &toy, 0, (void *)zeros, NULL, dims, buffers, NULL, 0));
  other.abi = 1;
  // CHECK-NEXT:other version: NAX_E_VERSION: the model was compiled for version 1 of the library, this is 5
  say("other version", context, naxrt_invoke(context, &other, 0, params, NULL, dims, buffers, NULL, 0));
  nax_level_desc levels[] = {toy_levels[0], toy_levels[0]};
  levels[0].cpu = 99, levels[1].cpu = NAX_CPU_AMX + 1;
  other.abi = NAX_ABI_VERSION, other.level_count = 2, other.levels = levels;
  // CHECK-NEXT:other processor: NAX_E_CPU: model other has code for the levels unknown, unknown, but the best level of this processor is {{v[234][+]?|amx|neon}}
  say("other processor", context, naxrt_invoke(context, &other, 0, params, NULL, dims, buffers, NULL, 0));

  naxrt_params_close(params);
  nax_context_destroy(context);
  naxrt_params_close(NULL);
  nax_context_destroy(NULL);
}
// CHECK-NOT:{{.}}
