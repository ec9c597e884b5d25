//===- GpuShim.cpp - the C text between naxc and a model on a GPU ---------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// The functions of Shim.cpp, with memory of the host on this side and of the
// GPU on the model's: a call copies its inputs there and its results back.
//
//===----------------------------------------------------------------------===//

#include "Callee.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace nax;
using namespace nax::driver;

/// What does not depend on the model.
static constexpr StringLiteral common = R"(
#include <stdlib.h>
#include <string.h>
static nax_cuda *naxc_cuda;
static nax_context *naxc_context; /* the last one that was made */

int naxc_context_create(int64_t threads, void **out) {
  nax_options options = {0};
  options.threads = threads;
  int status = nax_context_create(&options, (nax_context **)out);
  if (status == NAX_OK && !naxc_cuda)
    status = nax_cuda_open(*out, 0, &naxc_cuda);
  naxc_context = *out;
  return status;
}
void naxc_context_destroy(void *context) { nax_context_destroy(context); }
const char *naxc_last_error(void *context) { return nax_last_error(context); }

/* One buffer of a call: copied to the GPU before it, or from there after it. */
typedef struct naxc_place {
  void *host;
  int64_t bytes;
  int copies; /* 0: given to the model as it is; 1: in; 2: out */
} naxc_place;

static int naxc_put(nax_context *context, const naxc_place *places, int count, nax_cuda_ptr *at, size_t workspace) {
  int status = NAX_OK;
  for (int i = 0; i <= count; ++i)
    at[i].address = 0;
  for (int i = 0; i < count && status == NAX_OK; ++i) {
    if (!places[i].copies)
      continue;
    status = nax_cuda_allocate(context, naxc_cuda, (size_t)places[i].bytes, &at[i]);
    if (status == NAX_OK && places[i].copies == 1)
      status = nax_cuda_upload(context, naxc_cuda, 0, at[i], places[i].host, (size_t)places[i].bytes);
  }
  if (status == NAX_OK && workspace)
    status = nax_cuda_allocate(context, naxc_cuda, workspace, &at[count]);
  return status;
}

static int naxc_take(nax_context *context, const naxc_place *places, int count, nax_cuda_ptr *at, int status) {
  for (int i = 0; i < count && status == NAX_OK; ++i)
    if (places[i].copies == 2)
      status = nax_cuda_download(context, naxc_cuda, 0, places[i].host, at[i], (size_t)places[i].bytes);
  if (status == NAX_OK)
    status = nax_cuda_synchronize(context, naxc_cuda, 0);
  for (int i = 0; i <= count; ++i)
    nax_cuda_free(naxc_cuda, at[i]);
  return status;
}
)";

/// %: the model. The host's parameters are for reading: in the types that the
/// GPU has them in.
static constexpr StringLiteral paramFunctions = R"(
#include <stddef.h>
struct nax_model_desc;
nax_status naxrt_params_open(nax_context *, const struct nax_model_desc *, const char *, nax_params **);
nax_status naxrt_params_read(nax_context *, const nax_params *, int64_t, double *);
nax_status naxrt_cuda_params_from_memory(nax_context *, nax_cuda *, const struct naxrt_cuda_desc *,
                                         const void *const *, %_cuda_params **);
static nax_params *naxc_host_params;
int naxc_params_open(void *context, const char *path, void **out) {
  int status = naxrt_params_open(context, (const struct nax_model_desc *)&%_cuda_desc, path, &naxc_host_params);
  return status ? status : (int)%_cuda_params_open(context, naxc_cuda, path, (%_cuda_params **)out);
}
int naxc_params_take(void *context, const void *const *values, void **out) {
  return naxrt_cuda_params_from_memory(context, naxc_cuda, &%_cuda_desc, values, (%_cuda_params **)out);
}
int naxc_params_read(void *context, const void *params, int64_t index, double *out) {
  (void)params;
  return naxrt_params_read(context, naxc_host_params, index, out);
}
)";

/// %: the cache's type, @: the entry.
static constexpr StringLiteral cacheFunctions = R"(
struct nax_cache;
int64_t naxrt_cache_buffer_count(const struct nax_cache *);
void *naxrt_cache_buffer(struct nax_cache *, int64_t, size_t *);
void naxc_cache_destroy_@(void *cache) { %_destroy(cache); }
int64_t naxc_cache_length_@(void *cache, int64_t row) { return %_length(cache, row); }
void *naxc_cache_buffer_@(void *cache, int64_t index, size_t *bytes) {
  return index < naxrt_cache_buffer_count(cache) ? naxrt_cache_buffer(cache, index, bytes) : 0;
}
void naxc_cache_fill_@(void *at, int byte, size_t bytes) {
  void *from = malloc(bytes ? bytes : 1);
  nax_cuda_ptr to = {(uint64_t)(uintptr_t)at};
  if (!from)
    return;
  memset(from, byte, bytes);
  if (nax_cuda_upload(naxc_context, naxc_cuda, 0, to, from, bytes))
    abort();
  free(from);
}
)";

