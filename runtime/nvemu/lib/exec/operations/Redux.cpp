//===- Redux.cpp - redux.sync ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Combine.h"
#include "Families.h"
#include "Modifiers.h"

#include "../Warp.h"

#include <bit>

namespace nvemu {

namespace {

struct Reduction {
  Combine operation;
  ptx::Type type;
};

void run(Thread &thread, const SiteInfo &site, const uint64_t *in, uint64_t *out) {
  collective(thread, site, uint32_t(in[1]), in, out, [&](Gathered &lanes) {
    Reduction reduction = kept<Reduction>(site);
    uint32_t left = lanes.lanes;
    uint64_t result = uint32_t(lanes.in[std::countr_zero(left)][0]);
    for (left &= left - 1; left; left &= left - 1)
      result =
          combine(reduction.operation, reduction.type, false, result, uint32_t(lanes.in[std::countr_zero(left)][0]), 0);
    for (unsigned lane = 0; lane < warpSize; ++lane)
      if (lanes.has(lane))
        lanes.out[lane][0] = result;
  });
}

} // namespace

bool findRedux(SiteInfo &site, unsigned &results, std::string &why) {
  Modifiers modifiers(*site.instruction);
  Reduction reduction{};
  bool isSound = modifiers.take("sync");
  if (std::optional<unsigned> number = modifiers.takeOneOf({"add", "min", "max"})) {
    static constexpr Combine operations[] = {Combine::Add, Combine::Min, Combine::Max};
    reduction.operation = operations[*number];
    std::optional<unsigned> type = modifiers.takeOneOf({"u32", "s32"});
    reduction.type = type == 1u ? ptx::Type::S32 : ptx::Type::U32;
    isSound &= type.has_value();
  } else if (std::optional<unsigned> logical = modifiers.takeOneOf({"and", "or", "xor"})) {
    static constexpr Combine operations[] = {Combine::And, Combine::Or, Combine::Xor};
    reduction.operation = operations[*logical];
    reduction.type = ptx::Type::B32;
    isSound &= modifiers.take("b32");
  } else {
    isSound = false;
  }
  if (!isSound) {
    why = "only .sync with add, min, max of u32 and s32 and and, or, xor of b32 is understood";
    return false;
  }
  if (!modifiers.isEmpty(why) || !hasOperands(*site.instruction, 3, 3, why))
    return false;
  keep(site, reduction);
  site.handler = run;
  results = site.outputs = 1;
  site.inputs = 2;
  return true;
}

} // namespace nvemu
