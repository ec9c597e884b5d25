//===- Compare.h - two results of one model -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_DRIVER_COMPARE_H
#define NAX_LIB_DRIVER_COMPARE_H

#include "Binding.h"

#include "nax/Reference/NDArray.h"

namespace nax::driver {

/// How far the emitted object is from float64.
struct Distance {
  double apart = 0;   ///< largest difference
  double largest = 0; ///< largest value of the reference
  int64_t worst = -1; ///< where the difference is, row-major; -1: all equal
  int64_t finite = 0; ///< how many values of the reference are finite

  /// The measure of the bar: apart / largest.
  double relative() const { return largest > 0 ? apart / largest : apart; }
};

Distance distanceOf(const ModelBuffer &buffer, const void *got,
                    const reference::NDArray &want);

/// The first element whose bits differ, among those before position `before`
/// of dimension `dim` if that is not -1; -1 if none does.
int64_t firstDifference(const ModelBuffer &buffer,
                        llvm::ArrayRef<int64_t> shape, const void *one,
                        const void *other, int64_t dim = -1,
                        int64_t before = 0);

/// The largest change at each position of dimension `dim`.
std::vector<double> changeAlong(const ModelBuffer &buffer,
                                llvm::ArrayRef<int64_t> shape, const void *one,
                                const void *other, int64_t dim);

/// "[0,3,17]"
std::string formatIndex(llvm::ArrayRef<int64_t> index);
std::string formatIndex(llvm::ArrayRef<int64_t> shape, int64_t place);

/// The lines of a report: what was looked at, what was found, how it ended.
class Report {
public:
  void add(std::string what, std::string found, bool good);
  /// A line below the last one.
  void explain(std::string line);
  bool good() const { return allGood; }
  void print(llvm::raw_ostream &os) const;

private:
  struct Row {
    std::string what, found, verdict;
  };
  std::vector<Row> rows;
  bool allGood = true;
};

} // namespace nax::driver

#endif // NAX_LIB_DRIVER_COMPARE_H
