//===- CNames.cpp - what a model's arguments are called in C --------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "nax/Emit/Headers.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include <dlfcn.h>

using namespace llvm;
using namespace nax;

/// Words that mean something in C99 to C23 or C++20, the types that a
/// declaration spells, and what else the generated functions use.
static constexpr StringLiteral takenWords =
    " alignas alignof and and_eq asm auto bitand bitor bool break case catch"
    " char char16_t char32_t char8_t class co_await co_return co_yield compl"
    " concept const const_cast consteval constexpr constinit continue decltype"
    " default delete do double dynamic_cast else enum explicit export extern"
    " false float for friend goto if inline int long mutable namespace new"
    " noexcept not not_eq nullptr operator or or_eq private protected public"
    " register reinterpret_cast requires restrict return short signed sizeof"
    " static static_assert static_cast struct switch template this"
    " thread_local throw true try typedef typeid typename typeof typeof_unqual"
    " union unsigned using virtual void volatile wchar_t while xor xor_eq"
    " int32_t int64_t size_t uint8_t uint16_t nax_context nax_status NULL"
    " context params workspace bytes std detail data cuda stream ";

static bool isTaken(StringRef word) {
  return takenWords.contains((" " + word + " ").str());
}

static bool isIdentifier(StringRef word) {
  return !word.empty() && !isDigit(word.front()) &&
         all_of(word, [](char c) { return isAlnum(c) || c == '_'; });
}

/// Whether the C library that naxc itself runs with has something of this name.
static bool isOfTheCLibrary(const std::string &word) {
  for (const char *library : {"libc.so.6", "libm.so.6"})
    if (void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD)) {
      bool found = dlsym(handle, word.c_str());
      dlclose(handle);
      if (found)
        return true;
    }
  return false;
}

/// `name`, made an identifier that nothing in `used` has.
static std::string claim(StringRef name, StringSet<> &used) {
  std::string word;
  for (char c : name)
    word += isAlnum(c) ? c : '_';
  if (word.empty() || isDigit(word.front()))
    word = "n" + word;
  while (isTaken(word) || !used.insert(word).second)
    word += '_';
  return word;
}

CNames::CNames(const ModelInfo &info, const ModelEntry &entry) {
  StringSet<> used;
  if (entry.hasCache()) // what functions of the headers use besides
    used = StringSet<>({"cache", "done"});
  for (int64_t axis : entry.dims)
    dims.push_back(
        info.axes[axis].isSlots() ? "" : claim(info.axes[axis].name, used));
  for (const ModelBuffer &buffer : entry.buffers)
    buffers.push_back(buffer.isCache() ? "" : claim(buffer.name, used));
}

std::string nax::cacheName(const ModelEntry &entry, bool cuda) {
  return entry.of + (cuda ? "_cuda_cache" : "_cache");
}

std::string nax::cParameters(const ModelInfo &info, const ModelEntry &entry) {
  CNames names(info, entry);
  std::string text = "(nax_context *context";
  if (!info.params.empty())
    text += ", const " + info.name + "_params *params";
  if (entry.hasCache())
    text += ", " + info.name + "_" + cacheName(entry) + " *cache";
  for (const std::string &dim : names.dims)
    if (!dim.empty())
      text += ", int64_t " + dim;
  for (auto [buffer, name] : zip(entry.buffers, names.buffers)) {
    if (buffer.isCache())
      continue;
    if (buffer.isSeed()) {
      text += ", int64_t " + name;
      continue;
    }
    text += ", ";
    if (buffer.isInput())
      text += "const ";
    text +=
        cTypeOf(buffer.dtype).str() + " *" + name + " /*" + buffer.text + "*/";
  }
  return text + ", void *workspace, size_t bytes)";
}

