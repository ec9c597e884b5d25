//===- Device.cpp - devices and contexts ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace nvemu::driver {

/// A setting of digits alone; what is none, or outside of the limits, is said and not taken.
static uint64_t number(const char *name, uint64_t otherwise, uint64_t least = 0, uint64_t most = UINT64_MAX) {
  const char *text = std::getenv(name);
  if (!text || !*text)
    return otherwise;
  uint64_t value = 0;
  const char *end = text + std::strlen(text);
  const auto [rest, error] = std::from_chars(text, end, value);
  if (error == std::errc() && rest == end && value >= least && value <= most)
    return value;
  std::fprintf(stderr, "nvemu: %s=%s is not a whole number from %llu to %llu: %llu is taken\n", name, text,
               (unsigned long long)least, (unsigned long long)most, (unsigned long long)otherwise);
  return otherwise;
}

static std::string word(const char *name) {
  const char *text = std::getenv(name);
  return text ? text : "";
}

/// Minutes of an endless loop: a block that comes to its end needs far fewer.
static constexpr uint64_t mostSteps = 1'000'000'000;

const Settings &settings() {
  static const Settings settings = [] {
    Settings s;
    s.capability = int(number("NVEMU_CC", s.capability, 10, 999));
    s.driverVersion = int(number("NVEMU_DRIVER", s.driverVersion, 1000, 999999));
    s.devices = int(number("NVEMU_DEVICES", s.devices, 0, 64));
    s.memory = number("NVEMU_MEMORY", s.memory);
    s.report = word("NVEMU_REPORT");
    s.log = word("NVEMU_LOG");
    s.replace = word("NVEMU_REPLACE");
    s.options.checks = number("NVEMU_CHECKS", 1, 0, 1) != 0;
    s.options.seed = number("NVEMU_SEED", 0);
    s.options.maxSteps = number("NVEMU_MAX_STEPS", mostSteps);
    s.options.hostThreads = unsigned(number("NVEMU_THREADS", 1, 1, 1024));
    return s;
  }();
  return settings;
}

// In KiB by capability: CUDA C++ Programming Guide, technical specifications.
size_t mostShared() {
  const int capability = settings().capability;
  const size_t kib = capability >= 90                       ? 227
                     : capability == 80 || capability == 87 ? 163
                     : capability >= 86                     ? 99
                     : capability >= 75                     ? 64
                                                            : 96;
  return kib << 10;
}

State &state() {
  static State *state = new State; // outlives what runs at exit
  return *state;
}

Context *&current() {
  static thread_local Context *context = nullptr;
  return context;
}

Call::Call(bool needsContext) : hold(state().lock) {
  if (!state().initialized)
    result = NotInitialized;
  else if (state().failed != Success)
    result = state().failed;
  else
    result = needsContext && !current() ? InvalidContext : Success;
}

} // namespace nvemu::driver

using namespace nvemu::driver;

NVEMU_API int cuInit(unsigned flags) {
  State &s = state();
  std::lock_guard hold(s.lock);
  if (flags)
    return InvalidValue;
  if (settings().devices <= 0)
    return NoDevice;
  s.initialized = true;
  return Success;
}

NVEMU_API int cuDriverGetVersion(int *version) {
  if (!version)
    return InvalidValue;
  *version = settings().driverVersion;
  return Success;
}

NVEMU_API int cuDeviceGetCount(int *count) {
  Call call(false);
  if (call.result == Success)
    *count = settings().devices;
  return call.result;
}

NVEMU_API int cuDeviceGet(int *device, int ordinal) {
  Call call(false);
  if (call.result != Success)
    return call.result;
  if (ordinal < 0 || ordinal >= settings().devices)
    return InvalidDevice;
  *device = ordinal;
  return Success;
}

NVEMU_API int cuDeviceGetName(char *name, int bytes, int device) {
  Call call(false);
  if (call.result == Success)
    std::snprintf(name, size_t(bytes), "nvemu sm_%d", settings().capability);
  return call.result;
}

NVEMU_API int cuDeviceTotalMem_v2(size_t *bytes, int device) {
  Call call(false);
  if (call.result == Success)
    *bytes = settings().memory;
  return call.result;
}

// CUdevice_attribute, of the 2-digit numbers those that programs ask for.
NVEMU_API int cuDeviceGetAttribute(int *value, int attribute, int device) {
  Call call(false);
  if (call.result != Success)
    return call.result;
  const int capability = settings().capability;
  switch (attribute) {
  case 1:
    *value = 1024;
    break; // threads of a block
  case 2:
  case 3:
    *value = 1024;
    break; // block x, y
  case 4:
    *value = 64;
    break; // block z
  case 5:
    *value = 2147483647;
    break; // grid x
  case 6:
  case 7:
    *value = 65535;
    break; // grid y, z
  case 8:
    *value = 48 << 10;
    break; // shared memory of a block
  case 10:
    *value = 32;
    break; // warp size
  case 12:
    *value = 65536;
    break; // registers of a block
  case 16:
    *value = 4;
    break; // multiprocessors
  case 39:
    *value = 2048;
    break; // threads of a multiprocessor
  case 75:
    *value = capability / 10;
    break; // major
  case 76:
    *value = capability % 10;
    break; // minor
  case 81:
    *value = int(mostShared()) + 1024;
    break; // shared memory of a multiprocessor
  case 97:
    *value = int(mostShared());
    break; // of a block, by opting in
  case 115:
    *value = 1;
    break; // memory pools
  case 41:
  case 83:
    *value = 1;
    break; // unified addressing, managed memory
  default:
    *value = 0;
    break;
  }
  return Success;
}

