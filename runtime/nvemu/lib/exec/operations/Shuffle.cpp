//===- Shuffle.cpp - shfl.sync: registers of other lanes ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// PTX ISA, "shfl.sync". Operand c has the clamp in bits 0 to 4 and the segment mask
// in bits 8 to 12. A lane that reads from one that takes no part gets all ones.
//
//===----------------------------------------------------------------------===//

#include "../Block.h"
#include "Families.h"
#include "Modifiers.h"

namespace nvemu {

namespace {

enum Mode : uint64_t { modeUp, modeDown, modeButterfly, modeIndex };

struct Source {
  int lane;
  bool inRange;
};

Source sourceOf(Mode mode, int lane, uint32_t b, uint32_t c) {
  const int shift = static_cast<int>(b & 31), clamp = static_cast<int>(c & 31);
  const int segment = static_cast<int>(c >> 8 & 31);
  const int most = (lane & segment) | (clamp & ~segment);
  const int least = lane & segment;
  switch (mode) {
  case modeUp:
    return {lane - shift, lane - shift >= most};
  case modeDown:
    return {lane + shift, lane + shift <= most};
  case modeButterfly:
    return {lane ^ shift, (lane ^ shift) <= most};
  case modeIndex:
    break;
  }
  const int index = least | (shift & ~segment);
  return {index, index <= most};
}

void shuffle(Thread &thread, const SiteInfo &site, const uint64_t *in, uint64_t *out) {
  const auto mode = static_cast<Mode>(site.data[0]);
  const bool hasPredicate = site.outputs > 1;
  collective(thread, site, static_cast<uint32_t>(in[3]), in, out, [=](Gathered &gathered) {
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      if (!gathered.has(lane))
        continue;
      const uint64_t *own = gathered.in[lane];
      Source source =
          sourceOf(mode, static_cast<int>(lane), static_cast<uint32_t>(own[1]), static_cast<uint32_t>(own[2]));
      if (!source.inRange)
        source.lane = static_cast<int>(lane);
      if (hasPredicate)
        gathered.out[lane][1] = source.inRange;
      const bool present = gathered.has(static_cast<unsigned>(source.lane));
      gathered.out[lane][0] = present ? static_cast<uint32_t>(gathered.in[source.lane][0]) : ~0u;
      if (!present)
        gathered.warp->block->report(Kind::Invalid, gathered.thread(lane),
                                     "lane " + std::to_string(lane) + " reads from lane " +
                                         std::to_string(source.lane) + ", which takes no part in the shuffle");
    }
  });
}

} // namespace

bool findShuffle(SiteInfo &site, unsigned &results, std::string &why) {
  Modifiers modifiers(*site.instruction);
  if (!modifiers.take("sync")) {
    why = "the form without .sync is not for sm_70 and later";
    return false;
  }
  const std::optional<unsigned> mode = modifiers.takeOneOf({"up", "down", "bfly", "idx"});
  if (!mode || !modifiers.take("b32")) {
    why = "a shuffle is .up, .down, .bfly or .idx of .b32";
    return false;
  }
  site.data[0] = *mode;
  site.handler = shuffle;
  results = 1;
  site.inputs = 4;
  site.outputs = flattened(*site.instruction, 0, 1);
  return modifiers.isEmpty(why) && hasOperands(*site.instruction, 5, 5, why);
}

} // namespace nvemu
