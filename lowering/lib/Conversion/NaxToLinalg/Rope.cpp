//===- Rope.cpp - positions -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Rotary embedding (Su et al., RoFormer, 2021). Sine and cosine are computed
// once for each position in f64: an f32 angle of a far position would be off
// by more than the tolerance of the whole model. A repeated block is given
// them, so that all calls from one function share them.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <cmath>

using namespace mlir;

namespace nax {

/// What says where positions of `axis` are; null when position t is simply t.
static Value positionData(AxisAttr axis, Value data) {
  AxisData kind = axis.getBase().getData();
  return kind == AxisData::all || kind == AxisData::ragged ? Value() : data;
}

/// The order of the positions of `base` that `data`, in `order`, leads to.
static Axes orderOfPositions(AxisAttr base, AxesRef order) {
  if (base.isContinued())
    return Axes(order);
  Axes rows = without(order, base);
  rows.push_back(base);
  return rows;
}

std::optional<Buffer> FunctionLowering::positionsOf(AxisAttr axis, Value data) {
  AxisAttr base = axis.getBase();
  if (!positionData(axis, data))
    return std::nullopt;
  if (base.isContinued()) // nax.positions has made them
    return buffer(data);
  auto [it, fresh] = positions.try_emplace({base, data});
  if (!fresh)
    return it->second;
  Buffer rows = buffer(data);
  Axes order = orderOfPositions(base, rows.order);
  Buffer out = alloc(order, b.getI32Type());
  auto at = [&](const Buffer &of, const Body &body, Value t) {
    SmallVector<Value> indices;
    for (AxisAttr a : of.order)
      indices.push_back(a == base ? t : body.index(a));
    return indices;
  };
  if (base.getData() == AxisData::left_padded) {
    generic(order, {}, {rows}, {out}, [&](const Body &body) {
      Value t = arith::IndexCastOp::create(
          body.b, body.loc, body.b.getI32Type(), body.index(base));
      return SmallVector<Value>{
          arith::SubIOp::create(body.b, body.loc, t, body.args[0])};
    });
  } else {
    // One more than the position before, 0 where a document begins. The loop
    // over t carries, so it is a reduction as far as linalg is concerned.
    Axes outer(order.begin(), order.end() - 1);
    generic(outer, {base}, {rows}, {out}, [&](const Body &body) {
      OpBuilder &nb = body.b;
      Location l = body.loc;
      Value zero = indexConstant(nb, l, 0), one = indexConstant(nb, l, 1);
      Value t = body.index(base);
      Value first =
          arith::CmpIOp::create(nb, l, arith::CmpIPredicate::eq, t, zero);
      Value before = arith::SelectOp::create(
          nb, l, first, zero, arith::SubIOp::create(nb, l, t, one).getResult());
      Value previous =
          memref::LoadOp::create(nb, l, rows.memref, at(rows, body, before));
      Value same = arith::CmpIOp::create(nb, l, arith::CmpIPredicate::eq,
                                         previous, body.args[0]);
      Value position =
          memref::LoadOp::create(nb, l, out.memref, at(out, body, before));
      Value i32One = arith::ConstantOp::create(nb, l, nb.getI32IntegerAttr(1));
      Value i32Zero = arith::ConstantOp::create(nb, l, nb.getI32IntegerAttr(0));
      position = arith::AddIOp::create(nb, l, position, i32One);
      Value fresh = arith::XOrIOp::create(
          nb, l, same,
          arith::ConstantOp::create(nb, l, nb.getBoolAttr(true)).getResult());
      Value restart = arith::OrIOp::create(nb, l, first, fresh);
      return SmallVector<Value>{
          arith::SelectOp::create(nb, l, restart, i32Zero, position)};
    });
  }
  positions[{base, data}] = out;
  return out;
}

/// Components that rotate; the others stay.
static int64_t rotatedBy(RopeOp op) {
  int64_t dims = op.getRope().getDims();
  return dims ? dims : extentOf(op.getFeatures());
}

static AxisAttr pairsOf(RopeOp op) {
  return AxisAttr::get(op.getContext(), "pair", rotatedBy(op) / 2,
                       AxisKind::plain, AxisData::all, {});
}

static RopeKey keyOf(RopeOp op) {
  AxisAttr t = op.getPositions();
  return {t.getBase(), op.getRope(), pairsOf(op),
          positionData(t, op.getData())};
}

RopeKey keyInCaller(RopeKey key, func::CallOp call) {
  Value &data = std::get<Value>(key);
  if (data)
    data = call.getOperand(cast<BlockArgument>(data).getArgNumber());
  return key;
}

SmallVector<RopeKey> ropesOf(func::FuncOp source) {
  llvm::SetVector<RopeKey> keys;
  auto insert = [&](const RopeKey &key) {
    Value data = std::get<Value>(key);
    if (!data || llvm::is_contained(source.getArguments(), data))
      keys.insert(key);
  };
  if (source->hasAttr("nax.entry"))
    return {};
  source.walk([&](Operation *op) {
    if (auto rope = dyn_cast<RopeOp>(op))
      insert(keyOf(rope));
    if (auto call = dyn_cast<func::CallOp>(op))
      for (const RopeKey &key :
           ropesOf(SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
               op, call.getCalleeAttr())))
        insert(keyInCaller(key, call));
  });
  return keys.takeVector();
}

