//===- Buffers.cpp - buffers with named dimensions ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "nax/Conversion/ExpandKernels.h"
#include "nax/Conversion/GpuKernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace nax {

Axes without(AxesRef axes, AxesRef dropped) {
  Axes kept;
  for (AxisAttr axis : axes)
    if (!llvm::is_contained(dropped, axis))
      kept.push_back(axis);
  return kept;
}

int64_t extentOf(AxisAttr axis) {
  int64_t size = axis.getStaticSize();
  return size < 0 ? ShapedType::kDynamic : size;
}

Type storageType(Type element) {
  return element.isInteger(1) ? IntegerType::get(element.getContext(), 8)
                              : element;
}

Value FunctionLowering::constant(int64_t value) {
  return indexConstant(b, loc, value);
}

OpFoldResult FunctionLowering::size(AxisAttr axis) {
  if (int64_t fixed = axis.getStaticSize(); fixed >= 0)
    return b.getIndexAttr(fixed);
  return sizeValue(axis);
}

Value FunctionLowering::sizeValue(AxisAttr axis) {
  if (int64_t fixed = axis.getStaticSize(); fixed >= 0)
    return constant(fixed);
  if (axis.isRead() && axis.isContinued()) {
    refuse() << "all positions of " << axis.getLabel()
             << " together are in no buffer: some are in a cache, the others "
                "are new; only attention reads them";
    return constant(0);
  }
  axis = axis.getBase();
  if (axis.getKind() == AxisKind::product ||
      axis.getKind() == AxisKind::concat) {
    Value total;
    for (AxisAttr part : axis.getParts()) {
      Value extent = sizeValue(part);
      if (!total)
        total = extent;
      else if (axis.getKind() == AxisKind::product)
        total = arith::MulIOp::create(b, loc, total, extent);
      else
        total = arith::AddIOp::create(b, loc, total, extent);
    }
    return total;
  }
  for (auto [runtime, dim] : llvm::zip(state.runtimeAxes, dims))
    if (runtime == axis)
      return dim;
  llvm_unreachable("every run-time axis of a model is collected first");
}

MemRefType FunctionLowering::memrefType(AxesRef order, Type element) {
  SmallVector<int64_t> shape;
  for (AxisAttr axis : order)
    shape.push_back(extentOf(axis));
  return MemRefType::get(shape, storageType(element));
}

Buffer FunctionLowering::alloc(AxesRef order, Type element) {
  SmallVector<Value> dynamic;
  for (AxisAttr axis : order)
    if (llvm::is_contained(state.slotAxes, axis))
      refuse() << "a buffer as long as " << axis.getLabel()
               << " would grow with the positions of a cache";
  for (AxisAttr axis : order)
    if (ShapedType::isDynamic(extentOf(axis)))
      dynamic.push_back(sizeValue(axis));
  auto op =
      memref::AllocOp::create(b, loc, memrefType(order, element), dynamic);
  // nax-check-buffers reads the names.
  op->setAttr("nax.axes", b.getArrayAttr(SmallVector<Attribute>(order.begin(),
                                                                order.end())));
  return {op, Axes(order)};
}

Value FunctionLowering::allocBytes(int64_t bytes) {
  return memref::AllocOp::create(b, loc,
                                 MemRefType::get({bytes}, b.getI8Type()));
}

Value FunctionLowering::allocScratch(Operation *kernel, AxesRef batch) {
  if (!state.onGpu())
    return allocBytes(kernelScratchBytes(kernel));
  auto [bytes, dims] = GpuScratch::get(cast<kernel::AttentionOp>(kernel));
  Value size = arith::ConstantIndexOp::create(b, loc, bytes);
  for (unsigned dim : dims)
    size = b.createOrFold<arith::MulIOp>(loc, size, sizeValue(batch[dim]));
  auto type = MemRefType::get(ShapedType::kDynamic, b.getI8Type());
  return memref::AllocOp::create(b, loc, type, size);
}

Buffer FunctionLowering::allocResult(Value value, AxesRef order) {
  auto type = cast<TensorType>(value.getType());
  auto it = destinations.find(value);
  if (it == destinations.end())
    return alloc(order, state.stored(type.getElementType()));
  if (type.getAxes() == order)
    return {it->second, Axes(order)};
  // Rounded no more than what it is copied to.
  return alloc(order, cast<MemRefType>(it->second.getType()).getElementType());
}

InFlightDiagnostic FunctionLowering::refuse() {
  refused = true;
  return emitError(loc);
}

