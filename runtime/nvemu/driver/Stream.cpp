//===- Stream.cpp - streams, events, captured graphs ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Driver.h"

namespace nvemu::driver {

Stream *streamOf(void *handle) {
  // 0, CU_STREAM_LEGACY and CU_STREAM_PER_THREAD
  if (reinterpret_cast<uintptr_t>(handle) <= 2)
    return &state().defaultStream;
  auto *stream = static_cast<Stream *>(handle);
  return state().streams.count(stream) ? stream : nullptr;
}

template <class F>
static Result invalidate(Result why, F &&concerns) {
  Result result = Success;
  for (Stream *stream : state().streams)
    if (stream->capture && concerns(*stream)) {
      stream->capture->valid = false;
      result = why;
    }
  return result;
}

/// The default stream comes before and after all blocking ones: neither work on it nor
/// waiting for it goes together with a capture of one.
Result refuseWaiting(Stream &stream) {
  if (&stream == &state().defaultStream)
    return invalidate(StreamCaptureImplicit, [](Stream &other) { return other.blocking; });
  return invalidate(StreamCaptureUnsupported, [&](Stream &other) { return &other == &stream; });
}

Result refuseWaitingForAll() {
  return invalidate(StreamCaptureUnsupported, [](Stream &) { return true; });
}

Result refuseUnsafe() {
  return invalidate(StreamCaptureUnsupported, [](Stream &stream) {
    const bool isOwn = stream.capture->thread == std::this_thread::get_id();
    return stream.capture->mode == CaptureMode::Global || (isOwn && stream.capture->mode == CaptureMode::ThreadLocal);
  });
}

Result drain(Stream &stream) {
  while (!stream.queue.empty()) {
    Work work = std::move(stream.queue.front());
    stream.queue.pop_front();
    if (Result result = work(); result != Success) {
      state().failed = result;
      stream.queue.clear();
      return result;
    }
  }
  return Success;
}

Result drainAll() {
  Result result = drain(state().defaultStream);
  for (Stream *stream : state().streams)
    if (Result r = drain(*stream); result == Success)
      result = r;
  return result;
}

Result enqueue(Stream &stream, Work work) {
  if (stream.capture) {
    if (!stream.capture->valid)
      return StreamCaptureInvalidated;
    stream.capture->graph->nodes.push_back(std::move(work));
    return Success;
  }
  if (&stream == &state().defaultStream)
    if (Result refused = refuseWaiting(stream); refused != Success)
      return refused;
  // The default stream comes after all that blocking streams hold already, and
  // what they get later comes after it. What would have run by then runs now.
  if (&stream == &state().defaultStream) {
    for (Stream *other : state().streams)
      if (other->blocking)
        if (Result result = drain(*other); result != Success)
          return result;
  } else if (stream.blocking) {
    if (Result result = drain(state().defaultStream); result != Success)
      return result;
  }
  stream.queue.push_back(std::move(work));
  return Success;
}

/// Runs a stream until it has come to a record of an event.
static Result reach(const Record &record) {
  Stream *stream = record.stream;
  if (stream != &state().defaultStream && !state().streams.count(stream))
    return Success;
  while (!*record.reached && !stream->queue.empty()) {
    Work work = std::move(stream->queue.front());
    stream->queue.pop_front();
    if (Result result = work(); result != Success) {
      state().failed = result;
      stream->queue.clear();
      return result;
    }
  }
  return Success;
}

static Result run(const std::vector<Work> &nodes) {
  for (const Work &node : nodes)
    if (Result result = node(); result != Success)
      return result;
  return Success;
}

template <class T, class F>
static int with(std::set<T *> State::*all, void *handle, F &&use) {
  Call call;
  if (call.result != Success)
    return call.result;
  auto *object = static_cast<T *>(handle);
  return (state().*all).count(object) ? use(*object) : int(InvalidHandle);
}

template <class T>
static int destroy(std::set<T *> State::*all, void *handle) {
  return with<T>(all, handle, [&](T &object) {
    (state().*all).erase(&object);
    delete &object;
    return int(Success);
  });
}

template <class F>
static int withStream(void *handle, F &&use) {
  Call call;
  if (call.result != Success)
    return call.result;
  Stream *stream = streamOf(handle);
  return stream ? int(use(*stream)) : int(InvalidHandle);
}

} // namespace nvemu::driver

using namespace nvemu::driver;

NVEMU_API int cuStreamCreate(void **out, unsigned flags) {
  Call call;
  if (call.result != Success)
    return call.result;
  if (!out || flags > 1)
    return InvalidValue;
  auto *stream = new Stream;
  stream->context = current();
  stream->blocking = flags != 1; // CU_STREAM_NON_BLOCKING
  state().streams.insert(stream);
  *out = stream;
  return Success;
}

NVEMU_API int cuStreamDestroy_v2(void *handle) {
  return withStream(handle, [&](Stream &stream) {
    if (&stream == &state().defaultStream)
      return InvalidHandle;
    Result result = drain(stream);
    state().streams.erase(&stream);
    delete &stream;
    return result;
  });
}

NVEMU_API int cuStreamSynchronize(void *handle) {
  return withStream(handle, [&](Stream &stream) {
    if (Result refused = refuseWaiting(stream); refused != Success)
      return refused;
    return &stream == &state().defaultStream ? drainAll() : drain(stream);
  });
}

/// What is not waited for may take for ever: a stream with work is not ready.
NVEMU_API int cuStreamQuery(void *handle) {
  return withStream(handle, [&](Stream &stream) {
    if (Result refused = refuseWaiting(stream); refused != Success)
      return refused;
    if (stream.queue.empty())
      return Success;
    drain(stream); // so that a program that asks in a loop comes to its end
    return state().failed != Success ? state().failed : NotReady;
  });
}

