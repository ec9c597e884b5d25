//===- Elementwise.cpp - one loop for a tree of elementwise operations ----===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// An operation whose one user is elementwise over the same axes is not written
// to memory: its arithmetic moves into the user's loop.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "nax/Conversion/InMemory.h"
#include "nax/Conversion/MathBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace nax {

Value expOf(OpBuilder &b, Location loc, Value v) {
  if (v.getType().isF32())
    return emitExp(b, loc, v);
  return math::ExpOp::create(b, loc, v);
}

Value logOf(OpBuilder &b, Location loc, Value v) {
  if (v.getType().isF32())
    return emitLog(b, loc, v);
  return math::LogOp::create(b, loc, v);
}

static Value tanhOf(OpBuilder &b, Location loc, Value v) {
  if (v.getType().isF32())
    return emitTanh(b, loc, v);
  return math::TanhOp::create(b, loc, v);
}

static Value erfOf(OpBuilder &b, Location loc, Value v) {
  if (v.getType().isF32())
    return emitErf(b, loc, v);
  return math::ErfOp::create(b, loc, v);
}

static Value sigmoidOf(OpBuilder &b, Location loc, Value v) {
  if (v.getType().isF32())
    return emitSigmoid(b, loc, v);
  Value one = floatConstant(b, loc, v.getType(), 1.0);
  Value minus = arith::NegFOp::create(b, loc, v);
  Value sum = arith::AddFOp::create(
      b, loc, one, math::ExpOp::create(b, loc, minus).getResult());
  return arith::DivFOp::create(b, loc, one, sum);
}

/// The arithmetic of one operation on one element, in f32, f64 or an integer.
static Value scalar(OpBuilder &b, Location loc, Operation *op, ValueRange in) {
  Value x = in[0];
  Type type = x.getType();
  bool isFloat = isa<FloatType>(type);
  auto number = [&](double v) { return floatConstant(b, loc, type, v); };
  auto mul = [&](Value p, Value q) -> Value {
    return arith::MulFOp::create(b, loc, p, q);
  };
  auto add = [&](Value p, Value q) -> Value {
    return arith::AddFOp::create(b, loc, p, q);
  };
  return TypeSwitch<Operation *, Value>(op)
      .Case([&](AddOp) -> Value {
        if (isFloat)
          return arith::AddFOp::create(b, loc, x, in[1]);
        return arith::AddIOp::create(b, loc, x, in[1]);
      })
      .Case([&](SubOp) -> Value {
        if (isFloat)
          return arith::SubFOp::create(b, loc, x, in[1]);
        return arith::SubIOp::create(b, loc, x, in[1]);
      })
      .Case([&](MulOp) -> Value {
        if (isFloat)
          return arith::MulFOp::create(b, loc, x, in[1]);
        return arith::MulIOp::create(b, loc, x, in[1]);
      })
      .Case([&](DivOp) -> Value {
        return arith::DivFOp::create(b, loc, x, in[1]);
      })
      .Case([&](NegOp) -> Value { return arith::NegFOp::create(b, loc, x); })
      .Case([&](SiluOp) { return mul(x, sigmoidOf(b, loc, x)); })
      .Case([&](GeluOp) {
        // x/2 (1 + erf(x / sqrt 2)), Hendrycks and Gimpel 2016.
        Value e = erfOf(b, loc, mul(x, number(0.70710678118654752440)));
        return mul(mul(x, number(0.5)), add(number(1.0), e));
      })
      .Case([&](GeluTanhOp) {
        // x/2 (1 + tanh(u)) = x sigmoid(2u), which does not cancel for x << 0;
        // u = sqrt(2/pi) (x + 0.044715 x^3).
        Value x3 = mul(mul(x, x), x);
        Value u = add(x, mul(x3, number(0.044715)));
        Value u2 = mul(u, number(2 * 0.79788456080286535588));
        return mul(x, sigmoidOf(b, loc, u2));
      })
      .Case([&](ReluOp) -> Value {
        return arith::MaximumFOp::create(b, loc, x, number(0.0));
      })
      .Case([&](ExpOp) { return expOf(b, loc, x); })
      .Case([&](TanhOp) { return tanhOf(b, loc, x); })
      .Case([&](SigmoidOp) { return sigmoidOf(b, loc, x); })
      .Case([&](SqrtOp) -> Value { return math::SqrtOp::create(b, loc, x); })
      .Case([&](ScaleOp scale) {
        return mul(x, number(scale.getBy().convertToDouble()));
      })
      // Scores whose plain numbers are wanted; else attention does this.
      .Case([&](SoftcapOp softcap) {
        double cap = softcap.getCap().convertToDouble();
        return mul(tanhOf(b, loc, mul(x, number(1 / cap))), number(cap));
      })
      .Case([&](BiasOp) { return add(x, in[1]); })
      .Case([&](OffsetOp offset) {
        return add(x, number(offset.getBy().convertToDouble()));
      })
      .Case([&](CastOp cast) {
        // Rounding to a narrow type is visible even if the value is used at
        // once: go there and come back.
        Type to = cast.getType().getElementType();
        return widen(b, loc, convertTo(b, loc, x, to));
      });
}