std::string nax::cSizes(const ModelInfo &info, const ModelEntry &entry) {
  CNames names(info, entry);
  std::string text;
  for (const std::string &dim : names.dims)
    if (!dim.empty())
      text += (text.empty() ? "int64_t " : ", int64_t ") + dim;
  return "(" + (text.empty() ? "void" : text) + ")";
}

std::string nax::cCreateParameters(const ModelInfo &info,
                                   const ModelEntry &step, bool cuda) {
  CNames names(info, step);
  std::string text = "(nax_context *context", out = "out";
  if (cuda)
    text += ", nax_cuda *cuda";
  for (int64_t axis : info.cacheDims(step)) {
    const std::string &name =
        names.dims[find(step.dims, axis) - step.dims.begin()];
    text += ", int64_t " + name;
    if (name == out)
      out += "_";
  }
  return text + ", " + info.name + "_" + cacheName(step, cuda) + " **" + out +
         ")";
}

mlir::LogicalResult nax::verifyCSymbols(const ModelInfo &info,
                                        mlir::ModuleOp module, bool cuda) {
  // It is a namespace of C++ too; and what begins with nax is the library's.
  StringRef model = info.name;
  if (!isIdentifier(model) || isTaken(model) || model.starts_with("nax"))
    return module.emitError("model name \"")
           << model << "\" can't begin the names of C functions";
  // Whose header declares it outside of any namespace.
  if (isOfTheCLibrary(info.name))
    return module.emitError("model name \"")
           << model
           << "\" is that of something in the C library, beside which C++ "
              "can't have a namespace; call it "
           << model << "_model, or another name";
  for (const ModelEntry &entry : info.entries)
    if (!isIdentifier(entry.name) || isTaken(entry.name) ||
        StringRef(entry.name).starts_with("params_"))
      return module.emitError("entry name \"")
             << entry.name << "\" can't be part of a C function's name";

  for (const ModelAxis &axis : info.axes)
    if (!axis.isSlots() && !isIdentifier(axis.name))
      return module.emitError("axis name \"")
             << axis.name << "\" can't be part of a C name";

  // Who has a name already, for the sentence about the second.
  StringMap<std::string> owners;
  for (StringRef name : {"params", "desc", "outcome"})
    owners[name] = "what each model has";
  if (cuda)
    for (StringRef name :
         {"cuda_params", "cuda_desc", "cuda_params_open", "cuda_params_close"})
      owners[name] = "what each model for GPUs has";
  auto claimOnce = [&](const std::string &name,
                       const std::string &owner) -> mlir::LogicalResult {
    auto [place, isNew] = owners.try_emplace(name, owner);
    if (isNew)
      return mlir::success();
    return module.emitError("two things of the headers are called ")
           << model << "_" << name << ": " << place->second << " and " << owner
           << "; rename one of them";
  };
  for (const ModelEntry &entry : info.entries) {
    std::string owner = "entry " + entry.name;
    if (failed(claimOnce(entry.name, owner)) ||
        failed(claimOnce(entry.name + "_workspace", owner)))
      return mlir::failure();
    std::string onGpu = owner + " on a GPU";
    if (cuda && (failed(claimOnce(entry.name + "_cuda", onGpu)) ||
                 failed(claimOnce(entry.name + "_cuda_workspace", onGpu))))
      return mlir::failure();
    for (const std::string &buffer : CNames(info, entry).buffers)
      if (!buffer.empty() &&
          failed(claimOnce(entry.name + "_" + buffer,
                           buffer + " of entry " + entry.name)))
        return mlir::failure();
    if (entry.kind != EntryKind::Step)
      continue;
    for (const char *function :
         {"", "_create", "_destroy", "_rows", "_capacity", "_bytes", "_length",
          "_reset", "_truncate", "_copy", "_save", "_restore"})
      for (bool remote : {false, true})
        if ((cuda || !remote) &&
            failed(claimOnce(cacheName(entry, remote) + function,
                             "the cache of entry " + entry.of)))
          return mlir::failure();
  }
  return mlir::success();
}