NVEMU_API int cuDevicePrimaryCtxRetain(void **context, int device) {
  Call call(false);
  if (call.result != Success)
    return call.result;
  state().primary.primary = true;
  ++state().primary.retained;
  *context = &state().primary;
  return Success;
}

NVEMU_API int cuDevicePrimaryCtxRelease_v2(int device) {
  Call call(false);
  if (call.result != Success)
    return call.result;
  if (!state().primary.retained)
    return InvalidContext;
  --state().primary.retained;
  return Success;
}

NVEMU_API int cuCtxCreate_v2(void **context, unsigned flags, int device) {
  Call call(false);
  if (call.result != Success)
    return call.result;
  auto *made = new Context;
  state().contexts.insert(made);
  *context = current() = made;
  return Success;
}

NVEMU_API int cuCtxDestroy_v2(void *context) {
  Call call(false);
  auto *which = static_cast<Context *>(context);
  if (!state().contexts.erase(which))
    return InvalidContext;
  if (current() == which)
    current() = nullptr;
  delete which;
  return Success;
}

NVEMU_API int cuCtxGetCurrent(void **context) {
  Call call(false);
  *context = current();
  return call.result;
}

/// None, the primary one, or one that cuCtxCreate made and nobody has destroyed.
static bool isContext(void *context) {
  auto *which = static_cast<Context *>(context);
  return !which || which == &state().primary || state().contexts.count(which);
}

NVEMU_API int cuCtxSetCurrent(void *context) {
  Call call(false);
  if (call.result != Success)
    return call.result;
  if (!isContext(context))
    return InvalidContext;
  current() = static_cast<Context *>(context);
  return Success;
}

static thread_local std::vector<Context *> pushed;

NVEMU_API int cuCtxPushCurrent_v2(void *context) {
  Call call(false);
  if (call.result != Success)
    return call.result;
  if (!isContext(context))
    return InvalidContext;
  pushed.push_back(current());
  current() = static_cast<Context *>(context);
  return Success;
}

NVEMU_API int cuCtxPopCurrent_v2(void **context) {
  Call call(false);
  if (pushed.empty())
    return InvalidContext;
  if (context)
    *context = current();
  current() = pushed.back();
  pushed.pop_back();
  return call.result;
}

NVEMU_API int cuCtxGetDevice(int *device) {
  Call call;
  if (call.result == Success)
    *device = 0;
  return call.result;
}

NVEMU_API int cuCtxSynchronize() {
  Call call;
  if (call.result != Success)
    return call.result;
  const Result refused = refuseWaitingForAll();
  return refused == Success ? drainAll() : refused;
}

static const struct {
  Result result;
  const char *name, *text;
} results[] = {
    {Success, "CUDA_SUCCESS", "no error"},
    {InvalidValue, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {OutOfMemory, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {NotInitialized, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {NoDevice, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {InvalidDevice, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {InvalidContext, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {NoBinaryForGpu, "CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution on the device"},
    {InvalidPtx, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {UnsupportedPtxVersion, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
     "the provided PTX was compiled with an unsupported toolchain."},
    {InvalidHandle, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {NotFound, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {NotReady, "CUDA_ERROR_NOT_READY", "device not ready"},
    {IllegalAddress, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {LaunchOutOfResources, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch"},
    {LaunchFailed, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {StreamCaptureUnsupported, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
     "operation not permitted when stream is capturing"},
    {StreamCaptureInvalidated, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED",
     "operation failed due to a previous error during capture"},
    {StreamCaptureUnmatched, "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED",
     "capture was not ended in the stream that it began in"},
    {StreamCaptureImplicit, "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT",
     "the default stream would depend on a stream that is captured"},
    {GraphExecUpdateFailure, "CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE",
     "the graph update was not performed because it included changes which "
     "violated constraints specific to instantiated graph update"},
};

static int describeResult(int result, const char **out, bool name) {
  for (const auto &entry : results)
    if (entry.result == result) {
      *out = name ? entry.name : entry.text;
      return Success;
    }
  *out = nullptr;
  return InvalidValue;
}

NVEMU_API int cuGetErrorName(int result, const char **name) { return describeResult(result, name, true); }
NVEMU_API int cuGetErrorString(int result, const char **text) { return describeResult(result, text, false); }
