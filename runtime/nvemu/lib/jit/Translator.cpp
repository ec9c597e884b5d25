//===- Translator.cpp - a function of PTX to LLVM IR ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Translator.h"
#include "Opcodes.h"
#include "OperandTypes.h"

#include <algorithm>

namespace nvemu::jit {

Translator::Translator(Unit &unit, const ptx::Function &function, llvm::Function &code)
    : unit(unit), function(function), b(unit.context), code(code) {}

void Translator::fail(const llvm::Twine &why) {
  unit.fail(current ? current->line : function.line, (current ? current->fullName() : function.name) + ": " + why);
}

//--- The instruction in hand ----------------------------------------------

const Operand &Translator::operand(size_t i) const {
  static const Operand none;
  return i < current->operands.size() ? current->operands[i] : none;
}

bool Translator::take(llvm::StringRef modifier) {
  for (size_t i = 0; i < taken.size(); ++i)
    if (!taken[i] && current->modifiers[i] == modifier)
      return taken[i] = true;
  return false;
}

llvm::StringRef Translator::takeOf(llvm::ArrayRef<llvm::StringRef> modifiers) {
  for (llvm::StringRef modifier : modifiers)
    if (take(modifier))
      return modifier;
  return {};
}

std::optional<Type> Translator::nextType() const {
  for (size_t i = 0; i < taken.size(); ++i)
    if (!taken[i])
      if (std::optional<Type> type = ptx::typeNamed(current->modifiers[i]))
        return type;
  return std::nullopt;
}

Type Translator::takeType() {
  std::optional<Type> type = nextType();
  if (!type) {
    fail("a type that nvemu knows is missing");
    return Type::B32;
  }
  take(ptx::nameOf(*type));
  return *type;
}

bool Translator::finish(size_t least, size_t most) {
  for (size_t i = 0; i < taken.size(); ++i)
    if (!taken[i]) {
      fail("nvemu does not know the modifier ." + current->modifiers[i] + " of this instruction");
      return false;
    }
  size_t count = current->operands.size();
  if (count >= least && count <= most)
    return unit.error.empty();
  fail("it has " + llvm::Twine(count) + " operands, but should have " + llvm::Twine(count < least ? least : most));
  return false;
}

bool Translator::hasRounding() const {
  for (llvm::StringRef mode : {"rn", "rz", "rm", "rp"})
    if (current->has(mode))
      return true;
  return false;
}

Rounding Translator::takeRounding(bool *found) {
  llvm::StringRef name = takeOf({"rn", "rz", "rm", "rp"});
  if (found)
    *found = !name.empty();
  if (name == "rz")
    return Rounding::Zero;
  if (name == "rm")
    return Rounding::Down;
  return name == "rp" ? Rounding::Up : Rounding::Nearest;
}

//--- Calls -----------------------------------------------------------------

llvm::CallInst *Translator::call(llvm::StringRef name, llvm::Type *result, llvm::ArrayRef<Value *> arguments) {
  std::vector<llvm::Type *> types;
  for (Value *argument : arguments)
    types.push_back(argument->getType());
  llvm::FunctionCallee callee = unit.module->getOrInsertFunction(name, llvm::FunctionType::get(result, types, false));
  llvm::CallInst *made = b.CreateCall(callee, arguments);
  made->setDoesNotThrow();
  return made;
}

Value *Translator::thread() const { return code.getArg(0); }

Value *Translator::site() {
  SiteInfo site;
  site.instruction = current;
  site.function = &function;
  return b.getInt32(unit.addSite(site));
}

Value *Translator::access(Value *address, Space space, unsigned bytes, uint32_t flags) {
  return call("nvemu_access", b.getPtrTy(),
              {thread(), address, b.getInt32(uint32_t(space)), b.getInt32(bytes), b.getInt32(flags), site()});
}

Value *Translator::special(const std::string &name) {
  int number = specialRegister(name);
  if (number < 0) {
    fail("nvemu does not know the special register " + name);
    return b.getInt64(0);
  }
  llvm::CallInst *read = call("nvemu_special", b.getInt64Ty(), {thread(), b.getInt32(number)});
  // What stays the same for all the life of a thread need not be asked twice.
  for (llvm::StringRef prefix : {"%tid", "%ntid", "%ctaid", "%nctaid", "%laneid", "%warpid", "%lanemask"})
    if (llvm::StringRef(name).starts_with(prefix)) {
      read->setDoesNotAccessMemory();
      read->addFnAttr(llvm::Attribute::WillReturn);
    }
  return read;
}

void Translator::trap() {
  call("nvemu_trap", b.getVoidTy(), {thread(), site()})->setDoesNotReturn();
  b.CreateUnreachable();
}

//--- Control ---------------------------------------------------------------

llvm::BasicBlock *Translator::newBlock() { return llvm::BasicBlock::Create(unit.context, "", &code); }

llvm::BasicBlock *Translator::labelled(const std::string &name) {
  auto found = labels.find(name);
  if (found != labels.end())
    return found->second;
  fail("there is no label " + name + " in this function");
  return nullptr;
}

const std::vector<std::string> *Translator::targetsOf(const std::string &list) const {
  auto found = targetLists.find(list);
  return found == targetLists.end() ? nullptr : &found->second->targets;
}

llvm::BasicBlock *Translator::edge(const std::string &label) {
  llvm::BasicBlock *target = labelled(label);
  if (!target || positions.find(label)->second > position)
    return target;
  llvm::IRBuilder<>::InsertPointGuard guard(b);
  llvm::BasicBlock *back = newBlock();
  b.SetInsertPoint(back);
  call("nvemu_loop", b.getVoidTy(), {thread(), site()});
  b.CreateBr(target);
  return back;
}

void Translator::leave() {
  if (frame && !isEntry())
    call("nvemu_local_leave", b.getVoidTy(), {thread(), frame});
  b.CreateRetVoid();
}

llvm::AllocaInst *Translator::slot(llvm::Type *type, uint64_t count, unsigned alignment) {
  llvm::IRBuilder<> top(entry, entry->begin());
  llvm::AllocaInst *made = top.CreateAlloca(type, top.getInt64(count));
  made->setAlignment(llvm::Align(alignment));
  return made;
}

Value *Translator::carry() {
  if (!carrySlot) {
    carrySlot = slot(b.getInt1Ty(), 1, 1);
    llvm::IRBuilder<> top(entry, std::next(carrySlot->getIterator()));
    top.CreateStore(top.getFalse(), carrySlot);
  }
  return carrySlot;
}

Value *Translator::dynamicShared() {
  if (!isEntry())
    return b.CreateZExt(code.getArg(1), b.getInt64Ty());
  const KernelInfo &kernel = unit.code.kernels.find(function.name)->second;
  return b.getInt64(alignUp(kernel.staticShared, kernel.sharedAlignment));
}

//--- The function ----------------------------------------------------------

/// Whether the function takes the address of a parameter, other than to load it.
bool Translator::takesAddress(const std::string &parameter) const {
  for (const ptx::Statement &statement : function.body)
    if (statement.instruction.opcode != "call")
      for (const Operand &operand : statement.instruction.operands)
        if (operand.kind == Operand::Kind::Symbol && operand.name == parameter)
          return true;
  return false;
}

/// The bytes of a parameter to local memory, in pieces as large as may be.
void Translator::copyToLocal(const Place &parameter) {
  for (uint64_t done = 0; done < parameter.bytes;) {
    unsigned piece = 16;
    while (piece > parameter.bytes - done)
      piece /= 2;
    Value *to = access(b.CreateAdd(parameter.address, b.getInt64(done)), Space::Local, piece, accessWrite);
    Value *from = b.CreateConstGEP1_64(b.getInt8Ty(), parameter.pointer, done);
    b.CreateMemCpy(to, llvm::MaybeAlign(), from, llvm::MaybeAlign(), piece);
    done += piece;
  }
}

/// Offsets of .local variables in the function's frame, and of copies of those
/// parameters whose address is taken: that one is in .local (PTX ISA, Kernel
/// Function Parameters and Device Function Parameters).
void Translator::layOutLocals() {
  uint64_t bytes = 0;
  auto add = [&](const ptx::Variable &variable) {
    bytes = alignUp(bytes, std::max(variable.alignment, 1u));
    uint64_t offset = bytes;
    bytes += variable.bytes();
    return b.getInt64(offset);
  };
  for (const ptx::Variable &variable : function.variables)
    if (variable.space == Space::Local)
      places[variable.name] = {Space::Local, add(variable), nullptr, variable.bytes()};
  if (!isEntry())
    for (const ptx::Variable &parameter : function.parameters)
      if (takesAddress(parameter.name)) {
        bytes = alignUp(bytes, 16);
        places[parameter.name].address = add(parameter);
      }
  if (bytes > windowBytes / 2)
    return fail("its local variables have " + llvm::Twine(bytes) + " bytes, more than a thread can have");
  // A recursive function asks even for nothing: there the depth is checked.
  if (!current || (!bytes && !unit.layout.uses.at(&function).recursive))
    return;
  frame = call("nvemu_local_enter", b.getInt64Ty(), {thread(), b.getInt32(bytes), site()});
  for (auto &[name, place] : places)
    if (place.address) {
      place.address = b.CreateAdd(frame, place.address);
      if (place.pointer)
        copyToLocal(place);
    }
}

void Translator::declare() {
  entry = newBlock();
  b.SetInsertPoint(entry);
  // Zero at first: a register that nobody has written must not become LLVM's
  // undefined value, which may be another one at each use.
  for (const auto &[name, type] : function.registers) {
    auto *integer = integerType(ptx::bitsOf(type));
    llvm::AllocaInst *made = b.CreateAlloca(integer);
    registers[name] = {made, type};
    b.CreateStore(llvm::ConstantInt::get(integer, 0), made);
  }
  unsigned argument = isEntry() ? 1 : 2;
  uint64_t offset = 0;
  for (const auto *list : {&function.parameters, &function.results})
    for (const ptx::Variable &parameter : *list) {
      Value *pointer = code.getArg(argument);
      if (isEntry()) {
        offset = alignUp(offset, parameter.alignment);
        pointer = b.CreateConstGEP1_64(b.getInt8Ty(), pointer, offset);
        offset += parameter.bytes();
      } else {
        ++argument;
      }
      places[parameter.name] = {Space::Param, nullptr, pointer, parameter.bytes()};
    }
  for (const ptx::Variable &variable : function.variables)
    if (variable.space == Space::Param)
      places[variable.name] = {
          Space::Param, nullptr,
          slot(b.getInt8Ty(), variable.bytes(), std::max<unsigned>(16, llvm::PowerOf2Ceil(variable.alignment))),
          variable.bytes()};
  // What is reported of the beginning is at the first instruction.
  for (const ptx::Statement &statement : function.body)
    if (!current && statement.label.empty())
      current = &statement.instruction;
  layOutLocals();
  for (size_t i = 0; i < function.body.size(); ++i) {
    const ptx::Statement &statement = function.body[i];
    if (statement.label.empty())
      continue;
    if (!statement.targets.empty()) {
      targetLists[statement.label] = &statement;
      continue;
    }
    labels[statement.label] = newBlock();
    positions[statement.label] = i;
  }
}

void Translator::statement(const ptx::Statement &statement) {
  if (!statement.label.empty()) {
    if (!statement.targets.empty())
      return;
    llvm::BasicBlock *block = labels[statement.label];
    if (!b.GetInsertBlock()->getTerminator())
      b.CreateBr(block);
    b.SetInsertPoint(block);
    return;
  }
  if (b.GetInsertBlock()->getTerminator()) // nothing leads here
    b.SetInsertPoint(newBlock());
  current = &statement.instruction;
  taken.assign(current->modifiers.size(), false);

  Emit emit = emitterOf(current->opcode, *current);
  takesWider = mayBeWider(*current);
  llvm::BasicBlock *after = nullptr;
  if (!current->guard.empty() && current->opcode != "bra") {
    Operand guard;
    guard.kind = Operand::Kind::Register;
    guard.name = current->guard;
    guard.negated = current->guardNegated;
    Value *condition = readPredicate(guard);
    llvm::BasicBlock *then = newBlock();
    after = newBlock();
    b.CreateCondBr(condition, then, after);
    b.SetInsertPoint(then);
  }
  if (emit)
    emit(*this);
  else
    operate();
  if (after) {
    if (!b.GetInsertBlock()->getTerminator())
      b.CreateBr(after);
    b.SetInsertPoint(after);
  }
}

void Translator::run() {
  declare();
  for (position = 0; position < function.body.size(); ++position) {
    statement(function.body[position]);
    if (!unit.error.empty())
      return;
  }
  current = nullptr;
  if (!b.GetInsertBlock()->getTerminator())
    leave();
  for (llvm::BasicBlock &block : code) // a label at which nothing stands
    if (!block.getTerminator()) {
      b.SetInsertPoint(&block);
      leave();
    }
}

} // namespace nvemu::jit
