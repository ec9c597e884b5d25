//===- DecodeStep.h - the functions that a step is made of ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// One FunctionWriter makes one function on new positions of one on all of them:
// the step of an entry, or of a block that it repeats.
//
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_DIALECT_NAX_TRANSFORMS_DECODESTEP_H
#define NAX_LIB_DIALECT_NAX_TRANSFORMS_DECODESTEP_H

#include "Decode.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"

#include <map>

namespace nax::decode {

/// What a value depends on: nothing but parameters, arguments without T as
/// well, or the positions of T.
enum class Source { Parameters, Fixed, Positions };

/// A function whose calls were inlined where they must: those that take what is
/// read, or what a step is given from before.
struct Prepared {
  mlir::OwningOpRef<mlir::func::FuncOp> function;
  llvm::DenseMap<mlir::Value, Source> sources;
  /// How many slots are enough for what is read where windows hide the rest.
  llvm::DenseMap<mlir::Value, int64_t> rings;
  /// What the results are made of, up to what is given to each step.
  llvm::DenseSet<mlir::Operation *> live;

  mlir::Block &body() { return function->getBody().front(); }
  /// Whether `value` is computed before the first step and given to each.
  bool isFixed(mlir::Value value) const;
};

Prepared prepare(mlir::func::FuncOp function, const Sequence &sequence,
                 bool isEntry);
/// What `read` is before it is read: two reads of one value share a cache.
mlir::Value beforeRead(mlir::Value read, const Sequence &sequence);
/// The ring of each value of `function` that attention reads, by what it is
/// before; 0 where it is to be kept from the beginning.
llvm::DenseMap<mlir::Value, int64_t> ringsOf(mlir::func::FuncOp function,
                                             const Sequence &sequence);

/// An argument that a step has beyond those of what it was made of. In this
/// order.
struct Extra {
  enum Kind { Span, Positions, Documents, Cache, Fixed } kind;
  /// In the function that is made.
  mlir::Value value;
  /// Documents, and positions by them: of which value before. Fixed: which.
  mlir::Value of = {};
  int64_t ring = 0;
};

/// What was made of a block, by which all calls of it are rewritten.
struct Step {
  mlir::func::FuncOp function;
  llvm::SmallVector<Extra> extras;
};

/// All that is made for one entry.
class Derivation {
public:
  explicit Derivation(const Sequence &sequence);

  llvm::LogicalResult run();
  /// The step of a block, without the arguments in `replaced`; null after an
  /// error.
  const Step *blockStep(mlir::func::FuncOp block,
                        const llvm::BitVector &replaced);

  const Sequence &sequence;
  /// T' in the place of T; and in that of Read<T>, before it is read.
  mlir::AttrTypeReplacer toNow, toUnread;

private:
  llvm::LogicalResult makeBegin(Prepared &prepared, const Step &step);

  mlir::SymbolTable symbols;
  std::map<std::pair<mlir::Operation *, std::string>, Step> blocks;
};

class FunctionWriter {
public:
  FunctionWriter(Derivation &derivation, Prepared &prepared,
                 const llvm::BitVector &replaced, bool isEntry);

  /// Writes the body; the arguments are in their order afterwards.
  mlir::FailureOr<Step> write();

private:
  void visit(mlir::Operation &op);
  void visitCall(mlir::func::CallOp call);
  mlir::Operation *copy(mlir::Operation &op, mlir::AttrTypeReplacer &types);
  void giveData(mlir::Operation *copied, mlir::Operation &op);
  void hideDocuments(SoftmaxOp copied, SoftmaxOp softmax);
  void visitReturn(mlir::func::ReturnOp op);
  void orderArguments();

  mlir::Value now(mlir::Value value);
  mlir::Value span();
  mlir::Value positions(mlir::Value documents);
  mlir::Value documentsCache(mlir::Value documents);
  mlir::Value cachedDocuments(mlir::Value documents);
  mlir::Value cached(mlir::Value value, mlir::Operation &use);
  mlir::Value keep(mlir::Value x, mlir::Value cache, mlir::Type type);
  mlir::Value fixed(mlir::Value value);
  mlir::Value extra(Extra::Kind kind, mlir::Type type, mlir::Value of = {},
                    int64_t ring = 0);
  TensorType cacheType(TensorType x, int64_t ring,
                       llvm::ArrayRef<AxisAttr> last);
  bool isRead(mlir::Value value) const;

  Derivation &derivation;
  const Sequence &sequence;
  Prepared &prepared;
  const llvm::BitVector &replaced;
  bool isEntry, failed = false;
  mlir::func::FuncOp made;
  mlir::OpBuilder builder;
  mlir::Location at;
  /// Values of `made` by those before: in their place; before they are read;
  /// positions and caches by their documents.
  mlir::IRMapping values, unread;
  llvm::DenseMap<mlir::Value, mlir::Value> positionsOf, cachedOf;
  llvm::SmallVector<Extra> extras;
};

} // namespace nax::decode

#endif // NAX_LIB_DIALECT_NAX_TRANSFORMS_DECODESTEP_H
