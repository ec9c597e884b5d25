//===- Move.cpp - mov, cvta and isspacep ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Opcodes.h"
#include "Translator.h"

namespace nvemu::jit {
namespace {

/// The integer type of one part of `bits` cut into `count`.
std::optional<Type> partOf(unsigned bits, size_t count) {
  switch (count ? bits / count : 0) {
  case 8:
    return Type::B8;
  case 16:
    return Type::B16;
  case 32:
    return Type::B32;
  case 64:
    return Type::B64;
  default:
    return std::nullopt;
  }
}

/// {a, b, ...} as one number, a lowest.
Value *packed(Translator &t, const Operand &vector, Type type) {
  unsigned bits = ptx::bitsOf(type);
  std::optional<Type> part = partOf(bits, vector.parts.size());
  if (!part) {
    t.fail("a vector of that many parts does not fit");
    return t.integer(type, 0);
  }
  Value *result = t.integer(type, 0);
  for (size_t i = 0; i < vector.parts.size(); ++i) {
    Value *element = t.resize(t.read(vector.parts[i], *part), bits);
    result = t.b.CreateOr(result, t.b.CreateShl(element, i * ptx::bitsOf(*part)));
  }
  return result;
}

void unpack(Translator &t, const Operand &vector, Value *value) {
  unsigned bits = value->getType()->getIntegerBitWidth();
  std::optional<Type> part = partOf(bits, vector.parts.size());
  if (!part)
    return t.fail("a vector of that many parts does not fit");
  unsigned width = ptx::bitsOf(*part);
  for (size_t i = 0; i < vector.parts.size(); ++i)
    t.write(vector.parts[i], *part, t.resize(t.b.CreateLShr(value, i * width), width));
}

struct SpaceName {
  const char *name;
  Space space;
};
constexpr SpaceName spaces[] = {
    {"global", Space::Global}, {"shared", Space::Shared}, {"shared::cta", Space::Shared}, {"local", Space::Local},
    {"const", Space::Const},   {"param", Space::Param},   {"param::entry", Space::Param},
};

std::optional<Space> takeSpace(Translator &t) {
  for (const SpaceName &known : spaces)
    if (t.take(known.name))
      return known.space;
  t.fail("nvemu does not know its state space");
  return std::nullopt;
}

uint64_t baseOf(Space space) { return space == Space::Shared ? sharedBase : space == Space::Local ? localBase : 0; }

Value *isWithin(Translator &t, Value *address, uint64_t base, uint64_t bytes) {
  return t.b.CreateICmpULT(t.b.CreateSub(address, t.b.getInt64(base)), t.b.getInt64(bytes));
}

} // namespace

void emitMov(Translator &t) {
  Type type = t.takeType();
  const Operand &to = t.operand(0), &from = t.operand(1);
  using Kind = Operand::Kind;
  bool hasVector = to.kind == Kind::Vector || from.kind == Kind::Vector;
  bool isBits = type == Type::B16 || type == Type::B32 || type == Type::B64 || type == Type::B128;
  if (hasVector && !isBits)
    t.fail("with {...} its type is .b16, .b32, .b64 or .b128");
  if (type == Type::B8 || type == Type::U8 || type == Type::S8 ||
      (isFloat(type) && type != Type::F32 && type != Type::F64))
    t.fail("its type is .pred, .f32, .f64 or one of 16 to 128 bits");
  if (!t.finish(2))
    return;
  Value *value = from.kind == Kind::Vector ? packed(t, from, type) : t.read(1, type);
  if (to.kind == Kind::Vector)
    return unpack(t, to, value);
  t.write(0, type, value);
}

/// From an address of a space to a generic one; with .to the other way.
void emitCvta(Translator &t) {
  bool isTo = t.take("to");
  std::optional<Space> space = takeSpace(t);
  Type type = t.takeType();
  if (type != Type::U64)
    t.fail("nvemu has addresses of 64 bits alone, and so .u64 is expected");
  if (!t.finish(2) || !space)
    return;
  Translator::Place place;
  if (const Operand &from = t.operand(1);
      from.kind == Operand::Kind::Symbol && t.find(from.name, place) && (isTo || place.space != *space))
    return t.fail(isTo ? "a generic address is in a register" : from.name + " is in another state space");
  Value *base = t.b.getInt64(baseOf(*space)), *address = t.read(1, type);
  t.write(0, type, isTo ? t.b.CreateSub(address, base) : t.b.CreateAdd(address, base));
}

void emitIsspacep(Translator &t) {
  std::optional<Space> space = takeSpace(t);
  if (!t.finish(2) || !space)
    return;
  bool isShort = ptx::bitsOf(t.registerType(t.operand(1)).value_or(Type::U64)) == 32;
  Value *address = t.resize(t.read(1, isShort ? Type::U32 : Type::U64), 64);
  Value *shared = isWithin(t, address, sharedBase, windowBytes);
  Value *local = isWithin(t, address, localBase, windowBytes);
  Value *constant = t.b.getFalse();
  for (const auto &[variable, place] : t.unit.layout.addresses)
    if (variable->space == Space::Const)
      constant = t.b.CreateOr(constant, isWithin(t, address, place, variable->bytes()));
  switch (*space) {
  case Space::Shared:
    return t.writePredicate(0, shared);
  case Space::Local:
    return t.writePredicate(0, local);
  case Space::Const:
    return t.writePredicate(0, constant);
  case Space::Global: {
    Value *other = t.b.CreateOr(t.b.CreateOr(shared, local), constant);
    return t.writePredicate(0, t.b.CreateNot(other));
  }
  default:
    t.fail("nvemu cannot tell addresses of parameters from others");
  }
}

} // namespace nvemu::jit
