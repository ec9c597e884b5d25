//===- Layout.cpp - where the variables of a module lie -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Layout.h"

#include "nvemu/nvemu.h"

#include <algorithm>
#include <cstring>

namespace nvemu::jit {

uint64_t alignUp(uint64_t offset, uint64_t alignment) {
  return alignment < 2 ? offset : (offset + alignment - 1) / alignment * alignment;
}

bool isDynamic(const ptx::Variable &variable) { return variable.isExtern || variable.count == 0; }

uint64_t Layout::functionAddress(const ptx::Function *function) const {
  auto found = std::find(addressTaken.begin(), addressTaken.end(), function);
  return found == addressTaken.end() ? 0 : functionBase + 16 * (found - addressTaken.begin());
}

namespace {

class Planner {
public:
  Planner(Code &code, Layout &layout, std::vector<void *> &memory, std::string &error)
      : code(code), module(*code.module), layout(layout), memory(memory), error(error) {}
  bool run();

private:
  void name();
  void scan(const ptx::Function &);
  void scan(const ptx::Operand &, const ptx::Function &, FunctionUse &, bool isCallee);
  void close();
  void placeShared();
  bool allocateVariable(const ptx::Variable &, bool isPublic);
  bool fill(const ptx::Variable &);
  void describeKernels();
  bool fail(unsigned line, std::string why);
  void takeAddress(const ptx::Function *);