/// Marks a conversion between what the model has as f32 and a shorter type that
/// memory has it in: nax-fuse-epilogues leaves out a pair of them, and none of
/// the model's own.
static Value ofMemory(Value to, Value from, Value ofModel) {
  bool isF32 = cast<TensorType>(ofModel.getType()).getElementType().isF32();
  if (isF32 && to != from)
    to.getDefiningOp()->setAttr(inMemoryName, UnitAttr::get(to.getContext()));
  return to;
}

bool FunctionLowering::isElementwise(Operation *op) {
  return isa<AddOp, SubOp, MulOp, DivOp, NegOp, SiluOp, GeluOp, GeluTanhOp,
             ReluOp, ExpOp, TanhOp, SigmoidOp, SqrtOp, ScaleOp, OffsetOp,
             CastOp, SoftcapOp, BiasOp>(op);
}

static AxesRef axesOfValue(Value v) { return cast<TensorType>(v.getType()).getAxes(); }

bool FunctionLowering::isDeferred(Operation *op) {
  if (!isElementwise(op) || !op->hasOneUse())
    return false;
  Operation *user = *op->user_begin();
  if (!isElementwise(user))
    return false;
  AxesRef mine = axesOfValue(op->getResult(0)), its = axesOfValue(user->getResult(0));
  return mine.size() == its.size();
}

void FunctionLowering::lowerElementwise(Operation *root) {
  // The tree of operations that are computed in this loop, operands first.
  llvm::SetVector<Operation *> tree;
  SmallVector<Value> leaves;
  auto collect = [&](auto &&self, Operation *op) -> void {
    for (Value operand : op->getOperands()) {
      Operation *def = operand.getDefiningOp();
      if (def && !buffers.count(operand) && isDeferred(def))
        self(self, def);
      else if (!llvm::is_contained(leaves, operand))
        leaves.push_back(operand);
    }
    tree.insert(op);
  };
  collect(collect, root);

  SmallVector<Buffer> ins;
  for (Value leaf : leaves)
    ins.push_back(buffer(leaf));
  // The order in memory follows the operand that has all the axes.
  Value result = root->getResult(0);
  Axes order(axesOfValue(result));
  for (const Buffer &in : ins)
    if (in.order.size() == order.size()) {
      order = in.order;
      break;
    }
  if (destinations.count(result))
    order = Axes(axesOfValue(result));
  Buffer out = allocResult(result, order);
  generic(order, {}, ins, {out}, [&](const Body &body) {
    DenseMap<Value, Value> computed;
    for (auto [leaf, arg] : llvm::zip(leaves, body.args))
      computed[leaf] = ofMemory(widen(body.b, body.loc, arg), arg, leaf);
    for (Operation *op : tree) {
      SmallVector<Value> in;
      for (Value operand : op->getOperands())
        in.push_back(computed[operand]);
      computed[op->getResult(0)] = scalar(body.b, op->getLoc(), op, in);
    }
    Value made = computed[result];
    Value stored = convertTo(body.b, body.loc, made, elementOf(out));
    return SmallVector<Value>{ofMemory(stored, made, result)};
  });
  set(result, out);
}

