//===- Loops.cpp - linalg loops as kernels see them -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Loops.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace nax;

int64_t LoopAccess::dimOf(unsigned loop) const {
  for (auto [dim, result] : llvm::enumerate(map.getResults()))
    if (cast<AffineDimExpr>(result).getPosition() == loop)
      return dim;
  return -1;
}

int64_t LoopAccess::strideOf(unsigned loop) const {
  int64_t dim = type ? dimOf(loop) : -1;
  if (dim < 0)
    return 0;
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return ShapedType::kDynamic;
  return strides[dim];
}

//===----------------------------------------------------------------------===//
// On the host's side
//===----------------------------------------------------------------------===//

FailureOr<LoopNest> LoopNest::get(linalg::LinalgOp op) {
  LoopNest nest;
  nest.op = op;
  nest.sizes.assign(op.getNumLoops(), ShapedType::kDynamic);
  for (OpOperand &operand : op->getOpOperands()) {
    LoopAccess access{operand.get(),
                      dyn_cast<MemRefType>(operand.get().getType()),
                      op.getMatchingIndexingMap(&operand)};
    if (!access.map.isProjectedPermutation())
      return op.emitOpError(
                 "expects operands indexed by single loops, but got ")
             << AffineMapAttr::get(access.map);
    BlockArgument arg = op.getMatchingBlockArgument(&operand);
    access.isUsed = !arg.use_empty();
    if (access.type)
      for (unsigned loop = 0; loop < nest.sizes.size(); ++loop)
        if (int64_t dim = access.dimOf(loop);
            dim >= 0 && !access.type.isDynamicDim(dim))
          nest.sizes[loop] = access.type.getDimSize(dim);
    (op.isDpsInput(&operand) ? nest.ins : nest.outs).push_back(access);
  }
  for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray()))
    (kind == utils::IteratorType::parallel ? nest.parallel : nest.reduced)
        .push_back(loop);
  return nest;
}

bool LoopNest::usesIndex(unsigned loop) const {
  return op
      ->walk([&](linalg::IndexOp index) {
        return index.getDim() == loop ? WalkResult::interrupt()
                                      : WalkResult::advance();
      })
      .wasInterrupted();
}

bool LoopNest::canMerge(unsigned outer, unsigned inner) const {
  if (usesIndex(outer) || usesIndex(inner))
    return false;
  auto adjacent = [&](const LoopAccess &access) {
    int64_t p = access.type ? access.dimOf(outer) : -1;
    int64_t q = access.type ? access.dimOf(inner) : -1;
    if (p < 0 || q < 0)
      return p == q;
    if (access.type.getLayout().isIdentity())
      return q == p + 1;
    int64_t step = access.strideOf(inner);
    return !ShapedType::isDynamic(step) &&
           !ShapedType::isDynamic(sizes[inner]) &&
           access.strideOf(outer) == step * sizes[inner];
  };
  return llvm::all_of(ins, adjacent) && llvm::all_of(outs, adjacent);
}

SmallVector<LoopGroup> LoopNest::groups(ArrayRef<unsigned> loops) const {
  SmallVector<LoopGroup> groups;
  for (unsigned loop : loops) {
    if (groups.empty() || !canMerge(groups.back().back(), loop))
      groups.emplace_back();
    groups.back().push_back(loop);
  }
  return groups;
}

int64_t LoopNest::staticProduct(const LoopGroup &group) const {
  int64_t product = 1;
  for (unsigned loop : group)
    if (!ShapedType::isDynamic(sizes[loop]))
      product *= sizes[loop];
  return product;
}

int64_t LoopNest::vectorWidth(const LoopGroup &group,
                              ArrayRef<LoopAccess> accesses) const {
  unsigned loop = group.back();
  for (int64_t width = kChunk / 2; width > 1; width /= 2) {
    bool fits = staticProduct(group) % width == 0;
    for (const LoopAccess &access : accesses) {
      int64_t stride = access.strideOf(loop);
      if (stride == 0)
        continue;
      int64_t bytes = access.type.getElementTypeBitWidth() / 8 * width;
      fits &= stride == 1 && bytes <= kChunk &&
              alignedBytes(access.type) % bytes == 0;
    }
    if (fits)
      return width;
  }
  return 1;
}

