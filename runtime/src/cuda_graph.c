/* SPDX-License-Identifier: Apache-2.0 */
/* A step as one CUDA graph: what its body launches is captured, and replaces what the graph of the step before did. */
#include "cuda.h"

enum {
  STREAM_NON_BLOCKING = 1,
  CAPTURE_THREAD_LOCAL = 1 /* calls of other threads do not disturb it */
};

/* What `run` launches, as a graph. */
static nax_status capture(naxrt_cuda_call *call, nax_cuda *cuda, void (*run)(naxrt_cuda_call *, void *), void *closure,
                          void **graph) {
  const naxrt_cu *cu = cuda->cu;
  static const char doing[] = "capturing a step";
  void *stream = call->stream;
  nax_status status = NAX_OK;
  if (!cuda->capture)
    status = naxrt_cuda_status(call->context, cuda, cu->cuStreamCreate(&cuda->capture, STREAM_NON_BLOCKING), doing);
  if (status == NAX_OK)
    status =
        naxrt_cuda_status(call->context, cuda, cu->cuStreamBeginCapture_v2(cuda->capture, CAPTURE_THREAD_LOCAL), doing);
  if (status != NAX_OK)
    return status;
  call->stream = cuda->capture;
  run(call, closure);
  call->stream = stream;
  naxrt_cu_result result = cu->cuStreamEndCapture(cuda->capture, graph);
  if (call->status == NAX_OK)
    return naxrt_cuda_status(call->context, cuda, result, doing);
  if (!result && *graph)
    (void)cu->cuGraphDestroy(*graph);
  return call->status;
}

/* Steps of equal sizes differ in arguments only, so that the executable graph takes them over. */
static nax_status put(naxrt_cuda_call *call, const nax_cuda *cuda, naxrt_cuda_home *home, void *graph) {
  const naxrt_cu *cu = cuda->cu;
  naxrt_cu_update_info info;
  if (home->graph && cu->cuGraphExecUpdate_v2(home->graph, graph, &info)) {
    (void)cu->cuGraphExecDestroy(home->graph);
    home->graph = NULL;
  }
  naxrt_cu_result result = home->graph ? 0 : cu->cuGraphInstantiateWithFlags(&home->graph, graph, 0);
  nax_status status = naxrt_cuda_status(call->context, cuda, result, "making a graph of a step");
  if (status == NAX_OK)
    status = naxrt_cuda_status(call->context, cuda, cu->cuGraphLaunch(home->graph, call->stream), "launching a step");
  if (status == NAX_OK)
    status = naxrt_cuda_status(call->context, cuda, cu->cuEventRecord(home->used, call->stream), "launching a step");
  return status;
}

nax_status naxrt_cuda_run_captured(naxrt_cuda_call *call, nax_cuda *cuda, naxrt_cuda_home *home,
                                   void (*run)(naxrt_cuda_call *call, void *closure), void *closure) {
  void *graph = NULL;
  pthread_mutex_lock(&cuda->lock); // of the capture stream
  nax_status status = capture(call, cuda, run, closure, &graph);
  pthread_mutex_unlock(&cuda->lock);
  if (status != NAX_OK)
    return status;
  status = put(call, cuda, home, graph);
  (void)cuda->cu->cuGraphDestroy(graph);
  return status;
}
