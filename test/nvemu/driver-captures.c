// What must not be called while a stream is captured fails and spoils the capture, as on the CUDA driver.
// REQUIRES: lowering
// RUN: %cc -std=c11 -Wall -Wextra %s -o %t -L%build/lib/nvemu -lcuda -Wl,-rpath,%build/lib/nvemu
// RUN: %t | FileCheck %s --match-full-lines

#include <stdint.h>
#include <stdio.h>

typedef uint64_t ptr;
int cuInit(unsigned), cuDevicePrimaryCtxRetain(void **, int), cuCtxSetCurrent(void *), cuCtxSynchronize(void);
int cuMemAlloc_v2(ptr *, size_t), cuMemFree_v2(ptr), cuMemsetD32_v2(ptr, unsigned, size_t);
int cuMemsetD32Async(ptr, unsigned, size_t, void *);
int cuStreamCreate(void **, unsigned), cuStreamSynchronize(void *), cuStreamQuery(void *), cuStreamDestroy_v2(void *);
int cuStreamBeginCapture_v2(void *, int), cuStreamEndCapture(void *, void **), cuStreamIsCapturing(void *, int *);
int cuGraphDestroy(void *), cuGetErrorName(int, const char **);

static const char *name(int result) {
  const char *text = "?";
  cuGetErrorName(result, &text);
  return text;
}
static int put(ptr at, void *stream) { return cuMemsetD32Async(at, 0, 32, stream); }

// What comes of `result` of a call while `stream` is captured: of work that is given to the stream after it, of the
// capture, and of the next one.
static void spoil(const char *what, int result, void *stream, ptr data) {
  void *graph = &graph;
  int status = 0;
  cuStreamIsCapturing(stream, &status);
  const char *more = name(put(data, stream));
  const char *end = name(cuStreamEndCapture(stream, &graph));
  printf("%s: %s, status %d, %s, %s, %s\n", what, name(result), status, more, end, graph ? "a graph" : "no graph");
  cuStreamIsCapturing(stream, &status);
  if (status || cuStreamSynchronize(stream))
    puts("it is still captured");
}

// Modes of captures: 0 of all threads, 1 of this one, 2 relaxed. `stream` does not wait for the default stream, `blocking`
// does.
int main(void) {
  void *context, *stream, *blocking, *graph;
  ptr data, more;
  cuInit(0);
  cuDevicePrimaryCtxRetain(&context, 0);
  cuCtxSetCurrent(context);
  cuMemAlloc_v2(&data, 32 * 4);
  cuStreamCreate(&stream, 1);
  cuStreamCreate(&blocking, 0);
  cuStreamBeginCapture_v2(stream, 1);
  // CHECK: cuStreamSynchronize: CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, status 2, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, no graph
  spoil("cuStreamSynchronize", cuStreamSynchronize(stream), stream, data);
  cuStreamBeginCapture_v2(stream, 2);
  // CHECK-NEXT: cuStreamQuery: CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, status 2, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, no graph
  spoil("cuStreamQuery", cuStreamQuery(stream), stream, data);
  cuStreamBeginCapture_v2(stream, 2);
  // CHECK-NEXT: cuCtxSynchronize: CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, status 2, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, no graph
  spoil("cuCtxSynchronize", cuCtxSynchronize(), stream, data);
  cuStreamBeginCapture_v2(blocking, 2);
  // CHECK-NEXT: work on the default stream: CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, status 2, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, no graph
  spoil("work on the default stream", put(data, NULL), blocking, data);
  cuStreamBeginCapture_v2(blocking, 2);
  // CHECK-NEXT: waiting for it: CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, status 2, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, no graph
  spoil("waiting for it", cuStreamSynchronize(NULL), blocking, data);
  cuStreamBeginCapture_v2(blocking, 2);
  // CHECK-NEXT: a copy: CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, status 2, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, no graph
  spoil("a copy", cuMemsetD32_v2(data, 0, 32), blocking, data);
  cuStreamBeginCapture_v2(stream, 0);
  // CHECK-NEXT: cuMemAlloc: CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, status 2, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, no graph
  spoil("cuMemAlloc", cuMemAlloc_v2(&more, 4), stream, data);
  // What a capture of a stream of its own does not mind, and cuMemAlloc where it is relaxed.
  cuStreamBeginCapture_v2(stream, 2);
  // CHECK-NEXT: allowed: CUDA_SUCCESS, CUDA_SUCCESS, CUDA_SUCCESS, CUDA_SUCCESS
  int allocation = cuMemAlloc_v2(&more, 4);
  int work = put(data, NULL);
  int wait = cuStreamSynchronize(NULL);
  printf("allowed: %s, %s, %s, %s\n", name(allocation), name(work), name(wait), name(cuStreamEndCapture(stream, &graph)));
  cuGraphDestroy(graph);
  cuMemFree_v2(more);
  cuStreamDestroy_v2(blocking);
}
