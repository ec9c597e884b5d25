//===- StoredWeights.cpp - single numbers out of panels -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// A look-up reads the panels that a product reads. model_desc.h of the runtime
// says what is where.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace nax {

namespace {

/// One number of a record of quantised blocks.
class Record {
public:
  Record(ImplicitLocOpBuilder &b, Value panels, const WeightFormat &format,
         int64_t nr, Value panel, Value lane, Value k)
      : b(b), panels(panels), format(format), nr(nr), panel(panel), lane(lane),
        block(div(k, format.block)), k(rem(k, format.block)) {}

  Value load() {
    Value number = addi(quant(), -format.offset);
    number = arith::SIToFPOp::create(b, b.getF32Type(), number);
    Value scale = half(0);
    if (format.scalesAt >= 0)
      scale = arith::MulFOp::create(b, scale, subScale());
    number = arith::MulFOp::create(b, scale, number);
    if (!format.hasLeast())
      return number;
    Value least = half(format.leastAt);
    if (format.leastsAt < 0)
      return arith::AddFOp::create(b, number, least);
    Value times = byte(format.leastsAt, div(k, format.scale), 1, Value());
    times = arith::UIToFPOp::create(b, b.getF32Type(), times);
    return arith::SubFOp::create(b, number,
                                 arith::MulFOp::create(b, least, times));
  }

private:
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  Value div(Value x, int64_t y) {
    return b.createOrFold<arith::DivUIOp>(x, index(y));
  }
  Value rem(Value x, int64_t y) {
    return b.createOrFold<arith::RemUIOp>(x, index(y));
  }
  Value mul(Value x, int64_t y) {
    return b.createOrFold<arith::MulIOp>(x, index(y));
  }
  Value add(Value x, Value y) { return b.createOrFold<arith::AddIOp>(x, y); }
  Value addi(Value x, int64_t y) {
    Value number = arith::ConstantIntOp::create(b, y, 32);
    return b.createOrFold<arith::AddIOp>(x, number);
  }
  /// The bits of `x` from `first` (an index) on, so many.
  Value bits(Value x, Value first, int64_t count) {
    Value by = arith::IndexCastOp::create(b, b.getI32Type(), first);
    Value mask = arith::ConstantIntOp::create(b, (1 << count) - 1, 32);
    return arith::AndIOp::create(b, arith::ShRUIOp::create(b, x, by), mask);
  }

  /// Byte `inner` of `size` that this column has in row `row` of a field, as
  /// i32.
  Value byte(int64_t field, Value row, int64_t size, Value inner) {
    Value at = mul(add(mul(row, nr), lane), size);
    at = add(at, index(field * nr));
    if (inner)
      at = add(at, inner);
    Value loaded =
        memref::LoadOp::create(b, panels, ValueRange{panel, block, at});
    return arith::ExtUIOp::create(b, b.getI32Type(), loaded);
  }

  Value half(int64_t field) {
    Value low = byte(field, index(0), 2, index(0));
    Value high = byte(field, index(0), 2, index(1));
    high =
        arith::ShLIOp::create(b, high, arith::ConstantIntOp::create(b, 8, 32));
    Value word = arith::TruncIOp::create(b, b.getI16Type(),
                                         arith::OrIOp::create(b, low, high));
    Value number = arith::BitcastOp::create(b, b.getF16Type(), word);
    return arith::ExtFOp::create(b, b.getF32Type(), number);
  }

  Value subScale() {
    Value scale = byte(format.scalesAt, div(k, format.scale), 1, Value());
    if (format.stored != NAX_STORED_Q6_K)
      return arith::UIToFPOp::create(b, b.getF32Type(), scale);
    scale = arith::TruncIOp::create(b, b.getI8Type(), scale);
    return arith::SIToFPOp::create(b, b.getF32Type(), scale);
  }

  Value quant() {
    Value sub = div(k, 32), group = div(rem(k, 32), 4), inner = rem(k, 4);
    if (format.bits == 8)
      return byte(format.quantsAt, add(mul(sub, 8), group), 4, inner);
    Value low =
        byte(format.quantsAt, add(mul(sub, 4), rem(group, 4)), 4, inner);
    low = bits(low, mul(div(group, 4), 4), 4);
    if (format.highAt < 0)
      return low;
    Value high = byte(format.highAt, add(mul(sub, 2), rem(group, 2)), 4, inner);
    high = bits(high, mul(div(group, 2), 2), 2);
    high =
        arith::ShLIOp::create(b, high, arith::ConstantIntOp::create(b, 4, 32));
    return arith::OrIOp::create(b, low, high);
  }

  ImplicitLocOpBuilder &b;
  Value panels;
  const WeightFormat &format;
  int64_t nr;
  Value panel, lane, block, k;
};

} // namespace

Value loadFromPanels(OpBuilder &nested, Location loc, Value panels,
                     const Layout &layout, Value id, Value k) {
  ImplicitLocOpBuilder b(loc, nested);
  Value nr = arith::ConstantIndexOp::create(b, layout.nr);
  Value panel = arith::DivUIOp::create(b, id, nr);
  Value lane = arith::RemUIOp::create(b, id, nr);
  std::optional<WeightFormat> format = WeightFormat::get(layout.stored);
  if (format && format->isQuantised())
    return Record(b, panels, *format, layout.nr, panel, lane, k).load();
  SmallVector<Value> at{panel, k, lane};
  if (layout.stored == NAX_STORED_BF16_PAIRS) {
    Value two = arith::ConstantIndexOp::create(b, 2);
    at = {panel, arith::DivUIOp::create(b, k, two), lane,
          arith::RemUIOp::create(b, k, two)};
  }
  return memref::LoadOp::create(b, panels, at);
}

} // namespace nax
