//===- Binding.h - files as the arguments of an entry ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// C has no shapes to check, and the runtime sees one size for each axis. Here
// is where two arrays can still disagree, and where it is said by name.
//
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_DRIVER_BINDING_H
#define NAX_LIB_DRIVER_BINDING_H

#include "Callee.h"
#include "Npy.h"

#include <map>

namespace nax::driver {

/// The entry that --entry names, or the only one.
llvm::Expected<const ModelEntry *> chooseEntry(const ModelInfo &info,
                                               llvm::StringRef name);

class Binding {
public:
  Binding(const ModelInfo &info, const ModelEntry &entry)
      : info(info), entry(entry) {}

  /// Reads the files and learns the sizes of axes from their shapes.
  llvm::Error readInputs(const Options::Files &files);
  /// Whether the size of `axis` is one that this entry is called with.
  bool takesSize(llvm::StringRef axis) const;
  /// A size that no file gives.
  llvm::Error setSize(llvm::StringRef axis, int64_t size);
  /// Unless it is known already.
  void setDefault(int64_t axis, int64_t size) {
    sizes.try_emplace(axis, Known{size, "its default"});
  }
  /// Names the inputs that no file was given for.
  llvm::Error requireAllInputs() const;

  bool isGiven(size_t buffer) const { return given.count(buffer); }
  int64_t sizeOf(int64_t axis) const;
  bool isKnown(int64_t axis) const {
    return !info.axes[axis].isRuntime() || sizes.count(axis);
  }
  llvm::SmallVector<int64_t, 4> shapeOf(const ModelBuffer &buffer) const;
  /// How many elements a buffer that `allocate` could make has.
  int64_t countOf(const ModelBuffer &buffer) const;

  /// Every buffer in shared memory: inputs as the files have them, or zeros.
  /// All sizes must be known.
  llvm::Expected<Arguments> allocate() const;

  /// "B=2 T=7"
  std::string describeSizes() const;

private:
  struct Known {
    int64_t size;
    std::string source; ///< who says so, for messages
  };
  llvm::Error learn(int64_t axis, int64_t size, llvm::StringRef source);
  llvm::Error readInput(size_t index, llvm::StringRef path);
  llvm::Error checkType(const ModelBuffer &buffer, const NpyArray &array,
                        llvm::StringRef path) const;

  const ModelInfo &info;
  const ModelEntry &entry;
  std::map<int64_t, Known> sizes; ///< of run-time axes
  std::map<size_t, NpyArray> given;
};

} // namespace nax::driver

#endif // NAX_LIB_DRIVER_BINDING_H
