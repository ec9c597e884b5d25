//===- Operands.cpp - registers, literals and addresses -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

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
  if (width == 64)
    return b.getInt64(operand.bits);
  if (width != 32) {
    fail("a floating-point literal cannot be an operand of " + llvm::Twine(width) + " bits");
    return integer(type, 0);
  }
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

/// Loads, stores and conversions take wider registers than their type, others none
/// but those of its width (PTX ISA, Operand Size Exceeding Instruction-Type Size).
void Translator::checkWidth(const Operand &operand, unsigned registerBits, unsigned bits) {
  if (!hasOwnWidths && registerBits != bits)
    fail(operand.name + " has " + llvm::Twine(registerBits) + " bits, but should have " + llvm::Twine(bits));
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
    if ((from.type == Type::Pred) != (type == Type::Pred)) {
      fail(operand.name + (from.type == Type::Pred ? " is a predicate, no number" : " is no predicate"));
      return integer(type, 0);
    }
    checkWidth(operand, ptx::bitsOf(from.type), width);
    value = b.CreateLoad(from.slot->getAllocatedType(), from.slot);
    break;
  }
  case Kind::Special:
    value = special(operand.name);
    break;
  case Kind::Integer:
  case Kind::Float:
    value = literal(operand, type);
    break;
  case Kind::Symbol: {
    Place place;
    if (!find(operand.name, place))
      return integer(type, 0);
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
  if (type == Type::Pred)
    return b.CreateNot(value);
  if (isFloat(type))
    return b.CreateXor(value, integer(type, uint64_t(1) << (width - 1)));
  return b.CreateNeg(value);
}

Value *Translator::readPredicate(const Operand &operand) { return read(operand, Type::Pred); }

void Translator::write(const Operand &operand, Value *value, bool signExtend) {
  if (operand.kind == Kind::Sink)
    return;
  auto found = registers.find(operand.name);
  if (operand.kind != Kind::Register || found == registers.end())
    return fail("its result is no register");
  const Register &to = found->second;
  if (value->getType()->isFloatTy())
    value = b.CreateBitCast(value, b.getInt32Ty());
  else if (value->getType()->isDoubleTy())
    value = b.CreateBitCast(value, b.getInt64Ty());
  bool isPredicate = value->getType()->isIntegerTy(1);
  if (isPredicate != (to.type == Type::Pred))
    return fail(operand.name + (isPredicate ? " is no predicate" : " is a predicate, no number"));
  checkWidth(operand, ptx::bitsOf(to.type), value->getType()->getIntegerBitWidth());
  b.CreateStore(resize(value, ptx::bitsOf(to.type), signExtend), to.slot);
}

bool Translator::find(const std::string &name, Place &place) {
  if (auto known = places.find(name); known != places.end()) {
    place = known->second;
    return true;
  }
  const ptx::Variable *variable = nullptr;
  for (const ptx::Variable &own : function.variables)
    if (own.name == name)
      variable = &own;
  const Layout &layout = unit.layout;
  if (auto known = layout.variables.find(name); !variable && known != layout.variables.end())
    variable = known->second;
  if (!variable) {
    auto known = layout.functions.find(name);
    if (known == layout.functions.end()) {
      fail("nothing is called " + name);
      return false;
    }
    place.address = b.getInt64(layout.functionAddress(known->second));
    return true;
  }
  place.space = variable->space;
  place.bytes = variable->bytes();
  if (variable->space == Space::Shared && isDynamic(*variable)) {
    place.address = dynamicShared();
    return true;
  }
  auto address = layout.addresses.find(variable);
  if (address == layout.addresses.end()) {
    fail(name + " is declared, but this module does not define it");
    return false;
  }
  place.address = b.getInt64(address->second);
  return true;
}

Value *Translator::generic(const Place &place) {
  if (place.pointer)
    return b.CreatePtrToInt(place.pointer, b.getInt64Ty());
  uint64_t base = place.space == Space::Shared ? sharedBase : place.space == Space::Local ? localBase : 0;
  return b.CreateAdd(place.address, b.getInt64(base));
}

Value *Translator::address(const Operand &operand, Space space) {
  if (operand.kind != Kind::Address) {
    fail("an address [...] is expected");
    return b.getInt64(0);
  }
  Value *offset = b.getInt64(operand.offset);
  if (operand.parts.empty())
    return offset;
  const Operand &base = operand.parts[0];
  if (base.kind == Kind::Symbol) {
    Place place;
    if (!find(base.name, place))
      return offset;
    Value *start = place.pointer || space == Space::Generic ? generic(place) : place.address;
    return b.CreateAdd(start, b.getInt64(operand.offset + base.offset));
  }
  // An address of 32 bits (of .shared, say) stays one after the addition.
  std::optional<Type> type = registerType(base);
  if (type && ptx::bitsOf(*type) == 32) {
    Value *sum = b.CreateAdd(read(base, Type::U32), integer(Type::U32, uint64_t(operand.offset)));
    return b.CreateZExt(sum, b.getInt64Ty());
  }
  return b.CreateAdd(read(base, Type::U64), offset);
}

} // namespace nvemu::jit