Buffer FunctionLowering::buffer(Value value) {
  auto it = buffers.find(value);
  if (it != buffers.end())
    return it->second;
  if (auto cached = caches.find(value); cached != caches.end()) {
    refuse() << "what is read of " << cached->second.now.getName()
             << " lies in a cache and in new positions; only attention reads "
                "both";
    return cached->second.fresh;
  }
  if (isParamLike(value)) {
    auto type = cast<TensorType>(value.getType());
    Buffer plain{paramIn(value, plainLayout(type)), Axes(type.getAxes())};
    set(value, plain);
    return plain;
  }
  // Deferred elementwise operations are written out when somebody needs them.
  Operation *op = value.getDefiningOp();
  assert(op && isElementwise(op) && "operands are lowered before their users");
  lowerElementwise(op);
  return buffers.find(value)->second;
}

void FunctionLowering::set(Value value, Buffer buffer) {
  buffers[value] = std::move(buffer);
}

Buffer FunctionLowering::permuted(const Buffer &from, AxesRef order) {
  if (AxesRef(from.order) == order)
    return from;
  Buffer to = alloc(order, elementOf(from));
  copy(from, to);
  return to;
}

Buffer FunctionLowering::as(Type element, const Buffer &from) {
  if (elementOf(from) == element)
    return from;
  Buffer to = alloc(from.order, element);
  copy(from, to);
  return to;
}

bool FunctionLowering::fitsKernels(Type element) const {
  return element.isF32() ||
         (state.onGpu() && (element.isF16() || element.isBF16()));
}

Type FunctionLowering::kernelType(ArrayRef<Buffer> operands) {
  // A buffer of f32 may be a result that the caller has as the model does.
  auto typeOf = [&](const Buffer &buffer) {
    Type element = state.stored(elementOf(buffer));
    return fitsKernels(element) ? element : Type(b.getF32Type());
  };
  Type first = typeOf(operands.front());
  bool all = llvm::all_of(
      operands, [&](const Buffer &buffer) { return typeOf(buffer) == first; });
  return all ? first : Type(b.getF32Type());
}

void FunctionLowering::copy(const Buffer &from, const Buffer &to) {
  if (from.memref == to.memref)
    return;
  generic(to.order, {}, {from}, {to}, [&](const Body &body) {
    return SmallVector<Value>{
        convertTo(body.b, body.loc, body.args[0], elementOf(to))};
  });
}

void FunctionLowering::fill(const Buffer &to, double value) {
  Type element = elementOf(to);
  Value scalar;
  if (isa<FloatType>(element))
    scalar = floatConstant(b, loc, element, value);
  else
    scalar = arith::ConstantOp::create(
        b, loc, b.getIntegerAttr(element, static_cast<int64_t>(value)));
  linalg::FillOp::create(b, loc, ValueRange{scalar}, ValueRange{to.memref});
}

Value FunctionLowering::collapse(const Buffer &from,
                                 ArrayRef<ReassociationIndices> groups) {
  if (groups.size() == from.order.size())
    return from.memref;
  return memref::CollapseShapeOp::create(b, loc, from.memref, groups);
}

Value FunctionLowering::as2D(const Buffer &from, size_t leading) {
  size_t rank = from.order.size();
  auto type = cast<MemRefType>(from.memref.getType());
  if (leading == 1 && rank == 2)
    return from.memref;
  if (leading > 0 && leading < rank) {
    ReassociationIndices rows, columns;
    for (size_t i = 0; i < rank; ++i)
      (i < leading ? rows : columns).push_back(i);
    return collapse(from, {rows, columns});
  }
  // One side has no axes: a single row or a single column. The buffer is
  // dense, so its extents may be stated anew.
  auto extent = [&](size_t begin, size_t end) -> OpFoldResult {
    int64_t fixed = 1;
    Value runtime;
    for (size_t i = begin; i < end; ++i) {
      if (!type.isDynamicDim(i)) {
        fixed *= type.getDimSize(i);
        continue;
      }
      Value dim = sizeValue(from.order[i]);
      runtime = runtime
                    ? arith::MulIOp::create(b, loc, runtime, dim).getResult()
                    : dim;
    }
    if (!runtime)
      return b.getIndexAttr(fixed);
    if (fixed != 1)
      runtime = arith::MulIOp::create(b, loc, runtime, constant(fixed));
    return runtime;
  };
  OpFoldResult rows = extent(0, leading), columns = extent(leading, rank);
  auto fixedOr = [](OpFoldResult r) {
    return getConstantIntValue(r).value_or(ShapedType::kDynamic);
  };
  auto resultType =
      MemRefType::get({fixedOr(rows), fixedOr(columns)}, type.getElementType());
  // Identity layout, offset 0: the cast is written with constant strides where
  // they are constant.
  auto strided = MemRefType::get(
      resultType.getShape(), type.getElementType(),
      StridedLayoutAttr::get(b.getContext(), 0, {fixedOr(columns), 1}));
  Value view = memref::ReinterpretCastOp::create(
      b, loc, strided, from.memref, b.getIndexAttr(0),
      ArrayRef<OpFoldResult>{rows, columns},
      ArrayRef<OpFoldResult>{columns, b.getIndexAttr(1)});
  return memref::CastOp::create(b, loc, resultType, view);
}