Axes ropeAxes(const RopeKey &key) {
  auto [base, rope, pairs, data] = key;
  Axes order{base};
  if (data)
    order = orderOfPositions(base, cast<TensorType>(data.getType()).getAxes());
  order.push_back(pairs);
  return order;
}

std::pair<Buffer, Buffer> FunctionLowering::ropeTablesOf(const RopeKey &key) {
  auto it = ropeTables.find(key);
  if (it != ropeTables.end())
    return it->second;
  auto [base, rope, pairs, data] = key;
  std::optional<Buffer> where = positionsOf(base, data);
  Axes order = where ? where->order : Axes{base};
  order.push_back(pairs);
  Buffer cosines = alloc(order, b.getF32Type());
  Buffer sines = alloc(order, b.getF32Type());
  SmallVector<Buffer> ins;
  if (where)
    ins.push_back(*where);
  generic(order, {}, ins, {cosines, sines}, [&](const Body &body) {
    OpBuilder &nb = body.b;
    Location l = body.loc;
    Type f64 = nb.getF64Type();
    Value p = where ? Value(body.args[0])
                    : Value(arith::IndexCastOp::create(nb, l, nb.getI64Type(),
                                                       body.index(base)));
    p = arith::SIToFPOp::create(nb, l, f64, p);
    Value i =
        arith::IndexCastOp::create(nb, l, nb.getI64Type(), body.index(pairs));
    i = arith::SIToFPOp::create(nb, l, f64, i);
    // base^(-2i / dims) / scaling
    Value exponent = arith::MulFOp::create(
        nb, l, i,
        floatConstant(nb, l, f64,
                      -std::log(rope.getBase()) / double(extentOf(pairs))));
    Value frequency = math::ExpOp::create(nb, l, exponent);
    Value angle = arith::MulFOp::create(nb, l, p, frequency);
    angle = arith::MulFOp::create(
        nb, l, angle, floatConstant(nb, l, f64, 1 / rope.getScaling()));
    Value c = math::CosOp::create(nb, l, angle);
    Value s = math::SinOp::create(nb, l, angle);
    return SmallVector<Value>{
        arith::TruncFOp::create(nb, l, nb.getF32Type(), c),
        arith::TruncFOp::create(nb, l, nb.getF32Type(), s)};
  });
  ropeTables[key] = {cosines, sines};
  return {cosines, sines};
}

