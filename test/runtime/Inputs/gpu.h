// A model for GPUs written by hand: y[B,T] = gain * x[B,T] + seed in positions below the row's length, 0 behind it.
#include "nax/cuda_desc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef PTX_VERSION
#define PTX_VERSION "8.0"
#endif

static const char ptx[] =
    ".version " PTX_VERSION "\n"
    ".target sm_80\n"
    ".address_size 64\n"
    ".visible .entry affine(.param .u64 x, .param .u64 gain, .param .u64 lengths, .param .u64 seed, .param .u64 y,\n"
    "    .param .u32 t) {\n"
    "  .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<20>; .reg .f32 %f<5>;\n"
    "  mov.u32 %r1, %ctaid.x;\n"
    "  mov.u32 %r2, %tid.x;\n"
    "  ld.param.u32 %r3, [t];\n"
    "  setp.ge.u32 %p1, %r2, %r3;\n"
    "  @%p1 bra done;\n"
    "  ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [gain]; ld.param.u64 %rd3, [lengths];\n"
    "  ld.param.u64 %rd4, [seed]; ld.param.u64 %rd5, [y];\n"
    "  mad.lo.u32 %r4, %r1, %r3, %r2;\n"
    "  mul.wide.u32 %rd6, %r4, 4;\n"
    "  add.s64 %rd7, %rd1, %rd6;\n"
    "  add.s64 %rd8, %rd5, %rd6;\n"
    "  mul.wide.u32 %rd9, %r1, 4;\n"
    "  add.s64 %rd10, %rd3, %rd9;\n"
    "  ld.global.u32 %r5, [%rd10];\n"
    "  mov.f32 %f3, 0f00000000;\n"
    "  setp.ge.s32 %p2, %r2, %r5;\n"
    "  @%p2 bra put;\n"
    "  ld.global.f32 %f1, [%rd7];\n"
    "  ld.global.f32 %f2, [%rd2];\n"
    "  ld.global.u64 %rd11, [%rd4];\n"
    "  cvt.rn.f32.s64 %f4, %rd11;\n"
    "  fma.rn.f32 %f3, %f1, %f2, %f4;\n"
    "put:\n"
    "  st.global.f32 [%rd8], %f3;\n"
    "done:\n"
    "  ret;\n"
    "}\n";

enum { AXIS_B, AXIS_T, AXIS_ONE };
static const int64_t rows_axes[] = {AXIS_B, AXIS_T}, b_axes[] = {AXIS_B}, one_axes[] = {AXIS_ONE};
static const nax_axis_desc axes[] = {
    {"B", -1, -1, NULL, -1, 0}, {"T", -1, 1024, "threads of a block", -1, 0}, {"One", 1, -1, NULL, -1, 0}};
static const nax_param_desc params[] = {{"gain", NAX_F32, 1, one_axes, "[One]"}};
static const int64_t first[] = {0};
static const nax_slot_desc slots[] = {{0, 0, 0, 0, 1, first, 0, NULL}};
static const nax_buffer_desc buffers[] = {
    {"x", NAX_F32, 2, rows_axes, "[B,T]", NAX_INPUT, -1, NULL, -1, -1},
    {"T_lengths", NAX_I32, 1, b_axes, "[B]", NAX_LENGTHS, -1, NULL, AXIS_T, -1},
    {"seed", NAX_I64, 0, NULL, "[]", NAX_SEED, -1, NULL, -1, -1},
    {"y", NAX_F32, 2, rows_axes, "[B,T]", NAX_OUTPUT, -1, NULL, -1, -1}};

static int64_t workspace(const int64_t *dims) {
  (void)dims;
  return 100;
}

static void body(void *call, const void *block, const int64_t *dims, void *const *at, void *room) {
  (void)room;
  int32_t t = (int32_t)dims[1];
  const void *values[] = {&at[0], &block, &at[1], &at[2], &at[3], &t};
  const int64_t shape[] = {dims[0], 1, 1, (dims[1] + 31) / 32 * 32, 1, 1, 0};
  naxrt_cuda_launch(call, 0, shape, (void *const *)values);
}

static const int64_t both[] = {AXIS_B, AXIS_T};
static const nax_entry_desc entries[] = {{"affine", NAX_WHOLE, NULL, -1, 2, both, 4, buffers}};
static const nax_code_desc code[] = {{workspace, body}};
static const nax_level_desc levels[] = {{NAX_CPU_ANY, 1, slots, 64, code}};
static const naxrt_cuda_image images[] = {{"sm_80", ptx, 80, -1}};
static const naxrt_cuda_variant variants[] = {{0, "affine", 0}};
static const naxrt_cuda_kernel kernels[] = {{"affine", 1, variants}};
static const naxrt_cuda_desc toy = {{NAX_ABI_VERSION, "toy", 3, axes, 1, params, 0, NULL, 1, entries, 1, levels},
                                    1, images, 1, kernels};

static void say(const nax_context *context, const char *label, nax_status status) {
  printf("%s: %s%s%s\n", label, nax_status_name(status), status == NAX_OK ? "" : ": ",
         status == NAX_OK ? "" : nax_last_error(context));
}
