// The driver whose device is nvemu, from C: memory, streams and events, graphs, and what it refuses.
// REQUIRES: lowering
// RUN: %cc -std=c11 -Wall -Wextra %s -o %t -L%build/lib/nvemu -lcuda -Wl,-rpath,%build/lib/nvemu
// RUN: env NVEMU_REPORT=%t.report %t | FileCheck %s --match-full-lines
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t.report
// REPORT: out of bounds: reads 4 bytes of global memory at offset 128 of a buffer of 128 bytes
// REPORT: at line 11: ld.global.u32
// A report that can not be written goes to stderr.
// RUN: env NVEMU_REPORT=%t/none/report %t 2>&1 | FileCheck %s --check-prefix=LOST
// LOST: nvemu: cannot write {{.*}}/none/report: out of bounds: reads 4 bytes of global memory

#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef uint64_t ptr;
int cuInit(unsigned), cuDevicePrimaryCtxRetain(void **, int), cuCtxSetCurrent(void *), cuCtxSynchronize(void);
int cuCtxCreate_v2(void **, unsigned, int), cuCtxDestroy_v2(void *), cuCtxPushCurrent_v2(void *);
int cuDeviceGetAttribute(int *, int, int);
int cuMemAlloc_v2(ptr *, size_t), cuMemFree_v2(ptr), cuMemHostAlloc(void **, size_t, unsigned), cuMemFreeHost(void *);
int cuMemcpyHtoD_v2(ptr, const void *, size_t), cuMemcpyDtoH_v2(void *, ptr, size_t);
int cuMemcpyHtoDAsync_v2(ptr, const void *, size_t, void *), cuMemcpyDtoHAsync_v2(void *, ptr, size_t, void *);
int cuMemsetD32_v2(ptr, unsigned, size_t);
int cuModuleLoadDataEx(void **, const void *, unsigned, int *, void **), cuModuleGetFunction(void **, void *, const char *);
int cuModuleUnload(void *), cuFuncSetAttribute(void *, int, int);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
int cuStreamCreate(void **, unsigned), cuStreamSynchronize(void *), cuStreamQuery(void *), cuStreamDestroy_v2(void *);
int cuStreamBeginCapture_v2(void *, int), cuStreamEndCapture(void *, void **), cuStreamWaitEvent(void *, void *, unsigned);
int cuEventCreate(void **, unsigned), cuEventRecord(void *, void *), cuEventSynchronize(void *), cuEventDestroy_v2(void *);
int cuGraphInstantiateWithFlags(void **, void *, uint64_t), cuGraphLaunch(void *, void *), cuGraphDestroy(void *);
int cuGraphExecUpdate_v2(void *, void *, void *), cuGraphExecDestroy(void *);
int cuGetErrorName(int, const char **);

