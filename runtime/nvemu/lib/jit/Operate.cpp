//===- Operate.cpp - instructions that the emulator carries out -----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Their operands go through an array of 64-bit numbers (Abi.h, findOperation).
//
//===----------------------------------------------------------------------===//

#include "Translator.h"

#include <algorithm>

namespace nvemu::jit {
namespace {

using Kind = Operand::Kind;

/// The parts that each stand for one result.
void flattenResult(const Operand &operand, std::vector<const Operand *> &results) {
  if (operand.kind == Kind::Vector || operand.kind == Kind::Pair)
    for (const Operand &part : operand.parts)
      flattenResult(part, results);
  else
    results.push_back(&operand);
}

/// Whether a literal among the operands is of 64 bits.
Type literalType(const Instruction &instruction) {
  std::vector<Type> types = instruction.types();
  bool isWide = std::find(types.begin(), types.end(), Type::F64) != types.end();
  return isWide ? Type::F64 : Type::F32;
}

void flattenSource(Translator &t, const Operand &operand, std::vector<Value *> &sources) {
  auto add = [&](Value *value) { sources.push_back(t.resize(value, 64)); };
  switch (operand.kind) {
  case Kind::Vector:
  case Kind::Pair:
    for (const Operand &part : operand.parts)
      flattenSource(t, part, sources);
    return;
  case Kind::Address:
    // With no state space named the address is a generic one.
    add(t.address(operand, t.instruction().space().value_or(Space::Generic)));
    for (size_t i = 1; i < operand.parts.size(); ++i)
      flattenSource(t, operand.parts[i], sources);
    return;
  case Kind::Float:
    return add(t.read(operand, literalType(t.instruction())));
  case Kind::Register: {
    Type type = t.registerType(operand).value_or(Type::B64);
    if (ptx::bitsOf(type) > 64)
      return t.fail("nvemu knows no operands of 128 bits here");
    return add(t.read(operand, type));
  }
  case Kind::Sink:
    return add(t.b.getInt64(0));
  default:
    return add(t.read(operand, Type::U64));
  }
}

} // namespace

void Translator::operate() {
  SiteInfo site;
  site.instruction = current;
  site.function = &function;
  unsigned resultOperands = 0;
  std::string why;
  if (!findOperation(site, resultOperands, why))
    return unit.fail(current->line, current->fullName() + " is not known to nvemu: " + why);
  std::vector<const Operand *> results;
  std::vector<Value *> sources;
  if (current->operands.size() < resultOperands)
    return fail("operands are missing");
  for (size_t i = 0; i < current->operands.size(); ++i)
    if (i < resultOperands)
      flattenResult(current->operands[i], results);
    else
      flattenSource(*this, current->operands[i], sources);
  if (results.size() > site.outputs)
    return fail("it has " + llvm::Twine(results.size()) + " results, but should have " + llvm::Twine(site.outputs));
  if (sources.size() != site.inputs)
    return fail("it has " + llvm::Twine(sources.size()) + " source operands, but should have " +
                llvm::Twine(site.inputs));

  // One pair of arrays for the whole function; its size is known at the end.
  auto grow = [&](llvm::AllocaInst *&array, uint64_t &size, uint64_t count) {
    size = std::max<uint64_t>({size, count, 1});
    if (!array)
      array = slot(b.getInt64Ty(), size, 16);
    array->setOperand(0, b.getInt64(size));
  };
  grow(inputs, inputCount, sources.size());
  grow(outputs, outputCount, site.outputs);
  for (size_t i = 0; i < sources.size(); ++i)
    b.CreateStore(sources[i], b.CreateConstGEP1_64(b.getInt64Ty(), inputs, i));
  call("nvemu_operate", b.getVoidTy(), {thread(), b.getInt32(unit.addSite(site)), inputs, outputs});
  for (size_t i = 0; i < results.size(); ++i) {
    std::optional<Type> type = registerType(*results[i]);
    if (!type && results[i]->kind != Kind::Sink)
      return fail("its result is no register");
    if (!type)
      continue;
    Value *value = b.CreateLoad(b.getInt64Ty(), b.CreateConstGEP1_64(b.getInt64Ty(), outputs, i));
    if (*type == Type::Pred)
      value = b.CreateICmpNE(value, b.getInt64(0));
    write(*results[i], value);
  }
}

} // namespace nvemu::jit