static void printReplaced(StringRef text, StringRef model, StringRef entry,
                          raw_ostream &os) {
  for (char c : text)
    if (c == '%')
      os << model;
    else if (c == '@')
      os << entry;
    else
      os << c;
}

static bool isRemote(const ModelBuffer &buffer) {
  return buffer.role == Role::Input || buffer.role == Role::Output;
}

/// The bytes of a buffer, as C.
static std::string bytesOf(const ModelInfo &info, const ModelEntry &entry,
                           const ModelBuffer &buffer) {
  std::string text = std::to_string(sizeOf(buffer.dtype));
  for (int64_t axis : buffer.axes) {
    auto dim = find(entry.dims, axis);
    if (dim == entry.dims.end())
      text += " * INT64_C(" + std::to_string(info.axes[axis].size) + ")";
    else
      text += " * dims[" + std::to_string(dim - entry.dims.begin()) + "]";
  }
  return text;
}

static std::string sizes(const ModelInfo &info, const ModelEntry &entry) {
  std::string text;
  for (auto [i, dim] : enumerate(entry.dims))
    if (!info.axes[dim].isSlots())
      text += (text.empty() ? "dims[" : ", dims[") + std::to_string(i) + "]";
  return text;
}

static void printEntry(const ModelInfo &info, const ModelEntry &entry,
                       raw_ostream &os) {
  std::string name = info.name + "_" + entry.name + "_cuda";
  size_t count = entry.buffers.size();
  os << "\nsize_t naxc_workspace_" << entry.name
     << "(const int64_t *dims) {\n  (void)dims;\n  return " << name
     << "_workspace(" << sizes(info, entry) << ");\n}\n"
     << "int naxc_call_" << entry.name
     << "(void *context, const void *params, void *cache, const int64_t *dims, "
        "void *const *buffers, void *workspace, size_t bytes) {\n"
     << "  (void)params, (void)cache, (void)dims;\n"
     << "  const naxc_place places[] = {\n";
  for (auto [i, buffer] : enumerate(entry.buffers))
    os << "      {buffers[" << i << "], " << bytesOf(info, entry, buffer)
       << ", "
       << (!isRemote(buffer)  ? 0
           : buffer.isInput() ? 1
                              : 2)
       << "},\n";
  os << "  };\n  nax_cuda_ptr at[" << count + 1 << "];\n"
     << "  int status = naxc_put(context, places, " << count
     << ", at, workspace ? bytes : 0);\n  if (status == NAX_OK)\n    status = "
     << name << "(context, naxc_cuda";
  if (!info.params.empty())
    os << ", params";
  if (entry.hasCache())
    os << ", cache";
  os << ", 0";
  if (std::string dims = sizes(info, entry); !dims.empty())
    os << ", " << dims;
  for (auto [i, buffer] : enumerate(entry.buffers)) {
    if (buffer.isCache())
      continue;
    if (buffer.isSeed())
      os << ", *(const int64_t *)buffers[" << i << "]";
    else
      os << (isRemote(buffer) ? ", at[" : ", buffers[") << i << "]";
  }
  os << ", at[" << count << "], workspace ? bytes : 0);\n"
     << "  return naxc_take(context, places, " << count
     << ", at, status);\n}\n";
}

static void printCache(const ModelInfo &info, const ModelEntry &step,
                       raw_ostream &os) {
  std::string name = info.name + "_" + step.of + "_cuda_cache";
  printReplaced(cacheFunctions, name, step.of, os);
  os << "int naxc_cache_create_" << step.of
     << "(void *context, const int64_t *sizes, void **out) {\n  return " << name
     << "_create(context, naxc_cuda";
  for (size_t i = 0, n = info.cacheDims(step).size(); i < n; ++i)
    os << ", sizes[" << i << "]";
  os << ", (" << name << " **)out);\n}\n";
}

std::string nax::driver::gpuShimText(const ModelInfo &info, StringRef header) {
  std::string text;
  raw_string_ostream os(text);
  os << "#include \"" << header << "\"\n" << common;
  if (!info.params.empty())
    printReplaced(paramFunctions, info.name, "", os);
  for (const ModelEntry &entry : info.entries)
    printEntry(info, entry, os);
  for (const ModelEntry &entry : info.entries)
    if (entry.kind == EntryKind::Step)
      printCache(info, entry, os);
  return text;
}
