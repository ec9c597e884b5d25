//===- Kernel.cpp - kernels on buffers: builders, verifiers, syntax -------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "nax/Dialect/Nax/IR/Nax.h"

#include "mlir/IR/AffineMap.h"

using namespace mlir;
using namespace nax;

static MemRefType memrefOf(Value value) {
  return cast<MemRefType>(value.getType());
}

/// Vectors are loaded and stored along the last dimension.
static LogicalResult expectAdjacentColumns(Operation *op, Value value,
                                           StringRef what) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(memrefOf(value).getStridesAndOffset(strides, offset)) ||
      strides.back() != 1)
    return op->emitOpError() << "expects adjacent columns in " << what
                             << ", but got " << value.getType();
  return success();
}

//===----------------------------------------------------------------------===//
// Dot
//===----------------------------------------------------------------------===//

LogicalResult kernel::DotOp::verify() {
  ArrayRef<int64_t> panels = memrefOf(getPanels()).getShape(); // N1, K, NR
  int64_t k = memrefOf(getA()).getDimSize(1);
  int64_t n = memrefOf(getC()).getDimSize(1);
  if (ShapedType::isDynamicShape(panels) || ShapedType::isDynamic(k) ||
      ShapedType::isDynamic(n))
    return emitOpError("expects static K, N and panels");
  if (panels[2] <= 0 || panels[2] % 16 != 0)
    return emitOpError("expects panels of a multiple of 16 columns, but got ")
           << panels[2];
  if (k != panels[1])
    return emitOpError("expects rows of ")
           << panels[1] << " numbers as the panels have, but got " << k;
  if ((n + panels[2] - 1) / panels[2] != panels[0])
    return emitOpError("expects ")
           << (n + panels[2] - 1) / panels[2] << " panels for " << n
           << " columns, but got " << panels[0];
  if (failed(expectAdjacentColumns(*this, getPanels(), "the panels")))
    return failure();
  return expectAdjacentColumns(*this, getC(), "the result");
}

//===----------------------------------------------------------------------===//
// Norm
//===----------------------------------------------------------------------===//

