//===- Translator.h - a function of PTX to LLVM IR --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// A register is an alloca of an integer type, a label a basic block; LLVM's
// mem2reg makes values of the registers. The families of instructions
// (Integer.cpp, Float.cpp, ...) are free functions that ask a Translator for the
// modifiers and operands of the instruction in hand.
//
// `fail` keeps the first mistake. Translation then goes on with zeros, so no
// function here has a result that says whether it failed, but for those that
// others must not go on after.
//
//===----------------------------------------------------------------------===//

#ifndef NVEMU_JIT_TRANSLATOR_H
#define NVEMU_JIT_TRANSLATOR_H

#include "Unit.h"

#include "llvm/IR/IRBuilder.h"

#include <map>

namespace nvemu::jit {

using llvm::Value;
using ptx::Instruction;
using ptx::Operand;
using ptx::Space;
using ptx::Type;

/// rn, rz, rm, rp, and rna of cvt: to nearest, ties away from zero.
enum class Rounding : uint32_t { Nearest, Zero, Down, Up, NearestAway };

bool isFloat(Type);
bool isSigned(Type);
/// 2 for f16x2 and its like, else 1; and the type of one lane.
unsigned lanesOf(Type);
Type laneOf(Type);

class Translator {
public:
  Translator(Unit &unit, const ptx::Function &function, llvm::Function &code);
  void run();

  Unit &unit;
  const ptx::Function &function;
  llvm::IRBuilder<> b;

  //--- The instruction in hand (Translator.cpp) ------------------------------
  const Instruction &instruction() const { return *current; }
  /// `line 12: add.s32: why`
  void fail(const llvm::Twine &why);
  /// Operand i; a Sink where there is none.
  const Operand &operand(size_t i) const;

  /// Whether there is that modifier; it counts as understood.
  bool take(llvm::StringRef modifier);
  /// The first of `modifiers` that there is; empty where there is none.
  llvm::StringRef takeOf(llvm::ArrayRef<llvm::StringRef> modifiers);
  /// The next modifier that names a type; fails where there is none.
  Type takeType();
  /// The same without taking it.
  std::optional<Type> nextType() const;
  /// false, after `fail`: a modifier that nobody has taken, or a number of
  /// operands that is not wanted. Comes before operands are read.
  bool finish(size_t operands) { return finish(operands, operands); }
  bool finish(size_t least, size_t most);
  /// Whether there is one of rn, rz, rm and rp.
  bool hasRounding() const;
  /// That one; Nearest where there is none, and `found` says whether.
  Rounding takeRounding(bool *found = nullptr);

  //--- Operands (Operands.cpp) -----------------------------------------------
  /// Bits of an operand, as an integer of bitsOf(type) bits. Fails for an operand that
  /// the instruction cannot have where it expects that type (OperandTypes.h).
  Value *read(const Operand &, Type);
  Value *read(size_t i, Type type) { return read(operand(i), type); }
  Value *readPredicate(const Operand &);
  /// Integers of that type, or floats, whose bits are stored. A wider register gets the
  /// value extended as the type's sign says.
  void write(const Operand &, Type, Value *);
  void write(size_t i, Type type, Value *value) { write(operand(i), type, value); }
  void writePredicate(size_t i, Value *value) { write(i, Type::Pred, value); }
  /// The register's type; nothing for an operand that is none.
  std::optional<Type> registerType(const Operand &) const;
  Value *resize(Value *, unsigned bits, bool signExtend = false);

  /// Where a name of a variable or function leads.
  struct Place {
    Space space = Space::Global;
    Value *address = nullptr; // i64, in its space
    Value *pointer = nullptr; // of .param: host memory; `address` then is that of a copy in .local
    uint64_t bytes = 0;
  };
  bool find(const std::string &name, Place &);
  /// i64, of `[base + offset]` in `space`; a variable's generic one for Generic.
  Value *address(const Operand &, Space space);
  Value *generic(const Place &);

  //--- Numbers (Numbers.cpp) -------------------------------------------------
  /// float, or double of f64, of a lane's bits. Exact.
  Value *toFloat(Value *bits, Type);
  /// Bits of a lane of the value to nearest; NaN becomes the one that the
  /// hardware gives (0x7fffffff, 0x7fff), but for f64.
  Value *fromFloat(Value *, Type);
  /// A subnormal number becomes a zero of its sign: of float, or of bits.
  Value *flush(Value *number);
  Value *flushBits(Value *bits, Type);
  Value *saturate(Value *number); // to [0, 1], NaN is 0
  Value *relu(Value *number);     // NaN stays
  Value *constant(Value *like, double number);
  Value *integer(Type, uint64_t bits);
  llvm::IntegerType *integerType(unsigned bits) { return b.getIntNTy(bits); }
  Value *lane(Value *packed, unsigned i);
  Value *pack(Value *low, Value *high);
  /// `make` for each lane of the sources' bits.
  Value *eachLane(Type, llvm::ArrayRef<Value *> sources, llvm::function_ref<Value *(llvm::ArrayRef<Value *>)> make);
  Value *intrinsic(llvm::Intrinsic::ID, llvm::ArrayRef<Value *>);

  //--- Calls of the emulator and of helpers (Translator.cpp) -----------------
  llvm::CallInst *call(llvm::StringRef name, llvm::Type *result, llvm::ArrayRef<Value *> arguments);
  Value *thread() const;
  /// A new site of the instruction in hand.
  Value *site();
  /// A host pointer, checked.
  Value *access(Value *address, Space, unsigned bytes, uint32_t flags);
  Value *special(const std::string &name);
  void trap();
  void operate(); // Operate.cpp

  //--- Control (Translator.cpp) ----------------------------------------------
  llvm::BasicBlock *newBlock();
  llvm::BasicBlock *labelled(const std::string &name); // nullptr after fail
  const std::vector<std::string> *targetsOf(const std::string &list) const;
  /// A block that goes to the label; by nvemu_loop where that is backwards.
  llvm::BasicBlock *edge(const std::string &label);
  void leave(); // ret
  llvm::AllocaInst *slot(llvm::Type *, uint64_t count, unsigned alignment);
  Value *dynamicShared();
  bool isEntry() const { return function.isEntry; }
  Value *carry(); // the condition code's alloca

private:
  void declare();
  void layOutLocals();
  bool takesAddress(const std::string &parameter) const;
  void copyToLocal(const Place &parameter);
  void statement(const ptx::Statement &);
  Value *literal(const Operand &, Type);
  void checkRegister(const Operand &, Type own, Type expected);
  void checkSpecial(const Operand &, Type expected);
  void checkBase(const Operand &, Space space);

  llvm::Function &code;
  const Instruction *current = nullptr;
  std::vector<bool> taken;
  bool takesWider = false; // registers may be wider than the instruction's type
  llvm::BasicBlock *entry = nullptr;
  struct Register {
    llvm::AllocaInst *slot;
    Type type;
  };
  std::map<std::string, Register, std::less<>> registers;
  std::map<std::string, Place, std::less<>> places;
  std::map<std::string, llvm::BasicBlock *, std::less<>> labels;
  std::map<std::string, size_t, std::less<>> positions;
  std::map<std::string, const ptx::Statement *, std::less<>> targetLists;
  size_t position = 0;
  Value *frame = nullptr; // offset of the function's local memory
  llvm::AllocaInst *carrySlot = nullptr, *inputs = nullptr, *outputs = nullptr;
  uint64_t inputCount = 0, outputCount = 0;
};

} // namespace nvemu::jit

#endif // NVEMU_JIT_TRANSLATOR_H
