// A model on a GPU through libnaxrt: a call, what is wrong with arguments, and a driver that is missing, too old, without
// a GPU, or with one that the model has no code for. The driver is the emulator's, so that this runs on any machine.
// REQUIRES: lowering
// RUN: %cc -std=c11 -Wall -Wextra %s -I %S/Inputs -o %t %naxrt
// RUN: env LD_LIBRARY_PATH=%build/lib/nvemu NVEMU_LOG=%t.log %t | FileCheck %s --match-full-lines
// RUN: FileCheck %s --check-prefix=LOG --match-full-lines --input-file=%t.log
// LOG: affine 2,1,1 32 0
//
// RUN: env LD_LIBRARY_PATH=%S %t | FileCheck %s --check-prefix=NONE
// NONE: open: NAX_E_DRIVER: no CUDA driver: libcuda.so.1: cannot open shared object file: No such file or directory
// RUN: env LD_LIBRARY_PATH=%build/lib/nvemu NVEMU_DRIVER=11040 %t | FileCheck %s --check-prefix=OLD
// OLD: open: NAX_E_DRIVER: the CUDA driver is for CUDA 11.4: kernels need one for 12.0 or later
// RUN: env LD_LIBRARY_PATH=%build/lib/nvemu NVEMU_DEVICES=0 %t | FileCheck %s --check-prefix=NO-GPU
// NO-GPU: open: NAX_E_DEVICE: starting the CUDA driver: no CUDA-capable device is detected, CUDA_ERROR_NO_DEVICE (100)
// RUN: env LD_LIBRARY_PATH=%build/lib/nvemu NVEMU_CC=75 %t | FileCheck %s --check-prefix=CHIP
// CHIP: params: NAX_E_DEVICE: model toy has no code for a GPU of compute capability 7.5
// CHIP-NEXT: sm_80 is for 8.0 and later
// RUN: env LD_LIBRARY_PATH=%build/lib/nvemu NVEMU_MEMORY=16 %t | FileCheck %s --check-prefix=SMALL
// SMALL: params: NAX_E_MEMORY: no memory on the GPU for the model's parameters: 64 bytes, 16 of its 16 are free
// RUN: env LD_LIBRARY_PATH=%build/lib/nvemu NVEMU_MEMORY=500 %t | FileCheck %s --check-prefix=FULL
// FULL: call: NAX_E_MEMORY: no memory on the GPU for the workspace: 256 bytes, 100 of its 500 are free
// FULL-NEXT: toy_affine_cuda_workspace says how much a call takes
// Settings that mean nothing are told and not taken; findings without a file go to stderr.
// RUN: env LD_LIBRARY_PATH=%build/lib/nvemu NVEMU_CC=8.9 NVEMU_MEMORY=8GiB %t 2>&1 | FileCheck %s --check-prefix=SETTINGS
// SETTINGS-DAG: nvemu: NVEMU_CC=8.9 is not a whole number from 10 to 999: 80 is taken
// SETTINGS-DAG: nvemu: NVEMU_MEMORY=8GiB is not a whole number from 0 to 18446744073709551615: 8589934592 is taken
// SETTINGS-DAG: params: NAX_OK
//
// RUN: %cc -std=c11 -DPTX_VERSION='"8.8"' %s -I %S/Inputs -o %t.new %naxrt
// RUN: env LD_LIBRARY_PATH=%build/lib/nvemu NVEMU_DRIVER=12000 %t.new | FileCheck %s --check-prefix=NEW
// NEW: params: NAX_E_DRIVER: compiling the model's kernels for the GPU: the provided PTX was compiled with an unsupported toolchain., CUDA_ERROR_UNSUPPORTED_PTX_VERSION (222)
// NEW-NEXT: this PTX version is newer than the driver
// RUN: %cc -std=c11 -DPTX_VERSION='"8.0 oops"' %s -I %S/Inputs -o %t.bad %naxrt
// RUN: env LD_LIBRARY_PATH=%build/lib/nvemu %t.bad | FileCheck %s --check-prefix=BAD
// BAD: params: NAX_E_CUDA: compiling the model's kernels for the GPU: a PTX JIT compilation failed, CUDA_ERROR_INVALID_PTX (218)
// BAD-NEXT: nvemu: line 1: {{.}}

#include "gpu.h"

enum { B = 2, T = 5 };
static nax_context *context;
static nax_cuda *cuda;
static nax_cuda_params *opened;

static nax_status call(int64_t t, nax_cuda_ptr x, const int32_t *lengths, nax_cuda_ptr y, nax_cuda_ptr room, size_t bytes) {
  int64_t dims[] = {B, t}, seed = 100;
  void *at[] = {(void *)(uintptr_t)x.address, (void *)(uintptr_t)lengths, &seed, (void *)(uintptr_t)y.address};
  return naxrt_cuda_invoke(context, cuda, &toy, 0, opened, NULL, NULL, dims, at, (void *)(uintptr_t)room.address, bytes);
}

static void show(const char *label, nax_cuda_ptr y) {
  float values[B * T];
  if (nax_cuda_download(context, cuda, NULL, values, y, sizeof values) != NAX_OK) {
    printf("%s: %s\n", label, nax_last_error(context));
    return;
  }
  printf("%s:", label);
  for (int i = 0; i < B * T; ++i)
    printf(" %g", values[i]);
  printf("\n");
}