// add: at[i] += by, for i below the number of threads.
static const char code[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                           ".visible .entry add(.param .u64 at, .param .u32 by) {\n"
                           "  .reg .b32 %r<4>; .reg .b64 %rd<4>;\n"
                           "  ld.param.u64 %rd1, [at];\n  ld.param.u32 %r1, [by];\n  mov.u32 %r2, %tid.x;\n"
                           "  mul.wide.u32 %rd2, %r2, 4;\n  add.s64 %rd3, %rd1, %rd2;\n"
                           "  ld.global.u32 %r3, [%rd3];\n  add.u32 %r3, %r3, %r1;\n  st.global.u32 [%rd3], %r3;\n  ret;\n}\n";

static void *add;
static const char *name(int result) {
  const char *text = "?";
  cuGetErrorName(result, &text);
  return text;
}
static int launch(ptr at, unsigned by, unsigned threads, void *stream) {
  void *values[] = {&at, &by};
  return cuLaunchKernel(add, 1, 1, 1, threads, 1, 1, 0, stream, values, NULL);
}
static unsigned first(ptr at) {
  unsigned value = 0;
  return cuMemcpyDtoH_v2(&value, at, 4) ? 999999 : value;
}

int main(void) {
  void *context, *module, *a, *b, *event, *graph, *again, *run;
  // CHECK: before cuInit: CUDA_ERROR_NOT_INITIALIZED
  printf("before cuInit: %s\n", name(cuDevicePrimaryCtxRetain(&context, 0)));
  cuInit(0);
  ptr data;
  // CHECK-NEXT: without a context: CUDA_ERROR_INVALID_CONTEXT
  printf("without a context: %s\n", name(cuMemAlloc_v2(&data, 4)));
  cuCtxCreate_v2(&context, 0, 0);
  cuCtxDestroy_v2(context);
  // CHECK-NEXT: a destroyed context: CUDA_ERROR_INVALID_CONTEXT
  printf("a destroyed context: %s\n", name(cuCtxPushCurrent_v2(context)));
  cuDevicePrimaryCtxRetain(&context, 0);
  cuCtxSetCurrent(context);

  char log[256] = "";
  int options[] = {5, 6};
  void *values[] = {log, (void *)(uintptr_t)sizeof log};
  // CHECK-NEXT: broken: CUDA_ERROR_INVALID_PTX: nvemu: line 4: {{.+}}
  const char *broken = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() { nonsense.u32 %r1; }\n";
  int result = cuModuleLoadDataEx(&module, broken, 2, options, values);
  printf("broken: %s: %s\n", name(result), log);
  // CHECK-NEXT: for another chip: CUDA_ERROR_NO_BINARY_FOR_GPU
  const char *other = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() { ret; }\n";
  printf("for another chip: %s\n", name(cuModuleLoadDataEx(&module, other, 0, NULL, NULL)));
  cuModuleLoadDataEx(&module, code, 0, NULL, NULL);
  // CHECK-NEXT: no such kernel: CUDA_ERROR_NOT_FOUND
  printf("no such kernel: %s\n", name(cuModuleGetFunction(&add, module, "sub")));
  cuModuleGetFunction(&add, module, "add");
  int most = 0;
  cuDeviceGetAttribute(&most, 97, 0);
  // CHECK-NEXT: shared: 166912, CUDA_SUCCESS, CUDA_ERROR_INVALID_VALUE
  printf("shared: %d, %s, %s\n", most, name(cuFuncSetAttribute(add, 8, most)), name(cuFuncSetAttribute(add, 8, most + 1)));

  cuMemAlloc_v2(&data, 32 * 4);
  cuMemsetD32_v2(data, 0, 32);
  cuStreamCreate(&a, 1);
  cuStreamCreate(&b, 1);
  // Work runs when somebody waits for it, and not before.
  unsigned *host;
  cuMemHostAlloc((void **)&host, 4, 0);
  *host = 77;
  launch(data, 5, 32, a);
  cuMemcpyDtoHAsync_v2(host, data, 4, a);
  // CHECK-NEXT: before: 77
  printf("before: %u\n", *host);
  cuStreamSynchronize(a);
  // CHECK-NEXT: after: 5
  printf("after: %u\n", *host);
  // Page-locked memory is read when the copy runs, other memory when it is asked for.
  *host = 10;
  cuMemcpyHtoDAsync_v2(data, host, 4, a);
  *host = 20;
  cuStreamSynchronize(a);
  unsigned local = 30;
  cuMemcpyHtoDAsync_v2(data + 4, &local, 4, a);
  local = 40;
  cuStreamSynchronize(a);
  // CHECK-NEXT: copies: 20 30
  printf("copies: %u %u\n", first(data), first(data + 4));
  // CHECK-NEXT: query: CUDA_ERROR_NOT_READY, then CUDA_SUCCESS
  launch(data, 1, 32, a);
  result = cuStreamQuery(a);
  printf("query: %s, then %s\n", name(result), name(cuStreamQuery(a)));

  // b waits for what a did before the event, and for no more.
  cuEventCreate(&event, 0);
  launch(data, 100, 1, a);
  cuEventRecord(event, a);
  launch(data, 1000, 1, a);
  cuStreamWaitEvent(b, event, 0);
  cuMemcpyDtoHAsync_v2(host, data, 4, b);
  cuStreamSynchronize(b);
  // CHECK-NEXT: event: 121, in the end 1121
  unsigned seen = *host;
  cuStreamSynchronize(a);
  printf("event: %u, in the end %u\n", seen, first(data));

  // A capture runs nothing; its graph does, as often as it is launched.
  cuMemsetD32_v2(data, 0, 32);
  cuStreamBeginCapture_v2(a, 1);
  launch(data, 1, 32, a);
  launch(data, 2, 32, a);
  cuStreamEndCapture(a, &graph);
  cuGraphInstantiateWithFlags(&run, graph, 0);
  // CHECK-NEXT: captured: 0
  printf("captured: %u\n", first(data));
  cuGraphLaunch(run, b);
  cuGraphLaunch(run, b);
  cuStreamSynchronize(b);
  // CHECK-NEXT: launched twice: 6
  printf("launched twice: %u\n", first(data));
  cuStreamBeginCapture_v2(a, 1);
  launch(data, 10, 32, a);
  launch(data, 20, 32, a);
  cuStreamEndCapture(a, &again);
  char info[24];
  // CHECK-NEXT: update: CUDA_SUCCESS
  printf("update: %s\n", name(cuGraphExecUpdate_v2(run, again, info)));
  cuGraphLaunch(run, NULL);
  // CHECK-NEXT: updated: 36
  printf("updated: %u\n", first(data));
  cuGraphDestroy(again);
  cuStreamBeginCapture_v2(a, 1);
  launch(data, 10, 32, a);
  cuStreamEndCapture(a, &again);
  // CHECK-NEXT: of another shape: CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE
  printf("of another shape: %s\n", name(cuGraphExecUpdate_v2(run, again, info)));
  cuGraphDestroy(again);
  cuGraphDestroy(graph);
  cuGraphExecDestroy(run);
  cuEventDestroy_v2(event);
  cuMemFreeHost(host);

  // CHECK-NEXT: freed twice: CUDA_SUCCESS, CUDA_ERROR_INVALID_VALUE
  ptr small;
  cuMemAlloc_v2(&small, 4);
  result = cuMemFree_v2(small);
  printf("freed twice: %s, %s\n", name(result), name(cuMemFree_v2(small)));
  // CHECK-NEXT: threads: CUDA_ERROR_INVALID_VALUE
  printf("threads: %s\n", name(launch(data, 1, 1025, NULL)));
  // One thread too many: the launch is fine, what comes after it is not, for good.
  // CHECK-NEXT: launch: CUDA_SUCCESS
  printf("launch: %s\n", name(launch(data, 1, 33, NULL)));
  // CHECK-NEXT: wait: CUDA_ERROR_ILLEGAL_ADDRESS
  printf("wait: %s\n", name(cuCtxSynchronize()));
  // CHECK-NEXT: later: CUDA_ERROR_ILLEGAL_ADDRESS
  printf("later: %s\n", name(cuMemAlloc_v2(&small, 4)));
}
