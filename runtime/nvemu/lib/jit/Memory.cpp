//===- Memory.cpp - ld, ldu, st and prefetch ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// PTX ISA, Data Movement and Conversion Instructions. One nvemu_access for all
// the bytes of an instruction, and then loads and stores of the host.
//
//===----------------------------------------------------------------------===//

#include "Opcodes.h"
#include "Translator.h"

namespace nvemu::jit {
namespace {

struct Form {
  Space space = Space::Generic;
  uint32_t flags = 0;
  unsigned count = 1; // of elements
  Type type = Type::B32;
  bool hasPolicy = false;
  unsigned elementBytes() const { return ptx::bitsOf(type) / 8; }
  unsigned bytes() const { return count * elementBytes(); }
};

Space takeSpace(Translator &t) {
  if (t.take("global"))
    return Space::Global;
  if (!t.takeOf({"shared", "shared::cta", "shared::cluster"}).empty())
    return Space::Shared;
  if (t.take("local"))
    return Space::Local;
  if (t.take("const"))
    return Space::Const;
  if (!t.takeOf({"param", "param::entry", "param::func"}).empty())
    return Space::Param;
  return Space::Generic;
}

/// How the access is ordered with others, and how far that goes. A volatile
/// access is a relaxed one of the system scope (PTX ISA, Memory Consistency Model).
uint32_t takeOrder(Translator &t, bool isStore) {
  llvm::StringRef order = t.takeOf({"weak", "volatile", "relaxed", "mmio", isStore ? "release" : "acquire"});
  if (order == "mmio")
    t.take("relaxed");
  uint32_t flags = isStore ? accessWrite : accessRead;
  if (order.empty() || order == "weak")
    return flags;
  flags |= accessVolatile;
  if (order == "acquire")
    flags |= accessAcquire;
  if (order == "release")
    flags |= accessRelease;
  llvm::StringRef scope = t.takeOf({"cta", "cluster", "gpu", "sys"});
  if (scope == "sys" || order == "volatile" || order == "mmio")
    return flags | accessScopeGpu | accessScopeSys;
  return scope == "cta" ? flags : flags | accessScopeGpu;
}

Form takeForm(Translator &t, bool isStore) {
  Form form;
  form.flags = takeOrder(t, isStore);
  form.space = takeSpace(t);
  if (!isStore && (t.take("nc") || t.instruction().opcode == "ldu"))
    form.flags |= accessReadOnly;
  // Caches and what to keep in them change no number.
  if (isStore)
    t.takeOf({"wb", "cg", "cs", "wt"});
  else
    t.takeOf({"ca", "cg", "cs", "lu", "cv"});
  t.takeOf({"L1::evict_normal", "L1::evict_unchanged", "L1::evict_first", "L1::evict_last", "L1::no_allocate"});
  t.takeOf({"L2::evict_normal", "L2::evict_first", "L2::evict_last"});
  t.takeOf({"L2::64B", "L2::128B", "L2::256B"});
  form.hasPolicy = t.take("L2::cache_hint");
  llvm::StringRef vector = t.takeOf({"v2", "v4", "v8"});
  form.count = vector.empty() ? 1 : vector[1] - '0';
  form.type = t.takeType();
  if (form.type == Type::Pred || form.bytes() > 32)
    t.fail("nvemu knows accesses of up to 32 bytes, and none of predicates");
  return form;
}

/// The host address of a parameter that is named: of the kernel's, of those
/// that the function got, or of those that it hands to another one.
Value *parameter(Translator &t, const Form &form, const Operand &where) {
  Translator::Place place;
  if (!t.find(where.parts[0].name, place) || !place.pointer) {
    t.fail(where.parts[0].name + " is no parameter");
    return nullptr;
  }
  int64_t offset = where.offset + where.parts[0].offset;
  if (offset < 0 || form.bytes() > place.bytes || uint64_t(offset) > place.bytes - form.bytes()) {
    t.fail("it goes beyond the " + llvm::Twine(place.bytes) + " bytes of " + where.parts[0].name);
    return nullptr;
  }
  return t.b.CreateConstGEP1_64(t.b.getInt8Ty(), place.pointer, offset);
}

/// A host pointer for all the bytes; nullptr after fail.
Value *pointerOf(Translator &t, const Form &form, const Operand &where) {
  if (form.space == Space::Param && !where.parts.empty() && where.parts[0].kind == Operand::Kind::Symbol)
    return parameter(t, form, where);
  return t.access(t.address(where, form.space), form.space, form.bytes(), form.flags);
}

/// Elements of a vector operand, or the operand itself.
std::vector<const Operand *> elementsOf(Translator &t, const Form &form, const Operand &operand) {
  std::vector<const Operand *> elements;
  if (operand.kind == Operand::Kind::Vector)
    for (const Operand &part : operand.parts)
      elements.push_back(&part);
  else
    elements.push_back(&operand);
  if (elements.size() != form.count)
    t.fail("it has " + llvm::Twine(elements.size()) + " elements, but should have " + llvm::Twine(form.count));
  return elements;
}

/// Blocks that run at once may meet at what is volatile: an atomic access of
/// the host, where it has one of that size.
bool isAtomic(const Form &form) {
  return (form.flags & accessVolatile) && form.count == 1 && form.elementBytes() <= 8 && form.space != Space::Param;
}

Value *elementPointer(Translator &t, const Form &form, Value *pointer, size_t i) {
  return t.b.CreateConstGEP1_64(t.b.getInt8Ty(), pointer, i * form.elementBytes());
}

} // namespace

void emitLd(Translator &t) {
  Form form = takeForm(t, false);
  if (!t.finish(form.hasPolicy ? 3 : 2))
    return;
  std::vector<const Operand *> results = elementsOf(t, form, t.operand(0));
  Value *pointer = pointerOf(t, form, t.operand(1));
  if (!pointer)
    return;
  std::vector<Value *> values; // all before a write: one may change the address
  for (size_t i = 0; i < results.size(); ++i) {
    auto *load = t.b.CreateAlignedLoad(t.integerType(ptx::bitsOf(form.type)), elementPointer(t, form, pointer, i),
                                       llvm::Align(1));
    if (isAtomic(form)) {
      load->setAlignment(llvm::Align(form.bytes()));
      load->setAtomic(form.flags & accessAcquire ? llvm::AtomicOrdering::Acquire : llvm::AtomicOrdering::Monotonic);
    }
    values.push_back(load);
  }
  for (size_t i = 0; i < results.size(); ++i)
    t.write(*results[i], values[i], isSigned(form.type));
}

void emitSt(Translator &t) {
  Form form = takeForm(t, true);
  if (!t.finish(form.hasPolicy ? 3 : 2))
    return;
  std::vector<const Operand *> sources = elementsOf(t, form, t.operand(1));
  std::vector<Value *> values;
  for (const Operand *source : sources)
    values.push_back(t.read(*source, form.type));
  Value *pointer = pointerOf(t, form, t.operand(0));
  if (!pointer)
    return;
  for (size_t i = 0; i < values.size(); ++i) {
    auto *store = t.b.CreateAlignedStore(values[i], elementPointer(t, form, pointer, i), llvm::Align(1));
    if (isAtomic(form)) {
      store->setAlignment(llvm::Align(form.bytes()));
      store->setAtomic(form.flags & accessRelease ? llvm::AtomicOrdering::Release : llvm::AtomicOrdering::Monotonic);
    }
  }
}

/// A hint: nothing happens, and a bad address is no mistake.
void emitPrefetch(Translator &t) {
  t.takeOf({"global", "local", "param", "const"});
  t.takeOf({"L1", "L2", "tensormap", "L2::evict_last", "L2::evict_normal"});
  t.finish(1);
}

} // namespace nvemu::jit
