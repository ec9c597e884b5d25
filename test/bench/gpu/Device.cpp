// SPDX-License-Identifier: Apache-2.0
// nvemu's interface with a GPU behind it: what the tool `nvemu` can do with a PTX file, done by the driver, libcuda.so.1.
// The tool's own files read the arguments and print the results. Buffers are memory of the host here, copied to the GPU
// before a launch and back after it.
#include "nvemu/nvemu.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <regex>

using namespace nvemu;

namespace {

// From https://docs.nvidia.com/cuda/cuda-driver-api.
enum { JitErrorLog = 5, JitErrorLogBytes = 6, MaxDynamicShared = 8 };

template <typename... Parameters>
int call(const char *name, Parameters... parameters) {
  static void *library = dlopen("libcuda.so.1", RTLD_NOW);
  void *found = library ? dlsym(library, name) : nullptr;
  return found ? reinterpret_cast<int (*)(Parameters...)>(found)(parameters...) : 999; // CUDA_ERROR_UNKNOWN
}

std::string nameOf(int result) {
  const char *name = nullptr;
  call("cuGetErrorName", result, &name);
  return name ? name : "CUDA error " + std::to_string(result);
}

/// The primary context of GPU 0, current on this thread; once.
int open() {
  static int result = [] {
    int device = 0;
    void *context = nullptr;
    int failed = call("cuInit", 0u);
    if (!failed)
      failed = call("cuDeviceGet", &device, 0);
    if (!failed)
      failed = call("cuDevicePrimaryCtxRetain", &context, device);
    return failed ? failed : call("cuCtxSetCurrent", context);
  }();
  return result;
}

struct Buffer {
  size_t bytes = 0;
  uint64_t there = 0; // CUdeviceptr
};
std::map<void *, Buffer> buffers;

} // namespace

void *nvemu::allocate(size_t bytes) {
  void *memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  if (memory)
    buffers[memory] = {bytes, 0};
  return memory;
}

bool nvemu::release(void *memory) {
  auto found = buffers.find(memory);
  if (found == buffers.end())
    return false;
  buffers.erase(found);
  std::free(memory);
  return true;
}

void nvemu::markInitialized(const void *, size_t) {}

std::string nvemu::describe(const Finding &finding) { return finding.message; }

struct Module::Impl {
  std::string target;
  std::map<std::string, std::vector<size_t>, std::less<>> kernels; // the bytes of their parameters
  void *handle = nullptr;                                          // CUmodule
  void readHeads(const std::string &text);
};

/// `.entry NAME(.param .u64 x, .param .align 8 .b8 y[16])`: names and sizes. That the text is PTX is the driver's to say.
void Module::Impl::readHeads(const std::string &text) {
  static const std::regex comment(R"(//[^\n]*|/\*[^]*?\*/)"), entry(R"(\.entry\s+([\w$]+)\s*(\(([^)]*)\))?)");
  static const std::regex parameter(R"(\.param([^,]*?)\.[busf](8|16|32|64)\s+([^,]*))"), array(R"(\[\s*(\d+)\s*\])");
  std::string bare = std::regex_replace(text, comment, " ");
  std::smatch found;
  if (std::regex_search(bare, found, std::regex(R"(\.target\s+(\w+))")))
    target = found[1];
  for (std::sregex_iterator each(bare.begin(), bare.end(), entry), end; each != end; ++each) {
    std::vector<size_t> &sizes = kernels[(*each)[1]];
    std::string list = (*each)[3];
    for (std::sregex_iterator one(list.begin(), list.end(), parameter); one != end; ++one) {
      std::string name = (*one)[3];
      size_t elements = std::regex_search(name, found, array) ? std::stoul(found[1]) : 1;
      sizes.push_back(elements * std::stoul((*one)[2]) / 8);
    }
  }
}

Module::Module(std::unique_ptr<Impl> made) : impl(std::move(made)) {}
Module::~Module() { call("cuModuleUnload", impl->handle); }

std::unique_ptr<Module> Module::load(std::string_view text, std::string &error) {
  auto impl = std::make_unique<Impl>();
  std::string image(text);
  impl->readHeads(image);
  char log[2048] = "";
  int options[] = {JitErrorLog, JitErrorLogBytes};
  void *values[] = {log, reinterpret_cast<void *>(sizeof log - 1)};
  int result = open();
  if (!result)
    result = call("cuModuleLoadDataEx", &impl->handle, static_cast<const void *>(image.c_str()), 2u, options, values);
  if (!result)
    return std::unique_ptr<Module>(new Module(std::move(impl)));
  error = nameOf(result) + (*log ? std::string(": ") + log : "");
  return nullptr;
}

std::vector<std::string> Module::kernels() const {
  std::vector<std::string> names;
  for (const auto &[name, sizes] : impl->kernels)
    names.push_back(name);
  return names;
}

std::vector<size_t> Module::parameterSizes(std::string_view name) const {
  auto found = impl->kernels.find(name);
  return found == impl->kernels.end() ? std::vector<size_t>() : found->second;
}

std::string Module::target() const { return impl->target; }
size_t Module::staticShared(std::string_view) const { return 0; }
unsigned Module::maxThreads(std::string_view) const { return 1024; }

/// All buffers to the GPU or, afterwards, from there.
static int copy(bool back) {
  int result = 0;
  for (auto &[memory, buffer] : buffers) {
    if (!result && !back)
      result = call("cuMemAlloc_v2", &buffer.there, buffer.bytes);
    if (!result && !back)
      result = call("cuMemcpyHtoD_v2", buffer.there, static_cast<const void *>(memory), buffer.bytes);
    if (!result && back)
      result = call("cuMemcpyDtoH_v2", memory, buffer.there, buffer.bytes);
    if (back)
      call("cuMemFree_v2", buffer.there);
  }
  return result;
}

Report Module::launch(std::string_view name, Dim3 grid, Dim3 block, size_t shared, const void *const *params,
                      const Options &) const {
  // An address of the host becomes the buffer's on the GPU; other numbers stay.
  std::vector<size_t> sizes = parameterSizes(name);
  std::vector<void *> values;
  int result = copy(/*back=*/false);
  for (size_t index = 0; index < sizes.size(); ++index) {
    void *address = nullptr;
    if (sizes[index] == sizeof address)
      std::memcpy(&address, params[index], sizeof address);
    auto found = address ? buffers.find(address) : buffers.end();
    values.push_back(found == buffers.end() ? const_cast<void *>(params[index]) : &found->second.there);
  }
  void *function = nullptr;
  if (!result)
    result = call("cuModuleGetFunction", &function, impl->handle, std::string(name).c_str());
  if (!result && shared > 48 << 10)
    result = call("cuFuncSetAttribute", function, int(MaxDynamicShared), int(shared));
  if (!result)
    result = call("cuLaunchKernel", function, grid.x, grid.y, grid.z, block.x, block.y, block.z, unsigned(shared),
                  static_cast<void *>(nullptr), values.data(), static_cast<void **>(nullptr));
  if (!result)
    result = call("cuCtxSynchronize");
  int copied = copy(/*back=*/true);
  Report report;
  report.finished = true;
  if (result || copied) {
    report.findings.emplace_back();
    report.findings.back().message = nameOf(result ? result : copied);
  }
  return report;
}
