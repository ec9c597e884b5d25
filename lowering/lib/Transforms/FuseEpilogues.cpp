//===- FuseEpilogues.cpp - loops over a dot's result move into it ---------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// A loop that alone reads what a dot has made becomes the dot's epilogue: a
// bias, an activation, a product of two dots, a residual. The dot moves down to
// the loop's place, where everything that the loop reads is there. Dots are
// looked at from the last one on, so that of two that meet in one loop the
// later one takes it and has the other's result as an extra.
//
//===----------------------------------------------------------------------===//

#include "Lifetimes.h"

#include "nax/Conversion/ExpandKernels.h"
#include "nax/Conversion/InMemory.h"
#include "nax/Conversion/Passes.h"
#include "nax/Dialect/Nax/IR/Nax.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

#include <optional>

namespace nax {
#define GEN_PASS_DEF_FUSEEPILOGUES
#include "nax/Conversion/Passes.h.inc"
} // namespace nax

using namespace mlir;
using namespace nax;

//===----------------------------------------------------------------------===//
// The buffer between the two
//===----------------------------------------------------------------------===//

static bool isReshape(Operation *op) {
  return isa_and_nonnull<memref::ExpandShapeOp, memref::CollapseShapeOp>(op);
}

/// What made the buffer that `value` is all of, in some shape.
static memref::AllocOp wholeBuffer(Value value) {
  while (isReshape(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value.getDefiningOp<memref::AllocOp>();
}

/// The one use of `buffer` and its views beside what `dot` writes. `views` are
/// all of them, users before what they use.
static OpOperand *onlyReader(kernel::DotOp dot, memref::AllocOp buffer,
                             SmallVectorImpl<Operation *> &views) {
  OpOperand *reader = nullptr;
  SmallVector<Operation *> queue{buffer};
  while (!queue.empty()) {
    Operation *view = queue.pop_back_val();
    views.push_back(view);
    for (OpOperand &use : view->getUses()) {
      if (isReshape(use.getOwner())) {
        queue.push_back(use.getOwner());
        continue;
      }
      if (&use == &dot.getCMutable())
        continue;
      if (reader || use.getOwner()->getBlock() != dot->getBlock())
        return nullptr;
      reader = &use;
    }
  }
  std::reverse(views.begin(), views.end());
  return reader;
}

/// Whether something between the two writes what `dot` reads.
static bool isOverwritten(kernel::DotOp dot, Operation *until) {
  SmallVector<Value> roots;
  for (Value operand : {dot.getA(), dot.getPanels()})
    roots.push_back(rootOf(operand));
  for (Value extra : dot.getExtras())
    roots.push_back(rootOf(extra));
  auto isRead = [&](Value value) {
    return llvm::is_contained(roots, rootOf(value));
  };
  auto writes = [&](Operation *op) {
    if (isMemoryEffectFree(op) ||
        (!isa<MemoryEffectOpInterface>(op) &&
         op->hasTrait<OpTrait::HasRecursiveMemoryEffects>()))
      return false; // what is inside of it is looked at, too
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    if (!effects) // a call: it may write all that it is given
      return llvm::any_of(op->getOperands(), isRead);
    SmallVector<MemoryEffects::EffectInstance> all;
    effects.getEffects(all);
    return llvm::any_of(all, [&](const MemoryEffects::EffectInstance &effect) {
      return isa<MemoryEffects::Write, MemoryEffects::Free>(
                 effect.getEffect()) &&
             (!effect.getValue() || isRead(effect.getValue()));
    });
  };
  for (Operation *op = dot->getNextNode(); op != until; op = op->getNextNode())
    if (op->walk([&](Operation *inner) {
            return writes(inner) ? WalkResult::interrupt()
                                 : WalkResult::advance();
          }).wasInterrupted())
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

/// The dimension from which on the sizes make `n`: rows end and columns begin.
static std::optional<unsigned> splitOf(MemRefType type, int64_t n) {
  int64_t product = 1;
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    if (type.isDynamicDim(dim))
      return std::nullopt;
    product *= type.getDimSize(dim);
    if (product == n)
      return dim;
  }
  return std::nullopt;
}

/// Dimensions [0, split) as one, and those from it on.
static SmallVector<ReassociationIndices> rowsAndColumns(int64_t rank,
                                                        unsigned split) {
  SmallVector<ReassociationIndices> groups;
  for (auto [from, to] : {std::pair<int64_t, int64_t>(0, split), {split, rank}})
    if (from != to)
      groups.push_back(llvm::to_vector<2>(llvm::seq<int64_t>(from, to)));
  return groups;
}

/// Whether `asRows` can show it, with adjacent columns.
static bool hasRows(MemRefType type, unsigned split) {
  SmallVector<int64_t> strides;
  int64_t offset;
  return (split != 0 || type.getLayout().isIdentity()) &&
         succeeded(type.getStridesAndOffset(strides, offset)) &&
         strides.back() == 1 &&
         memref::CollapseShapeOp::isGuaranteedCollapsible(
             type, rowsAndColumns(type.getRank(), split));
}

/// [m, n]; with `onlyColumns` [n], which `split` must then leave alone.
static Value asRows(OpBuilder &b, Location loc, Value value, unsigned split,
                    bool onlyColumns = false) {
  auto groups =
      rowsAndColumns(cast<MemRefType>(value.getType()).getRank(), split);
  auto type = cast<MemRefType>(value.getType());
  if (int64_t(groups.size()) != type.getRank())
    value = memref::CollapseShapeOp::create(b, loc, value, groups);
  type = cast<MemRefType>(value.getType());
  if (type.getRank() == 2 || onlyColumns)
    return value;
  auto row = MemRefType::get({1, type.getDimSize(0)}, type.getElementType());
  SmallVector<ReassociationIndices> both{{0, 1}};
  return memref::ExpandShapeOp::create(b, loc, row, value, both);
}

namespace {

/// A dot and the loop that becomes its epilogue.
class Fusion {
public:
  Fusion(kernel::DotOp dot, OpOperand *sum)
      : dot(dot), loop(dyn_cast<linalg::GenericOp>(sum->getOwner())), sum(sum) {
  }

  bool isPossible() {
    return loop && isElementwise() && findRows() && canHaveResult() &&
           llvm::all_of(loop.getDpsInputOperands(),
                        [&](OpOperand *in) { return canHaveExtra(in); }) &&
           !isOverwritten(dot, loop);
  }

  kernel::DotOp fuse();

private:
  bool isElementwise();
  bool findRows();
  bool canHaveResult();
  bool canHaveExtra(OpOperand *in);
  /// Dimensions of the sums to those of an operand of the loop.
  AffineMap mapOf(OpOperand *operand) {
    return loop.getMatchingIndexingMap(operand).compose(
        inversePermutation(loop.getMatchingIndexingMap(sum)));
  }
  bool isColumn(OpOperand *in);
  bool onCpu() { return memrefType(dot.getPanels()).getRank() == 3; }
  static MemRefType memrefType(Value value) {
    return cast<MemRefType>(value.getType());
  }
  Value cloneOwn(OpBuilder &b, Block *body);
  void cloneLoop(OpBuilder &b, Value made, IRMapping &map);

  kernel::DotOp dot;
  linalg::GenericOp loop;
  OpOperand *sum;
  unsigned split = 0; ///< of the sums' dimensions, where columns begin
};

} // namespace

/// Whether each run gives one element from those in its place, by arithmetic.
bool Fusion::isElementwise() {
  if (!loop.hasPureBufferSemantics() || loop.getNumDpsInits() != 1 ||
      loop.getNumLoops() != loop.getNumParallelLoops() ||
      !loop.isDpsInput(sum) || !loop.getRegionOutputArgs()[0].use_empty())
    return false;
  AffineMap map = loop.getMatchingIndexingMap(sum);
  if (!map.isPermutation() ||
      loop.getMatchingIndexingMap(loop.getDpsInitOperand(0)) != map)
    return false;
  return llvm::all_of(loop.getBody()->without_terminator(), [&](Operation &op) {
    if (op.hasTrait<OpTrait::ConstantLike>())
      return true;
    return OpTrait::hasElementwiseMappableTraits(&op) &&
           llvm::none_of(op.getOperandTypes(), llvm::IsaPred<ShapedType>) &&
           (!onCpu() || runsOnVectors(&op));
  });
}

bool Fusion::findRows() {
  MemRefType type = memrefType(sum->get());
  std::optional<unsigned> found =
      splitOf(type, memrefType(dot.getC()).getDimSize(1));
  if (found)
    split = *found;
  return found.has_value();
}

/// What the dot reads may not lie where it then writes.
bool Fusion::canHaveResult() {
  Value out = loop.getDpsInits()[0];
  MemRefType type = memrefType(out);
  Type element = type.getElementType();
  if (!hasRows(type, split) ||
      (!element.isF32() && element != memrefType(dot.getA()).getElementType()))
    return false;
  SmallVector<Value> reads{dot.getA(), dot.getPanels()};
  llvm::append_range(reads, dot.getExtras());
  return llvm::none_of(reads,
                       [&](Value read) { return rootOf(read) == rootOf(out); });
}

bool Fusion::isColumn(OpOperand *in) {
  AffineMap map = mapOf(in);
  return map.isMinorIdentity() &&
         map.getNumResults() == map.getNumDims() - split;
}

bool Fusion::canHaveExtra(OpOperand *in) {
  auto type = dyn_cast<MemRefType>(in->get().getType());
  if (in == sum || !type) // a number of the loop is one of the epilogue
    return true;
  if (rootOf(in->get()) == rootOf(sum->get()) ||
      (rootOf(in->get()) == rootOf(loop.getDpsInits()[0]) &&
       in->get() != loop.getDpsInits()[0]))
    return false;
  if (onCpu() && !type.getElementType().isF32())
    return false;
  if (mapOf(in).isIdentity())
    return hasRows(type, split);
  return isColumn(in) && hasRows(type, 0);
}

//===----------------------------------------------------------------------===//
// The epilogue
//===----------------------------------------------------------------------===//

/// What the dot itself makes of a sum, rounded as it has stored it.
Value Fusion::cloneOwn(OpBuilder &b, Block *body) {
  if (dot.getEpilogue().empty()) {
    Type element = memrefType(dot.getC()).getElementType();
    Value made = body->getArgument(0);
    if (element.isF32())
      return made;
    auto rounded = arith::TruncFOp::create(b, dot.getLoc(), element, made);
    rounded->setAttr(inMemoryName, b.getUnitAttr());
    return rounded;
  }
  IRMapping map;
  Block &own = dot.getEpilogue().front();
  map.map(own.getArguments(),
          body->getArguments().take_front(own.getNumArguments()));
  for (Operation &op : own.without_terminator())
    b.clone(op, map);
  return map.lookupOrDefault(own.getTerminator()->getOperand(0));
}

/// The same for the loop. Rounding to what memory has in between is no part of
/// the model: where the loop makes f32 of it again, it has the f32 from before.
/// What else reads the rounded number wants it so.
void Fusion::cloneLoop(OpBuilder &b, Value made, IRMapping &map) {
  auto rounded = made.getDefiningOp<arith::TruncFOp>();
  bool isOfMemory = rounded && rounded->hasAttr(inMemoryName);
  for (Operation &op : loop.getBody()->without_terminator()) {
    auto widened = dyn_cast<arith::ExtFOp>(op);
    if (isOfMemory && widened && widened->hasAttr(inMemoryName) &&
        map.lookupOrDefault(widened.getIn()) == made &&
        widened.getType() == rounded.getIn().getType())
      map.map(widened.getOut(), rounded.getIn());
    else
      b.clone(op, map);
  }
  Operation *yield = loop.getBody()->getTerminator();
  YieldOp::create(b, yield->getLoc(),
                  map.lookupOrDefault(yield->getOperand(0)));
  if (rounded && rounded->use_empty())
    rounded->erase();
  else if (rounded)
    rounded->removeAttr(inMemoryName);
}

kernel::DotOp Fusion::fuse() {
  OpBuilder b(loop);
  Location loc = dot.getLoc();
  SmallVector<Value> extras(dot.getExtras());
  SmallVector<OpOperand *> added;
  for (OpOperand *in : loop.getDpsInputOperands())
    if (in != sum && isa<MemRefType>(in->get().getType())) {
      bool rows = mapOf(in).isIdentity();
      extras.push_back(
          asRows(b, loc, in->get(), rows ? split : 0, /*onlyColumns=*/!rows));
      added.push_back(in);
    }
  Value out = asRows(b, loc, loop.getDpsInits()[0], split);
  auto fused = kernel::DotOp::create(b, loc, dot.getA(), dot.getPanels(), out,
                                     extras, dot.getScratch(),
                                     dot.getStoredAttr(), dot.getExact());

  SmallVector<Type> types{b.getF32Type()};
  for (Value extra : extras)
    types.push_back(memrefType(extra).getElementType());
  Block *body = b.createBlock(&fused.getEpilogue(), {}, types,
                              SmallVector<Location>(types.size(), loc));
  Value made = cloneOwn(b, body);
  IRMapping map;
  map.map(loop.getMatchingBlockArgument(sum), made);
  unsigned next = 1 + dot.getExtras().size();
  for (OpOperand *in : loop.getDpsInputOperands()) {
    if (llvm::is_contained(added, in))
      map.map(loop.getMatchingBlockArgument(in), body->getArgument(next++));
    else if (in != sum)
      map.map(loop.getMatchingBlockArgument(in), in->get());
  }
  cloneLoop(b, made, map);
  loop.erase();
  dot.erase();
  return fused;
}

namespace {

struct FuseEpilogues final : nax::impl::FuseEpiloguesBase<FuseEpilogues> {
  void runOnOperation() override {
    SmallVector<kernel::DotOp> dots;
    getOperation().walk([&](kernel::DotOp dot) { dots.push_back(dot); });
    for (kernel::DotOp dot : llvm::reverse(dots))
      while (dot)
        dot = fuseNext(dot);
    getOperation().walk([](Operation *op) { op->removeAttr(inMemoryName); });
  }

  /// The dot with one loop more; null if there is none that it can take.
  static kernel::DotOp fuseNext(kernel::DotOp dot) {
    memref::AllocOp buffer = wholeBuffer(dot.getC());
    if (!buffer)
      return {};
    SmallVector<Operation *> views;
    OpOperand *reader = onlyReader(dot, buffer, views);
    if (!reader)
      return {};
    Fusion fusion(dot, reader);
    if (!fusion.isPossible())
      return {};
    kernel::DotOp fused = fusion.fuse();
    for (Operation *view : views)
      view->erase();
    return fused;
  }
};

} // namespace
