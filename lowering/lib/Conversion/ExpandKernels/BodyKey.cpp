//===- BodyKey.cpp - an operation with its body as text -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "BodyKey.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

bool nax::isConstant(Value value) {
  Operation *op = value ? value.getDefiningOp() : nullptr;
  return op && op->hasTrait<OpTrait::ConstantLike>();
}

namespace {

/// Numbers the values of a region, so that equal bodies have equal text.
struct KeyWriter {
  llvm::raw_ostream &os;
  llvm::DenseMap<Value, unsigned> number;

  explicit KeyWriter(llvm::raw_ostream &os) : os(os) {}

  void use(Value value) {
    if (nax::isConstant(value)) {
      os << value.getDefiningOp()->getAttrDictionary();
      return;
    }
    auto [it, fresh] = number.try_emplace(value, number.size());
    os << '%' << it->second;
    if (fresh)
      os << ':' << value.getType();
  }

  void write(Operation &op) {
    os << op.getName() << op.getAttrDictionary() << '(';
    for (Value operand : op.getOperands())
      use(operand);
    os << ')';
    for (Region &region : op.getRegions())
      write(region);
    for (Value result : op.getResults())
      use(result);
  }

  void write(Region &region) {
    os << '{';
    for (Block &block : region) {
      for (BlockArgument arg : block.getArguments())
        use(arg);
      for (Operation &inner : block)
        if (!nax::isConstant(inner.getNumResults() == 1 ? inner.getResult(0)
                                                        : Value()))
          write(inner);
    }
    os << '}';
  }
};

} // namespace

template <class Body>
static std::string keyOf(Body &body) {
  std::string key;
  llvm::raw_string_ostream os(key);
  KeyWriter(os).write(body);
  return key;
}

std::string nax::bodyKey(Operation *op) { return keyOf(*op); }
std::string nax::bodyKey(Region &body) { return keyOf(body); }