// Keys keep their loop. They would be rotated again by each block of 64 queries
// and each head of a group, and each thread has 210 instructions and a barrier
// more for every tile of 64 keys (bf16, 64 components, sm_80; those of a block's
// queries are 219 once), with a cache also 206 registers in place of 166. A cache
// holds keys that are rotated.
bool FunctionLowering::leavesToKernel(RopeOp op, const Rotation &rotation) {
  // Rounded where a loop would have rounded.
  Type element = elementOf(buffer(op.getX()));
  if (!state.onGpu() || !fitsKernels(element) ||
      element != state.stored(op.getType().getElementType()))
    return false;
  Rotation seen = rotation;
  Value queries = op.getResult();
  Operation *user = nullptr;
  while (queries.hasOneUse()) {
    user = *queries.user_begin();
    if (auto read = dyn_cast<ReadOp>(user))
      for (Buffer *table : {&seen.cosines, &seen.sines})
        llvm::replace(table->order, read.getAxis(),
                      AxisAttr::getRead(read.getAxis()));
    else if (!isa<SplitOp, MergeOp>(user))
      break;
    queries = user->getResult(0);
  }
  auto attention = dyn_cast_or_null<AttentionOp>(user);
  if (!attention || !queries.hasOneUse() || attention.getQ() != queries ||
      attention.getOver() != op.getFeatures())
    return false;
  // An axis that was split or merged since has no place in the kernel's map.
  AxesRef axes = cast<TensorType>(queries.getType()).getAxes();
  if (!llvm::all_of(
          ArrayRef(seen.cosines.order).drop_back(),
          [&](AxisAttr axis) { return llvm::is_contained(axes, axis); }))
    return false;
  rotations[attention] = seen;
  return true;
}

void FunctionLowering::rotateQueries(
    Operation *attention, kernel::AttentionOp kernel,
    llvm::function_ref<AffineMap(const Buffer &)> mapOf) {
  auto it = rotations.find(attention);
  if (it == rotations.end())
    return;
  const auto &[cosines, sines, pairing] = it->second;
  kernel.getCosinesMutable().assign(cosines.memref);
  kernel.getSinesMutable().assign(sines.memref);
  kernel.setRopeMap(mapOf({{}, Axes(ArrayRef(cosines.order).drop_back())}));
  kernel.setPairing(stringifyPairing(pairing));
}

