//===- Module.cpp - PTX modules and launches ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

namespace nvemu::driver {

// CUjit_option
enum { JitInfoLog = 3, JitInfoLogBytes = 4, JitErrorLog = 5, JitErrorLogBytes = 6 };

/// Writes to the caller's error log, if there is one, and says how long it is.
static void writeLog(unsigned count, const int *options, void **values, const std::string &text) {
  char *log = nullptr;
  for (unsigned i = 0; i < count; ++i)
    if (options[i] == JitErrorLog)
      log = static_cast<char *>(values[i]);
  for (unsigned i = 0; i < count && log; ++i)
    if (options[i] == JitErrorLogBytes) {
      size_t room = reinterpret_cast<size_t>(values[i]);
      if (!room)
        continue;
      size_t used = std::min(room - 1, text.size());
      std::memcpy(log, text.data(), used);
      log[used] = 0;
      values[i] = reinterpret_cast<void *>(used);
    }
}

/// "sm_90a" is for 9.0 alone, "sm_80" for 8.0 and all later ones.
static bool fits(const std::string &target) {
  char *end = nullptr;
  const long wanted = target.rfind("sm_", 0) == 0 ? std::strtol(target.c_str() + 3, &end, 10) : 0;
  if (!wanted)
    return false;
  const int have = settings().capability;
  if (*end == 'a')
    return wanted == have;
  if (*end == 'f')
    return wanted / 10 == have / 10 && wanted <= have;
  return wanted <= have;
}

/// The newest PTX version that a driver reads: PTX ISA 8.0 came with CUDA 12.0,
/// 9.0 with 13.0, a minor version with each minor one.
static bool knowsVersion(const std::string &ptx) {
  const size_t place = ptx.find(".version");
  int major = 0, minor = 0;
  if (place == std::string::npos || std::sscanf(ptx.c_str() + place, ".version %d.%d", &major, &minor) != 2)
    return true; // the parser says so
  const int driver = settings().driverVersion;
  const int newest = (driver / 1000 - 4) * 10 + driver % 1000 / 10;
  return major * 10 + minor <= newest;
}

/// The text that NVEMU_REPLACE puts in the place of a program's own; false where
/// its file can't be read.
static bool replaced(std::string &ptx) {
  if (settings().replace.empty())
    return true;
  std::ifstream file(settings().replace, std::ios::binary);
  ptx.assign(std::istreambuf_iterator<char>(file), {});
  return bool(file);
}

static Result load(void **out, std::string ptx, unsigned count, const int *options, void **values) {
  if (!replaced(ptx)) {
    writeLog(count, options, values, "nvemu: NVEMU_REPLACE: cannot read " + settings().replace);
    return InvalidPtx;
  }
  if (!knowsVersion(ptx)) {
    writeLog(count, options, values, "this PTX version is newer than the driver");
    return UnsupportedPtxVersion;
  }
  std::string error;
  std::unique_ptr<nvemu::Module> code = nvemu::Module::load(ptx, error);
  if (!code) {
    writeLog(count, options, values, "nvemu: " + error);
    return InvalidPtx;
  }
  if (!fits(code->target())) {
    writeLog(count, options, values, "this PTX is for " + code->target());
    return NoBinaryForGpu;
  }
  auto module = std::make_unique<Module>();
  module->code = std::move(code);
  module->context = current();
  for (const std::string &name : module->code->kernels()) {
    auto function = std::make_unique<Function>();
    function->module = module.get();
    function->name = name;
    function->parameters = module->code->parameterSizes(name);
    function->staticShared = module->code->staticShared(name);
    function->dynamicShared -= std::min(function->dynamicShared, function->staticShared);
    module->functions[name] = std::move(function);
  }
  state().modules.insert(module.get());
  writeLog(count, options, values, "");
  *out = module.release();
  return Success;
}

static Module *moduleOf(void *handle) {
  auto *module = static_cast<Module *>(handle);
  return state().modules.count(module) ? module : nullptr;
}

static Function *functionOf(void *handle) {
  for (Module *module : state().modules)
    for (auto &[name, function] : module->functions)
      if (function.get() == handle)
        return function.get();
  return nullptr;
}

/// To the end of a file that a setting names, or to stderr where that cannot be.
static void append(const std::string &path, const std::string &text) {
  if (path.empty())
    return;
  if (std::FILE *file = std::fopen(path.c_str(), "a")) {
    std::fwrite(text.data(), 1, text.size(), file);
    std::fclose(file);
    return;
  }
  std::fprintf(stderr, "nvemu: cannot write %s: %s", path.c_str(), text.c_str());
}

/// What cuLaunchKernel would say after the kernel has run.
static Result resultOf(const Report &report) {
  if (report.clean())
    return Success;
  for (const Finding &finding : report.findings) {
    append(settings().report, describe(finding) + "\n");
    if (settings().report.empty())
      std::fprintf(stderr, "nvemu: %s\n", describe(finding).c_str());
  }
  for (const Finding &finding : report.findings)
    if (finding.kind == Kind::OutOfBounds)
      return IllegalAddress;
  return LaunchFailed;
}

static Result launch(Function *function, Dim3 grid, Dim3 block, size_t shared, Stream &stream, void **parameters) {
  const size_t threads = size_t(block.x) * block.y * block.z;
  if (!grid.x || !grid.y || !grid.z || !threads || grid.y > 65535 || grid.z > 65535 || block.z > 64 || threads > 1024)
    return InvalidValue;
  if (threads > function->module->code->maxThreads(function->name) || shared > function->dynamicShared)
    return InvalidValue;
  // The values of the parameters are those of now.
  auto values = std::make_shared<std::vector<std::vector<char>>>();
  for (size_t i = 0; i < function->parameters.size(); ++i) {
    if (!parameters || !parameters[i])
      return InvalidValue;
    auto *begin = static_cast<const char *>(parameters[i]);
    values->emplace_back(begin, begin + function->parameters[i]);
  }
  return enqueue(stream, [=] {
    std::vector<const void *> pointers;
    for (const std::vector<char> &value : *values)
      pointers.push_back(value.data());
    append(settings().log, function->name + " " + std::to_string(grid.x) + "," + std::to_string(grid.y) + "," +
                               std::to_string(grid.z) + " " + std::to_string(threads) + " " + std::to_string(shared) +
                               "\n");
    return resultOf(
        function->module->code->launch(function->name, grid, block, shared, pointers.data(), settings().options));
  });
}

} // namespace nvemu::driver

