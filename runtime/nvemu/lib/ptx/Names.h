//===- Names.h - what names stand for in a function -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NVEMU_PTX_NAMES_H
#define NVEMU_PTX_NAMES_H

#include "Ptx.h"

#include <set>

namespace nvemu::ptx {

/// What a name is declared as.
struct Declared {
  bool isRegister = false;
  Type type = Type::B32; // of a register
  unsigned parts = 1;    // more for a vector register
  std::string unique;    // its name in the syntax tree
};

/// The names between one { and its }. Scopes are numbered from 0, the body of the
/// function, whose names are kept; those of others get #number.
class Scope {
public:
  Scope(Scope *outer, unsigned number) : outer(outer), number(number) {}

  std::string unique(std::string_view name) const;
  /// False: the scope has this name already.
  bool add(std::string_view name, Declared declared);
  /// `prefix<count>`: the registers prefix0 to prefix(count - 1).
  bool addRange(std::string_view prefix, uint64_t count, Type type);
  bool addLabel(std::string_view label);

  /// Of this scope and the ones around it, the innermost.
  std::optional<Declared> find(std::string_view name) const;
  /// The unique name of a label that is visible here.
  std::optional<std::string> findLabel(std::string_view label) const;

  Scope *outer;

private:
  std::optional<Declared> findHere(std::string_view name) const;

  unsigned number;
  std::map<std::string, Declared, std::less<>> names;
  struct Range {
    uint64_t count;
    Type type;
  };
  std::map<std::string, Range, std::less<>> ranges;
  std::set<std::string, std::less<>> labels;
};

/// "%tid.x", "%laneid", ...: a register that PTX declares (ISA, section 10).
bool isSpecialRegister(std::string_view name);

} // namespace nvemu::ptx

#endif // NVEMU_PTX_NAMES_H
