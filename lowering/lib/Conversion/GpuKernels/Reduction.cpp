//===- Reduction.cpp - loops that carry a result --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Sums, maxima and choices along rows that lie side by side in memory: the
// lanes of a row take turns, then their results are combined pairwise. All
// others, such as sums over the outer dimension of a matrix: one thread goes
// through what one result needs, in the order of the loops; its neighbours have
// the neighbouring results.
//
//===----------------------------------------------------------------------===//

#include "../ExpandKernels/BodyKey.h"
#include "Loops.h"
#include "OwnKernels.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <limits>

using namespace mlir;
using namespace nax;

namespace {

constexpr int64_t kThreads = 128;
constexpr int64_t kMostBlocks = 65535;
/// Elements of a row that are worth a warp.
constexpr int64_t kShortRow = 64;

//===----------------------------------------------------------------------===//
// What a body does with its result
//===----------------------------------------------------------------------===//

enum class Combine {
  none,   ///< not known: in the order of the loops
  sum,    ///< what was there plus something
  most,   ///< the larger of what was there and something
  choice, ///< the largest and where it is, of equal ones the first
};

/// Whether `value` follows from one of `args`.
bool dependsOn(Value value, ValueRange args) {
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  (void)getBackwardSlice(value, &slice, options);
  return llvm::is_contained(args, value) ||
         llvm::any_of(slice, [&](Operation *op) {
           return llvm::any_of(op->getOperands(), [&](Value operand) {
             return llvm::is_contained(args, operand);
           });
         });
}

/// `op x, y`, where one of both is the old result and the other not made of it.
template <typename... Ops>
bool adds(Value value, Value old) {
  Operation *op = value.getDefiningOp();
  if (!op || !isa<Ops...>(op))
    return false;
  Value x = op->getOperand(0), y = op->getOperand(1);
  return (x == old && !dependsOn(y, old)) || (y == old && !dependsOn(x, old));
}

/// The new result, if it is chosen against the old one by something else.
Value unguarded(Value value, Value old) {
  auto select = value.getDefiningOp<arith::SelectOp>();
  if (select && select.getFalseValue() == old &&
      !dependsOn(select.getCondition(), old))
    return select.getTrueValue();
  return value;
}

/// Both results are replaced where a value is larger than the old one.
bool isChoice(ValueRange results, ValueRange olds) {
  auto value = results[0].getDefiningOp<arith::SelectOp>();
  auto place = results[1].getDefiningOp<arith::SelectOp>();
  if (!value || !place || value.getCondition() != place.getCondition() ||
      value.getFalseValue() != olds[0] || place.getFalseValue() != olds[1] ||
      dependsOn(value.getTrueValue(), olds) ||
      dependsOn(place.getTrueValue(), olds) ||
      !isa<IntegerType>(olds[1].getType()))
    return false;
  return llvm::any_of(olds[0].getUsers(), [&](Operation *user) {
    auto compare = dyn_cast<arith::CmpFOp>(user);
    return compare && compare.getPredicate() == arith::CmpFPredicate::OGT &&
           compare.getLhs() == value.getTrueValue() &&
           compare.getRhs() == olds[0];
  });
}

Combine combineOf(const LoopNest &nest) {
  Block &body = nest.body();
  ValueRange olds = body.getArguments().take_back(nest.outs.size());
  ValueRange results = body.getTerminator()->getOperands();
  if (results.size() == 2 && isChoice(results, olds))
    return Combine::choice;
  if (results.size() != 1)
    return Combine::none;
  Value next = unguarded(results[0], olds[0]);
  if (adds<arith::AddFOp, arith::AddIOp>(next, olds[0]))
    return Combine::sum;
  if (adds<arith::MaximumFOp>(next, olds[0]))
    return Combine::most;
  return Combine::none;
}

/// The better one of two choices; a negative place is none at all.
Values better(GpuBuilder &b, ValueRange p, ValueRange q) {
  using F = arith::CmpFPredicate;
  using I = GpuBuilder::Predicate;
  Value none = b.like(p[1], 0);
  auto compare = [&](F predicate) -> Value {
    return arith::CmpFOp::create(b, predicate, q[0], p[0]);
  };
  auto both = [&](Value x, Value y) { return b.bitAnd(x, y); };
  auto either = [&](Value x, Value y) { return b.bitOr(x, y); };
  Value first = both(compare(F::OEQ), b.compare(I::slt, q[1], p[1]));
  Value more = either(compare(F::OGT), first);
  more = either(more, b.compare(I::slt, p[1], none));
  more = both(more, b.compare(I::sge, q[1], none));
  return {b.select(more, q[0], p[0]), b.select(more, q[1], p[1])};
}

//===----------------------------------------------------------------------===//
// The kernels
//===----------------------------------------------------------------------===//

struct ReductionKernel {
  GpuBuilder &b;
  const LoopNest &nest;
  const KernelLoops &loops;
  BodyCloner &bodies;
  SmallVector<LoopGroup> kept, reduced;

