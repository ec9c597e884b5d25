//===- CHeader.cpp - the C header of a compiled model ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// The header carries the runtime's public header within it, under that
// header's own guard: a program needs no include path of nax, and one that
// includes nax/runtime.h as well, before or after, sees its text once.
//
//===----------------------------------------------------------------------===//

#include "nax/Emit/Headers.h"

#include "RuntimeHeader.h.inc" // runtimeHeaderText

#include "llvm/Support/Format.h"

#include <climits>

using namespace llvm;
using namespace nax;

/// Axes of fixed size that a caller meets in an argument or result.
static SmallVector<int64_t> fixedAxes(const ModelInfo &info) {
  SmallVector<int64_t> axes;
  for (const ModelEntry &entry : info.entries)
    for (const ModelBuffer &buffer : entry.buffers)
      for (int64_t axis : buffer.axes)
        if (!buffer.isCache() && !info.axes[axis].isRuntime() &&
            info.axes[axis].size <= INT_MAX && !is_contained(axes, axis))
          axes.push_back(axis);
  return axes;
}

static void printFixedAxes(const ModelInfo &info, raw_ostream &os) {
  SmallVector<int64_t> axes = fixedAxes(info);
  if (axes.empty())
    return;
  os << "/* Sizes that the model fixes. */\nenum {\n";
  StringRef separator = "";
  for (int64_t axis : axes) {
    os << separator << "  " << info.name << "_size_" << info.axes[axis].name
       << " = " << info.axes[axis].size;
    separator = ",\n";
  }
  os << "\n};\n\n";
}

static void printParams(const ModelInfo &info, raw_ostream &os) {
  if (info.params.empty())
    return;
  const std::string &name = info.name;
  os << "/* The model's parameters in the layout that its code reads; never "
        "written again once opened. */\n"
     << "typedef struct " << name << "_params " << name << "_params;\n\n"
     << "/* From a safetensors, GGUF or npy file, a folder of npy files, or a "
        "packed file, which is mapped. */\n"
     << "NAX_NODISCARD nax_status " << name
     << "_params_open(nax_context *context, const char *path, " << name
     << "_params **out);\n"
     << "void " << name << "_params_close(" << name << "_params *params);\n\n"
     << "/* Reads such a file and writes the packed one for this context's "
        "level: whole or not at all. */\n"
     << "NAX_NODISCARD nax_status " << name
     << "_params_pack(nax_context *context, const char *path_in, const char "
        "*path_out);\n\n"
     << "/* Opening a packed file reads its beginning; this all of it. "
        "NAX_E_FORMAT: it is not what was written. */\n"
     << "NAX_NODISCARD nax_status " << name
     << "_params_verify(nax_context *context, const " << name
     << "_params *params);\n\n";
}

/// What the caller has to know about one argument, after its name.
std::string nax::describeArgument(const ModelInfo &info,
                                  const ModelBuffer &buffer) {
  std::string text = nameOf(buffer.dtype).str();
  if (!buffer.isSeed())
    text += " " + buffer.text;
  switch (buffer.role) {
  case Role::Output:
    return "out  " + text;
  case Role::Input:
    text = "in   " + text;
    if (buffer.bound >= 0)
      text += ", each in [0, " + std::to_string(buffer.bound) + ")";
    return text;
  case Role::Lengths:
    return "in   " + text + ", how many positions of " +
           info.axes[buffer.dataAxis].name + " each row has";
  case Role::Starts:
    return "in   " + text + ", the first position of " +
           info.axes[buffer.dataAxis].name + " in each row";
  case Role::Documents:
    text = "in   " + text + ", the number of each position's document";
    if (buffer.bound >= 0)
      text += "; at most " + std::to_string(buffer.bound) + " a document";
    return text;
  case Role::Seed:
    return "in   " + text + ", which random numbers are drawn";
  case Role::Counts:
    return "in   " + text + ", how many new positions of " +
           info.axes[buffer.dataAxis].name + " each row has; NULL: all";
  case Role::Cache:
    break;
  }
  return text;
}

