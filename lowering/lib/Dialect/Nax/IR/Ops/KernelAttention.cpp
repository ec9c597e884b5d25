//===- KernelAttention.cpp - attention on buffers -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "nax/Dialect/Nax/IR/Nax.h"

#include "mlir/IR/AffineMap.h"

using namespace mlir;
using namespace nax;

static MemRefType memrefOf(Value value) {
  return cast<MemRefType>(value.getType());
}

namespace {

/// Checks what attention and its weights share.
template <typename Op>
struct AttentionVerifier {
  Op op;
  unsigned batch = op.getNumBatch();
  unsigned t = batch, s = batch + 1, d = batch + 2, e = batch + 3;
  bool hasCache = false;         ///< keys and values are in two parts
  ArrayRef<int64_t> caches = {}; ///< the cache of each extra, or -1

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
    if (failed(map(what, value, attr.getValue(), must, may)))
      return failure();
    // What is read at s names it, but for documents, which are read at t, too.
    bool readAtKeys =
        llvm::is_contained(must, t) || attr.getValue().isFunctionOfDim(s);
    return hasCache && readAtKeys ? cachedExtra(i) : success();
  }

  /// The extra number `i`, which is read at s, has its cache.
  LogicalResult cachedExtra(int64_t i) {
    AffineMap map = cast<AffineMapAttr>(op.getExtraMaps()[i]).getValue();
    if (map.isFunctionOfDim(t) && map.isFunctionOfDim(s))
      return op.emitOpError("expects extra ")
             << i << " beside a cache not to name both dimensions " << t
             << " and " << s << ", but got " << AffineMapAttr::get(map);
    int64_t cache = i < int64_t(caches.size()) ? caches[i] : -1;
    if (cache < 0 || cache >= int64_t(op.getExtras().size()))
      return op.emitOpError("expects the number of another extra, the cache of "
                            "extra ")
             << i << ", in extra_caches, but got " << cache;
    Value value = op.getExtras()[i], slots = op.getExtras()[cache];
    if (op.getExtraMaps()[cache] != op.getExtraMaps()[i] ||
        memrefOf(slots).getElementType() != memrefOf(value).getElementType() ||
        memrefOf(slots).getRank() != memrefOf(value).getRank())
      return op.emitOpError("expects extra ")
             << cache << ", the cache of extra " << i
             << ", to have its map and elements, but got " << slots.getType();
    return success();
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

  /// Of the queries' type.
  LogicalResult sameType(StringRef what, Value value) {
    Type element = memrefOf(op.getQ()).getElementType();
    if (memrefOf(value).getElementType() != element)
      return op.emitOpError("expects ")
             << what << " of " << element << " as the queries, but got "
             << value.getType();
    return success();
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
    if (failed(sameType("keys", op.getK())) ||
        (!memrefOf(op.getOut()).getElementType().isF32() &&
         failed(sameType("a result", op.getOut()))))
      return failure();
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

void kernel::AttentionOp::build(
    OpBuilder &b, OperationState &state, Value q, Value k, Value v, Value out,
    ValueRange extras, Value scratch, AffineMap qMap, AffineMap kMap,
    AffineMap vMap, AffineMap outMap, ArrayAttr extraMaps, int64_t numBatch,
    FloatAttr scale, FloatAttr cap, UnitAttr causal, IntegerAttr bias,
    IntegerAttr alibi, Attribute mask, Value kc, Value vc, Value span,
    AffineMap spanMap, ArrayRef<int64_t> extraCaches) {
  state.addOperands({q, k, v, out});
  for (Value cached : {kc, vc, span})
    if (cached)
      state.addOperands(cached);
  state.addOperands(extras);
  if (scratch)
    state.addOperands(scratch);
  auto &to = state.getOrAddProperties<Properties>();
  to.operandSegmentSizes = {1,
                            1,
                            1,
                            1,
                            kc ? 1 : 0,
                            vc ? 1 : 0,
                            span ? 1 : 0,
                            0,
                            0,
                            int32_t(extras.size()),
                            scratch ? 1 : 0};
  if (spanMap)
    to.span_map = AffineMapAttr::get(spanMap);
  if (kc)
    to.extra_caches = b.getDenseI64ArrayAttr(extraCaches);
  to.q_map = AffineMapAttr::get(qMap);
  to.k_map = AffineMapAttr::get(kMap);
  to.v_map = AffineMapAttr::get(vMap);
  to.out_map = AffineMapAttr::get(outMap);
  setCommon(b, to, extraMaps, numBatch, scale, cap, causal, bias, alibi, mask);
}

/// `cache` is as `part`, slots in the place of dimension `s` of `map`.
static LogicalResult expectCacheOf(Operation *op, StringRef what, Value cache,
                                   Value part, AffineMap map, unsigned s) {
  ArrayRef<int64_t> slots = memrefOf(cache).getShape(),
                    sizes = memrefOf(part).getShape();
  bool fits = slots.size() == sizes.size();
  for (unsigned i = 0; fits && i < sizes.size(); ++i)
    fits = cast<AffineDimExpr>(map.getResult(i)).getPosition() == s ||
           ShapedType::isDynamic(slots[i]) || ShapedType::isDynamic(sizes[i]) ||
           slots[i] == sizes[i];
  if (!fits)
    return op->emitOpError("expects the cache of the ")
           << what << " to differ from " << part.getType() << " in dimension "
           << s << " at most, but got " << cache.getType();
  return success();
}

static LogicalResult
verifyCache(kernel::AttentionOp op,
            AttentionVerifier<kernel::AttentionOp> &check) {
  Value kc = op.getKc(), vc = op.getVc(), span = op.getSpan();
  if (!kc && !vc && !span && !op.getSpanMap() && !op.getExtraCaches())
    return success();
  if (!kc || !vc || !span || !op.getSpanMap())
    return op.emitOpError("expects a cache of keys, one of values, a span and "
                          "its map, or none of them");
  AffineMap map = *op.getSpanMap();
  if (map.getNumDims() != check.batch + 4 || !map.isProjectedPermutation() ||
      int64_t(map.getNumResults()) + 1 != memrefOf(span).getRank() ||
      memrefOf(span).getShape().back() != 2)
    return op.emitOpError("expects a start and an end for each row that the "
                          "map of the span names, but got ")
           << span.getType() << " and " << AffineMapAttr::get(map);
  for (unsigned dim = check.t; dim <= check.e; ++dim)
    if (map.isFunctionOfDim(dim))
      return op.emitOpError(
                 "expects the map of the span not to name dimension ")
             << dim << ", but got " << AffineMapAttr::get(map);
  if (failed(check.sameType("cached keys", kc)) ||
      failed(check.sameType("cached values", vc)) ||
      failed(expectCacheOf(op, "keys", kc, op.getK(), op.getKMap(), check.s)) ||
      failed(expectCacheOf(op, "values", vc, op.getV(), op.getVMap(), check.s)))
    return failure();
  if (failed(check.staticDim("the cached keys", kc, op.getKMap(), check.d)))
    return failure();
  return check.staticDim("the cached values", vc, op.getVMap(), check.e);
}

/// The tables by which queries are rotated.
static LogicalResult
verifyRotation(kernel::AttentionOp op,
               AttentionVerifier<kernel::AttentionOp> &check) {
  Value cosines = op.getCosines(), sines = op.getSines();
  if (!cosines && !sines && !op.getRopeMap() && !op.getPairing())
    return success();
  if (!cosines || !sines || !op.getRopeMap() || !op.getPairing())
    return op.emitOpError("expects cosines, sines, their map and a pairing to "
                          "rotate by, or none of them");
  if (!symbolizePairing(*op.getPairing()))
    return op.emitOpError("expects the pairing \"halves\" or \"interleaved\", "
                          "but got ")
           << op.getPairingAttr();
  MemRefType type = memrefOf(cosines);
  if (sines.getType() != type)
    return op.emitOpError("expects sines of ")
           << type << " as the cosines, but got " << sines.getType();
  int64_t components =
      memrefOf(op.getQ()).getDimSize(*op.getQMap().getResultPosition(
          getAffineDimExpr(check.d, op.getContext())));
  int64_t pairs = type.getRank() ? type.getShape().back() : 0;
  if (ShapedType::isDynamic(pairs) || pairs < 1 || 2 * pairs > components)
    return op.emitOpError("expects tables of 1 to ")
           << components / 2 << " pairs of " << components
           << " components, but got " << type;
  AffineMap map = *op.getRopeMap();
  if (map.getNumDims() != check.batch + 4 || !map.isProjectedPermutation() ||
      int64_t(map.getNumResults()) + 1 != type.getRank())
    return op.emitOpError("expects a projected permutation of ")
           << check.batch + 4
           << " dimensions to those of the tables but their pairs, but got "
           << AffineMapAttr::get(map);
  for (unsigned dim = 0; dim < check.batch + 4; ++dim)
    if (map.isFunctionOfDim(dim) &&
        (dim == check.d || !op.getQMap().isFunctionOfDim(dim)))
      return op.emitOpError("expects the map of the tables to name dimensions "
                            "of the queries, but got ")
             << AffineMapAttr::get(map);
  return success();
}

LogicalResult kernel::AttentionOp::verify() {
  AttentionVerifier<AttentionOp> check{*this};
  check.hasCache = bool(getKc());
  if (std::optional<ArrayRef<int64_t>> caches = getExtraCaches())
    check.caches = *caches;
  if (failed(
          check.map("the result", getOut(), getOutMap(), {check.t, check.e})) ||
      failed(check.map("the values", getV(), getVMap(), {check.s, check.e})) ||
      failed(check.staticDim("the values", getV(), getVMap(), check.e)) ||
      failed(check.sameType("values", getV())) || failed(check.verify()) ||
      failed(verifyCache(*this, check)))
    return failure();
  return verifyRotation(*this, check);
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
