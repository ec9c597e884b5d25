//===- ParamLayout.cpp - how parameters lie in the block ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// A parameter that is contracted is stored as panels, the form that the dot
// kernel streams (cpu-codegen: packed once at load). The same panels serve a
// look-up, so a tied embedding is stored once. Both may have a shorter form
// than the model declares; whatever else reads a parameter has it as declared.
// A GPU's kernels take a matrix as its rows are, with the contracted axes last.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

using namespace mlir;

namespace nax {

bool isParamLike(Value value) {
  if (value.getDefiningOp<ParamOp>())
    return true;
  auto arg = dyn_cast<BlockArgument>(value);
  if (!arg)
    return false;
  auto func = dyn_cast<func::FuncOp>(arg.getOwner()->getParentOp());
  return func && func.getArgAttr(arg.getArgNumber(), "nax.param");
}

Layout plainLayout(TensorType type) {
  Layout layout;
  for (size_t i = 0; i < type.getAxes().size(); ++i)
    layout.n.push_back(i);
  return layout;
}

Type ModuleState::stored(Type element) const {
  return narrow && element.isF32() ? narrow : storageType(element);
}

static int64_t extentOver(TensorType type, ArrayRef<int64_t> at) {
  int64_t extent = 1;
  for (int64_t i : at)
    extent *= extentOf(type.getAxes()[i]);
  return extent;
}

std::optional<WeightFormat> ModuleState::wishOf(Value param) const {
  if (!weightsByName)
    return weights;
  StringAttr name;
  if (auto op = param.getDefiningOp<ParamOp>()) {
    name = weightsByName.getAs<StringAttr>(op.getName());
  } else {
    auto arg = cast<BlockArgument>(param);
    auto func = cast<func::FuncOp>(arg.getOwner()->getParentOp());
    name = func.getArgAttrOfType<StringAttr>(arg.getArgNumber(), "nax.stored");
  }
  return name ? WeightFormat::get(name.getValue()) : std::nullopt;
}

nax_stored ModuleState::storedAs(Value value, int64_t k) const {
  bool isWeight = isParamLike(value) &&
                  cast<TensorType>(value.getType()).getElementType().isF32();
  if (!isWeight || onGpu())
    return NAX_STORED_AS_DECLARED;
  std::optional<WeightFormat> wish = wishOf(value);
  if (!wish)
    return NAX_STORED_AS_DECLARED;
  if (wish->stored == NAX_STORED_BF16 && k && hasPairs)
    return NAX_STORED_BF16_PAIRS;
  if (!wish->isQuantised())
    return wish->stored;
  if (k == 0)
    return NAX_STORED_AS_DECLARED;
  if (k % wish->block == 0)
    return wish->stored;
  bool isLong = wish->block > 32;
  return isLong && k % 32 == 0 ? NAX_STORED_Q8_0 : NAX_STORED_AS_DECLARED;
}

int64_t ModuleState::widthOf(nax_stored stored) const {
  if (stored == NAX_STORED_BF16_PAIRS)
    return kPairColumns;
  return WeightFormat::isQuantised(stored) ? blockPanelWidth : panelWidth;
}

std::optional<Layout> ModuleState::matrixLayout(Value matrix,
                                                AxesRef over) const {
  auto type = cast<TensorType>(matrix.getType());
  Type element = stored(type.getElementType());
  bool isHalf = element.isF16() || element.isBF16();
  if (!(element.isF32() || (isHalf && onGpu())) || over.empty())
    return std::nullopt;
  Layout layout;
  for (AxisAttr axis : over)
    layout.k.push_back(llvm::find(type.getAxes(), axis) -
                       type.getAxes().begin());
  for (auto [i, axis] : llvm::enumerate(type.getAxes())) {
    if (ShapedType::isDynamic(extentOf(axis)))
      return std::nullopt;
    if (!llvm::is_contained(over, axis))
      layout.n.push_back(i);
  }
  if (onGpu()) {
    layout.n.append(layout.k);
    layout.k.clear();
    return layout;
  }
  layout.stored = storedAs(matrix, extentOver(type, layout.k));
  layout.nr = widthOf(layout.stored);
  return layout;
}

Layout ModuleState::tableLayout(Value table, AxisAttr from) const {
  auto type = cast<TensorType>(table.getType());
  Layout panels;
  for (auto [i, axis] : llvm::enumerate(type.getAxes()))
    (axis == from ? panels.n : panels.k).push_back(i);
  panels.stored = storedAs(table, extentOver(type, panels.k));
  panels.nr = widthOf(panels.stored);
  if (WeightFormat::isQuantised(panels.stored))
    return panels;
  Layout plain = plainLayout(type);
  plain.stored = storedAs(table, /*k=*/0);
  return plain;
}

MemRefType ModuleState::layoutType(TensorType type,
                                   const Layout &layout) const {
  SmallVector<int64_t> shape;
  if (layout.nr == 0) {
    for (int64_t i : layout.n)
      shape.push_back(extentOf(type.getAxes()[i]));
  } else {
    int64_t n = extentOver(type, layout.n), k = extentOver(type, layout.k);
    shape = {(n + layout.nr - 1) / layout.nr, k, layout.nr};
    if (layout.stored == NAX_STORED_BF16_PAIRS)
      shape = {shape[0], pairsOf(k), layout.nr, 2};
  }
  Builder b(type.getContext());
  std::optional<WeightFormat> format = WeightFormat::get(layout.stored);
  if (format && format->isQuantised())
    return MemRefType::get(
        {shape[0], shape[1] / format->block, format->recordBytes(layout.nr)},
        b.getI8Type());
  Type element = stored(type.getElementType());
  if (layout.stored == NAX_STORED_F16)
    element = b.getF16Type();
  else if (layout.stored != NAX_STORED_AS_DECLARED)
    element = b.getBF16Type();
  return MemRefType::get(shape, element);
}

Axes contractedAxes(Operation *contraction) {
  if (auto dot = dyn_cast<DotOp>(contraction))
    return Axes(dot.getOver());
  if (auto scores = dyn_cast<ScoresOp>(contraction))
    return Axes{scores.getOver()};
  auto unembed = cast<UnembedOp>(contraction);
  Axes over;
  for (AxisAttr axis : unembed.getTable().getType().getAxes())
    if (axis != unembed.getTo())
      over.push_back(axis);
  return over;
}

std::optional<unsigned>
ModuleState::matrixOperand(Operation *contraction) const {
  auto type = [&](unsigned i) {
    return cast<TensorType>(contraction->getOperand(i).getType());
  };
  Axes over = contractedAxes(contraction);
  // Positions that are not there are left out one by one.
  if (contraction->getNumOperands() > 2)
    return std::nullopt;
  // It is one matrix: no axis may be shared without being summed.
  for (AxisAttr axis : type(0).getAxes())
    if (type(1).has(axis) && !llvm::is_contained(over, axis))
      return std::nullopt;
  if (type(0).getElementType() != type(1).getElementType())
    return std::nullopt;
  for (bool params : {true, false})
    for (unsigned i : {1u, 0u})
      if (isParamLike(contraction->getOperand(i)) == params &&
          matrixLayout(contraction->getOperand(i), over))
        return i;
  return std::nullopt;
}

SmallVector<Layout> ModuleState::layoutsOf(Value param) {
  auto type = cast<TensorType>(param.getType());
  SmallVector<Layout> layouts;
  auto add = [&](const Layout &layout) {
    if (!llvm::is_contained(layouts, layout))
      layouts.push_back(layout);
  };
  AxisAttr rows; // that look-ups count
  for (OpOperand &use : param.getUses()) {
    Operation *user = use.getOwner();
    if (auto call = dyn_cast<func::CallOp>(user)) {
      func::FuncOp callee = sources.lookup(call.getCallee());
      for (const Layout &layout :
           layoutsOf(callee.getArgument(use.getOperandNumber())))
        add(layout);
    } else if (isa<DotOp, UnembedOp>(user) &&
               matrixOperand(user) == use.getOperandNumber()) {
      add(*matrixLayout(param, contractedAxes(user)));
    } else if (auto embed = dyn_cast<EmbedOp>(user)) {
      rows = embed.getFrom();
    } else {
      add(plainLayout(type));
    }
  }
  if (rows && (layouts.empty() || onGpu()))
    add(tableLayout(param, rows));
  return layouts;
}

int64_t ModuleState::offsetOf(StringRef param, TensorType type,
                              const Layout &layout) {
  for (const Slot &slot : slots)
    if (slot.param == param && slot.layout == layout)
      return slot.offset;
  MemRefType stored = layoutType(type, layout);
  int64_t bytes = stored.getNumElements() * stored.getElementTypeBitWidth() / 8;
  int64_t offset = blockBytes;
  slots.push_back({param.str(), layout, offset, stored.getElementType()});
  blockBytes = (offset + bytes + 63) / 64 * 64;
  return offset;
}

} // namespace nax
