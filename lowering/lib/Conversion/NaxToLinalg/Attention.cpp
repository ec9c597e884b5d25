//===- Attention.cpp - nax.attention to the attention kernel --------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// The kernel takes operands in any order of axes; this file says by maps which
// dimension is the batch (and heads), the query, the read position, the match
// and the value. Masks are not computed: they become a tree that the kernel
// evaluates where it needs it.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <cmath>

using namespace mlir;

namespace nax {

/// Slopes of ALiBi (Press et al. 2022): a geometric row for a power of two;
/// for other head counts the row of the nearest smaller power, then every
/// second of the next one.
static SmallVector<float> alibiSlopes(int64_t heads) {
  auto row = [](int64_t n) {
    SmallVector<double> slopes;
    double start = std::pow(2.0, -8.0 / n);
    for (int64_t i = 0; i < n; ++i)
      slopes.push_back(std::pow(start, i + 1));
    return slopes;
  };
  int64_t power = 1;
  while (power * 2 <= heads)
    power *= 2;
  SmallVector<float> slopes;
  for (double slope : row(power))
    slopes.push_back(slope);
  SmallVector<double> finer = row(2 * power);
  for (int64_t i = 0; static_cast<int64_t>(slopes.size()) < heads; i += 2)
    slopes.push_back(finer[i]);
  return slopes;
}

LogicalResult checkMasks(func::FuncOp source) {
  for (Operation &op : source.getBody().front()) {
    auto call = dyn_cast<func::CallOp>(op);
    if (!call && !isa<func::ReturnOp>(op))
      continue;
    for (Type type : op.getOperandTypes()) {
      if (!cast<nax::TensorType>(type).is(Is::mask))
        continue;
      if (call)
        return call.emitOpError()
               << "hands a mask to " << call.getCallee()
               << "; make it in the function that applies it";
      return emitError(op.getLoc())
             << "function " << source.getName()
             << " returns a mask; return numbers, and apply the mask to scores "
                "in the function that makes it";
    }
  }
  return success();
}

/// `buffer`, which stands on `from`, as what is read of a continued axis.
static Buffer asRead(Buffer buffer, AxisAttr from, AxisAttr read) {
  llvm::replace(buffer.order, from, read);
  return buffer;
}

int64_t FunctionLowering::addExtra(Extras &extras, const Buffer &buffer,
                                   int64_t cache) {
  extras.buffers.push_back(buffer);
  extras.caches.push_back(cache);
  return extras.buffers.size() - 1;
}

int64_t FunctionLowering::addExtra(Extras &extras, Value value, bool inF32) {
  auto it = caches.find(value);
  if (it == caches.end()) {
    Buffer plain = buffer(value);
    return addExtra(extras, inF32 ? asF32(plain) : plain);
  }
  const Cached &cached = it->second;
  AxisAttr read = AxisAttr::getRead(cached.now);
  addExtra(extras, asRead(cached.fresh, cached.now, read),
           /*cache=*/extras.buffers.size() + 1);
  return addExtra(extras, asRead(cached.cache, cached.slots, read)) - 1;
}

/// Documents stand on the position that asks; those of a position that is read
/// are looked up there, too.
int64_t FunctionLowering::addSame(Extras &extras, SameDocumentOp op) {
  if (!op.getCached())
    return addExtra(extras, op.getDocuments());
  int64_t number = addExtra(extras, op.getCached());
  const Cached &cached = caches.find(op.getCached())->second;
  for (int64_t i : {number, number + 1})
    extras.buffers[i] = asRead(extras.buffers[i],
                               AxisAttr::getRead(cached.now), cached.now);
  return number;
}

FailureOr<Attribute> FunctionLowering::maskTree(Value mask, Extras &extras) {
  auto node = [&](StringRef name, ArrayRef<Attribute> args) -> Attribute {
    SmallVector<Attribute> all{b.getStringAttr(name)};
    all.append(args.begin(), args.end());
    return b.getArrayAttr(all);
  };
  auto extra = [&](Value v) -> Attribute {
    return b.getI64IntegerAttr(addExtra(extras, v));
  };
  Operation *op = mask.getDefiningOp();
  if (auto window = dyn_cast_or_null<WindowOp>(op))
    return node("window", b.getI64IntegerAttr(window.getSize()));
  if (isa_and_nonnull<PastOp>(op)) // not t - s < 0
    return node("not", node("window", b.getI64IntegerAttr(0)));
  if (auto prefix = dyn_cast_or_null<PrefixOp>(op))
    return node("prefix", b.getI64IntegerAttr(prefix.getSize()));
  if (auto shorter = dyn_cast_or_null<ShorterThanOp>(op))
    return node("less_than", extra(shorter.getLengths()));
  if (auto same = dyn_cast_or_null<SameDocumentOp>(op))
    return node("same", b.getI64IntegerAttr(addSame(extras, same)));
  if (auto allowed = dyn_cast_or_null<AllowedWhereTrueOp>(op))
    return node("true", extra(allowed.getM()));
  if (auto blocked = dyn_cast_or_null<BlockedWhereTrueOp>(op))
    return node("false", extra(blocked.getM()));
  if (isa_and_nonnull<MaskAndOp, MaskOrOp>(op)) {
    FailureOr<Attribute> x = maskTree(op->getOperand(0), extras);
    FailureOr<Attribute> y = maskTree(op->getOperand(1), extras);
    if (failed(x) || failed(y))
      return failure();
    return node(isa<MaskAndOp>(op) ? "and" : "or", {*x, *y});
  }
  if (auto negated = dyn_cast_or_null<MaskNotOp>(op)) {
    FailureOr<Attribute> x = maskTree(negated.getX(), extras);
    if (failed(x))
      return failure();
    return node("not", *x);
  }
  emitError(mask.getLoc())
      << "this mask is made outside the function that applies it, but a mask "
         "is not kept in memory; build it beside its use";
  return failure();
}

LogicalResult FunctionLowering::lowerAttention(Operation *op) {
  auto attention = dyn_cast<AttentionOp>(op);
  auto weights = dyn_cast<AttentionWeightsOp>(op);
  auto get = [&](auto &&f) { return attention ? f(attention) : f(weights); };
  AxisAttr d = get([](auto o) { return o.getOver(); });
  AxisAttr s = get([](auto o) { return o.getAlong(); });
  Value maskValue = get([](auto o) { return Value(o.getMask()); });
  Value biasValue = get([](auto o) { return Value(o.getBias()); });
  Value data = get([](auto o) { return Value(o.getData()); });
  double scale = get([](auto o) { return o.getScale().convertToDouble(); });

  if (ShapedType::isDynamic(extentOf(d)))
    return op->emitOpError()
           << "matches queries and keys over an axis of fixed size, but "
           << d.getLabel() << " has none";

  // Keys and values: one buffer each, or new ones and those in a cache.
  struct Side {
    Buffer buffer, cache;
    AxisAttr now, slots;
    Buffer span;
  };
  SmallVector<Buffer> numbers;
  for (Value operand : op->getOperands().take_front(attention ? 3 : 2)) {
    auto it = caches.find(operand);
    numbers.push_back(it == caches.end() ? buffer(operand) : it->second.cache);
  }
  Type element = kernelType(numbers);
  auto sideOf = [&](unsigned i) -> Side {
    auto it = caches.find(op->getOperand(i));
    if (it == caches.end())
      return {as(element, buffer(op->getOperand(i))), {}, {}, {}, {}};
    const Cached &cached = it->second;
    return {cached.fresh, cached.cache, cached.now, cached.slots, cached.span};
  };
  // Where both stand, seen as what is read of the axis.
  auto readSide = [&](Side &side) {
    if (!side.now)
      return;
    side.buffer = asRead(side.buffer, side.now, s);
    side.cache = asRead(side.cache, side.slots, s);
  };

  Buffer q = as(element, buffer(op->getOperand(0)));
  Side keys = sideOf(1);
  readSide(keys);
  const Buffer &k = keys.buffer;
  // The one sequence axis of the query that the keys lack asks.
  Axes batch;
  AxisAttr t;
  for (AxisAttr axis : q.order) {
    if (axis == d)
      continue;
    if (axis.isSequence() && !llvm::is_contained(k.order, axis))
      t = axis;
    else
      batch.push_back(axis);
  }
  if (!t)
    return op->emitOpError() << "expects a query with a sequence axis";

  // Values keep one feature axis: none becomes one of size 1, several are laid
  // side by side and merged.
  Side values;
  Axes features;
  AxisAttr e;
  if (attention) {
    values = sideOf(2);
    if (!values.now != !keys.now)
      return op->emitOpError()
             << "expects keys and values that are both cached, or neither";
    for (AxisAttr axis : values.buffer.order)
      if (axis != s && axis != values.now && !llvm::is_contained(batch, axis))
        features.push_back(axis);
    int64_t extent = 1;
    for (AxisAttr axis : features) {
      if (ShapedType::isDynamic(extentOf(axis)))
        return op->emitOpError()
               << "mixes features of fixed sizes, but " << axis.getLabel()
               << " of the values "
               << cast<TensorType>(attention.getV().getType()).getLabel()
               << " has none";
      extent *= extentOf(axis);
    }
    // None: [..., S] as [..., S, 1].
    auto withOneFeature = [&](const Buffer &v) {
      if (!features.empty())
        return merge(v, e);
      size_t last = v.order.size() - 1;
      AxisAttr lastAxis = v.order[last];
      return expand(v, last, {lastAxis, e});
    };
    if (features.size() == 1) {
      e = features[0];
    } else {
      e = AxisAttr::get(b.getContext(), "features", extent,
                        features.empty() ? AxisKind::plain : AxisKind::product,
                        AxisData::all, features);
      values.buffer = withOneFeature(values.buffer);
      if (values.now)
        values.cache = withOneFeature(values.cache);
    }
    readSide(values);
  }
  const Buffer &v = values.buffer;

  // Loops: batch..., t, s, d, e. The match and the value's features may be one
  // axis (D), so which of the two is meant depends on the operand.
  Axes loops = batch;
  loops.append({t, s});
  size_t matchAt = loops.size(), featureAt = matchAt + 1;
  auto map = [&](const Buffer &of, AxisAttr last, size_t lastAt) {
    SmallVector<AffineExpr> exprs;
    for (AxisAttr axis : of.order)
      exprs.push_back(b.getAffineDimExpr(
          axis == last ? lastAt : llvm::find(loops, axis) - loops.begin()));
    return AffineMap::get(featureAt + 1, 0, exprs, b.getContext());
  };
  auto matchMap = [&](const Buffer &of) { return map(of, d, matchAt); };
  auto valueMap = [&](const Buffer &of) { return map(of, e, featureAt); };

  Extras extras;
  IntegerAttr biasAt, alibiAt;
  if (biasValue)
    biasAt = b.getI64IntegerAttr(addExtra(extras, biasValue, /*inF32=*/true));
  if (auto alibi = op->getAttrOfType<ArrayAttr>("alibi")) {
    Axes heads;
    int64_t count = 1;
    SmallVector<int64_t> shape;
    for (Attribute axis : alibi) {
      heads.push_back(cast<AxisAttr>(axis));
      shape.push_back(extentOf(heads.back()));
      if (ShapedType::isDynamic(shape.back()))
        return op->emitOpError() << "expects heads of a fixed size for ALiBi";
      count *= shape.back();
    }
    auto type = MemRefType::get(shape, b.getF32Type());
    auto values = DenseElementsAttr::get(
        RankedTensorType::get(shape, b.getF32Type()),
        ArrayRef<float>(alibiSlopes(count)));
    std::string name = "alibi_slopes";
    for (int64_t extent : shape)
      name += "_" + std::to_string(extent);
    if (!state.module.lookupSymbol(name)) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(state.module.getBody());
      memref::GlobalOp::create(b, loc, name, b.getStringAttr("private"), type,
                               values, /*constant=*/true, IntegerAttr());
    }
    Value slopes = memref::GetGlobalOp::create(b, loc, type, name);
    alibiAt = b.getI64IntegerAttr(addExtra(extras, {slopes, heads}));
  }

