//===- Norm.cpp - rows are normalised -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Sums are made in f64, as on a CPU: a row of large numbers that hardly differ
// keeps its variance. A lane reads its elements once for each sum and once to
// write; all but the first time they are in the cache.
//
//===----------------------------------------------------------------------===//

#include "OwnKernels.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace nax;

namespace {

struct NormKernel {
  GpuBuilder &b;
  kernel::NormOp op;
  RowLanes lanes;
  int64_t width;   ///< elements that a lane takes at once
  int64_t columns; ///< of a row
  GlobalView x, gain, shift, out;
  Value row;

  Value wide(double value) {
    return arith::ConstantOp::create(b, b.getF64FloatAttr(value));
  }
  Value toWide(Value value) {
    return arith::ExtFOp::create(b, b.getF64Type(), value);
  }
  Value toNarrow(Value value) {
    return arith::TruncFOp::create(b, b.getF32Type(), value);
  }

  /// The columns of this lane, `width` from each one that is given.
  Values eachPart(ValueRange init,
                  llvm::function_ref<Values(Value, ValueRange)> body) {
    Value first = b.mul(lanes.lane(b), width);
    return b.loop(first, b.i32(columns), lanes.lanes * width, init, body);
  }

  /// f32, from column `at` on; of a row where there are rows.
  Values load(const GlobalView &view, Value at) {
    Values place{at};
    if (view.type.getRank() == 2)
      place.insert(place.begin(), row);
    Value from = view.at(b, place);
    Values elements;
    if (width == 1)
      elements.push_back(b.load(from, view.element()));
    else
      elements = b.unpack(b.load(from, VectorType::get(width, view.element())));
    for (Value &element : elements)
      element = b.toF32(element);
    return elements;
  }

  void store(Values elements, Value at) {
    for (Value &element : elements)
      element = b.fromF32(element, out.element());
    b.store(width == 1 ? elements[0] : b.pack(elements), out.at(b, {row, at}));
  }

  Value meanOf(llvm::function_ref<Value(Value)> term) {
    Values sum = eachPart({wide(0)}, [&](Value at, ValueRange carried) {
      Value total = carried[0];
      for (Value element : load(x, at))
        total = b.addf(total, term(toWide(element)));
      return Values{total};
    });
    sum = lanes.combine(b, sum, [&](ValueRange p, ValueRange q) {
      return Values{b.addf(p[0], q[0])};
    });
    return arith::DivFOp::create(b, sum[0], wide(columns));
  }

  void run() {
    // The mean as two f32, its upper and its lower half.
    Value mean, upper, lower;
    if (op.getKind() == "layer") {
      mean = meanOf([](Value element) { return element; });
      upper = toNarrow(mean);
      lower = toNarrow(b.subf(mean, toWide(upper)));
    }
    Value square = meanOf([&](Value element) {
      Value from = mean ? b.subf(element, mean) : element;
      return b.mulf(from, from);
    });
    square = b.addf(square, wide(op.getEps().convertToDouble()));
    Value root = math::SqrtOp::create(b, square);
    Value factor = toNarrow(arith::DivFOp::create(b, wide(1), root));
    eachPart({}, [&](Value at, ValueRange) {
      Values elements = load(x, at), gains = load(gain, at), shifts;
      if (op.getShift())
        shifts = load(shift, at);
      for (int64_t i = 0; i < width; ++i) {
        Value &y = elements[i], g = gains[i];
        if (mean)
          y = b.subf(b.subf(y, upper), lower);
        if (op.getOnePlus())
          g = b.addf(g, b.f32(1));
        y = b.mulf(y, factor);
        y = op.getShift() ? b.fma(y, g, shifts[i]) : b.mulf(y, g);
      }
      store(elements, at);
      return Values();
    });
  }
};

} // namespace

LogicalResult nax::launchNorm(ImplicitLocOpBuilder &host, kernel::NormOp op,
                              KernelModule &module,
                              SmallVectorImpl<KernelLaunch> &launches) {
  SmallVector<Value> memrefs{op.getX(), op.getGain(), op.getOut()};
  if (op.getShift())
    memrefs.push_back(op.getShift());
  int64_t columns = cast<MemRefType>(op.getX().getType()).getDimSize(1);
  int64_t width = kChunk;
  for (Value memref : memrefs) {
    auto type = cast<MemRefType>(memref.getType());
    int64_t bytes = type.getElementTypeBitWidth() / 8;
    width = std::min(width, alignedBytes(type) / bytes);
  }
  while (columns % width != 0)
    width /= 2;
  RowLanes lanes = RowLanes::of(columns);

  KernelOperands operands(host);
  for (Value memref : memrefs)
    operands.add(memref);
  KernelLaunch launch;
  launch.threads = lanes.threads();
  launch.sharedBytes = lanes.sharedBytes(1);
  std::string name = (op.getKind() + "_norm_C" + std::to_string(columns)).str();
  launch.kernel = module.get(
      kernelKey(op), name, op.getLoc(), operands.kernelTypes(), launch.threads,
      [&](GpuBuilder &b, ValueRange args) {
        SmallVector<GlobalView> views = operands.views(b, args);
        lanes.forRow(b, b.toI64(views[0].sizes[0]), [&](Value row) {
          NormKernel{b,        op,
                     lanes,    width,
                     columns,  views[0],
                     views[1], op.getShift() ? views[3] : GlobalView(),
                     views[2], row}
              .run();
        });
      });
  Value rows = host.createOrFold<memref::DimOp>(op.getX(), 0);
  Value each = arith::ConstantIndexOp::create(host, lanes.rowsOfBlock());
  launch.grid[0] = host.createOrFold<arith::CeilDivUIOp>(rows, each);
  launch.grid[1] = launch.grid[2] = arith::ConstantIndexOp::create(host, 1);
  launch.operands = llvm::to_vector(operands.values());
  launches.push_back(std::move(launch));
  return success();
}
