//===- Call.cpp - calls of functions --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// A parameter, and a result, is a pointer to its bytes: to the variable in
// .param space that the call names, or to a copy of a register.
//
//===----------------------------------------------------------------------===//

#include "Opcodes.h"
#include "Translator.h"

namespace nvemu::jit {
namespace {

struct Argument {
  Value *pointer;
  uint64_t bytes;
};

/// What stands in a call's list of arguments or of results, with the bytes that
/// `wanted` has; nothing after fail. Registers in it need a known callee.
std::optional<Argument> argumentOf(Translator &t, const Operand &operand, const ptx::Variable *wanted, bool isResult) {
  if (operand.kind == Operand::Kind::Symbol) {
    Translator::Place place;
    if (t.find(operand.name, place) && place.pointer)
      return Argument{place.pointer, place.bytes};
    t.fail(operand.name + " is no variable of .param");
    return std::nullopt;
  }
  if (!wanted || ptx::bitsOf(wanted->type) < 8 || wanted->bytes() > 8) {
    t.fail("its arguments are variables of .param, or registers where the callee "
           "is named");
    return std::nullopt;
  }
  Value *slot = t.slot(t.integerType(ptx::bitsOf(wanted->type)), 1, 16);
  if (!isResult)
    t.b.CreateStore(t.read(operand, wanted->type), slot);
  return Argument{slot, wanted->bytes()};
}

struct Call {
  std::vector<Argument> arguments; // and after them the results
  size_t parameters = 0;
};

const std::vector<Operand> &listOf(Translator &t, size_t i) { return t.operand(i).parts; }

bool gather(Translator &t, const ptx::Function *callee, Call &call) {
  const auto &results = listOf(t, 0), &arguments = listOf(t, 2);
  if (callee && (callee->parameters.size() != arguments.size() || callee->results.size() != results.size())) {
    t.fail(callee->name + " has " + llvm::Twine(callee->parameters.size()) + " parameters and " +
           llvm::Twine(callee->results.size()) + " results, which is not what it is called with");
    return false;
  }
  auto add = [&](const std::vector<Operand> &list, bool isResult) {
    for (size_t i = 0; i < list.size(); ++i) {
      const ptx::Variable *wanted = callee ? &(isResult ? callee->results : callee->parameters)[i] : nullptr;
      std::optional<Argument> argument = argumentOf(t, list[i], wanted, isResult);
      if (!argument)
        return false;
      call.arguments.push_back(*argument);
    }
    return true;
  };
  call.parameters = arguments.size();
  return add(arguments, false) && add(results, true);
}

/// Whether every argument has the bytes of the parameter.
bool fits(const ptx::Function &callee, const Call &call) {
  size_t count = callee.parameters.size();
  if (count != call.parameters || callee.isEntry || count + callee.results.size() != call.arguments.size())
    return false;
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const ptx::Variable &wanted = i < count ? callee.parameters[i] : callee.results[i - count];
    if (wanted.bytes() > call.arguments[i].bytes)
      return false;
  }
  return true;
}

void callCode(Translator &t, llvm::Function *code, const Call &call) {
  std::vector<Value *> values = {t.thread(), t.resize(t.dynamicShared(), 32)};
  for (const Argument &argument : call.arguments)
    values.push_back(argument.pointer);
  t.b.CreateCall(code, values);
}

void callDirectly(Translator &t, const ptx::Function &callee) {
  llvm::Function *code = t.unit.codeOf(&callee);
  // What assert() calls when it has failed.
  if (!code && callee.name == "__assertfail")
    return t.trap();
  if (!code || callee.isEntry)
    return t.fail("it calls " + callee.name +
                  (code ? ", which is a kernel" : ", which this module declares and does not define"));
  Call call;
  if (!gather(t, &callee, call))
    return;
  if (!fits(callee, call))
    return t.fail("a parameter of " + callee.name + " has more bytes than what it is called with");
  callCode(t, code, call);
  for (size_t i = 0; i < listOf(t, 0).size(); ++i) {
    const Operand &result = listOf(t, 0)[i];
    if (result.kind != Operand::Kind::Register)
      continue;
    Type type = callee.results[i].type;
    t.write(result, type,
            t.b.CreateLoad(t.integerType(ptx::bitsOf(type)), call.arguments[call.parameters + i].pointer));
  }
}

/// A switch over the functions whose address is taken and that the arguments fit.
void callPointer(Translator &t) {
  if (t.instruction().operands.size() < 4)
    return t.fail("after its arguments a call of a pointer names a prototype or a list of functions");
  Value *pointer = t.read(1, Type::U64);
  Call call;
  if (!gather(t, nullptr, call))
    return;
  llvm::BasicBlock *bad = t.newBlock(), *after = t.newBlock();
  llvm::SwitchInst *jump = t.b.CreateSwitch(pointer, bad);
  for (const ptx::Function *callee : t.unit.layout.addressTaken) {
    llvm::Function *code = t.unit.codeOf(callee);
    if (!code || !fits(*callee, call))
      continue;
    llvm::BasicBlock *block = t.newBlock();
    jump->addCase(t.b.getInt64(t.unit.layout.functionAddress(callee)), block);
    t.b.SetInsertPoint(block);
    callCode(t, code, call);
    t.b.CreateBr(after);
  }
  t.b.SetInsertPoint(bad);
  t.trap();
  t.b.SetInsertPoint(after);
}

} // namespace

void emitCall(Translator &t) {
  t.take("uni");
  if (!t.finish(3, 4))
    return;
  const Operand &callee = t.operand(1);
  if (callee.kind != Operand::Kind::Symbol)
    return callPointer(t);
  auto known = t.unit.layout.functions.find(callee.name);
  if (known == t.unit.layout.functions.end())
    return t.fail("there is no function " + callee.name);
  callDirectly(t, *known->second);
}

} // namespace nvemu::jit
