//===- CudaHeader.cpp - the form for GPUs in the C header -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "nax/Emit/Headers.h"

#include "CudaHeader.h.inc" // cudaHeaderText

#include "llvm/Support/Format.h"

using namespace llvm;
using namespace nax;

StringRef nax::cudaHeader() { return cudaHeaderText; }

/// In the memory of the GPU; what says which positions there are is the host's.
static bool isRemote(const ModelBuffer &buffer) {
  return buffer.role == Role::Input || buffer.role == Role::Output;
}

/// "(nax_context *context, nax_cuda *cuda, ..., size_t bytes)"
static std::string parameters(const ModelInfo &info, const ModelEntry &entry) {
  CNames names(info, entry);
  std::string text = "(nax_context *context, nax_cuda *cuda";
  if (!info.params.empty())
    text += ", const " + info.name + "_cuda_params *params";
  if (entry.hasCache())
    text +=
        ", " + info.name + "_" + cacheName(entry, /*cuda=*/true) + " *cache";
  text += ", nax_cuda_stream stream";
  for (const std::string &dim : names.dims)
    if (!dim.empty())
      text += ", int64_t " + dim;
  for (auto [buffer, name] : zip(entry.buffers, names.buffers)) {
    if (buffer.isCache())
      continue;
    if (buffer.isSeed())
      text += ", int64_t " + name;
    else if (isRemote(buffer))
      text += ", nax_cuda_ptr " + name + " /*" + nameOf(buffer.dtype).str() +
              " " + buffer.text + "*/";
    else
      text += ", const " + cTypeOf(buffer.dtype).str() + " *" + name + " /*" +
              buffer.text + "*/";
  }
  return text + ", nax_cuda_ptr workspace, size_t bytes)";
}

static void printParams(const ModelInfo &info, raw_ostream &os) {
  if (info.params.empty())
    return;
  const std::string &name = info.name;
  os << "/* The parameters on the GPU, as its kernels read them. NAX_E_DEVICE: "
        "the model has no code for it. */\n"
     << "typedef struct " << name << "_cuda_params " << name
     << "_cuda_params;\n\n"
     << "NAX_NODISCARD nax_status " << name
     << "_cuda_params_open(nax_context *context, nax_cuda *cuda, const char "
        "*path, "
     << name << "_cuda_params **out);\n"
     << "void " << name << "_cuda_params_close(" << name
     << "_cuda_params *params);\n\n";
}

static void printEntry(const ModelInfo &info, const ModelEntry &entry,
                       raw_ostream &os) {
  CNames names(info, entry);
  size_t width = 0;
  for (const std::string &name : names.buffers)
    width = std::max(width, name.size());
  os << "/* " << entry.name << " on a GPU\n";
  for (auto [buffer, name] : zip(entry.buffers, names.buffers))
    if (!buffer.isCache())
      os << "     " << left_justify(name, width + 2)
         << (isRemote(buffer) ? "GPU   " : "host  ")
         << describeArgument(info, buffer) << "\n";
  std::string function = info.name + "_" + entry.name + "_cuda";
  os << "*/\n"
     << "size_t " << function << "_workspace" << cSizes(info, entry) << ";\n"
     << "NAX_NODISCARD nax_status " << function << parameters(info, entry)
     << ";\n\n";
}

void nax::printCudaPart(const ModelInfo &info, raw_ostream &os) {
  os << "/* On an NVIDIA GPU: the same results, put on the stream and not "
        "waited "
        "for. Addresses on the GPU are multiples\n"
        "   of 16, the workspace's of 64; workspace {0} with bytes 0 takes "
        "memory of the stream's pool for the call. */\n\n";
  printParams(info, os);
  for (const ModelEntry &entry : info.entries)
    if (entry.kind == EntryKind::Step)
      printCacheFunctions(info, entry, os, /*cuda=*/true);
  for (const ModelEntry &entry : info.entries)
    printEntry(info, entry, os);
  os << "/* Its description, as nax/cuda_desc.h declares it. */\n"
     << "extern const struct naxrt_cuda_desc " << info.name
     << "_cuda_desc;\n\n";
}