Buffer FunctionLowering::expand(const Buffer &from, size_t at, AxesRef parts) {
  Axes order(from.order.begin(), from.order.begin() + at);
  SmallVector<ReassociationIndices> groups;
  for (size_t i = 0; i < at; ++i)
    groups.push_back({static_cast<int64_t>(i)});
  ReassociationIndices group;
  for (AxisAttr part : parts) {
    group.push_back(order.size());
    order.push_back(part);
  }
  groups.push_back(group);
  for (size_t i = at + 1; i < from.order.size(); ++i) {
    groups.push_back({static_cast<int64_t>(order.size())});
    order.push_back(from.order[i]);
  }
  SmallVector<OpFoldResult> shape;
  for (AxisAttr axis : order)
    shape.push_back(size(axis));
  Value view = memref::ExpandShapeOp::create(
      b, loc, memrefType(order, elementOf(from)), from.memref, groups, shape);
  return {view, order};
}

Buffer FunctionLowering::merge(const Buffer &from, AxisAttr product) {
  AxesRef factors = product.getParts();
  // The factors must lie side by side, in their order; move them if not.
  size_t at = llvm::find(from.order, factors[0]) - from.order.begin();
  Buffer adjacent = from;
  if (AxesRef(from.order).slice(at).take_front(factors.size()) != factors) {
    Axes order;
    for (AxisAttr axis : from.order) {
      if (axis == factors[0])
        order.append(factors.begin(), factors.end());
      else if (!llvm::is_contained(factors, axis))
        order.push_back(axis);
    }
    adjacent = permuted(from, order);
    at = llvm::find(order, factors[0]) - order.begin();
  }
  Axes order;
  SmallVector<ReassociationIndices> groups;
  for (size_t i = 0; i < adjacent.order.size();) {
    size_t n = i == at ? factors.size() : 1;
    ReassociationIndices group;
    for (size_t j = 0; j < n; ++j)
      group.push_back(i + j);
    groups.push_back(group);
    order.push_back(i == at ? product : adjacent.order[i]);
    i += n;
  }
  return {collapse(adjacent, groups), order};
}

void FunctionLowering::generic(AxesRef parallel, AxesRef reduced,
                               ArrayRef<Buffer> ins, ArrayRef<Buffer> outs,
                               BodyFn body) {
  Axes loops(parallel);
  loops.append(reduced.begin(), reduced.end());
  SmallVector<utils::IteratorType> iterators(parallel.size(),
                                             utils::IteratorType::parallel);
  iterators.append(reduced.size(), utils::IteratorType::reduction);
  SmallVector<AffineMap> maps;
  SmallVector<Value> inputs, outputs;
  auto add = [&](const Buffer &buffer, SmallVector<Value> &into) {
    SmallVector<AffineExpr> exprs;
    for (AxisAttr axis : buffer.order)
      exprs.push_back(
          b.getAffineDimExpr(llvm::find(loops, axis) - loops.begin()));
    maps.push_back(AffineMap::get(loops.size(), 0, exprs, b.getContext()));
    into.push_back(buffer.memref);
  };
  for (const Buffer &in : ins)
    add(in, inputs);
  for (const Buffer &out : outs)
    add(out, outputs);
  linalg::GenericOp::create(
      b, loc, TypeRange{}, inputs, outputs, maps, iterators,
      [&](OpBuilder &nested, Location nestedLoc, ValueRange args) {
        auto index = [&](AxisAttr axis) -> Value {
          return linalg::IndexOp::create(
              nested, nestedLoc, llvm::find(loops, axis) - loops.begin());
        };
        linalg::YieldOp::create(nested, nestedLoc,
                                body({nested, nestedLoc, args, index}));
      });
}

} // namespace nax
