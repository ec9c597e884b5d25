//===- Memory.cpp - device and page-locked memory, copies -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include <cstdlib>
#include <cstring>

namespace nvemu::driver {

bool isDevice(DevicePtr address, size_t bytes) {
  return !bytes || isAllocated(reinterpret_cast<void *>(address), bytes);
}

static void *at(DevicePtr address) { return reinterpret_cast<void *>(address); }

/// Page-locked memory is read and written when a copy runs. Of other memory the
/// driver has taken a copy before the call returns.
static bool isPageLocked(const void *data, size_t bytes) {
  auto &memory = state().hostMemory;
  auto next = memory.upper_bound(const_cast<void *>(data));
  if (next == memory.begin())
    return false;
  auto [begin, size] = *std::prev(next);
  return static_cast<const char *>(data) + bytes <= static_cast<char *>(begin) + size;
}

static Result copyToDevice(Stream &stream, DevicePtr to, const void *from, size_t bytes) {
  if (!isDevice(to, bytes) || (bytes && !from))
    return InvalidValue;
  if (isPageLocked(from, bytes))
    return enqueue(stream, [=] {
      std::memcpy(at(to), from, bytes);
      markInitialized(at(to), bytes);
      return Success;
    });
  auto *begin = static_cast<const char *>(from);
  auto kept = std::make_shared<std::vector<char>>(begin, begin + bytes);
  return enqueue(stream, [=] {
    std::memcpy(at(to), kept->data(), bytes);
    markInitialized(at(to), bytes);
    return Success;
  });
}

static Result copyToHost(Stream &stream, void *to, DevicePtr from, size_t bytes) {
  if (!isDevice(from, bytes) || (bytes && !to))
    return InvalidValue;
  return enqueue(stream, [=] {
    std::memcpy(to, at(from), bytes);
    return Success;
  });
}

static Result copyOnDevice(Stream &stream, DevicePtr to, DevicePtr from, size_t bytes) {
  if (!isDevice(to, bytes) || !isDevice(from, bytes))
    return InvalidValue;
  return enqueue(stream, [=] {
    std::memmove(at(to), at(from), bytes);
    markInitialized(at(to), bytes);
    return Success;
  });
}

template <class T>
static Result fill(Stream &stream, DevicePtr to, T value, size_t count) {
  if (!isDevice(to, count * sizeof(T)) || to % sizeof(T))
    return InvalidValue;
  return enqueue(stream, [=] {
    for (size_t i = 0; i < count; ++i)
      static_cast<T *>(at(to))[i] = value;
    markInitialized(at(to), count * sizeof(T));
    return Success;
  });
}

static Result allocateDevice(DevicePtr *address, size_t bytes) {
  State &s = state();
  if (!address || !bytes)
    return InvalidValue;
  if (bytes > settings().memory - s.used)
    return OutOfMemory;
  void *made = allocate(bytes);
  if (!made)
    return OutOfMemory;
  s.memory[made] = bytes;
  s.used += bytes;
  *address = reinterpret_cast<DevicePtr>(made);
  return Success;
}

static Result freeDevice(DevicePtr address) {
  State &s = state();
  auto found = s.memory.find(at(address));
  if (found == s.memory.end())
    return InvalidValue;
  s.used -= found->second;
  s.memory.erase(found);
  release(at(address));
  return Success;
}

/// What the calls without a stream do: on the default one, and waited for.
template <class F>
static int now(F &&put) {
  Call call;
  if (call.result != Success)
    return call.result;
  Stream &stream = state().defaultStream;
  Result result = refuseWaiting(stream);
  if (result == Success)
    result = refuseUnsafe();
  if (result == Success)
    result = put(stream);
  return result == Success ? drainAll() : result;
}

template <class F>
static int later(void *handle, F &&put) {
  Call call;
  if (call.result != Success)
    return call.result;
  Stream *stream = streamOf(handle);
  return stream ? put(*stream) : InvalidHandle;
}

} // namespace nvemu::driver

using namespace nvemu::driver;

NVEMU_API int cuMemAlloc_v2(DevicePtr *address, size_t bytes) {
  Call call;
  Result result = call.result == Success ? refuseUnsafe() : call.result;
  return result == Success ? allocateDevice(address, bytes) : result;
}

NVEMU_API int cuMemFree_v2(DevicePtr address) {
  Call call;
  if (call.result != Success || !address)
    return call.result;
  Result result = refuseUnsafe();
  if (result == Success)
    result = drainAll();
  return result == Success ? freeDevice(address) : result;
}

/// What is taken within a capture is the graph's, each time it runs: it stays.
NVEMU_API int cuMemAllocAsync(DevicePtr *address, size_t bytes, void *stream) {
  return later(stream, [&](Stream &s) {
    Result result = allocateDevice(address, bytes);
    if (result == Success && s.capture)
      state().ofGraphs.insert(*address);
    return result;
  });
}