int main(void) {
  nax_status status = nax_context_create(NULL, &context);
  if (status == NAX_OK)
    status = nax_cuda_open(context, 0, &cuda);
  // CHECK: open: NAX_OK
  say(context, "open", status);
  if (status != NAX_OK)
    return 0;
  // CHECK-NEXT: number: NAX_E_DEVICE: there is no GPU number 3: the driver has 1, numbered from 0
  nax_cuda *other;
  say(context, "number", nax_cuda_open(context, 3, &other));
  const float gain = 2;
  const void *values[] = {&gain};
  status = naxrt_cuda_params_from_memory(context, cuda, &toy, values, &opened);
  // CHECK-NEXT: params: NAX_OK
  say(context, "params", status);
  if (status != NAX_OK) {
    nax_cuda_close(cuda);
    nax_context_destroy(context);
    return 0;
  }
  float x[B * T];
  for (int i = 0; i < B * T; ++i)
    x[i] = (float)i;
  const int32_t lengths[] = {5, 3};
  nax_cuda_ptr in, out, room, none = {0};
  say(context, "in", nax_cuda_allocate(context, cuda, sizeof x, &in));
  say(context, "out", nax_cuda_allocate(context, cuda, sizeof x, &out));
  say(context, "upload", nax_cuda_upload(context, cuda, NULL, in, x, sizeof x));
  int64_t dims[] = {B, T};
  size_t bytes = (size_t)naxrt_cuda_workspace(&toy, 0, dims);
  say(context, "room", nax_cuda_allocate(context, cuda, bytes, &room));

  // 100 bytes of its own, two lengths and a seed, each on a multiple of 64.
  // CHECK: 256 bytes
  printf("%zu bytes\n", bytes);
  // CHECK-NEXT: call: NAX_OK
  say(context, "call", call(T, in, lengths, out, none, 0));
  // CHECK-NEXT: y: 100 102 104 106 108 110 112 114 0 0
  show("y", out);
  // CHECK-NEXT: own room: NAX_OK
  say(context, "own room", call(T, in, (int32_t[]){1, 0}, out, room, bytes));
  // CHECK-NEXT: y: 100 0 0 0 0 0 0 0 0 0
  show("y", out);

  // CHECK-NEXT: null: NAX_E_NULL: x is null: f32 [B,T] with B = 2, T = 5 needs 40 bytes
  say(context, "null", call(T, none, lengths, out, none, 0));
  // CHECK-NEXT: alignment: NAX_E_ALIGNMENT: x is not aligned to 16 bytes, as kernels need it
  say(context, "alignment", call(T, (nax_cuda_ptr){in.address + 4}, lengths, out, none, 0));
  // CHECK-NEXT: overlap: NAX_E_OVERLAP: y overlaps x: an output needs memory of its own; with {{.*}} it has {{[1-9][0-9]*}} bytes
  say(context, "overlap", call(T, in, lengths, in, none, 0));
  // CHECK-NEXT: lengths: NAX_E_RANGE: {{.*}}6{{.*}}
  say(context, "lengths", call(T, in, (int32_t[]){6, 0}, out, none, 0));
  // CHECK-NEXT: room: NAX_E_WORKSPACE: workspace has 255 bytes, affine with B = 2, T = 5 needs 256
  say(context, "room", call(T, in, lengths, out, room, bytes - 1));
  // CHECK-NEXT: long: NAX_E_AXIS: axis T: 1025 is more than the 1024 threads of a block
  say(context, "long", call(1025, in, lengths, out, none, 0));
  // CHECK-NEXT: no params: NAX_E_NULL: params is null: toy_cuda_params_open makes them
  nax_cuda_params *kept = opened;
  opened = NULL;
  say(context, "no params", call(T, in, lengths, out, none, 0));
  opened = kept;

  // A kernel that reads what is no memory: told by the call that waits, and by all later ones.
  // CHECK-NEXT: nowhere: NAX_OK
  say(context, "nowhere", call(T, (nax_cuda_ptr){16}, lengths, out, none, 0));
  // CHECK-NEXT: y: copying from the GPU: an illegal memory access was encountered, CUDA_ERROR_ILLEGAL_ADDRESS (700)
  // CHECK-NEXT: the CUDA context is lost by it: the process has to begin anew
  show("y", out);
  // CHECK-NEXT: later: NAX_E_CUDA: an earlier kernel failed: an illegal memory access was encountered, CUDA_ERROR_ILLEGAL_ADDRESS (700)
  // CHECK-NEXT: the CUDA context is lost by it: the process has to begin anew
  nax_cuda_ptr later = {1};
  say(context, "later", nax_cuda_allocate(context, cuda, 64, &later));
  // CHECK-NEXT: later: address 0
  printf("later: address %d\n", (int)later.address);

  nax_cuda_free(cuda, in);
  nax_cuda_free(cuda, out);
  nax_cuda_free(cuda, room);
  naxrt_cuda_params_close(opened);
  // CHECK-NEXT: closed: NAX_OK
  nax_cuda_close(cuda);
  say(context, "closed", NAX_OK);
  nax_context_destroy(context);
}
