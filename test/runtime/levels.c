/* A model with code for two levels, each with its own layout of the parameters: the best one is run, or NAX_LEVEL's. */
// REQUIRES: lowering, cpu-v3
// RUN: %cc -std=c11 -Wall -Wextra %s -o %t %naxrt
// RUN: %t | FileCheck %s --check-prefix=BEST --match-full-lines
// RUN: env NAX_LEVEL= %t | FileCheck %s --check-prefix=BEST --match-full-lines
// RUN: env NAX_LEVEL=v3 %t | FileCheck %s --check-prefix=BEST --match-full-lines
// RUN: env NAX_LEVEL=v2 %t | FileCheck %s --check-prefix=LEAST --match-full-lines
// RUN: env NAX_LEVEL=v5 not %t | FileCheck %s --check-prefix=UNKNOWN --match-full-lines
// RUN: env NAX_LEVEL=neon not %t | FileCheck %s --check-prefix=NEON --match-full-lines
// RUN: %t v2 v3 | FileCheck %s --check-prefix=CHANGED --match-full-lines

//      BEST:v3: panels of 4, workspace 300, 5
// LEAST:v2: panels of 2, workspace 200, 5
// UNKNOWN:NAX_E_VALUE: NAX_LEVEL is "v5", which is none of v2, v3, v4, v4+, amx and neon
// NEON:NAX_E_CPU: NAX_LEVEL is neon, but the best level of this processor is {{v[34]\+?|amx}}
// CHANGED:NAX_E_PARAMS: params were opened while NAX_LEVEL was another one
#define _POSIX_C_SOURCE 200112L // setenv
#include "nax/model_desc.h"

#include <stdio.h>
#include <stdlib.h>

enum { N, K };
static const nax_axis_desc axes[] = {{"N", 3, -1, NULL, -1, 0}, {"K", 2, -1, NULL, -1, 0}};
static const int64_t both[] = {N, K}, none[] = {0}, n_place[] = {0}, k_place[] = {1};
static const nax_param_desc params[] = {{"w", NAX_F32, 2, both, "[N,K]"}};
static const nax_buffer_desc buffers[] = {{"y", NAX_F32, 0, none, "[]", NAX_OUTPUT, -1, NULL, -1, -1}};
static const nax_entry_desc entries[] = {{"last", NAX_WHOLE, NULL, -1, 0, NULL, 1, buffers}};

static int64_t v2_workspace(const int64_t *dims) { return (void)dims, 200; }
static int64_t v3_workspace(const int64_t *dims) { return (void)dims, 300; }

/* w[2][1] in panels [ceil(N/nr)][K][nr] */
static void last(const char *level, int64_t nr, const float *block, float *y) {
  *y = block[2 / nr * 2 * nr + 1 * nr + 2 % nr];
  printf("%s: panels of %d, ", level, (int)nr);
}
static void v2_body(void *context, const void *block, const int64_t *dims, void *const *at, void *workspace) {
  (void)context, (void)dims, (void)workspace;
  last("v2", 2, block, at[0]);
}
static void v3_body(void *context, const void *block, const int64_t *dims, void *const *at, void *workspace) {
  (void)context, (void)dims, (void)workspace;
  last("v3", 4, block, at[0]);
}

static const nax_slot_desc v2_slots[] = {{0, 0, 2, 0, 1, n_place, 1, k_place}};
static const nax_slot_desc v3_slots[] = {{0, 0, 4, 0, 1, n_place, 1, k_place}};
static const nax_code_desc v2_code[] = {{v2_workspace, v2_body}}, v3_code[] = {{v3_workspace, v3_body}};
static const nax_level_desc levels[] = {{NAX_CPU_V2, 1, v2_slots, 64, v2_code}, {NAX_CPU_V3, 1, v3_slots, 64, v3_code}};
static const nax_model_desc model = {NAX_ABI_VERSION, "two", 2, axes, 1, params, 0, NULL, 1, entries, 2, levels};

static int fail(const nax_context *context, nax_status status) {
  printf("%s: %s\n", nax_status_name(status), nax_last_error(context));
  return context == NULL;
}

int main(int argc, char **argv) {
  nax_context *first = NULL, *second = NULL;
  if (argc == 3)
    setenv("NAX_LEVEL", argv[1], 1);
  nax_status status = nax_context_create(NULL, &first);
  if (status != NAX_OK)
    return fail(NULL, status);
  static const float w[3][2] = {{0, 1}, {2, 3}, {4, 5}};
  const void *values[] = {w};
  nax_params *opened = NULL;
  if ((status = naxrt_params_from_memory(first, &model, values, &opened)) != NAX_OK)
    return fail(first, status);

  if (argc == 3)
    setenv("NAX_LEVEL", argv[2], 1);
  if ((status = nax_context_create(NULL, &second)) != NAX_OK)
    return fail(NULL, status);
  float y = -1;
  void *at[] = {&y};
  if ((status = naxrt_invoke(second, &model, 0, opened, NULL, NULL, at, NULL, 0)) != NAX_OK)
    fail(second, status);
  else
    printf("workspace %d, %g\n", (int)naxrt_workspace(&model, 0, NULL), y);
  naxrt_params_close(opened);
  nax_context_destroy(first);
  nax_context_destroy(second);
}
