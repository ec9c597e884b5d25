//===- Elementwise.cpp - loops in which elements don't meet ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Each thread takes as many neighbouring elements as 16 bytes hold, then the
// same as many threads further on as the grid has. No element depends on which
// thread has it.
//
//===----------------------------------------------------------------------===//

#include "../ExpandKernels/BodyKey.h"
#include "Loops.h"
#include "OwnKernels.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace nax;

namespace {

constexpr int64_t kThreads = 256;
/// Blocks of a grid: enough for several on each multiprocessor of any GPU.
constexpr int64_t kMostBlocks = 4096;

} // namespace

Value nax::blocksFor(ImplicitLocOpBuilder &host, Value items, int64_t each,
                     int64_t most) {
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(host, value);
  };
  Value blocks = host.createOrFold<arith::CeilDivUIOp>(items, index(each));
  return host.createOrFold<arith::MinUIOp>(blocks, index(most));
}

void nax::forEachOfGrid(GpuBuilder &b, Value count, int64_t threads,
                        llvm::function_ref<void(Value)> body) {
  auto wide = [&](Value x) { return b.toI64(x); };
  Value block = wide(b.blockId(gpu::Dimension::x));
  Value first = b.add(b.mul(block, threads), wide(b.threadId()));
  Value blocks = NVVM::GridDimXOp::create(b, b.getI32Type());
  Value step = b.mul(wide(blocks), threads);
  auto loop = scf::ForOp::create(b, first, count, step);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

static void emitElementwise(GpuBuilder &b, const LoopNest &nest,
                            ArrayRef<LoopGroup> groups, int64_t width,
                            const KernelLoops &loops, BodyCloner &bodies) {
  unsigned inner = groups.empty() ? 0 : groups.back().back();
  Value count = b.i64(1);
  for (const LoopGroup &group : groups)
    count = b.mul(count, loops.size(group));
  count = b.div(count, width);
  forEachOfGrid(b, count, kThreads, [&](Value number) {
    KernelLoops::Position at = loops.start();
    loops.place(b.mul(number, width), groups, at);
    SmallVector<Values> loaded; // of each argument of the body
    for (const LoopAccess &access :
         llvm::concat<const LoopAccess>(nest.ins, nest.outs))
      loaded.push_back(access.isUsed ? loops.load(access, at, inner, width)
                                     : Values(width));
    SmallVector<Values> made(nest.outs.size());
    for (int64_t lane = 0; lane < width; ++lane) {
      Values args;
      for (const Values &elements : loaded)
        args.push_back(elements[lane]);
      Values results =
          bodies.clone(nest.body(), args, loops.indices(at, inner, lane));
      for (auto [all, result] : llvm::zip(made, results))
        all.push_back(result);
    }
    for (auto [access, elements] : llvm::zip(nest.outs, made))
      loops.store(elements, access, at);
  });
}

LogicalResult nax::launchElementwise(ImplicitLocOpBuilder &host,
                                     linalg::LinalgOp op, KernelModule &module,
                                     SmallVectorImpl<KernelLaunch> &launches) {
  FailureOr<LoopNest> nest = LoopNest::get(op);
  if (failed(nest))
    return failure();
  Captures captures = Captures::get(op->getRegion(0));
  KernelOperands operands(host);
  nest->addTo(operands);
  captures.addTo(operands);

  SmallVector<LoopGroup> groups = nest->groups(nest->parallel);
  SmallVector<LoopAccess> accesses(nest->ins);
  llvm::append_range(accesses, nest->outs);
  int64_t width =
      groups.empty() ? 1 : nest->vectorWidth(groups.back(), accesses);

  KernelLaunch launch;
  launch.kernel =
      module.get(bodyKey(op), isa<linalg::FillOp>(op) ? "fill" : "elementwise",
                 op.getLoc(), operands.kernelTypes(), kThreads,
                 [&](GpuBuilder &b, ValueRange args) {
                   SmallVector<GlobalView> all = operands.views(b, args);
                   Values given = operands.sizes(args);
                   ArrayRef<GlobalView> views(all);
                   ValueRange numbers(given);
                   KernelLoops loops(b, *nest, views, numbers);
                   BodyCloner bodies(b, captures, views, numbers);
                   loops.tell(bodies);
                   emitElementwise(b, *nest, groups, width, loops, bodies);
                 });
  Value count = nest->count(host, nest->parallel);
  launch.grid[0] = blocksFor(host, count, width * kThreads, kMostBlocks);
  launch.grid[1] = launch.grid[2] = arith::ConstantIndexOp::create(host, 1);
  launch.threads = kThreads;
  launch.operands = llvm::to_vector(operands.values());
  launches.push_back(std::move(launch));
  return success();
}

/// Loops of scf that may run in any order: a thread each.
LogicalResult nax::launchParallel(ImplicitLocOpBuilder &host,
                                  scf::ParallelOp op, KernelModule &module,
                                  SmallVectorImpl<KernelLaunch> &launches) {
  auto isConstant = [](Value value, int64_t wanted) {
    return getConstantIntValue(value) == wanted;
  };
  if (!op.getInitVals().empty() ||
      !llvm::all_of(op.getLowerBound(),
                    [&](Value from) { return isConstant(from, 0); }) ||
      !llvm::all_of(op.getStep(),
                    [&](Value step) { return isConstant(step, 1); }))
    return op.emitOpError("expects loops from 0 by 1 without results");
  Captures captures = Captures::get(op.getRegion());
  KernelOperands operands(host);
  Value count = arith::ConstantIndexOp::create(host, 1);
  for (Value end : op.getUpperBound()) {
    if (!getConstantIntValue(end))
      operands.addNumber(end);
    count = host.createOrFold<arith::MulIOp>(count, end);
  }
  captures.addTo(operands);

  KernelLaunch launch;
  launch.kernel = module.get(
      bodyKey(op), "loops", op.getLoc(), operands.kernelTypes(), kThreads,
      [&](GpuBuilder &b, ValueRange args) {
        SmallVector<GlobalView> views = operands.views(b, args);
        Values given = operands.sizes(args);
        ValueRange numbers(given);
        unsigned rank = op.getNumLoops();
        Values extents;
        Value all = b.i64(1);
        for (Value end : op.getUpperBound()) {
          std::optional<int64_t> fixed = getConstantIntValue(end);
          extents.push_back(fixed ? b.i64(*fixed) : b.toI64(numbers.front()));
          numbers = numbers.drop_front(fixed ? 0 : 1);
          all = b.mul(all, extents.back());
        }
        BodyCloner bodies(b, captures, views, numbers);
        forEachOfGrid(b, all, kThreads, [&](Value linear) {
          Values at(rank);
          for (unsigned loop = rank; loop-- > 0;) {
            Value here = linear;
            if (loop > 0) {
              here = b.createOrFold<arith::RemUIOp>(linear, extents[loop]);
              linear = b.createOrFold<arith::DivUIOp>(linear, extents[loop]);
            }
            at[loop] =
                b.createOrFold<arith::IndexCastOp>(b.getIndexType(), here);
          }
          bodies.clone(*op.getBody(), at);
        });
      });
  launch.grid[0] = blocksFor(host, count, kThreads, kMostBlocks);
  launch.grid[1] = launch.grid[2] = arith::ConstantIndexOp::create(host, 1);
  launch.threads = kThreads;
  launch.operands = llvm::to_vector(operands.values());
  launches.push_back(std::move(launch));
  return success();
}
