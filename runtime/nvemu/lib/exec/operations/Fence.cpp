//===- Fence.cpp - fence, membar, nanosleep, griddepcontrol ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// A fence between proxies has no effect: no operation of another proxy is known.
// Blocks of a launch begin when those before them have, so there is nothing that
// griddepcontrol could wait for.
//
//===----------------------------------------------------------------------===//

#include "../Block.h"
#include "Families.h"
#include "Modifiers.h"

namespace nvemu {

namespace {

void nothing(Thread &, const SiteInfo &, const uint64_t *, uint64_t *) {}

void fence(Thread &thread, const SiteInfo &site, const uint64_t *, uint64_t *) {
  thread.block->checker->fence(thread.number, site.data[0] != 0);
}

void sleep(Thread &thread, const SiteInfo &, const uint64_t *in, uint64_t *) {
  thread.block->time += static_cast<uint32_t>(in[0]);
  thread.block->yield(thread);
}

bool findProxyFence(Modifiers &modifiers, SiteInfo &site, std::string &why) {
  site.handler = nothing;
  if (!modifiers.takeOneOf({"alias", "async"})) {
    why = "a fence between proxies is .proxy.alias or .proxy.async";
    return false;
  }
  modifiers.takeOneOf({"global", "shared::cta", "shared::cluster"});
  return modifiers.isEmpty(why);
}

} // namespace

bool findFence(SiteInfo &site, unsigned &results, std::string &why) {
  Modifiers modifiers(*site.instruction);
  results = 0;
  if (!hasOperands(*site.instruction, 0, 0, why))
    return false;
  if (modifiers.take("proxy"))
    return findProxyFence(modifiers, site, why);
  if (modifiers.take("mbarrier_init")) {
    site.handler = nothing; // of one block: the initialisation is an ordinary write
    if (modifiers.take("release") && modifiers.take("cluster"))
      return modifiers.isEmpty(why);
    why = "it is .mbarrier_init.release.cluster";
    return false;
  }
  site.handler = fence;
  const bool isFence = site.instruction->opcode == "fence";
  if (isFence)
    modifiers.takeOneOf({"sc", "acq_rel", "acquire", "release"});
  const std::optional<unsigned> scope =
      isFence ? modifiers.takeOneOf({"cta", "cluster", "gpu", "sys"}) : modifiers.takeOneOf({"cta", "gl", "sys"});
  if (!scope) {
    why = isFence ? "it names no scope, .cta, .cluster, .gpu or .sys" : "it names no scope, .cta, .gl or .sys";
    return false;
  }
  site.data[0] = *scope > 0;
  return modifiers.isEmpty(why);
}

bool findNanosleep(SiteInfo &site, unsigned &results, std::string &why) {
  Modifiers modifiers(*site.instruction);
  site.handler = sleep;
  site.inputs = 1;
  results = 0;
  if (!modifiers.take("u32")) {
    why = "it lacks .u32";
    return false;
  }
  return modifiers.isEmpty(why) && hasOperands(*site.instruction, 1, 1, why);
}

bool findGridDependency(SiteInfo &site, unsigned &results, std::string &why) {
  Modifiers modifiers(*site.instruction);
  site.handler = nothing;
  results = 0;
  if (!modifiers.takeOneOf({"launch_dependents", "wait"})) {
    why = "it is .launch_dependents or .wait";
    return false;
  }
  return modifiers.isEmpty(why) && hasOperands(*site.instruction, 0, 0, why);
}

} // namespace nvemu
