//===- Timing.cpp - how long each stage took ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Timing.h"

#include "llvm/Support/Format.h"

using namespace llvm;
using namespace nax::driver;

void Timing::print(raw_ostream &os) const {
  double total = 0;
  for (const auto &[stage, seconds] : rows)
    total += seconds;
  size_t width = 5;
  for (const auto &[stage, seconds] : rows)
    width = std::max(width, stage.size());
  auto line = [&](StringRef stage, double seconds) {
    os << "  " << left_justify(stage, width)
       << format("  %8.3f s  %5.1f %%\n", seconds,
                 total > 0 ? 100 * seconds / total : 0.0);
  };
  os << "time by stage\n";
  for (const auto &[stage, seconds] : rows)
    line(stage, seconds);
  line("total", total);
}