  Value count(ArrayRef<LoopGroup> groups) {
    Value product = b.i64(1);
    for (const LoopGroup &group : groups)
      product = b.mul(product, loops.size(group));
    return product;
  }

  Values loadResults(const KernelLoops::Position &at) {
    Values results;
    for (const LoopAccess &out : nest.outs)
      results.push_back(loops.load(out, at, 0, 1)[0]);
    return results;
  }
  void storeResults(ValueRange results, const KernelLoops::Position &at) {
    for (auto [result, out] : llvm::zip(results, nest.outs))
      loops.store(result, out, at);
  }

  // --- One thread for each result.

  /// Whether a result moves with a reduced loop: then it is carried in memory.
  bool carriesInMemory() const {
    return llvm::any_of(nest.outs, [&](const LoopAccess &out) {
      return llvm::any_of(nest.reduced,
                          [&](unsigned loop) { return out.dimOf(loop) >= 0; });
    });
  }

  Values step(KernelLoops::Position &at, ValueRange carried) {
    Values args;
    for (const LoopAccess &in : nest.ins)
      args.push_back(in.isUsed ? loops.load(in, at, 0, 1)[0] : Value());
    Values olds(carried);
    if (carried.empty())
      for (const LoopAccess &out : nest.outs)
        olds.push_back(out.isUsed ? loops.load(out, at, 0, 1)[0] : Value());
    llvm::append_range(args, olds);
    Values results = bodies.clone(nest.body(), args, loops.indices(at, 0, 0));
    if (!carried.empty())
      return results;
    storeResults(results, at);
    return {};
  }

  Values inOrder(KernelLoops::Position &at, ArrayRef<unsigned> left,
                 ValueRange carried) {
    if (left.empty())
      return step(at, carried);
    return b.loop(b.i32(0), loops.size(left.front()), 1, carried,
                  [&](Value i, ValueRange values) {
                    at[left.front()] = b.toI64(i);
                    return inOrder(at, left.drop_front(), values);
                  });
  }

  void runByThreads() {
    bool inMemory = carriesInMemory();
    forEachOfGrid(b, count(kept), kThreads, [&](Value number) {
      KernelLoops::Position at = loops.start();
      loops.place(number, kept, at);
      if (inMemory) {
        inOrder(at, nest.reduced, {});
        return;
      }
      storeResults(inOrder(at, nest.reduced, loadResults(at)), at);
    });
  }

  // --- The lanes of a row.

  /// What a lane begins with. The old result is met at the end, by the one lane
  /// that writes the new one.
  Values beginning(Combine how) {
    SmallVector<Type> types;
    for (const LoopAccess &out : nest.outs)
      types.push_back(out.type.getElementType());
    auto least = [&]() -> Value {
      return arith::ConstantOp::create(
          b,
          b.getFloatAttr(types[0], -std::numeric_limits<double>::infinity()));
    };
    switch (how) {
    case Combine::none:
      break;
    case Combine::sum:
      return {arith::ConstantOp::create(b, b.getZeroAttr(types[0]))};
    case Combine::most:
      return {least()};
    case Combine::choice:
      return {least(),
              arith::ConstantOp::create(b, b.getIntegerAttr(types[1], -1))};
    }
    llvm_unreachable("rows of unknown results go by threads");
  }

  Values both(Combine how, ValueRange p, ValueRange q) {
    switch (how) {
    case Combine::none:
      break;
    case Combine::sum:
      if (isa<FloatType>(p[0].getType()))
        return {b.addf(p[0], q[0])};
      return {b.add(p[0], q[0])};
    case Combine::most:
      return {arith::MaximumFOp::create(b, p[0], q[0])};
    case Combine::choice:
      return better(b, p, q);
    }
    llvm_unreachable("rows of unknown results go by threads");
  }

  void runByRows(Combine how, const RowLanes &lanes, int64_t width) {
    unsigned inner = reduced.back().back();
    lanes.forRow(b, count(kept), [&](Value row) {
      KernelLoops::Position at = loops.start();
      loops.place(row, kept, at);
      Value elements = b.toI32(count(reduced));
      Values mine =
          b.loop(b.mul(lanes.lane(b), width), elements, lanes.lanes * width,
                 beginning(how), [&](Value number, ValueRange carried) {
                   loops.place(b.toI64(number), reduced, at);
                   return stepOfLane(at, inner, width, carried);
                 });
      Values all = lanes.combine(
          b, mine, [&](ValueRange p, ValueRange q) { return both(how, p, q); });
      b.when(b.compare(GpuBuilder::Predicate::eq, lanes.lane(b), b.i32(0)),
             [&] { storeResults(both(how, loadResults(at), all), at); });
    });
  }

