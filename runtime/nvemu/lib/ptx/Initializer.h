//===- Initializer.h - initial values of variables --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NVEMU_PTX_INITIALIZER_H
#define NVEMU_PTX_INITIALIZER_H

#include "Constant.h"
#include "Ptx.h"

#include <functional>

namespace nvemu::ptx {

/// Reads what follows the = of a variable (PTX ISA, section 5.4.4): numbers, addresses
/// of other variables, and bytes of addresses, 0xFF00(name), in nested braces.
class Initializer {
public:
  /// `sizes` are those of the array, row by row; a first size of 0 is found out here.
  Initializer(Cursor &cursor, Variable &variable, std::vector<uint64_t> sizes,
              std::function<bool(std::string_view)> isName)
      : cursor(cursor), variable(variable), sizes(std::move(sizes)), isName(std::move(isName)) {}
  bool run();

private:
  bool parseList(size_t level, uint64_t first);
  bool parseValue(uint64_t element);
  bool parseAddress(Variable::Fixup &fixup);
  bool parseMasked(uint64_t element);
  bool store(uint64_t element, const Constant &value);
  bool grow(uint64_t element);

  Cursor &cursor;
  Variable &variable;
  std::vector<uint64_t> sizes;
  std::function<bool(std::string_view)> isName;
  unsigned maskedBytes = 0; // how many bytes of an address there were; 0: none is begun
};

} // namespace nvemu::ptx

#endif // NVEMU_PTX_INITIALIZER_H
