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
  bool hasOrder = false, isStrong = false, isVolatile = false; // isStrong: any order but weak
  bool hasPolicy = false, evictsL2 = false;
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
uint32_t orderFlags(llvm::StringRef order, llvm::StringRef scope, bool isStore) {
  uint32_t flags = isStore ? accessWrite : accessRead;
  if (order.empty() || order == "weak")
    return flags;
  flags |= accessVolatile;
  if (order == "acquire")
    flags |= accessAcquire;
  if (order == "release")
    flags |= accessRelease;
  if (scope == "sys" || order == "volatile" || order == "mmio")
    return flags | accessScopeGpu | accessScopeSys;
  return scope == "cta" ? flags : flags | accessScopeGpu;
}

bool isStore(const Translator &t) { return t.instruction().opcode == "st"; }

void takeOrder(Translator &t, Form &form) {
  llvm::StringRef order = t.takeOf({"weak", "volatile", "mmio", "relaxed", isStore(t) ? "release" : "acquire"});
  if (order == "mmio" && (!t.take("relaxed") || !t.instruction().has("sys")))
    t.fail("it is .mmio.relaxed.sys");
  llvm::StringRef scope;
  form.isStrong = !order.empty() && order != "weak";
  form.isVolatile = order == "volatile";
  if (form.isStrong && !form.isVolatile) {
    scope = t.takeOf({"cta", "cluster", "gpu", "sys"});
    if (scope.empty())
      t.fail("with ." + order + " it names a scope, one of .cta, .cluster, .gpu and .sys");
  }
  form.flags = orderFlags(order, scope, isStore(t));
  form.hasOrder = !order.empty();
  const bool isGlobal = form.space == Space::Global || form.space == Space::Generic;
  if (form.isStrong && !isGlobal && (form.space != Space::Shared || order == "mmio"))
    t.fail("." + order + " is not for this state space");
}

/// Caches and what to keep in them change no number, but they are not for every access.
void takeCaches(Translator &t, Form &form) {
  const bool isGlobal = form.space == Space::Global || form.space == Space::Generic;
  const bool hasCache =
      !(isStore(t) ? t.takeOf({"wb", "cg", "cs", "wt"}) : t.takeOf({"ca", "cg", "cs", "lu", "cv"})).empty();
  const bool hasL1 =
      !t.takeOf({"L1::evict_normal", "L1::evict_unchanged", "L1::evict_first", "L1::evict_last", "L1::no_allocate"})
           .empty();
  form.evictsL2 = !t.takeOf({"L2::evict_normal", "L2::evict_first", "L2::evict_last"}).empty();
  const bool hasHint = hasL1 || (!isStore(t) && !t.takeOf({"L2::64B", "L2::128B", "L2::256B"}).empty());
  form.hasPolicy = t.take("L2::cache_hint");
  if (hasCache && (form.isStrong || hasHint))
    t.fail("the cache operator is for weak accesses without hints for caches");
  if (form.isVolatile && (hasL1 || form.hasPolicy))
    t.fail(".volatile has no such hint for caches");
  if (!isGlobal && (hasHint || form.hasPolicy || form.evictsL2))
    t.fail("hints for caches are for global memory");
}

Form takeForm(Translator &t) {
  Form form;
  form.space = takeSpace(t);
  takeOrder(t, form);
  const bool isUniform = t.instruction().opcode == "ldu";
  const bool isReadOnly = !isStore(t) && !isUniform && t.take("nc");
  if (isReadOnly && (form.space != Space::Global || form.hasOrder))
    t.fail(".nc is for .global, and no access that is ordered");
  if (isUniform && (form.hasOrder || (form.space != Space::Global && form.space != Space::Generic)))
    t.fail("ldu is for .global, and no access that is ordered");
  if (isReadOnly || isUniform)
    form.flags |= accessReadOnly;
  if (isStore(t) && form.space == Space::Const)
    t.fail("constant memory cannot be written");
  takeCaches(t, form);
  llvm::StringRef vector = t.takeOf({"v2", "v4", "v8"});
  form.count = vector.empty() ? 1 : vector[1] - '0';
  form.type = t.takeType();
  if (form.type == Type::Pred || (isFloat(form.type) && form.type != Type::F32 && form.type != Type::F64))
    t.fail("its type is .f32, .f64, or one of integers or bits");
  const bool isGlobal = form.space == Space::Global || form.space == Space::Generic;
  if (form.bytes() > 32 || (form.bytes() > 16 && (!isGlobal || form.elementBytes() > 8)))
    t.fail("an access has 16 bytes at most, or 32 of global memory");
  if (form.evictsL2 && form.bytes() != 32)
    t.fail("L2::evict_... is for accesses of 32 bytes");
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
  for (const ptx::Variable &own : t.function.parameters)
    if (isStore(t) && own.name == where.parts[0].name) {
      t.fail("the parameter " + own.name + " cannot be written");
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
  for (const Operand *element : elements)
    if (auto type = t.registerType(*element), first = t.registerType(*elements[0]);
        type && first && ptx::bitsOf(*type) != ptx::bitsOf(*first))
      t.fail("its registers differ in width");
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
  Form form = takeForm(t);
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
    t.write(*results[i], form.type, values[i]);
}

void emitSt(Translator &t) {
  Form form = takeForm(t);
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
  t.takeOf({"global", "local"});
  if (t.takeOf({"L1", "L2", "L2::evict_last", "L2::evict_normal"}).empty())
    t.fail("it names .L1 or .L2");
  t.finish(1);
}

} // namespace nvemu::jit