void FunctionLowering::lowerRope(RopeOp op) {
  Buffer x = buffer(op.getX());
  AxisAttr d = op.getFeatures();
  RopeAttr rope = op.getRope();
  int64_t extent = extentOf(d), rotated = rotatedBy(op), half = rotated / 2;
  AxisAttr halfAxis = pairsOf(op);
  auto [cosines, sines] = ropeTablesOf(keyOf(op));
  // The tables stand on T; x may stand on what is read.
  for (Buffer *table : {&cosines, &sines})
    llvm::replace(table->order, op.getPositions().getBase(),
                  op.getPositions());
  if (leavesToKernel(op, {cosines, sines, rope.getPairing()}))
    return set(op.getResult(), x);

  Buffer out = allocResult(op.getResult(), x.order);
  // One side of all pairs: first or second components.
  auto side = [&](const Buffer &of, bool second) -> Buffer {
    SmallVector<OpFoldResult> offsets, sizes, strides;
    Axes order;
    bool halves = rope.getPairing() == Pairing::halves;
    for (AxisAttr axis : of.order) {
      bool here = axis == d;
      int64_t offset = here && second ? (halves ? half : 1) : 0;
      offsets.push_back(b.getIndexAttr(offset));
      sizes.push_back(here ? OpFoldResult(b.getIndexAttr(half)) : size(axis));
      strides.push_back(b.getIndexAttr(here && !halves ? 2 : 1));
      order.push_back(here ? halfAxis : axis);
    }
    Value view =
        memref::SubViewOp::create(b, loc, of.memref, offsets, sizes, strides);
    return {view, order};
  };
  Buffer a = side(x, false), second = side(x, true);
  Buffer outA = side(out, false), outB = side(out, true);
  generic(a.order, {}, {a, second, cosines, sines}, {outA, outB},
          [&](const Body &body) {
            OpBuilder &nb = body.b;
            Location l = body.loc;
            Value p = widen(nb, l, body.args[0]);
            Value q = widen(nb, l, body.args[1]);
            Value c = convertTo(nb, l, body.args[2], p.getType());
            Value s = convertTo(nb, l, body.args[3], p.getType());
            auto mul = [&](Value u, Value v) -> Value {
              return arith::MulFOp::create(nb, l, u, v);
            };
            Value first = arith::SubFOp::create(nb, l, mul(p, c), mul(q, s));
            Value other = arith::AddFOp::create(nb, l, mul(q, c), mul(p, s));
            return SmallVector<Value>{convertTo(nb, l, first, elementOf(out)),
                                      convertTo(nb, l, other, elementOf(out))};
          });
  if (rotated < extent) {
    auto restAxis = AxisAttr::get(b.getContext(), "rest", extent - rotated,
                                  AxisKind::plain, AxisData::all, {});
    auto rest = [&](const Buffer &of) -> Buffer {
      SmallVector<OpFoldResult> offsets, sizes, strides;
      Axes order;
      for (AxisAttr axis : of.order) {
        bool here = axis == d;
        offsets.push_back(b.getIndexAttr(here ? rotated : 0));
        sizes.push_back(here ? OpFoldResult(b.getIndexAttr(extent - rotated))
                             : size(axis));
        strides.push_back(b.getIndexAttr(1));
        order.push_back(here ? restAxis : axis);
      }
      Value view =
          memref::SubViewOp::create(b, loc, of.memref, offsets, sizes, strides);
      return {view, order};
    };
    copy(rest(x), rest(out));
  }
  set(op.getResult(), out);
}

/// x + table[position]. The table is longer than the axis may get: the runtime
/// has checked that.
void FunctionLowering::lowerEmbedPositions(EmbedPositionsOp op) {
  Buffer x = buffer(op.getX()), table = buffer(op.getTable());
  AxisAttr t = op.getAxis();
  std::optional<Buffer> where = positionsOf(t, op.getData());
  AxisAttr positionAxis;
  for (AxisAttr axis : table.order)
    if (!op.getX().getType().has(axis))
      positionAxis = axis;
  Buffer out = allocResult(op.getResult(), x.order);
  Value lastRow =
      arith::SubIOp::create(b, loc, sizeValue(positionAxis), constant(1));
  generic(x.order, {}, {x}, {out}, [&](const Body &body) {
    OpBuilder &nb = body.b;
    Location l = body.loc;
    Value p = body.index(t);
    if (where) {
      SmallVector<Value> at;
      for (AxisAttr axis : where->order)
        at.push_back(body.index(axis));
      p = arith::IndexCastOp::create(
          nb, l, nb.getIndexType(),
          memref::LoadOp::create(nb, l, where->memref, at).getResult());
      // Padding in front of a row has no position, and that behind the new
      // ones of a row may have one that the table has not: any will do.
      p = arith::MaxSIOp::create(nb, l, p, indexConstant(nb, l, 0));
      if (t.isContinued())
        p = arith::MinSIOp::create(nb, l, p, lastRow);
    }
    SmallVector<Value> at;
    for (AxisAttr axis : table.order)
      at.push_back(axis == positionAxis ? p : body.index(axis));
    Value v = widen(
        nb, l, memref::LoadOp::create(nb, l, table.memref, at).getResult());
    Value sum = arith::AddFOp::create(nb, l, widen(nb, l, body.args[0]), v);
    return SmallVector<Value>{convertTo(nb, l, sum, elementOf(out))};
  });
  set(op.getResult(), out);
}

} // namespace nax