using namespace nvemu::driver;

/// `image` is PTX text with a 0 at its end; cubins and fat binaries are refused.
NVEMU_API int cuModuleLoadDataEx(void **module, const void *image, unsigned count, int *options, void **values) {
  Call call;
  if (call.result != Success)
    return call.result;
  if (!module || !image)
    return InvalidValue;
  const auto *text = static_cast<const char *>(image);
  if (std::memcmp(text,
                  "\x7f"
                  "ELF",
                  4) == 0) {
    writeLog(count, options, values, "nvemu runs PTX, not machine code");
    return NoBinaryForGpu;
  }
  return load(module, text, count, options, values);
}

NVEMU_API int cuModuleLoadData(void **module, const void *image) {
  return cuModuleLoadDataEx(module, image, 0, nullptr, nullptr);
}

NVEMU_API int cuModuleUnload(void *handle) {
  Call call;
  if (call.result != Success)
    return call.result;
  Module *module = moduleOf(handle);
  if (!module)
    return InvalidHandle;
  Result result = drainAll();
  state().modules.erase(module);
  delete module;
  return result;
}

NVEMU_API int cuModuleGetFunction(void **function, void *handle, const char *name) {
  Call call;
  if (call.result != Success)
    return call.result;
  Module *module = moduleOf(handle);
  if (!module)
    return InvalidHandle;
  auto found = module->functions.find(name);
  if (found == module->functions.end())
    return NotFound;
  *function = found->second.get();
  return Success;
}

NVEMU_API int cuModuleGetGlobal_v2(DevicePtr *address, size_t *bytes, void *handle, const char *name) {
  Call call;
  if (call.result != Success)
    return call.result;
  Module *module = moduleOf(handle);
  if (!module)
    return InvalidHandle;
  size_t size = 0;
  void *place = module->code->variable(name, size);
  if (!place)
    return NotFound;
  if (address)
    *address = reinterpret_cast<DevicePtr>(place);
  if (bytes)
    *bytes = size;
  return Success;
}

// CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES is 8; carve-outs and cache
// preferences, which change no result, are taken and ignored.
NVEMU_API int cuFuncSetAttribute(void *handle, int attribute, int value) {
  Call call;
  if (call.result != Success)
    return call.result;
  Function *function = functionOf(handle);
  if (!function)
    return InvalidHandle;
  if (attribute != 8)
    return Success;
  if (value < 0 || size_t(value) + function->staticShared > mostShared())
    return InvalidValue;
  function->dynamicShared = size_t(value);
  return Success;
}

NVEMU_API int cuFuncGetAttribute(int *value, int attribute, void *handle) {
  Call call;
  if (call.result != Success)
    return call.result;
  Function *function = functionOf(handle);
  if (!function)
    return InvalidHandle;
  switch (attribute) {
  case 0:
    *value = int(function->module->code->maxThreads(function->name));
    break;
  case 1:
    *value = int(function->staticShared);
    break;
  case 8:
    *value = int(function->dynamicShared);
    break;
  default:
    *value = 0;
    break;
  }
  return Success;
}

NVEMU_API int cuLaunchKernel(void *handle, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                             unsigned blockY, unsigned blockZ, unsigned shared, void *streamHandle, void **parameters,
                             void **extra) {
  Call call;
  if (call.result != Success)
    return call.result;
  Function *function = functionOf(handle);
  Stream *stream = streamOf(streamHandle);
  if (!function || !stream)
    return InvalidHandle;
  if (extra)
    return InvalidValue;
  return launch(function, {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, shared, *stream, parameters);
}
