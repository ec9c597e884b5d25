//===- Levels.cpp - which CPU levels naxc compiles for --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Levels.h"

#include "Files.h"

#include "nax/Conversion/CpuTarget.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

#include <cstdlib>

using namespace llvm;
using namespace nax;
using namespace nax::driver;

static bool isHostX86() {
  return Triple(sys::getDefaultTargetTriple()).getArch() == Triple::x86_64;
}

/// What this machine can run; below v2 there is nothing to choose.
static std::string nativeLevel() {
  if (!isHostX86())
    return "neon";
  StringMap<bool> features = sys::getHostCPUFeatures();
  auto has = [&](ArrayRef<StringRef> needed) {
    return all_of(needed,
                  [&](StringRef name) { return features.lookup(name); });
  };
  if (!has({"avx2", "fma", "f16c", "bmi", "bmi2", "lzcnt", "movbe"}))
    return "v2";
  if (!has({"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}))
    return "v3";
  if (!has({"avx512vnni", "avx512bf16"}))
    return "v4";
  return has({"amx-tile", "amx-bf16"}) ? "amx" : "v4+";
}

Expected<std::vector<std::string>> nax::driver::parseLevels(StringRef text) {
  SmallVector<StringRef> names;
  text.split(names, ',');
  std::vector<std::string> levels;
  for (StringRef name : names) {
    std::string level =
        name.trim() == "native" ? nativeLevel() : name.trim().str();
    if (!CpuTarget::get(level))
      return wrong("--cpu takes v2, v3, v4, v4+, amx, neon or native, with a "
                   "comma between, not " +
                   text);
    levels.push_back(level);
  }
  if (is_contained(levels, "neon") && !all_equal(levels))
    return wrong("--cpu=neon is for an object of its own: one object has code "
                 "for one architecture");
  return levels;
}

/// For a process that runs here: NAX_LEVEL's, which its runtime asks for.
static std::string levelHere() {
  const char *asked = getenv("NAX_LEVEL");
  return asked && CpuTarget::get(asked) ? asked : nativeLevel();
}

Error nax::driver::checkLevelsRunHere(const Options &options) {
  if (options.command == Command::Compile)
    return Error::success();
  for (const std::string &level : chooseLevels(options))
    if (CpuTarget::get(level)->isX86() != isHostX86())
      return wrong(
          Twine(options.cpus.empty() ? "NAX_LEVEL" : "--cpu") + " is " + level +
          ", but the best level of this processor is " + nativeLevel());
  return Error::success();
}

std::vector<std::string> nax::driver::chooseLevels(const Options &options) {
  std::vector<std::string> wanted = options.cpus;
  if (wanted.empty() && options.command != Command::Compile)
    wanted = {levelHere()};
  else if (wanted.empty() && !isHostX86())
    wanted = {"neon"};
  else if (wanted.empty())
    // A level takes as long to compile as all before stage linalg together;
    // what v4+ has over v4 are products of weights stored in fewer bits, and
    // amx those of bf16.
    wanted = {"v2", "v3", "v4", options.storesWeights() ? "v4+" : "v4",
              options.weights == "bf16" ? "amx" : "v4"};
  std::vector<std::string> levels;
  for (const CpuTarget &target : CpuTarget::all())
    if (is_contained(wanted, target.name))
      levels.push_back(target.name.str());
  bool isText = options.emit != Emit::Model && options.emit != Emit::Obj;
  if (options.command == Command::Compile && isText)
    levels = {levels.back()};
  return levels;
}