NVEMU_API int cuStreamGetCtx(void *handle, void **context) {
  return withStream(handle, [&](Stream &stream) {
    *context = stream.context ? stream.context : current();
    return Success;
  });
}

NVEMU_API int cuEventCreate(void **out, unsigned flags) {
  Call call;
  if (call.result != Success)
    return call.result;
  auto *event = new Event;
  state().events.insert(event);
  *out = event;
  return Success;
}

NVEMU_API int cuEventDestroy_v2(void *handle) {
  return with<Event>(&State::events, handle, [](Event &event) {
    Result result = reach(event.last);
    state().events.erase(&event);
    delete &event;
    return int(result);
  });
}

NVEMU_API int cuEventRecord(void *handle, void *streamHandle) {
  return with<Event>(&State::events, handle, [&](Event &event) {
    Stream *stream = streamOf(streamHandle);
    if (!stream)
      return int(InvalidHandle);
    if (stream->capture)
      return int(StreamCaptureUnsupported);
    event.last = {stream, std::make_shared<bool>(false)};
    return int(enqueue(*stream, [reached = event.last.reached] {
      *reached = true;
      return Success;
    }));
  });
}

NVEMU_API int cuEventSynchronize(void *handle) {
  return with<Event>(&State::events, handle, [](Event &event) { return int(reach(event.last)); });
}

NVEMU_API int cuEventQuery(void *handle) {
  return with<Event>(&State::events, handle, [](Event &event) {
    const bool there = *event.last.reached;
    reach(event.last);
    return int(there ? Success : NotReady);
  });
}

/// An emulated GPU has no speed: the time between two events is always 0.
NVEMU_API int cuEventElapsedTime(float *milliseconds, void *begin, void *end) {
  Call call;
  if (call.result == Success)
    *milliseconds = 0;
  return call.result;
}

NVEMU_API int cuStreamWaitEvent(void *streamHandle, void *handle, unsigned flags) {
  return with<Event>(&State::events, handle, [&](Event &event) {
    Stream *stream = streamOf(streamHandle);
    if (!stream)
      return int(InvalidHandle);
    if (stream->capture)
      return int(StreamCaptureUnsupported);
    if (event.last.stream == stream)
      return int(Success);
    return int(enqueue(*stream, [record = event.last] { return reach(record); }));
  });
}

NVEMU_API int cuStreamBeginCapture_v2(void *handle, int mode) {
  return withStream(handle, [&](Stream &stream) {
    if (mode < 0 || mode > 2)
      return InvalidValue;
    if (&stream == &state().defaultStream || stream.capture)
      return StreamCaptureUnsupported;
    stream.capture = std::make_unique<Capture>();
    stream.capture->mode = CaptureMode(mode);
    stream.capture->thread = std::this_thread::get_id();
    return Success;
  });
}

NVEMU_API int cuStreamEndCapture(void *handle, void **graph) {
  return withStream(handle, [&](Stream &stream) {
    *graph = nullptr;
    if (!stream.capture)
      return StreamCaptureUnmatched;
    const std::unique_ptr<Capture> capture = std::move(stream.capture);
    if (!capture->valid)
      return StreamCaptureInvalidated;
    *graph = capture->graph.get();
    state().graphs.insert(capture->graph.release());
    return Success;
  });
}

NVEMU_API int cuStreamIsCapturing(void *handle, int *status) {
  return withStream(handle, [&](Stream &stream) {
    *status = !stream.capture ? 0 : stream.capture->valid ? 1 : 2; // none, active, invalidated
    return Success;
  });
}

NVEMU_API int cuGraphInstantiateWithFlags(void **out, void *handle, uint64_t flags) {
  return with<Graph>(&State::graphs, handle, [&](Graph &graph) {
    auto *executable = new GraphExec{graph.nodes};
    state().executables.insert(executable);
    *out = executable;
    return int(Success);
  });
}

struct UpdateInfo { // CUgraphExecUpdateResultInfo
  int result;
  void *node, *from;
};

/// A graph of as many nodes replaces the other; a true driver also wants equal kinds.
NVEMU_API int cuGraphExecUpdate_v2(void *executable, void *handle, UpdateInfo *info) {
  return with<GraphExec>(&State::executables, executable, [&](GraphExec &old) {
    auto *graph = static_cast<Graph *>(handle);
    if (!state().graphs.count(graph))
      return int(InvalidHandle);
    const bool fits = old.nodes.size() == graph->nodes.size();
    if (info)
      *info = {fits ? 0 : 2, nullptr, nullptr}; // 2: the topology changed
    if (!fits)
      return int(GraphExecUpdateFailure);
    old.nodes = graph->nodes;
    return int(Success);
  });
}

NVEMU_API int cuGraphLaunch(void *executable, void *streamHandle) {
  return with<GraphExec>(&State::executables, executable, [&](GraphExec &graph) {
    Stream *stream = streamOf(streamHandle);
    if (!stream)
      return int(InvalidHandle);
    return int(enqueue(*stream, [nodes = graph.nodes] { return run(nodes); }));
  });
}

NVEMU_API int cuGraphGetNodes(void *handle, void **nodes, size_t *count) {
  return with<Graph>(&State::graphs, handle, [&](Graph &graph) {
    if (nodes)
      return int(InvalidValue);
    *count = graph.nodes.size();
    return int(Success);
  });
}

NVEMU_API int cuGraphDestroy(void *handle) { return destroy<Graph>(&State::graphs, handle); }

NVEMU_API int cuGraphExecDestroy(void *handle) { return destroy<GraphExec>(&State::executables, handle); }
