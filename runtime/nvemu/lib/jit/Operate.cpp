//===- Operate.cpp - instructions that the emulator carries out -----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Their operands go through an array of 64-bit numbers (Abi.h, findOperation).
//
//===----------------------------------------------------------------------===//

#include "OperandTypes.h"
#include "Translator.h"

#include <algorithm>

namespace nvemu::jit {
namespace {

using Kind = Operand::Kind;

/// Whether operand i is a vector {...} or a pair a|b just where there has to be one.
void checkShape(Translator &t, size_t i) {
  const Instruction &instruction = t.instruction();
  const Operand &operand = t.operand(i);
  if (operand.kind == Kind::Address || operand.kind == Kind::Sink)
    return;
  const std::string &opcode = instruction.opcode;
  const bool hasVectors = opcode == "mma" || opcode == "ldmatrix" || opcode == "stmatrix" || instruction.has("v2") ||
                          instruction.has("v4") || instruction.has("v8");
  if ((operand.kind == Kind::Vector) != hasVectors)
    return t.fail(hasVectors ? "registers in {...} are expected" : "it has no operand in {...}");
  const bool isPair = operand.kind == Kind::Pair;
  const bool mayBePair = i == 0 && (opcode == "shfl" || opcode == "match" || opcode == "elect");
  if (isPair ? !mayBePair : mayBePair && opcode == "elect")
    t.fail(isPair ? "it has no pair a|b" : "its result is a pair, a register or _ and a predicate");
  if (isPair && opcode == "elect" && operand.parts[1].kind == Kind::Sink)
    t.fail("its predicate cannot be left out");
  if (isPair && opcode == "shfl" && operand.parts[0].kind == Kind::Sink)
    t.fail("it needs a register for its result, and no _");
}

struct Result {
  const Operand *operand;
  Type type;
};

/// What operand i of the instruction in hand is: `result` for each number of a result.
void flattenResult(Translator &t, size_t i, std::vector<Result> &results) {
  const Operand &operand = t.operand(i);
  auto add = [&](const Operand &part, size_t which) {
    if (std::optional<Type> type = operandType(t.instruction(), i, which))
      results.push_back({&part, *type});
    else
      t.fail("its result is no register");
  };
  if (operand.kind != Kind::Vector && operand.kind != Kind::Pair)
    return add(operand, 0);
  for (size_t part = 0; part < operand.parts.size(); ++part)
    add(operand.parts[part], operand.kind == Kind::Pair ? part : 0);
}

void flattenSource(Translator &t, size_t i, std::vector<Value *> &sources) {
  const Operand &operand = t.operand(i);
  auto add = [&](Value *value) { sources.push_back(t.resize(value, 64)); };
  if (operand.kind == Kind::Address) {
    if (operandType(t.instruction(), i, 0))
      t.fail("an address stands where a number is expected");
    // With no state space named the address is a generic one.
    add(t.address(operand, spaceOf(t.instruction(), i)));
    for (size_t part = 1; part < operand.parts.size(); ++part)
      add(t.read(operand.parts[part], Type::U32));
    return;
  }
  std::optional<Type> type = operandType(t.instruction(), i, 0);
  if (t.instruction().opcode == "movmatrix" && operand.kind != Kind::Register)
    t.fail("its source is a register");
  // Whether cp.async leaves its source out is a predicate, how many bytes it takes a number.
  if (t.instruction().opcode == "cp" && t.registerType(operand) == Type::Pred)
    type = Type::Pred;
  if (!type)
    return t.fail("an address [...] is expected");
  if (operand.kind == Kind::Vector)
    for (const Operand &part : operand.parts)
      add(t.read(part, *type));
  else
    add(t.read(operand, *type));
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
  std::vector<Result> results;
  std::vector<Value *> sources;
  if (current->operands.size() < resultOperands)
    return fail("operands are missing");
  for (size_t i = 0; i < current->operands.size(); ++i) {
    checkShape(*this, i);
    if (i < resultOperands)
      flattenResult(*this, i, results);
    else
      flattenSource(*this, i, sources);
  }
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
    const auto &[operand, type] = results[i];
    Value *value = b.CreateLoad(b.getInt64Ty(), b.CreateConstGEP1_64(b.getInt64Ty(), outputs, i));
    write(*operand, type, type == Type::Pred ? b.CreateICmpNE(value, b.getInt64(0)) : resize(value, ptx::bitsOf(type)));
  }
}

} // namespace nvemu::jit
