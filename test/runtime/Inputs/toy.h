/* A model as the compiler would describe it, written by hand: a table of V = 5 rows, and entries with every kind of
   argument. The bodies compute something that a test can predict. */
#include "nax/model_desc.h"

#include <stdio.h>
#include <string.h>

enum { B, T, V, C };
static const nax_axis_desc toy_axes[] = {
    {"B", -1, -1, NULL, -1, 0},
    {"T", -1, 1024, "positions of the table positions", -1, 0},
    {"V", 5, -1, NULL, -1, 0},
    {"C", 3, -1, NULL, -1, 0},
};
static const int64_t axes_none[] = {0}, axes_b[] = {B}, axes_bt[] = {B, T}, axes_btc[] = {B, T, C}, axes_vc[] = {V, C};

/* Where the last call's parameters were. */
static const void *toy_block;

/* forward: ids -> rows of the table, by way of the workspace */
static int64_t toy_forward_workspace(const int64_t *dims) {
  int64_t bytes;
  if (__builtin_mul_overflow(dims[0], dims[1], &bytes) || __builtin_mul_overflow(bytes, 12, &bytes))
    return -1;
  return bytes;
}

static void toy_forward(void *context, const void *params, const int64_t *dims, void *const *buffers, void *workspace) {
  const float *table = toy_block = params;
  const int32_t *ids = buffers[0];
  float *out = buffers[1], *between = workspace;
  (void)context;
  for (int64_t i = 0; i < dims[0] * dims[1]; ++i)
    for (int64_t c = 0; c < 3; ++c)
      between[3 * i + c] = table[3 * ids[i] + c];
  if (dims[0] * dims[1])
    memcpy(out, between, (size_t)(dims[0] * dims[1] * 12));
}

/* all: one argument of every role; writes the seed */
static void toy_all(void *context, const void *params, const int64_t *dims, void *const *buffers, void *workspace) {
  (void)context, (void)params, (void)dims, (void)workspace;
  float *last = buffers[8];
  *last = (float)*(const int64_t *)buffers[6];
}

/* huge: a workspace that no machine has. missing: a description with a mistake in it. */
static int64_t toy_huge_workspace(const int64_t *dims) { return (void)dims, -1; }
static const nax_buffer_desc missing_buffers[] = {{"x", NAX_F32, 2, axes_bt, "[B,T]", NAX_INPUT, -1, NULL, -1, -1}};
static const nax_buffer_desc float_ids_buffers[] = {{"x", NAX_F32, 0, axes_none, "[]", NAX_INPUT, 5, "V", -1, -1}};

static const nax_buffer_desc forward_buffers[] = {
    {"ids", NAX_I32, 2, axes_bt, "[B,T]", NAX_INPUT, 5, "V", -1, -1},
    {"logits", NAX_F32, 3, axes_btc, "[B,T,C]", NAX_OUTPUT, -1, NULL, -1, -1},
};
static const nax_buffer_desc all_buffers[] = {
    {"wide", NAX_I64, 2, axes_bt, "[B,T]", NAX_INPUT, 5, "V", -1, -1},
    {"one", NAX_I32, 0, axes_none, "[]", NAX_INPUT, 5, "V", -1, -1},
    {"T_lengths", NAX_I32, 1, axes_b, "[B]", NAX_LENGTHS, -1, NULL, T, -1},
    {"T_starts", NAX_I32, 1, axes_b, "[B]", NAX_STARTS, -1, NULL, T, -1},
    {"T_documents", NAX_I32, 2, axes_bt, "[B,T]", NAX_DOCUMENTS, 4, "positions of the table Pos", T, -1},
    {"allowed", NAX_BOOL, 2, axes_bt, "[B,T]", NAX_INPUT, -1, NULL, -1, -1},
    {"seed", NAX_I64, 0, axes_none, "[]", NAX_SEED, -1, NULL, -1, -1},
    {"first", NAX_F32, 1, axes_b, "[B]", NAX_OUTPUT, -1, NULL, -1, -1},
    {"last", NAX_F32, 0, axes_none, "[]", NAX_OUTPUT, -1, NULL, -1, -1},
};
static const int64_t toy_dims[] = {B, T};
static const nax_entry_desc toy_entries[] = {
    {"forward", NAX_WHOLE, NULL, -1, 2, toy_dims, 2, forward_buffers},
    {"all", NAX_WHOLE, NULL, -1, 2, toy_dims, 9, all_buffers},
    {"huge", NAX_WHOLE, NULL, -1, 2, toy_dims, 2, forward_buffers},
    {"missing", NAX_WHOLE, NULL, -1, 1, toy_dims, 1, missing_buffers},
    {"float_ids", NAX_WHOLE, NULL, -1, 0, NULL, 1, float_ids_buffers},
};
static const nax_code_desc toy_code[] = {
    {toy_forward_workspace, toy_forward}, {NULL, toy_all}, {toy_huge_workspace, toy_forward}, {NULL, toy_all}, {NULL, toy_all},
};
static const nax_param_desc toy_params[] = {{"table", NAX_F32, 2, axes_vc, "[V,C]"}};
static const int64_t toy_order[] = {0, 1};
static const nax_slot_desc toy_slots[] = {{0, 0, 0, 0, 2, toy_order, 0, NULL}};
static const nax_level_desc toy_levels[] = {{NAX_CPU_ANY, 1, toy_slots, 64, toy_code}};
static const nax_model_desc toy = {
    NAX_ABI_VERSION, "toy", 4, toy_axes, 1, toy_params, 0, NULL, 5, toy_entries, 1, toy_levels,
};

static const float toy_table[15] = {0, 1, 2, 10, 11, 12, 20, 21, 22, 30, 31, 32, 40, 41, 42};

static nax_params *toy_open(nax_context *context) {
  const void *values[] = {toy_table};
  nax_params *params = NULL;
  if (naxrt_params_from_memory(context, &toy, values, &params) != NAX_OK)
    printf("toy_open: %s\n", nax_last_error(context));
  return params;
}

/* "label: NAX_E_SIZE: text" */
static void say(const char *label, const nax_context *context, nax_status status) {
  const char *text = nax_last_error(context);
  printf("%s: %s%s%s\n", label, nax_status_name(status), *text ? ": " : "", text);
}