void FunctionLowering::lowerSpread(SpreadOp op) {
  Buffer in = buffer(op.getX());
  Axes order = in.order;
  order.push_back(op.getAxis());
  Buffer out = allocResult(op.getResult(), order);
  generic(order, {}, {in}, {out},
          [&](const Body &body) {
            return SmallVector<Value>{
                convertTo(body.b, body.loc, body.args[0], elementOf(out))};
          });
  set(op.getResult(), out);
}

void FunctionLowering::lowerDropout(DropoutOp op) {
  Buffer in = buffer(op.getX());
  Buffer seed = buffer(op.getSeed());
  Buffer out = allocResult(op.getResult(), in.order);
  double p = op.getP().convertToDouble();
  AxesRef axes = op.getType().getAxes();
  generic(in.order, {}, {in, seed}, {out}, [&](const Body &body) {
    OpBuilder &nb = body.b;
    Location l = body.loc;
    Type i64 = nb.getI64Type();
    auto bits = [&](uint64_t v) -> Value {
      return arith::ConstantOp::create(
          nb, l, nb.getIntegerAttr(i64, static_cast<int64_t>(v)));
    };
    // The row-major number of the element in the order of the type, so that
    // the choice does not depend on the order in memory.
    Value number = indexConstant(nb, l, 0);
    for (AxisAttr axis : axes) {
      number = arith::MulIOp::create(nb, l, number, sizeValue(axis));
      number = arith::AddIOp::create(nb, l, number, body.index(axis));
    }
    // splitmix64 (Steele, Lea, Flood 2014) of seed, site and element.
    Value z = arith::IndexCastOp::create(nb, l, i64, number);
    z = arith::AddIOp::create(nb, l, z, bits(1));
    z = arith::MulIOp::create(nb, l, z, bits(0xBF58476D1CE4E5B9ull));
    z = arith::AddIOp::create(nb, l, z, body.args[1]);
    z = arith::AddIOp::create(
        nb, l, z,
        bits(0x9E3779B97F4A7C15ull * (1 + static_cast<uint64_t>(op.getSite()))));
    auto mix = [&](unsigned shift) {
      Value s = arith::ShRUIOp::create(nb, l, z, bits(shift));
      z = arith::XOrIOp::create(nb, l, z, s);
    };
    mix(30);
    z = arith::MulIOp::create(nb, l, z, bits(0xBF58476D1CE4E5B9ull));
    mix(27);
    z = arith::MulIOp::create(nb, l, z, bits(0x94D049BB133111EBull));
    mix(31);
    z = arith::ShRUIOp::create(nb, l, z, bits(40));
    Value u = arith::UIToFPOp::create(nb, l, nb.getF64Type(), z);
    u = arith::MulFOp::create(nb, l, u,
                              floatConstant(nb, l, nb.getF64Type(), 0x1p-24));
    Value keep =
        arith::CmpFOp::create(nb, l, arith::CmpFPredicate::OGE, u,
                              floatConstant(nb, l, nb.getF64Type(), p));
    Value x = widen(nb, l, body.args[0]);
    Value kept = arith::MulFOp::create(
        nb, l, x, floatConstant(nb, l, x.getType(), 1 / (1 - p)));
    Value zero = floatConstant(nb, l, x.getType(), 0);
    Value y = arith::SelectOp::create(nb, l, keep, kept, zero);
    return SmallVector<Value>{convertTo(nb, l, y, elementOf(out))};
  });
  set(op.getResult(), out);
}

} // namespace nax