Value LoopNest::count(ImplicitLocOpBuilder &host,
                      ArrayRef<unsigned> loops) const {
  Value product = arith::ConstantIndexOp::create(host, 1);
  for (unsigned loop : loops)
    for (const LoopAccess &access : llvm::concat<const LoopAccess>(ins, outs)) {
      int64_t dim = access.type ? access.dimOf(loop) : -1;
      if (dim < 0)
        continue;
      Value size = host.createOrFold<memref::DimOp>(access.operand, dim);
      product = host.createOrFold<arith::MulIOp>(product, size);
      break;
    }
  return product;
}

void LoopNest::addTo(KernelOperands &operands) const {
  for (const LoopAccess &access : llvm::concat<const LoopAccess>(ins, outs)) {
    if (access.type)
      operands.add(access.operand);
    else
      operands.addNumber(access.operand);
  }
}

//===----------------------------------------------------------------------===//
// Inside of a kernel
//===----------------------------------------------------------------------===//

KernelLoops::KernelLoops(GpuBuilder &b, const LoopNest &nest,
                         ArrayRef<GlobalView> &given, ValueRange &arguments)
    : b(b), nest(nest), sizes(nest.sizes.size()) {
  for (const LoopAccess &access :
       llvm::concat<const LoopAccess>(nest.ins, nest.outs)) {
    if (!access.type) {
      numbers[access.operand] = arguments.front();
      arguments = arguments.drop_front();
      continue;
    }
    const GlobalView &view = given.front();
    for (unsigned loop = 0; loop < sizes.size(); ++loop)
      if (int64_t dim = access.dimOf(loop); dim >= 0 && !sizes[loop])
        sizes[loop] = view.sizes[dim];
    views[access.operand] = view;
    given = given.drop_front();
  }
}

Value KernelLoops::size(const LoopGroup &group) const {
  Value product = b.i64(1);
  for (unsigned loop : group)
    product = b.mul(product, b.toI64(sizes[loop]));
  return product;
}

void KernelLoops::place(Value linear, ArrayRef<LoopGroup> groups,
                        Position &at) const {
  for (size_t i = groups.size(); i-- > 0;) {
    Value here = linear;
    if (i > 0) {
      Value extent = size(groups[i]);
      here = b.createOrFold<arith::RemUIOp>(linear, extent);
      linear = b.createOrFold<arith::DivUIOp>(linear, extent);
    }
    for (unsigned loop : groups[i])
      at[loop] = b.i64(0);
    at[groups[i].back()] = here;
  }
}

Value KernelLoops::address(const LoopAccess &access, const Position &at) const {
  const GlobalView &view = views.find(access.operand)->second;
  Values places;
  for (AffineExpr result : access.map.getResults())
    places.push_back(at[cast<AffineDimExpr>(result).getPosition()]);
  return view.at(b, places);
}

Values KernelLoops::load(const LoopAccess &access, const Position &at,
                         unsigned loop, int64_t width) const {
  if (!access.type)
    return Values(width, numbers.find(access.operand)->second);
  Type element = access.type.getElementType();
  Value from = address(access, at);
  if (width == 1 || access.strideOf(loop) == 0)
    return Values(width, b.load(from, element));
  return b.unpack(b.load(from, VectorType::get(width, element)));
}

void KernelLoops::store(ValueRange elements, const LoopAccess &access,
                        const Position &at) const {
  Value to = address(access, at);
  b.store(elements.size() == 1 ? elements[0] : b.pack(elements), to);
}

SmallVector<Value> KernelLoops::indices(const Position &at, unsigned loop,
                                        int64_t lane) const {
  SmallVector<Value> indices(at.size());
  for (unsigned i = 0; i < at.size(); ++i)
    if (at[i] && nest.usesIndex(i)) {
      Value here = i == loop && lane ? b.add(at[i], lane) : at[i];
      indices[i] = b.createOrFold<arith::IndexCastOp>(b.getIndexType(), here);
    }
  return indices;
}