  Attribute tree;
  auto both = [&](Attribute more) {
    tree = tree ? b.getArrayAttr({b.getStringAttr("and"), tree, more}) : more;
  };
  if (maskValue) {
    FailureOr<Attribute> mask = maskTree(maskValue, extras);
    if (failed(mask))
      return failure();
    both(*mask);
  }
  // Which positions are there: a cache's span says it to the kernel itself.
  if (data && !s.isContinued()) {
    AxisAttr base = s.getBase();
    StringRef predicate = base.getData() == AxisData::ragged ? "less_than"
                          : base.getData() == AxisData::left_padded
                              ? "not_before"
                              : "same";
    if (predicate == "same" && t != base)
      return op->emitOpError()
             << "reads the packed " << base.getName() << " from " << t.getName()
             << ", whose positions belong to no document of it";
    Buffer rows = buffer(data);
    if (predicate == "same")
      for (AxisAttr &axis : rows.order)
        if (axis == base)
          axis = t;
    both(b.getArrayAttr({b.getStringAttr(predicate),
                         b.getI64IntegerAttr(addExtra(extras, rows))}));
  }
  SmallVector<Value> extraValues;
  SmallVector<Attribute> extraMaps;
  for (const Buffer &extra : extras.buffers) {
    extraValues.push_back(extra.memref);
    extraMaps.push_back(AffineMapAttr::get(matchMap(extra)));
  }

