//===- Shim.cpp - the C text between naxc and a model ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// The compiler of the shim checks naxc's calls against the model's header, as
// it would a user's.
//
//===----------------------------------------------------------------------===//

#include "Callee.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace nax;
using namespace nax::driver;

static void printContext(raw_ostream &os) {
  os << R"(
#include <stdio.h>
static void naxc_log(void *user, nax_log_level level, const char *text) {
  if (level == NAX_LOG_WARNING)
    fprintf(stderr, "naxc: warning: %s\n", text);
}
static int naxc_warns;
void naxc_context_warns(void) { naxc_warns = 1; }
int naxc_context_create(int64_t threads, void **out) {
  nax_options options = {0};
  options.threads = threads;
  options.hooks.log = naxc_warns ? naxc_log : 0;
  return nax_context_create(&options, (nax_context **)out);
}
void naxc_context_destroy(void *context) { nax_context_destroy(context); }
const char *naxc_last_error(void *context) { return nax_last_error(context); }
)";
}

static void printParams(StringRef model, raw_ostream &os) {
  os << "\nnax_status naxrt_params_from_memory(nax_context *, const struct "
        "nax_model_desc *, const void *const *, nax_params **);\n"
     << "nax_status naxrt_params_read(nax_context *, const nax_params *, "
        "int64_t, double *);\n"
     << "int naxc_params_open(void *context, const char *path, void **out) {\n"
     << "  return " << model << "_params_open(context, path, (" << model
     << "_params **)out);\n}\n"
     << "int naxc_params_pack(void *context, const char *path, const char "
        "*out) {\n"
     << "  return " << model << "_params_pack(context, path, out);\n}\n"
     << "int naxc_params_take(void *context, const void *const *values, void "
        "**out) {\n"
     << "  return naxrt_params_from_memory(context, &" << model
     << "_desc, values, (nax_params **)out);\n}\n"
     << "int naxc_params_read(void *context, const void *params, int64_t "
        "index, double *out) {\n"
     << "  return naxrt_params_read(context, params, index, out);\n}\n";
}

/// The sizes that the C call takes, out of all of an entry's.
static void printDims(const ModelInfo &info, const ModelEntry &entry,
                      const char *&separator, raw_ostream &os) {
  for (auto [i, dim] : enumerate(entry.dims)) {
    if (info.axes[dim].isSlots())
      continue;
    os << separator << "dims[" << i << "]";
    separator = ", ";
  }
}

static void printEntry(const ModelInfo &info, const ModelEntry &entry,
                       raw_ostream &os) {
  std::string name = info.name + "_" + entry.name;
  const char *separator = "";
  os << "\nsize_t naxc_workspace_" << entry.name
     << "(const int64_t *dims) {\n  (void)dims;\n  return " << name
     << "_workspace(";
  printDims(info, entry, separator, os);
  os << ");\n}\n"
     << "int naxc_call_" << entry.name
     << "(void *context, const void *params, void *cache, const int64_t *dims, "
        "void *const *buffers, void *workspace, size_t bytes) {\n"
     << "  (void)params, (void)cache, (void)dims;\n  return " << name
     << "(context";
  if (!info.params.empty())
    os << ", params";
  if (entry.hasCache())
    os << ", cache";
  separator = ", ";
  printDims(info, entry, separator, os);
  for (auto [i, buffer] : enumerate(entry.buffers)) {
    if (buffer.isCache())
      continue;
    if (buffer.isSeed())
      os << ", *(const int64_t *)buffers[" << i << "]";
    else
      os << ", buffers[" << i << "]";
  }
  os << ", workspace, bytes);\n}\n";
}

/// What concerns the cache of a step, under the name of the entry it is of.
static void printCache(const ModelInfo &info, const ModelEntry &step,
                       raw_ostream &os) {
  std::string name = info.name + "_" + step.of + "_cache";
  os << "\nstruct nax_cache;\n"
     << "int64_t naxrt_cache_buffer_count(const struct nax_cache *);\n"
     << "void *naxrt_cache_buffer(struct nax_cache *, int64_t, size_t *);\n"
     << "int naxc_cache_create_" << step.of
     << "(void *context, const int64_t *sizes, void **out) {\n  return " << name
     << "_create(context";
  for (size_t i = 0, n = info.cacheDims(step).size(); i < n; ++i)
    os << ", sizes[" << i << "]";
  os << ", (" << name << " **)out);\n}\n"
     << "void naxc_cache_destroy_" << step.of << "(void *cache) { " << name
     << "_destroy(cache); }\n"
     << "int64_t naxc_cache_length_" << step.of
     << "(void *cache, int64_t row) { return " << name
     << "_length(cache, row); }\n"
     << "void naxc_cache_fill_" << step.of
     << "(void *at, int byte, size_t bytes) { __builtin_memset(at, byte, "
        "bytes); }\n"
     << "void *naxc_cache_buffer_" << step.of
     << "(void *cache, int64_t index, size_t *bytes) {\n"
     << "  return index < naxrt_cache_buffer_count(cache) ? "
        "naxrt_cache_buffer(cache, index, bytes) : 0;\n}\n";
}

std::string nax::driver::shimText(const ModelInfo &info, StringRef header) {
  std::string text;
  raw_string_ostream os(text);
  os << "#include \"" << header << "\"\n";
  printContext(os);
  if (!info.params.empty())
    printParams(info.name, os);
  for (const ModelEntry &entry : info.entries)
    printEntry(info, entry, os);
  for (const ModelEntry &entry : info.entries)
    if (entry.kind == EntryKind::Step)
      printCache(info, entry, os);
  return text;
}
