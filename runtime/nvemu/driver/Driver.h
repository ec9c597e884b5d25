//===- Driver.h - a CUDA driver whose device is nvemu -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// What the files of the shim share. Types and numbers are those of the CUDA
// driver API (https://docs.nvidia.com/cuda/cuda-driver-api); no header of it is
// needed to build this.
//
// Work on a stream runs at the latest moment that its user may count on: when
// somebody waits for it. A program that forgets to wait sees that here.
//
//===----------------------------------------------------------------------===//

#ifndef NVEMU_DRIVER_DRIVER_H
#define NVEMU_DRIVER_DRIVER_H

#include "nvemu/nvemu.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

/// On each exported function.
#define NVEMU_API extern "C" __attribute__((visibility("default")))

namespace nvemu::driver {

// CUresult
enum Result : int {
  Success = 0,
  InvalidValue = 1,
  OutOfMemory = 2,
  NotInitialized = 3,
  NoDevice = 100,
  InvalidDevice = 101,
  InvalidContext = 201,
  NoBinaryForGpu = 209,
  InvalidPtx = 218,
  UnsupportedPtxVersion = 222,
  InvalidHandle = 400,
  NotFound = 500,
  NotReady = 600,
  IllegalAddress = 700,
  LaunchOutOfResources = 701,
  LaunchFailed = 719,
  StreamCaptureUnsupported = 900,
  StreamCaptureInvalidated = 901,
  StreamCaptureUnmatched = 903,
  StreamCaptureImplicit = 906,
  GraphExecUpdateFailure = 910,
};

using DevicePtr = uint64_t; // CUdeviceptr

/// What the environment says the device is. Read once.
struct Settings {
  int capability = 80;             // NVEMU_CC: major * 10 + minor
  int driverVersion = 12080;       // NVEMU_DRIVER: as cuDriverGetVersion gives it
  int devices = 1;                 // NVEMU_DEVICES
  size_t memory = size_t(8) << 30; // NVEMU_MEMORY: bytes
  std::string report;              // NVEMU_REPORT: a file that findings are appended to
  std::string log;                 // NVEMU_LOG: a file that launches are appended to
  std::string replace;             // NVEMU_REPLACE: a file of PTX in place of what is loaded
  Options options;                 // NVEMU_CHECKS=0, NVEMU_SEED, NVEMU_THREADS, NVEMU_MAX_STEPS
};
const Settings &settings();
/// Bytes of shared memory that a block may have by opting in.
size_t mostShared();

struct Context {
  bool primary = false;
  unsigned retained = 0;
};

struct Module;

struct Function { // CUfunction
  Module *module = nullptr;
  std::string name;
  std::vector<size_t> parameters;
  size_t staticShared = 0;
  size_t dynamicShared = 48 << 10; // the most that a launch may ask for
};

struct Module { // CUmodule
  std::unique_ptr<nvemu::Module> code;
  std::map<std::string, std::unique_ptr<Function>> functions;
  Context *context = nullptr;
};

using Work = std::function<Result()>;

struct Graph { // CUgraph
  std::vector<Work> nodes;
};
struct GraphExec { // CUgraphExec
  std::vector<Work> nodes;
};

/// CUstreamCaptureMode: whose calls that could disturb a capture it forbids.
enum class CaptureMode { Global, ThreadLocal, Relaxed };

struct Capture {
  std::unique_ptr<Graph> graph = std::make_unique<Graph>();
  CaptureMode mode = CaptureMode::Global;
  std::thread::id thread; // that began it
  bool valid = true;      // no: a call came that must not be made meanwhile
};

struct Stream { // CUstream
  std::deque<Work> queue;
  Context *context = nullptr;
  bool blocking = true;             // waits for the default stream, and it for this one
  std::unique_ptr<Capture> capture; // not null: work goes there
};

/// Of one cuEventRecord: what the event meant then stays so when it is recorded
/// again, perhaps on another stream.
struct Record {
  Stream *stream = nullptr; // gone: all of it has run
  std::shared_ptr<bool> reached = std::make_shared<bool>(true);
};

struct Event { // CUevent
  Record last; // before the first one: reached
};

/// The state of the driver. One lock for all of it: calls of several threads
/// come one after another.
struct State {
  std::recursive_mutex lock;
  bool initialized = false;
  Result failed = Success; // a kernel failed: every later call says so
  Context primary;
  std::set<Context *> contexts;
  std::set<Module *> modules;
  std::set<Stream *> streams;
  std::set<Event *> events;
  std::set<Graph *> graphs;
  std::set<GraphExec *> executables;
  Stream defaultStream;
  std::map<void *, size_t> memory, hostMemory;
  std::set<DevicePtr> ofGraphs; // taken within captures
  size_t used = 0;
};
State &state();

/// The context of this thread; nullptr without one.
Context *&current();

/// Takes the lock; `result` is not Success where a call must not go on: before
/// cuInit, after a failed kernel, or without a context where one is needed.
struct Call {
  std::unique_lock<std::recursive_mutex> hold;
  Result result;
  explicit Call(bool needsContext = true);
};

/// The stream that a handle means: 0 and 1 are the default one. nullptr: unknown.
Stream *streamOf(void *handle);
/// Puts work on a stream, or into the graph that it is captured in.
Result enqueue(Stream &stream, Work work);
/// Runs what a stream holds. A failure sticks.
Result drain(Stream &stream);
/// Runs what all streams hold.
Result drainAll();
// What must not be called while a stream is captured makes the captures that it is in the
// way of invalid, and fails (CUDA C++ Programming Guide, "Prohibited and Unhandled
// Operations"). Success where there is none.

/// Of a call that waits for, or asks about, a stream.
Result refuseWaiting(Stream &stream);
/// Of a call that waits for the whole device.
Result refuseWaitingForAll();
/// Of one that may not be seen by a capture, such as cuMemAlloc: the modes decide.
Result refuseUnsafe();

/// Is all of it device memory?
bool isDevice(DevicePtr address, size_t bytes);

} // namespace nvemu::driver

#endif // NVEMU_DRIVER_DRIVER_H