LogicalResult kernel::NormOp::verify() {
  if (getKind() != "rms" && getKind() != "layer")
    return emitOpError("expects the kind \"rms\" or \"layer\", but got \"")
           << getKind() << "\"";
  if (getKind() == "rms" && getShift())
    return emitOpError("expects no shift for the kind \"rms\"");
  int64_t c = memrefOf(getX()).getDimSize(1);
  if (ShapedType::isDynamic(c))
    return emitOpError("expects rows of a static size");
  if (memrefOf(getOut()).getDimSize(1) != c ||
      memrefOf(getGain()).getDimSize(0) != c ||
      (getShift() && memrefOf(getShift()).getDimSize(0) != c))
    return emitOpError("expects ") << c << " numbers in each operand's row";
  for (Value value : {getX(), getGain(), getShift(), getOut()})
    if (value && failed(expectAdjacentColumns(*this, value, "each operand")))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

namespace {

/// Checks what attention and its weights share.
template <typename Op>
struct AttentionVerifier {
  Op op;
  unsigned batch = op.getNumBatch();
  unsigned t = batch, s = batch + 1, d = batch + 2, e = batch + 3;

  /// The map of an operand of `rank` names `must` and beyond it only batch
  /// dimensions and `may`.
  LogicalResult map(StringRef what, Value value, AffineMap map,
                    ArrayRef<unsigned> must, ArrayRef<unsigned> may = {}) {
    if (map.getNumDims() != batch + 4 || !map.isProjectedPermutation() ||
        int64_t(map.getNumResults()) != memrefOf(value).getRank())
      return op.emitOpError("expects a projected permutation of ")
             << batch + 4 << " dimensions to the " << memrefOf(value).getRank()
             << " of " << what << ", but got " << AffineMapAttr::get(map);
    for (unsigned dim : must)
      if (!map.isFunctionOfDim(dim))
        return op.emitOpError("expects the map of ")
               << what << " to name dimension " << dim << ", but got "
               << AffineMapAttr::get(map);
    for (unsigned dim = batch; dim < batch + 4; ++dim)
      if (map.isFunctionOfDim(dim) && !llvm::is_contained(must, dim) &&
          !llvm::is_contained(may, dim))
        return op.emitOpError("expects the map of ")
               << what << " not to name dimension " << dim << ", but got "
               << AffineMapAttr::get(map);
    return success();
  }

  LogicalResult staticDim(StringRef what, Value value, AffineMap map,
                          unsigned dim) {
    for (auto [result, size] :
         llvm::zip(map.getResults(), memrefOf(value).getShape()))
      if (cast<AffineDimExpr>(result).getPosition() == dim &&
          ShapedType::isDynamic(size))
        return op.emitOpError("expects a static number of components in ")
               << what << ", but got " << value.getType();
    return success();
  }

  /// The extra number `i`, whose map may name `may` and whose elements are of
  /// a type that `fits`.
  LogicalResult extra(int64_t i, ArrayRef<unsigned> must,
                      ArrayRef<unsigned> may, StringRef elements,
                      llvm::function_ref<bool(Type)> fits) {
    if (i < 0 || i >= int64_t(op.getExtras().size()))
      return op.emitOpError("expects an extra number below ")
             << op.getExtras().size() << ", but got " << i;
    Value value = op.getExtras()[i];
    std::string what = "extra " + std::to_string(i);
    if (!fits(memrefOf(value).getElementType()))
      return op.emitOpError("expects elements of ")
             << elements << " in " << what << ", but got " << value.getType();
    auto attr = cast<AffineMapAttr>(op.getExtraMaps()[i]);
    return map(what, value, attr.getValue(), must, may);
  }

  LogicalResult badMask(Attribute tree) {
    return op.emitOpError("expects a mask such as [\"window\", 4] or "
                          "[\"and\", x, y], but got ")
           << tree;
  }

  LogicalResult mask(Attribute tree) {
    auto node = dyn_cast<ArrayAttr>(tree);
    auto name =
        node && !node.empty() ? dyn_cast<StringAttr>(node[0]) : StringAttr();
    if (!name)
      return badMask(tree);
    if (name == "and" || name == "or" || name == "not") {
      if (node.size() != (name == "not" ? 2 : 3))
        return badMask(tree);
      for (Attribute child : node.getValue().drop_front())
        if (failed(mask(child)))
          return failure();
      return success();
    }
    auto number =
        node.size() == 2 ? dyn_cast<IntegerAttr>(node[1]) : IntegerAttr();
    if (!number)
      return badMask(tree);
    int64_t i = number.getInt();
    auto isInteger = [](Type type) {
      return type.isInteger(32) || type.isInteger(64);
    };
    auto isTruth = [](Type type) {
      return type.isInteger(1) || type.isInteger(8);
    };
    if (name == "window" || name == "prefix")
      return success();
    if (name == "less_than" || name == "not_before")
      return extra(i, {}, {}, "i32 or i64", isInteger);
    if (name == "same")
      return extra(i, {t}, {}, "i32 or i64", isInteger);
    if (name == "true" || name == "false")
      return extra(i, {}, {t, s}, "i1 or i8", isTruth);
    return badMask(tree);
  }

  LogicalResult verify() {
    AffineMap out = op.getOutMap();
    for (unsigned dim = 0; dim < batch; ++dim)
      if (out.getNumDims() == batch + 4 && !out.isFunctionOfDim(dim))
        return op.emitOpError("expects the result to have batch dimension ")
               << dim << ", but got " << AffineMapAttr::get(out);
    if (failed(map("the queries", op.getQ(), op.getQMap(), {t, d})) ||
        failed(map("the keys", op.getK(), op.getKMap(), {s, d})) ||
        failed(staticDim("the queries", op.getQ(), op.getQMap(), d)) ||
        failed(staticDim("the keys", op.getK(), op.getKMap(), d)))
      return failure();
    if (op.getExtraMaps().size() != op.getExtras().size())
      return op.emitOpError("expects ")
             << op.getExtras().size() << " maps of extras, but got "
             << op.getExtraMaps().size();
    auto isF32 = [](Type type) { return type.isF32(); };
    if (op.getBias() && op.getAlibi())
      return op.emitOpError("expects a bias or alibi, not both");
    if (op.getBias() && failed(extra(*op.getBias(), {}, {t, s}, "f32", isF32)))
      return failure();
    if (op.getAlibi() && failed(extra(*op.getAlibi(), {}, {}, "f32", isF32)))
      return failure();
    return op.getMask() ? mask(op.getMaskAttr()) : success();
  }
};

/// Sets the properties of a new attention or attention_weights.
template <typename Properties>
void setCommon(OpBuilder &b, Properties &to, ArrayAttr extraMaps,
               int64_t numBatch, FloatAttr scale, FloatAttr cap,
               UnitAttr causal, IntegerAttr bias, IntegerAttr alibi,
               Attribute mask) {
  to.extra_maps = extraMaps;
  to.num_batch = b.getI64IntegerAttr(numBatch);
  to.scale = scale;
  to.cap = cap;
  to.causal = causal;
  to.bias = bias;
  to.alibi = alibi;
  to.mask = cast_or_null<ArrayAttr>(mask);
}

} // namespace

void kernel::AttentionOp::build(OpBuilder &b, OperationState &state, Value q,
                                Value k, Value v, Value out, ValueRange extras,
                                Value scratch, AffineMap qMap, AffineMap kMap,
                                AffineMap vMap, AffineMap outMap,
                                ArrayAttr extraMaps, int64_t numBatch,
                                FloatAttr scale, FloatAttr cap, UnitAttr causal,
                                IntegerAttr bias, IntegerAttr alibi,
                                Attribute mask) {
  state.addOperands({q, k, v, out});
  state.addOperands(extras);
  if (scratch)
    state.addOperands(scratch);
  auto &to = state.getOrAddProperties<Properties>();
  to.operandSegmentSizes = {
      1, 1, 1, 1, int32_t(extras.size()), scratch ? 1 : 0};
  to.q_map = AffineMapAttr::get(qMap);
  to.k_map = AffineMapAttr::get(kMap);
  to.v_map = AffineMapAttr::get(vMap);
  to.out_map = AffineMapAttr::get(outMap);
  setCommon(b, to, extraMaps, numBatch, scale, cap, causal, bias, alibi, mask);
}

LogicalResult kernel::AttentionOp::verify() {
  AttentionVerifier<AttentionOp> check{*this};
  if (failed(
          check.map("the result", getOut(), getOutMap(), {check.t, check.e})) ||
      failed(check.map("the values", getV(), getVMap(), {check.s, check.e})) ||
      failed(check.staticDim("the values", getV(), getVMap(), check.e)))
    return failure();
  return check.verify();
}

void kernel::AttentionWeightsOp::build(
    OpBuilder &b, OperationState &state, Value q, Value k, Value out,
    ValueRange extras, Value scratch, AffineMap qMap, AffineMap kMap,
    AffineMap outMap, ArrayAttr extraMaps, int64_t numBatch, FloatAttr scale,
    FloatAttr cap, UnitAttr causal, IntegerAttr bias, IntegerAttr alibi,
    Attribute mask) {
  state.addOperands({q, k, out});
  state.addOperands(extras);
  if (scratch)
    state.addOperands(scratch);
  auto &to = state.getOrAddProperties<Properties>();
  to.operandSegmentSizes = {1, 1, 1, int32_t(extras.size()), scratch ? 1 : 0};
  to.q_map = AffineMapAttr::get(qMap);
  to.k_map = AffineMapAttr::get(kMap);
  to.out_map = AffineMapAttr::get(outMap);
  setCommon(b, to, extraMaps, numBatch, scale, cap, causal, bias, alibi, mask);
}

LogicalResult kernel::AttentionWeightsOp::verify() {
  AttentionVerifier<AttentionWeightsOp> check{*this};
  if (failed(
          check.map("the result", getOut(), getOutMap(), {check.t, check.s})))
    return failure();
  return check.verify();
}

//===----------------------------------------------------------------------===//
// Parallel
//===----------------------------------------------------------------------===//

void ParallelOp::build(OpBuilder &b, OperationState &state, Value n) {
  state.addOperands(n);
  Region *body = state.addRegion();
  Block *block = new Block;
  body->push_back(block);
  block->addArgument(b.getI64Type(), state.location);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(block);
  DoneOp::create(b, state.location);
}

ParseResult ParallelOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::Argument chunk;
  OpAsmParser::UnresolvedOperand n;
  Type i64 = parser.getBuilder().getI64Type();
  chunk.type = i64;
  int64_t zero;
  SMLoc where;
  if (parser.parseArgument(chunk) || parser.parseEqual() ||
      parser.getCurrentLocation(&where) || parser.parseInteger(zero))
    return failure();
  if (zero != 0)
    return parser.emitError(where, "expects to begin at 0, but got ") << zero;
  if (parser.parseKeyword("to") || parser.parseOperand(n) ||
      parser.resolveOperand(n, i64, result.operands) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  return parser.parseRegion(*result.addRegion(), chunk);
}

void ParallelOp::print(OpAsmPrinter &p) {
  p << ' ' << getChunk() << " = 0 to " << getN();
  p.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  p << ' ';
  p.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

LogicalResult ParallelOp::verifyRegions() {
  if (getBody().getNumArguments() != 1 ||
      !getBody().getArgument(0).getType().isInteger(64))
    return emitOpError("expects a region with one argument of i64");
  if (auto outer = (*this)->getParentOfType<ParallelOp>())
    return emitOpError("expects not to stand in another one")
               .attachNote(outer.getLoc())
           << "the outer one";
  return success();
}