/// What a derived entry does, after its name.
static std::string introduce(const ModelInfo &info, const ModelEntry &entry) {
  if (entry.kind == EntryKind::Begin)
    return ": what steps of " + entry.of +
           " read besides their own arguments, computed into the cache.\n"
           "   All its rows begin anew, without positions.";
  if (entry.kind != EntryKind::Step)
    return "";
  auto counts = find_if(entry.buffers, std::mem_fn(&ModelBuffer::isCounts));
  return ": " + entry.of + " at new positions of " +
         info.axes[counts->dataAxis].name +
         ", which follow those that the cache holds of each row.\n"
         "   Then it holds these, too; NAX_E_FULL: a row has no room for them. "
         "What stands behind a row's new\n"
         "   positions is ignored, but ids have to be in their range; in "
         "results "
         "it is unspecified.";
}

/// What the plan of memory says.
static void printWorkspace(const ModelInfo &info, const ModelEntry &entry,
                           const CNames &names, raw_ostream &os) {
  int64_t least = entry.workspace.front().second;
  bool isFixed = all_of(make_second_range(entry.workspace),
                        [&](int64_t bytes) { return bytes == least; });
  if (isFixed) {
    os << "     " << least << " bytes, whatever the sizes are\n";
    return;
  }
  for (const auto &[sizes, bytes] : entry.workspace) {
    os << "     " << bytes << " bytes";
    StringRef before = " where ";
    for (auto [axis, name, size] : zip(entry.dims, names.dims, sizes)) {
      if (info.axes[axis].isSlots())
        continue;
      os << before << name << " is " << size;
      before = ", ";
    }
    os << "\n";
  }
}

static void printEntry(const ModelInfo &info, const ModelEntry &entry,
                       raw_ostream &os) {
  CNames names(info, entry);
  size_t width = 0;
  for (const std::string &name :
       concat<const std::string>(names.dims, names.buffers))
    width = std::max(width, name.size());
  auto line = [&](StringRef name, const Twine &text) {
    os << "     " << left_justify(name, width + 2) << text << "\n";
  };

  os << "/* " << entry.name << introduce(info, entry) << "\n";
  for (auto [axis, name] : zip(entry.dims, names.dims)) {
    const ModelAxis &known = info.axes[axis];
    if (known.isSlots())
      continue;
    if (known.limit < 0)
      line(name, "size");
    else
      line(name,
           "size, at most the " + Twine(known.limit) + " " + known.limitReason);
  }
  for (auto [buffer, name] : zip(entry.buffers, names.buffers))
    if (!buffer.isCache())
      line(name, describeArgument(info, buffer));
  os << "   Buffers are row-major in the order of their axes. workspace: at "
        "least as many bytes as the\n"
     << "   function below says, on a multiple of 64; or NULL with bytes 0, "
        "and the library allocates it.";
  if (!entry.workspace.empty()) {
    os << "\n   It is what a call takes beyond parameters, cache and "
          "arguments:\n";
    printWorkspace(info, entry, names, os);
    os << "  ";
  }
  os << " */\n";
  os << "size_t " << info.name << "_" << entry.name << "_workspace"
     << cSizes(info, entry) << ";\n"
     << "NAX_NODISCARD nax_status " << info.name << "_" << entry.name
     << cParameters(info, entry) << ";\n\n";
}

void nax::printCHeader(const ModelInfo &info, const ModelInfo *cuda,
                       raw_ostream &os) {
  std::string guard = "NAX_MODEL_" + StringRef(info.name).upper() + "_H";
  os << "/* Model " << info.name
     << ", compiled by naxc. Link its object with -lnaxrt -lm -lpthread. */\n"
     << "#ifndef " << guard << "\n#define " << guard << "\n\n"
     << runtimeHeaderText << "\n"
     << (cuda ? cudaHeader().str() + "\n" : "")
     << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  printFixedAxes(info, os);
  printParams(info, os);
  for (const ModelEntry &entry : info.entries)
    if (entry.kind == EntryKind::Step)
      printCacheFunctions(info, entry, os);
  for (const ModelEntry &entry : info.entries)
    printEntry(info, entry, os);
  if (cuda)
    printCudaPart(*cuda, os);
  os << "/* The model's own description, as nax/model_desc.h declares it. */\n"
     << "extern const struct nax_model_desc " << info.name << "_desc;\n\n"
     << "#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
}