  Code &code;
  ptx::Module &module;
  Layout &layout;
  std::vector<void *> &memory;
  std::string &error;
};

bool Planner::fail(unsigned line, std::string why) {
  error = "line " + std::to_string(line) + ": " + std::move(why);
  return false;
}

void Planner::name() {
  for (const ptx::Function &function : module.functions) {
    const ptx::Function *&known = layout.functions[function.name];
    if (!known || known->isDeclaration)
      known = &function;
  }
  for (const ptx::Variable &variable : module.variables) {
    const ptx::Variable *&known = layout.variables[variable.name];
    if (!known || known->isExtern)
      known = &variable;
  }
}

void Planner::takeAddress(const ptx::Function *function) {
  if (!layout.functionAddress(function))
    layout.addressTaken.push_back(function);
}

const ptx::Variable *findVariable(const std::vector<ptx::Variable> &variables, const std::string &name) {
  for (const ptx::Variable &variable : variables)
    if (variable.name == name)
      return &variable;
  return nullptr;
}

void Planner::scan(const ptx::Operand &operand, const ptx::Function &function, FunctionUse &use, bool isCallee) {
  if (operand.kind == ptx::Operand::Kind::Symbol) {
    const ptx::Variable *variable = findVariable(function.variables, operand.name);
    if (!variable)
      if (auto found = layout.variables.find(operand.name); found != layout.variables.end())
        variable = found->second;
    if (variable) {
      if (variable->space == ptx::Space::Shared)
        use.shared.insert(variable);
    } else if (auto found = layout.functions.find(operand.name); found != layout.functions.end()) {
      if (isCallee)
        use.calls.insert(found->second);
      else
        takeAddress(found->second);
    }
  }
  for (const ptx::Operand &part : operand.parts)
    scan(part, function, use, false);
}

void Planner::scan(const ptx::Function &function) {
  FunctionUse &use = layout.uses[&function];
  for (const ptx::Statement &statement : function.body) {
    const ptx::Instruction &instruction = statement.instruction;
    bool isCall = instruction.opcode == "call";
    for (size_t i = 0; i < instruction.operands.size(); ++i) {
      const ptx::Operand &operand = instruction.operands[i];
      scan(operand, function, use, isCall && i == 1);
      use.callsPointers |= isCall && i == 1 && operand.kind == ptx::Operand::Kind::Register;
    }
  }
}

/// Adds what is called to what each function uses, until nothing changes.
void Planner::close() {
  for (bool changed = true; changed;) {
    changed = false;
    for (auto &[function, use] : layout.uses) {
      size_t before = use.calls.size() + use.shared.size();
      if (use.callsPointers)
        use.calls.insert(layout.addressTaken.begin(), layout.addressTaken.end());
      for (const ptx::Function *callee : std::set(use.calls)) {
        const FunctionUse &inner = layout.uses[callee];
        use.shared.insert(inner.shared.begin(), inner.shared.end());
        use.calls.insert(inner.calls.begin(), inner.calls.end());
      }
      changed |= before != use.calls.size() + use.shared.size();
    }
  }
  for (auto &[function, use] : layout.uses)
    use.recursive = use.calls.count(function);
}

/// First fit, in the order of declaration: past every variable placed before
/// that some kernel uses as well.
void Planner::placeShared() {
  std::vector<const ptx::Variable *> order;
  auto add = [&](const std::vector<ptx::Variable> &variables) {
    for (const ptx::Variable &variable : variables)
      if (variable.space == ptx::Space::Shared && !isDynamic(variable))
        order.push_back(&variable);
  };
  add(module.variables);
  for (const ptx::Function &function : module.functions)
    add(function.variables);

  std::vector<const ptx::Variable *> placed;
  for (const ptx::Variable *variable : order) {
    std::set<const ptx::Variable *> together;
    for (const auto &[function, use] : layout.uses)
      if (use.shared.count(variable))
        together.insert(use.shared.begin(), use.shared.end());
    uint64_t offset = 0;
    for (bool moved = true; moved;) {
      moved = false;
      for (const ptx::Variable *other : placed) {
        uint64_t begin = layout.addresses[other], end = begin + other->bytes();
        if (together.count(other) && offset < end && begin < offset + variable->bytes()) {
          offset = alignUp(end, variable->alignment);
          moved = true;
        }
      }
    }
    layout.addresses[variable] = offset;
    placed.push_back(variable);
  }
}

bool Planner::allocateVariable(const ptx::Variable &variable, bool isPublic) {
  using ptx::Space;
  if ((variable.space != Space::Global && variable.space != Space::Const) || isDynamic(variable))
    return true;
  size_t bytes = variable.bytes();
  // The device has to hold it; more than this is a mistake in the text.
  if (bytes > (uint64_t(1) << 40) || variable.initial.size() > bytes)
    return fail(variable.line,
                variable.name + " has " + std::to_string(bytes) + " bytes, which is not a size that it can have");
  void *address = allocate(std::max<size_t>(bytes, 1));
  if (!address)
    return fail(variable.line, "there is no memory for the " + std::to_string(bytes) + " bytes of " + variable.name);
  memory.push_back(address);
  std::memset(address, 0, bytes);
  if (!variable.initial.empty())
    std::memcpy(address, variable.initial.data(), variable.initial.size());
  markInitialized(address, bytes);
  layout.addresses[&variable] = reinterpret_cast<uint64_t>(address);
  if (isPublic)
    code.variables[variable.name] = {address, bytes};
  return true;
}

/// Addresses within initial values, once all variables have theirs.
bool Planner::fill(const ptx::Variable &variable) {
  auto place = layout.addresses.find(&variable);
  if (place == layout.addresses.end() || variable.space == ptx::Space::Shared)
    return true;
  for (const ptx::Variable::Fixup &fixup : variable.fixups) {
    uint64_t value = 0;
    if (auto found = layout.variables.find(fixup.symbol);
        found != layout.variables.end() && layout.addresses.count(found->second))
      value = layout.addresses[found->second];
    else if (auto callee = layout.functions.find(fixup.symbol); callee != layout.functions.end())
      value = layout.functionAddress(callee->second);
    else
      return fail(variable.line,
                  variable.name + " holds the address of " + fixup.symbol + ", which this module does not define");
    value += fixup.addend;
    if (fixup.offset + 8 > variable.bytes())
      return fail(variable.line, "the address of " + fixup.symbol + " does not fit into " + variable.name);
    std::memcpy(reinterpret_cast<uint8_t *>(place->second) + fixup.offset, &value, 8);
  }
  return true;
}

void Planner::describeKernels() {
  for (const auto &[name, function] : layout.functions) {
    if (!function->isEntry || function->isDeclaration)
      continue;
    KernelInfo &kernel = code.kernels[name];
    for (const ptx::Variable &parameter : function->parameters) {
      size_t offset = alignUp(kernel.parameterBytes, parameter.alignment);
      kernel.parameters.push_back({offset, parameter.bytes()});
      kernel.parameterBytes = offset + parameter.bytes();
    }
    for (const ptx::Variable *variable : layout.uses[function].shared) {
      if (isDynamic(*variable))
        kernel.sharedAlignment = std::max<size_t>(kernel.sharedAlignment, variable->alignment);
      else
        kernel.staticShared = std::max<size_t>(kernel.staticShared, layout.addresses[variable] + variable->bytes());
    }
    uint64_t most = 1, required = 1;
    for (int i = 0; i < 3; ++i) {
      most *= function->maxThreads[i].value_or(1);
      required *= function->requiredThreads[i].value_or(1);
      // An axis that .reqntid leaves out is 1; without .reqntid nothing is said.
      if (function->requiredThreads[0])
        kernel.requiredThreads[i] = function->requiredThreads[i].value_or(1);
    }
    if (function->requiredThreads[0])
      kernel.maxThreads = std::min<uint64_t>(required, 1024);
    else if (function->maxThreads[0])
      kernel.maxThreads = std::min<uint64_t>(most, 1024);
  }
}

bool Planner::run() {
  name();
  for (const ptx::Function &function : module.functions)
    if (!function.isDeclaration)
      scan(function);
  for (const ptx::Variable &variable : module.variables)
    for (const ptx::Variable::Fixup &fixup : variable.fixups)
      if (auto found = layout.functions.find(fixup.symbol); found != layout.functions.end())
        takeAddress(found->second);
  close();
  placeShared();
  for (const ptx::Variable &variable : module.variables)
    if (!allocateVariable(variable, true))
      return false;
  for (const ptx::Function &function : module.functions)
    for (const ptx::Variable &variable : function.variables)
      if (!allocateVariable(variable, false))
        return false;
  for (const ptx::Variable &variable : module.variables)
    if (!fill(variable))
      return false;
  describeKernels();
  return true;
}

} // namespace

bool layOut(Code &code, Layout &layout, std::vector<void *> &memory, std::string &error) {
  return Planner(code, layout, memory, error).run();
}

} // namespace nvemu::jit
