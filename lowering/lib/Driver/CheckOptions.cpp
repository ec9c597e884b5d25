//===- CheckOptions.cpp - options that make no sense together -------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Files.h"
#include "Options.h"

#include "nax/Conversion/WeightFormat.h"
#include "nax/Emit/ModelInfo.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;
using namespace nax;
using namespace nax::driver;

/// The language needs C++20, which every later standard has.
static Error checkStandard(ArrayRef<std::string> flags) {
  for (StringRef flag : flags) {
    StringRef standard = flag;
    if (!standard.consume_front("-std="))
      continue;
    if (!standard.consume_front("c++") && !standard.consume_front("gnu++"))
      return wrong("a model is C++: " + flag + " is not for it");
    if (standard.starts_with("0") || standard.starts_with("1") ||
        standard.starts_with("9"))
      return wrong("nax needs C++20 or later, which " + flag +
                   " does not have; -std=c++20 is what naxc passes itself");
  }
  return Error::success();
}

/// Weights are stored otherwise where a CPU's code reads them.
static Error checkWeights(const Options &options) {
  std::optional<WeightFormat> format = WeightFormat::get(options.weights);
  if (!options.weights.empty() && !options.weightsOf.empty())
    return wrong(
        "--weights says what all are stored as, --weights-of what each "
        "one is: one of them at a time");
  if (options.storesWeights() && options.command != Command::Compile &&
      options.device != Device::Cpu)
    return wrong("--weights is about CPUs; what a GPU has in memory is "
                 "--gpu-type's to say");
  bool mayBeQuantised =
      format ? format->isQuantised() : options.storesWeights();
  if (!options.activations.empty() && !mayBeQuantised)
    return wrong("--activations is about products with quantised weights, "
                 "which --weights=q8_0 and others ask for");
  return Error::success();
}

/// What pack takes besides the options of compiling.
static Error checkPack(const Options &options) {
  if (options.params.empty() || options.output.empty())
    return wrong("naxc pack takes a model, a file of its parameters and a name "
                 "for the packed one: MODEL.cpp... WEIGHTS -o FILE.nax");
  if (options.emit != Emit::Model || !options.in.empty() ||
      !options.out.empty() || !options.entry.empty())
    return wrong("--emit, --in, --out and --entry are not for naxc pack");
  if (options.nvptx)
    return wrong("naxc pack is about CPUs; parameters on a GPU are opened from "
                 "their own file");
  return Error::success();
}

Error nax::driver::refuseRead(const Options &options, const Twine &option,
                              StringRef path, ArrayRef<ModelTensor> params) {
  auto isPath = [&](const Twine &read) {
    return sys::fs::equivalent(read, path);
  };
  bool isRead = isPath(options.params) || isPath(options.weightsOf) ||
                any_of(options.inputs, isPath) ||
                any_of(options.in,
                       [&](const auto &file) { return isPath(file.second); }) ||
                any_of(params, [&](const ModelTensor &param) {
                  return isPath(options.params + "/" + param.name + ".npy");
                });
  if (!isRead)
    return Error::success();
  return wrong("cannot write " + path + ": it is read here; " + option +
               " takes another name");
}

/// What one command takes and another would do nothing with.
static Error checkNumbers(const Options &options) {
  if (options.threads < 0)
    return wrong("--threads is less than 0");
  if (options.threads && options.command != Command::Run)
    return wrong("--threads is for naxc run");
  if (options.seed != Options().seed && options.command != Command::Check)
    return wrong("--seed is for naxc check");
  if (options.traceLimit < 1)
    return wrong("--trace-limit is less than 1");
  return Error::success();
}

Error nax::driver::checkTogether(const Options &options) {
  if (options.command == Command::Help || options.command == Command::Version ||
      options.command == Command::Explain)
    return Error::success();
  if (options.inputs.empty())
    return wrong("there is no model to compile; naxc --help shows how");
  size_t mlir = count_if(
      options.inputs, [](StringRef input) { return input.ends_with(".mlir"); });
  if (mlir && options.inputs.size() > 1)
    return wrong("a .mlir file is a whole model and stands alone");
  if (Error error = checkNumbers(options))
    return error;
  if (Error error = checkStandard(options.cxxFlags))
    return error;
  if (options.command == Command::Pack)
    if (Error error = checkPack(options))
      return error;
  bool compiles = options.command == Command::Compile;
  if (compiles && options.output == "-" && options.emit == Emit::Model)
    return wrong("-o - has place for one thing, but an object comes with two "
                 "headers; --emit names what to write there");
  if (!compiles && options.command != Command::Pack &&
      (!options.output.empty() || options.emit != Emit::Model))
    return wrong("-o and --emit are for compiling; run takes --out");
  if (compiles && (!options.params.empty() || !options.in.empty() ||
                   !options.out.empty() || !options.entry.empty()))
    return wrong("--params, --in, --out and --entry are for naxc run and "
                 "naxc check");
  if (compiles && options.device != Device::Cpu)
    return wrong("--device is for naxc run and naxc check; --targets=cpu,nvptx "
                 "compiles for GPUs");
  if (!compiles && options.gpuType != "f32" && options.device == Device::Cpu)
    return wrong("--gpu-type is about GPUs, which --device=emulated or "
                 "--device=cuda asks for");
  if (options.gpuType != "f32" && !options.nvptx)
    return wrong("--gpu-type is about code for GPUs, which "
                 "--targets=cpu,nvptx asks for");
  if (Error error = checkWeights(options))
    return error;
  if (options.command != Command::Check &&
      (!options.changes.empty() || !options.sizes.empty() ||
       !options.save.empty()))
    return wrong("--set, --size and --save are for naxc check");
  if (options.command == Command::Check && !options.out.empty())
    return wrong("naxc check takes --save for all that it computes; --out is "
                 "for naxc run");
  if (!options.output.empty())
    if (Error error = refuseRead(options, "-o", options.output))
      return error;
  for (const auto &[name, path] : options.out)
    if (Error error = refuseRead(options, "--out", path))
      return error;
  return Error::success();
}
