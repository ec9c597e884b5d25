//===- Modifiers.h - reading an opcode's modifiers --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// A decoder takes the modifiers that it knows, in any order; what is left over
// in the end is unknown, and the instruction is refused. What a handler wants to
// know later is a small struct within SiteInfo::data.
//
//===----------------------------------------------------------------------===//

#ifndef NVEMU_EXEC_OPERATIONS_MODIFIERS_H
#define NVEMU_EXEC_OPERATIONS_MODIFIERS_H

#include "../Abi.h"

#include <cstring>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace nvemu {

class Modifiers {
public:
  explicit Modifiers(const ptx::Instruction &instruction) : left(instruction.modifiers) {}

  /// Whether it is there; it is taken away.
  bool take(std::string_view modifier);
  /// The index of the one that is there; empty if none of them is.
  std::optional<unsigned> takeOneOf(std::initializer_list<std::string_view> modifiers);
  /// .global, .shared[::cta] or, without one, Generic; empty for another space.
  std::optional<ptx::Space> takeSpace();
  /// .relaxed, .acquire, .release, .acq_rel and the scope, as AccessFlags: those of
  /// an access that is `atomic`; without a scope `scope` is meant.
  uint32_t takeOrder(uint32_t scope);
  /// The names that are left, in order.
  const std::vector<std::string> &rest() const { return left; }
  /// True when nothing is left; else `why` names the first.
  bool isEmpty(std::string &why) const;

private:
  std::vector<std::string> left;
};

/// How many numbers the operands from `first` to before `last` are in a handler's
/// `in` or `out`.
unsigned flattened(const ptx::Instruction &instruction, unsigned first, unsigned last);

/// Whether there are from `least` to `most` operands; else `why` says how many there are.
bool hasOperands(const ptx::Instruction &instruction, unsigned least, unsigned most, std::string &why);

template <class T>
void keep(SiteInfo &site, const T &info) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof site.data);
  std::memcpy(site.data, &info, sizeof info);
}

template <class T>
T kept(const SiteInfo &site) {
  T info;
  std::memcpy(static_cast<void *>(&info), site.data, sizeof info);
  return info;
}

} // namespace nvemu

#endif // NVEMU_EXEC_OPERATIONS_MODIFIERS_H
