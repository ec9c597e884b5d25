//===- Operand.cpp - operands of instructions -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// PTX ISA, chapter 6. Names are looked up at once; one that is not declared may be
// a label further down and is looked up when the function has been read.
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

using namespace nvemu::ptx;

namespace {

void setConstant(Operand &operand, const Constant &value) {
  operand.kind = value.isFloat ? Operand::Kind::Float : Operand::Kind::Integer;
  operand.bits = value.bits;
  operand.isShort = value.isShort;
}

} // namespace

bool Parser::parseOperand(Operand &operand) {
  if (cursor.next("[") || cursor.next("{")) {
    if (++depth > 20)
      return cursor.fail("operands are nested more than 20 levels deep");
    bool isVector = cursor.take().is("{");
    if (isVector)
      operand.kind = Operand::Kind::Vector;
    bool fine = isVector ? parseOperandList(operand.parts, "}") : parseAddress(operand);
    --depth;
    return fine;
  }
  bool negatesName = cursor.peek(1).kind == Token::Kind::Word && !cursor.peek(1).is("WARP_SZ");
  if (cursor.next("-") && negatesName)
    return cursor.fail("a minus sign stands before a name; a register is negated by the instruction neg");
  if (cursor.next("!") && negatesName) {
    cursor.take();
    operand.negated = true;
    return parseWord(operand);
  }
  if (cursor.next(Token::Kind::Word) && !cursor.next("WARP_SZ"))
    return parseWord(operand);
  Constant value;
  if (!parseConstant(cursor, value))
    return false;
  setConstant(operand, value);
  return true;
}

/// Operands and commas up to `close`, which is taken.
bool Parser::parseOperandList(std::vector<Operand> &list, std::string_view close) {
  if (cursor.accept(close))
    return true;
  do {
    if (!parseOperand(list.emplace_back()))
      return false;
  } while (cursor.accept(","));
  return cursor.expect(close, "after operands");
}

/// name, name + offset, or name|name.
bool Parser::parseWord(Operand &operand) {
  if (!resolve(cursor.take(), operand))
    return false;
  if (operand.kind == Operand::Kind::Symbol && cursor.next("+"))
    return parseOffset(operand.offset);
  if (!cursor.accept("|"))
    return true;
  Operand pair;
  pair.kind = Operand::Kind::Pair;
  pair.parts.push_back(std::move(operand));
  operand = std::move(pair);
  if (!cursor.next(Token::Kind::Word))
    return cursor.fail("expects a register after '|', but got " + cursor.shown());
  return resolve(cursor.take(), operand.parts.emplace_back());
}

/// Of [base + offset, further...], what comes after the bracket.
bool Parser::parseAddress(Operand &operand) {
  operand.kind = Operand::Kind::Address;
  if (cursor.next(Token::Kind::Word) && !cursor.next("WARP_SZ")) {
    Operand base;
    Token word = cursor.take();
    if (!resolve(word, base))
      return false;
    if (base.kind != Operand::Kind::Register && base.kind != Operand::Kind::Symbol)
      return cursor.failAt(word.line, "'" + std::string(word.text) + "' is not declared, or no address");
    operand.parts.push_back(std::move(base));
    if ((cursor.next("+") || cursor.next("-")) && !parseOffset(operand.offset))
      return false;
  } else if (!parseOffset(operand.offset)) {
    return false;
  }
  if (cursor.next(",") && operand.parts.empty())
    return cursor.fail("what stands beside an address needs a register or variable before it");
  while (cursor.accept(","))
    if (!parseOperand(operand.parts.emplace_back()))
      return false;
  return cursor.expect("]", "after an address");
}

/// + 8, - 8 (as in C, though ptxas wants + -8), or 8
bool Parser::parseOffset(int64_t &offset) {
  cursor.accept("+");
  Constant value;
  unsigned line = cursor.peek().line;
  if (!parseConstant(cursor, value))
    return false;
  if (value.isFloat)
    return cursor.failAt(line, "an offset is an integer, but this is a floating-point number");
  offset = int64_t(value.bits);
  return true;
}

/// What `word` is: a register, the address of a variable, a function; else a label,
/// whose name is found out in resolveLabels.
bool Parser::resolve(const Token &token, Operand &operand) {
  std::string_view word = token.text;
  operand.name = word;
  if (word == "_") {
    operand.kind = Operand::Kind::Sink;
    return true;
  }
  auto declared = body->scope->find(word);
  if (declared && !declared->isRegister) {
    operand.kind = Operand::Kind::Symbol;
    operand.name = declared->unique;
  } else if (declared && declared->parts == 1) {
    operand.kind = Operand::Kind::Register;
    operand.name = declared->unique;
    body->function.registers.emplace(declared->unique, declared->type);
  } else if (declared) {
    operand.kind = Operand::Kind::Vector;
    for (unsigned part = 0; part < declared->parts; ++part) {
      std::string name = std::string(word) + std::string(vectorComponents[part]);
      if (!resolve({Token::Kind::Word, name, token.line}, operand.parts.emplace_back()))
        return false;
    }
  } else if (isGlobalName(word)) {
    operand.kind = Operand::Kind::Symbol;
  } else if (isSpecialRegister(word)) {
    operand.kind = Operand::Kind::Special;
  } else if (word.starts_with("%")) {
    return cursor.failAt(token.line, "the register '" + std::string(word) + "' is not declared");
  } else {
    operand.kind = Operand::Kind::Label;
  }
  return true;
}
