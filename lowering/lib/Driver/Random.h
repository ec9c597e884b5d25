//===- Random.h - inputs and parameters that nobody gave ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_DRIVER_RANDOM_H
#define NAX_LIB_DRIVER_RANDOM_H

#include "Binding.h"

#include <random>

namespace nax::driver {

/// The same numbers from the same seed, on every machine.
class Random {
public:
  explicit Random(uint64_t seed) : engine(seed) {}

  /// In [0, below).
  int64_t integer(int64_t below);
  double normal();
  bool coin() { return engine() >> 63; }

private:
  double uniform() { return (engine() >> 11) * 0x1p-53; }

  std::mt19937_64 engine;
  double spare = 0;
  bool hasSpare = false;
};

/// Small sizes for the axes that neither a file nor --size gives.
void setDefaultSizes(const ModelInfo &info, const ModelEntry &entry,
                     mlir::ModuleOp module, Binding &binding);

/// Draws the inputs that no file gives: ids below their bound, lengths from 0
/// to the whole row, documents of a few positions.
void drawInputs(const ModelInfo &info, const ModelEntry &entry,
                const Binding &binding, Random &random, Arguments &arguments);

/// Another value in place of each element from position `from` of `axis` on,
/// the data of axes excepted.
void redrawFuture(const ModelInfo &info, const ModelEntry &entry,
                  const Binding &binding, int64_t axis, int64_t from,
                  Random &random, Arguments &arguments);

/// Parameters of a size that keeps a model's values near 1: gains near 1,
/// matrices by what is summed over them.
std::vector<Shared> drawParams(const ModelInfo &info, mlir::ModuleOp module,
                               Random &random);

} // namespace nax::driver

#endif // NAX_LIB_DRIVER_RANDOM_H
