//===- GpuKernels.cpp - operations become launches ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// One kernel for each different operation, however often a model has it. What
// is left for the host is arithmetic on sizes: it looks at no number that the
// device has made.
//
//===----------------------------------------------------------------------===//

#include "nax/Conversion/GpuKernels.h"

#include "GpuKernels.h"
#include "OwnKernels.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

namespace nax {
#define GEN_PASS_DEF_GPUKERNELS
#include "nax/Conversion/GpuKernels.h.inc"
} // namespace nax

using namespace mlir;
using namespace nax;

namespace {

class Launcher {
public:
  Launcher(gpu::GPUModuleOp module, bool tf32)
      : module(module), kernels(module, tf32) {}

  /// The operations of a function, or of a loop of the host.
  LogicalResult run(Block &block) {
    for (Operation &op : llvm::make_early_inc_range(block))
      if (failed(launch(&op)))
        return failure();
    return success();
  }

private:
  LogicalResult launch(Operation *op) {
    // Loops and branches on sizes are the host's.
    if (isa<scf::ForOp, scf::IfOp>(op)) {
      for (Region &region : op->getRegions())
        for (Block &block : region)
          if (failed(run(block)))
            return failure();
      return success();
    }
    if (auto copy = dyn_cast<memref::CopyOp>(op))
      op = asLoops(copy);
    ImplicitLocOpBuilder host(op->getLoc(), op);
    SmallVector<KernelLaunch> launches;
    auto made =
        llvm::TypeSwitch<Operation *, std::optional<LogicalResult>>(op)
            .Case([&](kernel::DotOp dot) {
              return launchDot(host, dot, kernels, launches);
            })
            .Case([&](kernel::NormOp norm) {
              return launchNorm(host, norm, kernels, launches);
            })
            .Case([&](kernel::AttentionOp attention) {
              return launchAttention(host, attention, kernels, launches);
            })
            .Case([&](kernel::AttentionWeightsOp weights) {
              return launchAttentionWeights(host, weights, kernels, launches);
            })
            .Case([&](scf::ParallelOp loops) {
              return launchParallel(host, loops, kernels, launches);
            })
            .Case([&](linalg::LinalgOp loops) {
              return loops.getNumReductionLoops() == 0
                         ? launchElementwise(host, loops, kernels, launches)
                         : launchReduction(host, loops, kernels, launches);
            })
            .Default([](Operation *) { return std::nullopt; });
    if (!made)
      return checkHost(op);
    if (failed(*made))
      return failure();
    for (const KernelLaunch &launch : launches)
      create(host, launch);
    op->erase();
    return success();
  }

  void create(ImplicitLocOpBuilder &host, const KernelLaunch &launch) {
    auto symbol = SymbolRefAttr::get(module.getSymNameAttr(),
                                     {FlatSymbolRefAttr::get(launch.kernel)});
    LaunchOp::create(host, symbol, launch.grid[0], launch.grid[1],
                     launch.grid[2], launch.threads, launch.sharedBytes,
                     launch.operands);
  }

  static Operation *asLoops(memref::CopyOp copy) {
    OpBuilder b(copy);
    Operation *loops = linalg::makeMemRefCopyOp(
        b, copy.getLoc(), copy.getSource(), copy.getTarget());
    copy.erase();
    return loops;
  }

  /// What the device has made is not there yet when the host comes by.
  static LogicalResult checkHost(Operation *op) {
    if (isa<func::CallOp, func::ReturnOp, ViewLikeOpInterface,
            memref::GetGlobalOp>(op) ||
        isMemoryEffectFree(op))
      return success();
    return op->emitOpError("would have the host look at the device's memory; "
                           "expects only kernels, loops of linalg and "
                           "scf.parallel to do that");
  }

  gpu::GPUModuleOp module;
  KernelModule kernels;
};

struct GpuKernels final : nax::impl::GpuKernelsBase<GpuKernels> {
  using GpuKernelsBase::GpuKernelsBase;

  void runOnOperation() override {
    auto model = getOperation()->getAttrOfType<StringAttr>("nax.model");
    std::string name = (model ? model.getValue() : "nax").str() + "_kernels";
    OpBuilder b = OpBuilder::atBlockBegin(getOperation().getBody());
    auto kernels = gpu::GPUModuleOp::create(b, getOperation().getLoc(), name);
    Launcher launcher(kernels, tf32);
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() &&
          failed(launcher.run(function.getBody().front())))
        return signalPassFailure();
    expandMath(kernels);
  }
};

} // namespace