NVEMU_API int cuMemFreeAsync(DevicePtr address, void *stream) {
  return later(stream, [&](Stream &s) {
    if (s.capture && state().ofGraphs.count(address))
      return Success;
    return enqueue(s, [=] { return freeDevice(address); });
  });
}

NVEMU_API int cuMemGetInfo_v2(size_t *free, size_t *total) {
  Call call;
  if (call.result != Success)
    return call.result;
  *total = settings().memory;
  *free = settings().memory - state().used;
  return Success;
}

NVEMU_API int cuMemHostAlloc(void **memory, size_t bytes, unsigned flags) {
  Call call;
  if (call.result != Success)
    return call.result;
  *memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  if (!*memory)
    return OutOfMemory;
  state().hostMemory[*memory] = bytes;
  return Success;
}

NVEMU_API int cuMemAllocHost_v2(void **memory, size_t bytes) { return cuMemHostAlloc(memory, bytes, 0); }

NVEMU_API int cuMemFreeHost(void *memory) {
  Call call;
  if (call.result != Success)
    return call.result;
  if (!state().hostMemory.erase(memory))
    return InvalidValue;
  std::free(memory);
  return Success;
}

/// Either address may be of the host: one address space holds both memories.
NVEMU_API int cuMemcpy(DevicePtr to, DevicePtr from, size_t bytes) {
  const bool toDevice = isDevice(to, bytes), fromDevice = isDevice(from, bytes);
  return now([&](Stream &s) {
    if (toDevice && fromDevice)
      return copyOnDevice(s, to, from, bytes);
    if (toDevice)
      return copyToDevice(s, to, at(from), bytes);
    if (fromDevice)
      return copyToHost(s, at(to), from, bytes);
    std::memmove(at(to), at(from), bytes);
    return Success;
  });
}

NVEMU_API int cuMemcpyHtoD_v2(DevicePtr to, const void *from, size_t bytes) {
  return now([&](Stream &s) { return copyToDevice(s, to, from, bytes); });
}
NVEMU_API int cuMemcpyDtoH_v2(void *to, DevicePtr from, size_t bytes) {
  return now([&](Stream &s) { return copyToHost(s, to, from, bytes); });
}
NVEMU_API int cuMemcpyDtoD_v2(DevicePtr to, DevicePtr from, size_t bytes) {
  return now([&](Stream &s) { return copyOnDevice(s, to, from, bytes); });
}
NVEMU_API int cuMemcpyHtoDAsync_v2(DevicePtr to, const void *from, size_t bytes, void *stream) {
  return later(stream, [&](Stream &s) { return copyToDevice(s, to, from, bytes); });
}
NVEMU_API int cuMemcpyDtoHAsync_v2(void *to, DevicePtr from, size_t bytes, void *stream) {
  return later(stream, [&](Stream &s) { return copyToHost(s, to, from, bytes); });
}
NVEMU_API int cuMemcpyDtoDAsync_v2(DevicePtr to, DevicePtr from, size_t bytes, void *stream) {
  return later(stream, [&](Stream &s) { return copyOnDevice(s, to, from, bytes); });
}
NVEMU_API int cuMemsetD8_v2(DevicePtr to, unsigned char value, size_t count) {
  return now([&](Stream &s) { return fill<uint8_t>(s, to, value, count); });
}
NVEMU_API int cuMemsetD32_v2(DevicePtr to, unsigned value, size_t count) {
  return now([&](Stream &s) { return fill<uint32_t>(s, to, value, count); });
}
NVEMU_API int cuMemsetD8Async(DevicePtr to, unsigned char value, size_t count, void *stream) {
  return later(stream, [&](Stream &s) { return fill<uint8_t>(s, to, value, count); });
}
NVEMU_API int cuMemsetD32Async(DevicePtr to, unsigned value, size_t count, void *stream) {
  return later(stream, [&](Stream &s) { return fill<uint32_t>(s, to, value, count); });
}

// CU_POINTER_ATTRIBUTE_MEMORY_TYPE (2) and CU_POINTER_ATTRIBUTE_CONTEXT (1).
NVEMU_API int cuPointerGetAttribute(void *data, int attribute, DevicePtr address) {
  Call call(false);
  if (call.result != Success)
    return call.result;
  if (!isDevice(address, 1))
    return InvalidValue;
  if (attribute == 2)
    *static_cast<unsigned *>(data) = 2; // CU_MEMORYTYPE_DEVICE
  else if (attribute == 1)
    *static_cast<void **>(data) = current();
  else
    return InvalidValue;
  return Success;
}
