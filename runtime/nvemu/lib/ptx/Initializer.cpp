//===- Initializer.cpp - initial values of variables ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Initializer.h"

#include <cstring>

using namespace nvemu::ptx;

namespace {

bool isReal(Type type) { return type == Type::F64 || type == Type::F32; }

} // namespace

bool Initializer::run() {
  if (cursor.accept("{")) {
    if (sizes.empty())
      return cursor.fail("'" + variable.name + "' is no array, so it takes one value without braces");
    if (!parseList(0, 0))
      return false;
  } else if (!parseValue(0)) {
    return false;
  }
  if (maskedBytes)
    return cursor.fail("an address that is given byte by byte has eight bytes");
  if (!variable.count)
    variable.count = variable.initial.size() / ((bitsOf(variable.type) + 7) / 8);
  variable.initial.resize(variable.bytes());
  return true;
}

/// Of { a, b, { c, d } } what follows the brace; `first` is the element it begins at.
bool Initializer::parseList(size_t level, uint64_t first) {
  uint64_t stride = 1, element = first;
  for (size_t inner = level + 1; inner < sizes.size(); ++inner)
    stride *= sizes[inner];
  if (cursor.accept("}"))
    return true;
  do {
    if (cursor.accept("{")) {
      if (level + 1 >= sizes.size())
        return cursor.fail("'" + variable.name + "' has fewer dimensions than braces here");
      if (!parseList(level + 1, element))
        return false;
      element += stride;
      continue;
    }
    if (level && element >= first + stride * sizes[level])
      return cursor.fail("a row of '" + variable.name + "' has more values than elements");
    if (!parseValue(element++))
      return false;
  } while (cursor.accept(","));
  return cursor.expect("}", "after the values of '" + variable.name + "'");
}

bool Initializer::parseValue(uint64_t element) {
  if (!grow(element))
    return false;
  if (cursor.next(Token::Kind::Number) && cursor.peek(1).is("("))
    return parseMasked(element);
  if (maskedBytes)
    return cursor.fail("an address that is given byte by byte has eight bytes");
  if (!cursor.next(Token::Kind::Word) || cursor.next("WARP_SZ")) {
    Constant value;
    return parseConstant(cursor, value) && store(element, value);
  }
  if (bitsOf(variable.type) != 64 || isReal(variable.type))
    return cursor.fail("an address has 64 bits, but an element of '" + variable.name + "' is a " +
                       std::string(nameOf(variable.type)));
  Variable::Fixup fixup{element * 8, "", 0};
  if (!parseAddress(fixup))
    return false;
  variable.fixups.push_back(std::move(fixup));
  return true;
}

/// name, name + 8, generic(name), generic(name + 8), generic(name) + 8: a variable's
/// generic address is the same, for only those of .global and .const have one here.
bool Initializer::parseAddress(Variable::Fixup &fixup) {
  bool generic = cursor.accept("generic");
  if (generic && !cursor.expect("(", "after generic"))
    return false;
  unsigned line = cursor.peek().line;
  if (!cursor.expectWord(fixup.symbol, "a variable or a function"))
    return false;
  if (!isName(fixup.symbol))
    return cursor.failAt(line, "'" + fixup.symbol + "' is not declared");
  for (;;) {
    if (cursor.next("+") || cursor.next("-")) {
      Constant addend;
      cursor.accept("+");
      if (!parseConstant(cursor, addend))
        return false;
      if (addend.isFloat)
        return cursor.fail("what is added to an address is an integer");
      fixup.addend += int64_t(addend.bits);
    }
    if (!generic)
      return true;
    if (!cursor.expect(")", "after generic(" + fixup.symbol))
      return false;
    generic = false;
  }
}

/// 0xFF(name), 0xFF00(name), ...: the bytes of an address, all eight in their order.
bool Initializer::parseMasked(uint64_t element) {
  Constant mask;
  Variable::Fixup fixup{element, "", 0};
  if (!parseConstant(cursor, mask) || !cursor.expect("(", "after a mask") || !parseAddress(fixup) ||
      !cursor.expect(")", "after a masked address"))
    return false;
  if (bitsOf(variable.type) != 8 || mask.bits != 0xffull << 8 * maskedBytes)
    return cursor.fail("an address that is given byte by byte has its eight bytes in order, 0xFF(name) first");
  if (maskedBytes == 0) {
    variable.fixups.push_back(std::move(fixup));
  } else if (variable.fixups.back().symbol != fixup.symbol || variable.fixups.back().addend != fixup.addend) {
    return cursor.fail("the bytes of two addresses are mixed");
  }
  maskedBytes = (maskedBytes + 1) % 8;
  return true;
}

bool Initializer::store(uint64_t element, const Constant &value) {
  size_t bytes = (bitsOf(variable.type) + 7) / 8;
  if (variable.type == Type::F16 || variable.type == Type::F16x2)
    return cursor.fail("'" + variable.name + "' is a " + std::string(nameOf(variable.type)) +
                       ", which has no initial values; a .b" + std::to_string(8 * bytes) + " of its bits has");
  if (value.isFloat && !isReal(variable.type))
    return cursor.fail("an element of '" + variable.name + "' is a " + std::string(nameOf(variable.type)) +
                       ", but got a floating-point number");
  if (!value.isFloat && isReal(variable.type))
    return cursor.fail("an element of '" + variable.name + "' is a " + std::string(nameOf(variable.type)) +
                       ", but got an integer; with a point, as 1.0, it is a floating-point number");
  uint64_t bits = variable.type == Type::F32 ? narrowToF32(value.bits) : value.bits;
  // A host that runs this is little-endian, as the device is.
  std::memcpy(variable.initial.data() + element * bytes, &bits, std::min(bytes, sizeof bits));
  return true;
}

/// Room for an element of an array whose size the values give.
bool Initializer::grow(uint64_t element) {
  if (variable.count && element >= variable.count)
    return cursor.fail("'" + variable.name + "' has " + std::to_string(variable.count) +
                       " elements, but got a value more");
  if (element >= 1u << 27)
    return cursor.fail("'" + variable.name + "' is larger than 1 GiB");
  size_t wanted = (element + 1) * ((bitsOf(variable.type) + 7) / 8);
  if (variable.initial.size() < wanted)
    variable.initial.resize(wanted);
  return true;
}