  Values stepOfLane(const KernelLoops::Position &at, unsigned inner,
                    int64_t width, ValueRange carried) {
    SmallVector<Values> loaded;
    for (const LoopAccess &in : nest.ins)
      loaded.push_back(in.isUsed ? loops.load(in, at, inner, width)
                                 : Values(width));
    Values results(carried);
    for (int64_t lane = 0; lane < width; ++lane) {
      Values args;
      for (const Values &elements : loaded)
        args.push_back(elements[lane]);
      llvm::append_range(args, results);
      results = bodies.clone(nest.body(), args, loops.indices(at, inner, lane));
    }
    return results;
  }
};

/// Whether every operand that moves along the row has it side by side.
bool liesInRows(const LoopNest &nest, ArrayRef<LoopGroup> reduced) {
  int64_t length = 1;
  for (const LoopGroup &group : reduced)
    for (unsigned loop : group)
      length = ShapedType::isDynamic(nest.sizes[loop]) ||
                       ShapedType::isDynamic(length)
                   ? ShapedType::kDynamic
                   : length * nest.sizes[loop];
  if (!ShapedType::isDynamic(length) && length < kShortRow)
    return false;
  unsigned inner = reduced.back().back();
  bool any = false;
  for (const LoopAccess &in : nest.ins) {
    int64_t stride = in.strideOf(inner);
    if (stride != 0 && stride != 1)
      return false;
    any |= stride == 1;
  }
  return any;
}

int64_t lengthOf(const LoopNest &nest) {
  int64_t length = 1;
  for (unsigned loop : nest.reduced) {
    if (ShapedType::isDynamic(nest.sizes[loop]))
      return ShapedType::kDynamic;
    length *= nest.sizes[loop];
  }
  return length;
}

} // namespace

LogicalResult nax::launchReduction(ImplicitLocOpBuilder &host,
                                   linalg::LinalgOp op, KernelModule &module,
                                   SmallVectorImpl<KernelLaunch> &launches) {
  FailureOr<LoopNest> nest = LoopNest::get(op);
  if (failed(nest))
    return failure();
  Captures captures = Captures::get(op->getRegion(0));
  KernelOperands operands(host);
  nest->addTo(operands);
  captures.addTo(operands);

  SmallVector<LoopGroup> kept = nest->groups(nest->parallel);
  SmallVector<LoopGroup> reduced = nest->groups(nest->reduced);
  Combine how = combineOf(*nest);
  bool byRows = how != Combine::none && liesInRows(*nest, reduced);
  int64_t width = byRows ? nest->vectorWidth(reduced.back(), nest->ins) : 1;
  RowLanes lanes = RowLanes::of(lengthOf(*nest));

  KernelLaunch launch;
  launch.threads = byRows ? lanes.threads() : kThreads;
  launch.sharedBytes = byRows ? lanes.sharedBytes(nest->outs.size()) : 0;
  launch.kernel = module.get(
      bodyKey(op), byRows ? "reduce_rows" : "reduce", op.getLoc(),
      operands.kernelTypes(), launch.threads,
      [&](GpuBuilder &b, ValueRange args) {
        SmallVector<GlobalView> all = operands.views(b, args);
        Values given = operands.sizes(args);
        ArrayRef<GlobalView> views(all);
        ValueRange numbers(given);
        KernelLoops loops(b, *nest, views, numbers);
        BodyCloner bodies(b, captures, views, numbers);
        loops.tell(bodies);
        ReductionKernel kernel{b, *nest, loops, bodies, kept, reduced};
        if (byRows)
          kernel.runByRows(how, lanes, width);
        else
          kernel.runByThreads();
      });
  Value count = nest->count(host, nest->parallel);
  if (byRows) {
    Value each = arith::ConstantIndexOp::create(host, lanes.rowsOfBlock());
    launch.grid[0] = host.createOrFold<arith::CeilDivUIOp>(count, each);
  } else {
    launch.grid[0] = blocksFor(host, count, kThreads, kMostBlocks);
  }
  launch.grid[1] = launch.grid[2] = arith::ConstantIndexOp::create(host, 1);
  launch.operands = llvm::to_vector(operands.values());
  launches.push_back(std::move(launch));
  return success();
}