  Value result = op->getResult(0);
  auto cap = op->getAttrOfType<FloatAttr>("cap");
  auto causal = op->getAttrOfType<UnitAttr>("causal");
  auto scaleAttr = b.getF64FloatAttr(scale);
  auto fitsResult = [&](const Buffer &out) {
    return elementOf(out).isF32() || elementOf(out) == element;
  };
  // How much scratch a kernel needs follows from the kernel itself.
  bool needsScratch = !state.onGpu() || (attention && keys.now);
  Value scratch = needsScratch ? allocBytes(0) : Value();
  auto giveScratch = [&](Operation *kernel) {
    if (!scratch)
      return;
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(kernel);
    kernel->replaceUsesOfWith(scratch, allocScratch(kernel, batch));
    scratch.getDefiningOp()->erase();
  };
  if (attention) {
    // In the query's order, the match replaced by the value's features.
    Axes order = without(q.order, d);
    order.append(features.begin(), features.end());
    Buffer out = allocResult(result, order);
    Buffer wide = fitsResult(out) ? out : alloc(order, b.getF32Type());
    Buffer view = wide;
    if (features.empty())
      view = expand(wide, order.size() - 1, {order.back(), e});
    else if (features.size() > 1)
      view = merge(wide, e);
    AffineMap spanMap;
    if (keys.now)
      spanMap = matchMap({{}, Axes(ArrayRef(keys.span.order).drop_back())});
    auto kernel = kernel::AttentionOp::create(
        b, loc, q.memref, k.memref, v.memref, view.memref, extraValues, scratch,
        matchMap(q), matchMap(k), valueMap(v), valueMap(view),
        b.getArrayAttr(extraMaps), batch.size(), scaleAttr, cap, causal, biasAt,
        alibiAt, tree, keys.cache.memref, values.cache.memref, keys.span.memref,
        spanMap, keys.now ? ArrayRef(extras.caches) : ArrayRef<int64_t>());
    rotateQueries(op, kernel, matchMap);
    giveScratch(kernel);
    copy(wide, out);
    set(result, out);
    return success();
  }
  Axes order = without(q.order, d);
  order.push_back(s);
  if (destinations.count(result))
    order = Axes(cast<TensorType>(result.getType()).getAxes());
  Buffer out = allocResult(result, order);
  if (!fitsResult(out))
    return op->emitOpError()
           << "gives weights of f32, not of " << elementOf(out)
           << "; where they are a result, match to<f32>(q) and to<f32>(k)";
  giveScratch(kernel::AttentionWeightsOp::create(
      b, loc, q.memref, k.memref, out.memref, extraValues, scratch, matchMap(q),
      matchMap(k), matchMap(out), b.getArrayAttr(extraMaps), batch.size(), scaleAttr,
      cap, causal, biasAt, alibiAt, tree));
  set(result, out);
  return success();
}

} // namespace nax
