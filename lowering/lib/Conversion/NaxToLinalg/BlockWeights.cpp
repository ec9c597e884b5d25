//===- BlockWeights.cpp - blocks whose weights are of different types -----===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// A file may have the same matrix of two layers in two types, but the layers
// call one function. Each combination of types that is called gets a function.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace nax {

namespace {

class BlockWeights {
public:
  BlockWeights(ModuleOp module, DictionaryAttr byName)
      : module(module), symbols(module), byName(byName) {}

  void run() {
    for (auto func : llvm::to_vector(module.getOps<func::FuncOp>()))
      if (func->hasAttr("nax.entry"))
        visit(func);
  }

private:
  /// What a call's parameters are stored as; null for what is none, or is as
  /// declared.
  using Types = SmallVector<Attribute>;

  Attribute typeOf(Value operand) {
    if (auto param = operand.getDefiningOp<ParamOp>())
      return byName.get(param.getName());
    auto arg = dyn_cast<BlockArgument>(operand);
    auto func = arg ? dyn_cast<func::FuncOp>(arg.getOwner()->getParentOp())
                    : func::FuncOp();
    return func ? func.getArgAttr(arg.getArgNumber(), "nax.stored")
                : Attribute();
  }

  void visit(func::FuncOp caller) {
    caller.walk([&](func::CallOp call) {
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      Types types;
      for (auto [operand, arg] :
           llvm::zip(call.getOperands(), callee.getArguments()))
        types.push_back(isParamLike(arg) ? typeOf(operand) : Attribute());
      call.setCallee(blockFor(callee, types).getName());
    });
  }

  func::FuncOp blockFor(func::FuncOp callee, const Types &types) {
    StringAttr name = callee.getNameAttr();
    if (StringAttr of = copyOf.lookup(name))
      name = of;
    for (auto &[known, block] : blocks[name])
      if (known == types)
        return block;
    func::FuncOp block = callee;
    if (!blocks[name].empty()) {
      block = callee.clone();
      symbols.insert(block, std::next(Block::iterator(callee)));
      copyOf[block.getNameAttr()] = name;
    }
    for (auto [i, type] : llvm::enumerate(types)) {
      block.removeArgAttr(i, "nax.stored");
      if (type)
        block.setArgAttr(i, "nax.stored", type);
    }
    blocks[name].push_back({types, block});
    visit(block);
    return block;
  }

  ModuleOp module;
  SymbolTable symbols;
  DictionaryAttr byName;
  llvm::DenseMap<StringAttr, StringAttr> copyOf;
  llvm::DenseMap<StringAttr, SmallVector<std::pair<Types, func::FuncOp>>>
      blocks;
};

} // namespace

void specialiseBlocks(ModuleOp module, DictionaryAttr byName) {
  BlockWeights(module, byName).run();
}

} // namespace nax
