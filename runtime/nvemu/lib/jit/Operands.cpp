//===- Operands.cpp - registers, literals and addresses -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "OperandTypes.h"
#include "Translator.h"

#include <cstring>

namespace nvemu::jit {

using Kind = Operand::Kind;

Value *Translator::integer(Type type, uint64_t bits) {
  unsigned width = ptx::bitsOf(type);
  return llvm::ConstantInt::get(unit.context, llvm::APInt(64, bits).zextOrTrunc(width));
}

Value *Translator::resize(Value *value, unsigned bits, bool signExtend) {
  auto *type = integerType(bits);
  return signExtend ? b.CreateSExtOrTrunc(value, type) : b.CreateZExtOrTrunc(value, type);
}

std::optional<Type> Translator::registerType(const Operand &operand) const {
  if (operand.kind != Kind::Register)
    return std::nullopt;
  auto found = registers.find(operand.name);
  if (found == registers.end())
    return std::nullopt;
  return found->second.type;
}

/// The bits of a number in the text as one of `type`.
Value *Translator::literal(const Operand &operand, Type type) {
  unsigned width = ptx::bitsOf(type);
  if (operand.kind == Kind::Integer) {
    if (type == Type::Pred)
      return b.getInt1(operand.bits != 0);
    llvm::APInt bits(64, operand.bits);
    bool isNegative = isSigned(type);
    return llvm::ConstantInt::get(unit.context, isNegative ? bits.sextOrTrunc(width) : bits.zextOrTrunc(width));
  }
  if (width != 32)
    return b.getInt64(operand.bits);
  // An f32's NaN keeps its bits, which a conversion of the host might change.
  double number;
  std::memcpy(&number, &operand.bits, sizeof(number));
  if (number != number)
    return b.getInt32((operand.bits >> 32 & 0x80000000) | 0x7f800000 | (operand.bits >> 29 & 0x007fffff));
  float narrow = static_cast<float>(number);
  uint32_t bits;
  std::memcpy(&bits, &narrow, sizeof(bits));
  return b.getInt32(bits);
}

void Translator::checkRegister(const Operand &operand, Type own, Type expected) {
  if (fits(own, expected, takesWider))
    return;
  const unsigned ownBits = ptx::bitsOf(own), bits = ptx::bitsOf(expected);
  if (own == Type::Pred || expected == Type::Pred)
    fail(operand.name + (own == Type::Pred ? " is a predicate, no number" : " is no predicate"));
  else if (ownBits != bits && !(takesWider && ownBits > bits))
    fail(operand.name + " has " + llvm::Twine(ownBits) + " bits, but should have " + llvm::Twine(bits));
  else
    fail(operand.name + " is a register of type ." + std::string(ptx::nameOf(own)) + ", but should be one of ." +
         std::string(ptx::nameOf(expected)) + " or of bits alone");
}

/// Special registers are read by mov and by conversions of integers to integers.
void Translator::checkSpecial(const Operand &operand, Type expected) {
  const std::vector<Type> types = current->types();
  const bool isMove = current->opcode == "mov" && !types.empty();
  const bool converts = current->opcode == "cvt" && !current->has("pack") && types.size() == 2;
  if ((!isMove && !converts) || isFloat(types.front()) || isFloat(expected) || expected == Type::Pred)
    return fail(operand.name + " is a special register, which only mov and cvt of integers read");
  const unsigned bits = ptx::bitsOf(expected) > 32 ? 64 : 32;
  if (!hasSpecial(operand.name, bits) && (isMove || bits == 64))
    fail(operand.name + " has " + llvm::Twine(96 - bits) + " bits, but should have " + llvm::Twine(bits));
}

Value *Translator::read(const Operand &operand, Type type) {
  unsigned width = ptx::bitsOf(type);
  Value *value = nullptr;
  switch (operand.kind) {
  case Kind::Register: {
    auto found = registers.find(operand.name);
    if (found == registers.end()) {
      fail("there is no register " + operand.name);
      return integer(type, 0);
    }
    const Register &from = found->second;
    checkRegister(operand, from.type, type);
    value = b.CreateLoad(from.slot->getAllocatedType(), from.slot);
    break;
  }
  case Kind::Special:
    checkSpecial(operand, type);
    value = special(operand.name);
    break;
  case Kind::Integer:
  case Kind::Float:
    if (std::string why = literalFault(operand, type); !why.empty()) {
      fail(why);
      return integer(type, 0);
    }
    value = literal(operand, type);
    break;
  case Kind::Symbol: {
    if ((current->opcode != "mov" && current->opcode != "cvta") || isFloat(type) || type == Type::Pred)
      fail(operand.name + " is an address, which mov or cvta puts into a register first");
    Place place;
    if (!find(operand.name, place))
      return integer(type, 0);
    if (place.space == Space::Global && place.bytes && width < 64)
      fail(operand.name + " is in global memory, whose addresses have 64 bits");
    value = place.address ? place.address : b.CreatePtrToInt(place.pointer, b.getInt64Ty());
    value = b.CreateAdd(value, b.getInt64(operand.offset));
    break;
  }
  default:
    fail("an operand is of a kind that this instruction does not take");
    return integer(type, 0);
  }
  value = resize(value, width, isSigned(type));
  if (!operand.negated)
    return value;
  if (type != Type::Pred)
    fail("'!' stands before " + operand.name + ", which is no predicate");
  return b.CreateNot(value);
}

Value *Translator::readPredicate(const Operand &operand) { return read(operand, Type::Pred); }

void Translator::write(const Operand &operand, Type type, Value *value) {
  if (operand.kind == Kind::Sink) {
    if (&operand == &this->operand(0) && !mayDiscard(*current))
      fail("it needs a register for its result, and no _");
    return;
  }
  auto found = registers.find(operand.name);
  if (operand.kind != Kind::Register || found == registers.end() || operand.negated)
    return fail("its result is no register");
  const Register &to = found->second;
  if (value->getType()->isFloatTy())
    value = b.CreateBitCast(value, b.getInt32Ty());
  else if (value->getType()->isDoubleTy())
    value = b.CreateBitCast(value, b.getInt64Ty());
  checkRegister(operand, to.type, type);
  b.CreateStore(resize(value, ptx::bitsOf(to.type), isSigned(type)), to.slot);
}

} // namespace nvemu::jit
