//===- Addresses.cpp - variables, and addresses of them -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "OperandTypes.h"
#include "Translator.h"

namespace nvemu::jit {

using Kind = Operand::Kind;

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

static const char *spaceName(Space space) {
  switch (space) {
  case Space::Global:
    return "global memory";
  case Space::Shared:
    return "shared memory";
  case Space::Local:
    return "local memory";
  case Space::Const:
    return "constant memory";
  default:
    return "parameters";
  }
}

/// What may stand in [base + offset] beside an absolute address.
void Translator::checkBase(const Operand &base, Space space) {
  if (std::optional<Type> type = registerType(base)) {
    if (isFloat(*type) || *type == Type::Pred || ptx::bitsOf(*type) > 64)
      fail(base.name + " is a register of type ." + std::string(ptx::nameOf(*type)) + ", which holds no address");
    if ((space == Space::Global || space == Space::Generic) && ptx::bitsOf(*type) == 32)
      fail(base.name + " has 32 bits, but addresses of global memory and generic ones have 64");
    return;
  }
  Place place;
  if (!find(base.name, place))
    return;
  if (unit.layout.functions.count(base.name) && !place.bytes)
    return fail(base.name + " is a function, which is called and not read");
  const bool hasGeneric = place.space != Space::Param && (place.space != Space::Const || current->opcode == "ld");
  if (space == Space::Generic ? !hasGeneric : place.space != space)
    fail(base.name + " is in " + spaceName(place.space) + ", but the instruction is for " +
         (space == Space::Generic ? "generic addresses" : spaceName(space)));
}

Value *Translator::address(const Operand &operand, Space space) {
  if (operand.kind != Kind::Address) {
    fail("an address [...] is expected");
    return b.getInt64(0);
  }
  Value *offset = b.getInt64(operand.offset);
  if (operand.parts.empty()) {
    if (space != Space::Local)
      fail("a number alone is an address of local memory only");
    return offset;
  }
  const Operand &base = operand.parts[0];
  checkBase(base, space);
  if (base.kind == Kind::Symbol) {
    Place place;
    if (!find(base.name, place))
      return offset;
    Value *start = place.pointer || space == Space::Generic ? generic(place) : place.address;
    return b.CreateAdd(start, b.getInt64(operand.offset + base.offset));
  }
  // An address of 32 bits (of .shared, say) stays one after the addition.
  std::optional<Type> type = registerType(base);
  if (type && ptx::bitsOf(*type) <= 32) {
    Value *sum = b.CreateAdd(resize(read(base, *type), 32), integer(Type::U32, uint64_t(operand.offset)));
    return b.CreateZExt(sum, b.getInt64Ty());
  }
  return b.CreateAdd(read(base, Type::U64), offset);
}

} // namespace nvemu::jit
