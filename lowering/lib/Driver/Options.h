//===- Options.h - naxc's command line ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// A table of our own in place of llvm::cl, whose one global list would show
// every option of LLVM and MLIR beside naxc's twenty.
//
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_DRIVER_OPTIONS_H
#define NAX_LIB_DRIVER_OPTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace nax {
struct ModelTensor;
} // namespace nax

namespace nax::driver {

enum class Command { Compile, Run, Check, Pack, Explain, Help, Version };
/// What --emit asks for: a stage of the pipeline, or what LLVM makes of the
/// last one.
enum class Emit { Model, Stage, GpuStage, Ptx, LlvmIr, Asm, Obj };
/// Where run and check call a model; Emulated: nvemu in the place of a GPU.
enum class Device { Cpu, Emulated, Cuda };

/// --set ids[0,3]=7
struct TokenChange {
  std::string buffer;
  std::vector<int64_t> index;
  int64_t value;
};

struct Options {
  Command command = Command::Compile;
  std::vector<std::string> inputs; ///< models; of explain, codes
  bool verbose = false;
  bool timing = false;

  // The host compiler.
  std::string cxx = "clang++-22";
  std::vector<std::string> cxxFlags;
  int64_t traceLimit = 60; ///< seconds

  // Compilation.
  std::string output;
  Emit emit = Emit::Model;
  std::string emitStage; ///< for Emit::Stage and Emit::GpuStage
  std::string dumpStages;
  std::vector<std::string> cpus;   ///< of --cpu; empty: not given
  std::vector<std::string> decode; ///< entries whose step is derived
  bool nvptx = false;              ///< --targets: also code for NVIDIA GPUs
  std::string gpuType = "f32";     ///< what GPUs have in memory for f32
  std::string weights;     ///< what matrices of f32 are stored as; empty: f32
  std::string weightsOf;   ///< a file that says what each is stored as
  std::string activations; ///< of products with quantised weights; empty: int8

  // run and check; pack has params alone.
  using Files = std::vector<std::pair<std::string, std::string>>;
  std::string params;
  Files in, out;
  std::string entry;
  int64_t threads = 0;
  std::vector<std::pair<std::string, int64_t>> sizes;
  std::vector<TokenChange> changes;
  uint64_t seed = 1;
  std::string save;
  Device device = Device::Cpu;

  bool storesWeights() const { return !weights.empty() || !weightsOf.empty(); }
  bool isMlir() const {
    return inputs.size() == 1 && llvm::StringRef(inputs[0]).ends_with(".mlir");
  }
};

llvm::Expected<Options> parseOptions(llvm::ArrayRef<const char *> arguments);
/// Options that make sense alone but not with each other.
llvm::Error checkTogether(const Options &options);
/// An error where `path`, which `option` has named or can change, is a file
/// that the command reads: the model, weights or inputs, whatever the name it
/// has here. A folder of parameters is read for what is called after `params`.
llvm::Error refuseRead(const Options &options, const llvm::Twine &option,
                       llvm::StringRef path,
                       llvm::ArrayRef<ModelTensor> params = {});

llvm::StringRef helpText();

} // namespace nax::driver

#endif // NAX_LIB_DRIVER_OPTIONS_H
