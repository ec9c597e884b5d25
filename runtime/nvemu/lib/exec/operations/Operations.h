//===- Operations.h - the families of operations ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// What the translator does not make code of. A family looks at one opcode, decodes
// its modifiers once, while loading, and names the handler. See findOperation in
// Abi.h for what a family sets and what a handler gets.
//
//===----------------------------------------------------------------------===//

#ifndef NVEMU_EXEC_OPERATIONS_OPERATIONS_H
#define NVEMU_EXEC_OPERATIONS_OPERATIONS_H

#include "../Abi.h"

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace nvemu {

/// As findOperation, of one opcode.
using FindFunction = bool (*)(SiteInfo &, unsigned &results, std::string &why);

bool findBarrier(SiteInfo &, unsigned &results, std::string &why);     // bar, barrier
bool findVote(SiteInfo &, unsigned &results, std::string &why);        // vote
bool findMatch(SiteInfo &, unsigned &results, std::string &why);       // match
bool findActiveMask(SiteInfo &, unsigned &results, std::string &why);  // activemask
bool findElect(SiteInfo &, unsigned &results, std::string &why);       // elect
bool findShuffle(SiteInfo &, unsigned &results, std::string &why);     // shfl
bool findFence(SiteInfo &, unsigned &results, std::string &why);       // fence, membar
bool findNanosleep(SiteInfo &, unsigned &results, std::string &why);   // nanosleep
bool findGridDependency(SiteInfo &, unsigned &results, std::string &why); // griddepcontrol

/// Reads an instruction's modifiers from the first to the last, so that none is
/// passed over in silence.
class Modifiers {
public:
  explicit Modifiers(const ptx::Instruction &instruction) : instruction(instruction) {}

  /// Whether the next one is `name`; then it is taken.
  bool take(std::string_view name);
  /// Which of the names the next one is, taken if any; -1 if none.
  int takeOneOf(std::initializer_list<std::string_view> names);
  /// The next one as a type, taken if it is one.
  std::optional<ptx::Type> takeType();
  /// Whether all are taken; otherwise `why` names the first that is not.
  bool done(std::string &why) const;
  /// The next one, empty at the end.
  std::string_view next() const;

private:
  const ptx::Instruction &instruction;
  size_t taken = 0;
};

/// Whether the instruction has between `least` and `most` operands, or `why` says so.
bool hasOperands(const ptx::Instruction &, size_t least, size_t most, std::string &why);

/// How many numbers an operand gives in nvemu_operate's arrays.
unsigned flattened(const ptx::Operand &);
/// Sets site.inputs and site.outputs from the operands, the first `results` of which
/// are results.
void countOperands(SiteInfo &, unsigned results);

} // namespace nvemu

#endif // NVEMU_EXEC_OPERATIONS_OPERATIONS_H
