//===- Control.cpp - branches, and ends of threads and functions ----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Opcodes.h"
#include "Translator.h"

namespace nvemu::jit {

void emitBra(Translator &t) {
  t.take("uni");
  if (!t.finish(1))
    return;
  const Instruction &bra = t.instruction();
  const std::string &label = t.operand(0).name;
  llvm::BasicBlock *target = t.edge(label);
  if (!target)
    return;
  if (bra.guard.empty()) {
    t.b.CreateBr(target);
    return;
  }
  Operand guard;
  guard.kind = Operand::Kind::Register;
  guard.name = bra.guard;
  guard.negated = bra.guardNegated;
  Value *condition = t.readPredicate(guard);
  llvm::BasicBlock *next = t.newBlock();
  t.b.CreateCondBr(condition, target, next);
  t.b.SetInsertPoint(next);
}

/// brx.idx index, list: to the label at that place of a .branchtargets list.
void emitBrx(Translator &t) {
  t.take("uni");
  if (!t.take("idx"))
    t.fail(".idx is missing");
  if (!t.finish(2))
    return;
  const std::vector<std::string> *targets = t.targetsOf(t.operand(1).name);
  if (!targets)
    return t.fail("there is no list " + t.operand(1).name + " of branch targets in this function");
  Value *index = t.read(0, Type::U32);
  llvm::BasicBlock *bad = t.newBlock();
  llvm::SwitchInst *jump = t.b.CreateSwitch(index, bad, targets->size());
  for (size_t i = 0; i < targets->size(); ++i) {
    llvm::BasicBlock *target = t.edge((*targets)[i]);
    if (!target)
      return;
    jump->addCase(t.b.getInt32(i), target);
  }
  t.b.SetInsertPoint(bad);
  t.trap();
}

void emitRet(Translator &t) {
  t.take("uni");
  if (t.finish(0))
    t.leave();
}

void emitExit(Translator &t) {
  if (!t.finish(0))
    return;
  if (t.isEntry())
    return t.leave();
  t.call("nvemu_exit", t.b.getVoidTy(), {t.thread()})->setDoesNotReturn();
  t.b.CreateUnreachable();
}

void emitTrap(Translator &t) {
  if (t.finish(0))
    t.trap();
}

/// An event of the profiler: nothing happens.
void emitPmevent(Translator &t) {
  t.take("mask");
  if (t.finish(1) && t.operand(0).kind != Operand::Kind::Integer)
    t.fail("its operand is a number in the text");
}

} // namespace nvemu::jit
