//===- Steps.h - an entry's input, cut into calls of its step -------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// A step must give, chunk by chunk, what its entry gives of the whole sequence.
// Here the positions of an entry's input are counted row by row, without those
// that a ragged or left-padded row has not, and dealt out to calls of the step.
//
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_DRIVER_STEPS_H
#define NAX_LIB_DRIVER_STEPS_H

#include "Binding.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace nax::driver {

/// One call: so many new positions for each row, in arrays of `size` places.
struct Chunk {
  int64_t size;
  std::vector<int64_t> counts;
};

struct StepCall {
  int64_t size = 0;    ///< of its arrays, along the sequence
  Arguments arguments; ///< a null buffer: counts not given, or in the cache
  std::vector<int64_t> counts;
  std::vector<int64_t> done; ///< positions that each row had before
  /// The first position of each row that this call or a later one may read.
  std::vector<int64_t> readable;
};

/// Calls of one step, from an empty cache on.
struct StepRun {
  std::string name;           ///< "single steps", for messages
  std::vector<int64_t> sizes; ///< what creates the cache
  int64_t rows = 1, capacity = 0;
  int64_t only = -1; ///< the one row of the entry's that it has; -1: all
  std::optional<Arguments> begin;
  std::vector<StepCall> calls;

  int64_t threads = 1;
  bool ownWorkspace = false;
  bool poison = false; ///< NaN in every slot that nothing reads any more
};

/// The place of an index in a row-major array.
int64_t flatten(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> index);

/// An entry and what is derived from it, with one input. Rows are numbered
/// row-major over their axes, 0 if there is none.
class Decoded {
public:
  /// `binding` has the sizes, `source` the entry's arguments at them.
  Decoded(const ModelInfo &info, const ModelEntry &whole,
          const ModelEntry &step, const Binding &binding, Arguments source);

  const ModelInfo &info;
  const ModelEntry &whole, &step;
  const ModelEntry *begin = nullptr; ///< null: nothing is computed ahead
  int64_t axis = -1;                 ///< the sequence, in the step
  llvm::SmallVector<int64_t, 2> rowAxes;
  std::vector<int64_t> lengths; ///< how many positions each row has

  int64_t rowCount() const { return lengths.size(); }
  int64_t longest() const;
  /// Whether one row can be called alone: their axes' sizes are the caller's.
  bool canSplitRows() const;
  /// The most slots that a ring among the caches has; 0: none.
  static int64_t largestRing(const ModelInfo &info, const ModelEntry &step);

  /// Whether the entry can be called on fewer positions than it was.
  bool canBeShorter() const;
  /// Places that the entry's own call on `count` positions has.
  int64_t wholeSize(int64_t count) const;
  /// The entry's own call on the first `count` positions of each row.
  Arguments wholeArguments(int64_t count) const;
  StepRun makeRun(std::string name, llvm::ArrayRef<Chunk> chunks,
                  int64_t only = -1) const;

  llvm::SmallVector<int64_t, 4> shapeOf(const ModelBuffer &buffer, int64_t size,
                                        int64_t only = -1) const;
  /// The row that an element of `buffer` belongs to, whose index counts all
  /// rows.
  int64_t rowOf(const ModelBuffer &buffer, llvm::ArrayRef<int64_t> index) const;
  /// Where position `position` of a row stands in `wholeArguments(count)`.
  int64_t placeInWhole(int64_t row, int64_t position, int64_t count) const;
  /// Calls `visit(index, place, t)` for each element of a buffer of a run: its
  /// index in arrays of all rows, its place in the buffer, and which of the new
  /// positions it is on, -1 without one.
  void eachElement(const ModelBuffer &buffer, int64_t size, int64_t only,
                   llvm::function_ref<void(llvm::SmallVectorImpl<int64_t> &,
                                           int64_t, int64_t)>
                       visit) const;
  /// Whether an element at `t` of `row` is there after the call.
  static bool isReal(const StepCall &call, int64_t row, int64_t t) {
    return t < 0 ? call.counts[row] > 0 : t < call.counts[row];
  }

private:
  bool isSequence(int64_t of) const { return of == axis || of == wholeAxis; }
  int64_t extentOf(int64_t axis, int64_t size, int64_t only) const;
  std::vector<int64_t> dimsOf(const ModelEntry &entry, int64_t size,
                              int64_t only) const;
  /// An input of `size` places whose place t of a row holds the position that
  /// `positionAt` says; -1: zeros.
  Shared gather(const ModelBuffer &buffer, int64_t size, int64_t only,
                llvm::function_ref<int64_t(int64_t, int64_t)> positionAt) const;
  StepCall makeCall(const Chunk &chunk, llvm::ArrayRef<int64_t> done,
                    int64_t only) const;
  Shared stepBuffer(const ModelBuffer &buffer, const Chunk &chunk,
                    llvm::ArrayRef<int64_t> done, int64_t only) const;
  int64_t firstReadable(int64_t row, int64_t done) const;
  std::vector<int64_t> splitRow(int64_t row) const;

  const Binding &binding;
  Arguments source;
  std::vector<int64_t> firsts; ///< where in the source each row begins
  /// The sequence in the entry: another axis where its size is fixed.
  int64_t wholeAxis = -1;
  bool saysLengths = false;    ///< an argument of the entry does
  bool endsTogether = false;   ///< left-padded
  const ModelBuffer *documents = nullptr; ///< of the entry, if T is packed
};

} // namespace nax::driver

#endif // NAX_LIB_DRIVER_STEPS_H
