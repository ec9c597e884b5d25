//===- Timing.h - how long each stage took --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_DRIVER_TIMING_H
#define NAX_LIB_DRIVER_TIMING_H

#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <string>
#include <vector>

namespace nax::driver {

class Timing {
  using Clock = std::chrono::steady_clock;

public:
  /// Measures from its making to its end.
  class Scope {
  public:
    Scope(Timing &timing, std::string stage)
        : timing(timing), stage(std::move(stage)) {}
    Scope(const Scope &) = delete;
    ~Scope() { timing.add(std::move(stage), seconds()); }

  private:
    double seconds() const {
      return std::chrono::duration<double>(Clock::now() - start).count();
    }
    Timing &timing;
    std::string stage;
    Clock::time_point start = Clock::now();
  };

  /// A stage that is passed more than once has one row.
  void add(std::string stage, double seconds) {
    for (auto &[known, sum] : rows)
      if (known == stage) {
        sum += seconds;
        return;
      }
    rows.emplace_back(std::move(stage), seconds);
  }
  void print(llvm::raw_ostream &os) const;

private:
  std::vector<std::pair<std::string, double>> rows;
};

} // namespace nax::driver

#endif // NAX_LIB_DRIVER_TIMING_H
