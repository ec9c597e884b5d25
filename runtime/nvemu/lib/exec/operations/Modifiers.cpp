//===- Modifiers.cpp - reading an opcode's modifiers ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Modifiers.h"

#include <algorithm>

namespace nvemu {

bool Modifiers::take(std::string_view modifier) {
  auto found = std::find(left.begin(), left.end(), modifier);
  if (found == left.end())
    return false;
  left.erase(found);
  return true;
}

std::optional<unsigned> Modifiers::takeOneOf(std::initializer_list<std::string_view> modifiers) {
  unsigned index = 0;
  for (std::string_view modifier : modifiers) {
    if (take(modifier))
      return index;
    ++index;
  }
  return std::nullopt;
}

std::optional<ptx::Space> Modifiers::takeSpace() {
  if (take("global"))
    return ptx::Space::Global;
  if (take("shared") || take("shared::cta"))
    return ptx::Space::Shared;
  if (take("shared::cluster"))
    return std::nullopt;
  return ptx::Space::Generic;
}

uint32_t Modifiers::takeOrder(uint32_t scope) {
  uint32_t flags = 0;
  if (take("acquire"))
    flags = accessAcquire;
  else if (take("release"))
    flags = accessRelease;
  else if (take("acq_rel"))
    flags = accessAcquire | accessRelease;
  else
    take("relaxed");
  if (take("cta"))
    return flags;
  if (take("sys"))
    return flags | accessScopeSys;
  return flags | (take("gpu") || take("cluster") ? uint32_t(accessScopeGpu) : scope);
}

bool Modifiers::isEmpty(std::string &why) const {
  if (left.empty())
    return true;
  why = "the modifier ." + left.front() + " is not one that it understands here";
  return false;
}

unsigned flattened(const ptx::Instruction &instruction, unsigned first, unsigned last) {
  unsigned count = 0;
  for (unsigned i = first; i < last && i < instruction.operands.size(); ++i) {
    const ptx::Operand &operand = instruction.operands[i];
    switch (operand.kind) {
    case ptx::Operand::Kind::Vector:
    case ptx::Operand::Kind::Pair:
      count += operand.parts.size();
      break;
    default:
      ++count;
    }
  }
  return count;
}

bool hasOperands(const ptx::Instruction &instruction, unsigned least, unsigned most, std::string &why) {
  unsigned count = instruction.operands.size();
  if (count >= least && count <= most)
    return true;
  why = "it has " + std::to_string(count) + " operands, and " + std::to_string(least) +
        (least == most ? "" : " to " + std::to_string(most)) + " are expected";
  return false;
}

} // namespace nvemu
