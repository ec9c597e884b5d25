//===- GpuAttentionLaunch.cpp - launches of attention ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "GpuAttentionOne.h"

#include "nax/Conversion/GpuKernels.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace nax;

/// Whether the assembler may have as many registers as there are. By itself it
/// would rather keep a few in memory than lose a block of a multiprocessor; of
/// small tiles without more to a score it keeps none, and has three blocks.
static bool wantsAllRegisters(const AttentionSpec &spec,
                              const AttentionTile &tile) {
  int64_t widest = std::max(tile.components(), tile.valueComponents());
  bool isSmall = tile.keyTile.elementBytes() == 2 && widest <= 64;
  return !isSmall || spec.mask || spec.bias || spec.alibi || spec.cap;
}

namespace {

/// What the launches of one operation have in common.
class AttentionLaunches {
public:
  AttentionLaunches(ImplicitLocOpBuilder &host, Operation *op,
                    AttentionSpec spec, Type element, KernelModule &module,
                    SmallVectorImpl<KernelLaunch> &launches)
      : host(host), op(op), spec(std::move(spec)), element(element),
        factor(module.factorOf(element)), module(module), launches(launches),
        operands(host) {}

  void addOperands(ValueRange memrefs) {
    for (Value memref : memrefs)
      operands.add(memref);
  }
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(host, value);
  }
  Value mul(Value x, Value y) { return host.createOrFold<arith::MulIOp>(x, y); }
  Value extentOf(Value out, ArrayRef<unsigned> dims) {
    Value product = index(1);
    for (unsigned dim : dims)
      product = mul(product, sizeOf(out, spec.outMap, dim));
    return product;
  }
  Value sizeOf(Value memref, AffineMap map, unsigned dim) {
    return host.createOrFold<memref::DimOp>(memref, positionOf(map, dim));
  }

  AttentionTile tileOf(bool isOne) {
    return AttentionTile::get(spec, element, factor, isOne);
  }

  void launch(StringRef variant, bool isOne, int64_t sharedBytes, Value x,
              Value y,
              llvm::function_ref<AttentionViews(GpuBuilder &, ValueRange)> view,
              void (GpuAttention::*run)()) {
    AttentionTile tile = tileOf(isOne);
    std::string name;
    llvm::raw_string_ostream os(name);
    os << (spec.causal ? "causal_" : "") << "attention_" << factor << "_D"
       << spec.components << (spec.ropeMap ? "_rope" : "") << variant;
    KernelLaunch launch;
    launch.threads = tile.threads();
    launch.sharedBytes = sharedBytes < 0 ? tile.sharedBytes() : sharedBytes;
    launch.operands = llvm::to_vector(operands.values());
    launch.kernel =
        module.get(kernelKey(op) + variant.str(), name, op->getLoc(),
                   operands.kernelTypes(), launch.threads,
                   [&](GpuBuilder &b, ValueRange args) {
                     GpuAttention attention(b, spec, tile, view(b, args));
                     (attention.*run)();
                   });
    if (wantsAllRegisters(spec, tile))
      launch.kernel->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                             host.getI32IntegerAttr(1));
    launch.grid[0] = x;
    launch.grid[1] = y;
    launch.grid[2] = index(1);
    launches.push_back(std::move(launch));
  }

  ImplicitLocOpBuilder &host;
  Operation *op;
  AttentionSpec spec;
  Type element, factor;
  KernelModule &module;
  SmallVectorImpl<KernelLaunch> &launches;
  KernelOperands operands;
};

} // namespace

static LogicalResult checkComponents(Operation *op, const AttentionSpec &spec) {
  int64_t widest = std::max(spec.components, spec.valueComponents);
  if (widest > 256)
    return op->emitOpError("expects at most 256 components of queries, keys "
                           "and values on a GPU, but got ")
           << widest;
  return success();
}

GpuScratch GpuScratch::get(kernel::AttentionOp op) {
  AttentionSpec spec = AttentionSpec::get(op);
  if (!spec.cached())
    return {0, {}};
  int64_t numbers = kMaxUnits * (2 + spec.valueComponents);
  return {numbers * 4 * spec.groupSize(), spec.headDims};
}

LogicalResult nax::launchAttention(ImplicitLocOpBuilder &host,
                                   kernel::AttentionOp op, KernelModule &module,
                                   SmallVectorImpl<KernelLaunch> &launches) {
  AttentionSpec spec = AttentionSpec::get(op);
  if (failed(checkComponents(op, spec)))
    return failure();
  if (spec.cached() && !op.getScratch())
    return op.emitOpError("expects scratch for the units of its rows on a GPU");
  Type element = cast<MemRefType>(op.getQ().getType()).getElementType();
  AttentionLaunches all(host, op, spec, element, module, launches);
  SmallVector<Value> memrefs{op.getQ(), op.getK(), op.getV(), op.getOut()};
  llvm::append_range(memrefs, op.getExtras());
  if (spec.cached())
    llvm::append_range(memrefs, ValueRange{op.getKc(), op.getVc(), op.getSpan(),
                                           op.getScratch()});
  if (spec.ropeMap)
    llvm::append_range(memrefs, ValueRange{op.getCosines(), op.getSines()});
  all.addOperands(memrefs);
  size_t numExtras = op.getExtras().size();
  auto view = [&](GpuBuilder &b, ValueRange args) {
    SmallVector<GlobalView> views = all.operands.views(b, args);
    AttentionViews o{views[0], views[1], views[2], views[3]};
    o.extras.assign(views.begin() + 4, views.begin() + 4 + numExtras);
    if (spec.cached()) {
      auto *rest = views.begin() + 4 + numExtras;
      o.keyCache = rest[0];
      o.valueCache = rest[1];
      o.span = rest[2];
      o.scratch = rest[3];
    }
    if (spec.ropeMap) {
      o.cosines = views.end()[-2];
      o.sines = views.end()[-1];
    }
    return o;
  };

  AttentionTile tile = all.tileOf(/*isOne=*/false);
  Value t = all.sizeOf(op.getQ(), spec.queryMap, spec.numBatch);
  SmallVector<unsigned> dims =
      llvm::to_vector(llvm::seq<unsigned>(0, spec.numBatch));
  Value blocks =
      host.createOrFold<arith::CeilDivUIOp>(t, all.index(tile.rows()));
  Value x = all.mul(blocks, all.extentOf(op.getOut(), dims));
  if (spec.cached())
    x = host.createOrFold<arith::SelectOp>(
        host.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::ugt, t,
                                         all.index(1)),
        x, all.index(0));
  all.launch("", false, -1, x, all.index(1), view, &GpuAttention::runBlocks);
  if (!spec.cached())
    return success();

  // Without a new position there is no query, and nowhere to write.
  Value heads = all.mul(all.extentOf(op.getOut(), spec.headDims),
                        host.createOrFold<arith::MinUIOp>(t, all.index(1)));
  // No row has more keys than the slots of its cache and its new ones.
  Value keys = host.createOrFold<arith::AddIOp>(
      all.sizeOf(op.getKc(), spec.keyMap, spec.numBatch + 1), t);
  Value units = host.createOrFold<arith::AddIOp>(
      host.createOrFold<arith::CeilDivUIOp>(keys, all.index(tile.keys)),
      all.index(1));
  units = host.createOrFold<arith::MinUIOp>(units, all.index(kMaxUnits));
  int64_t headTiles = llvm::divideCeil(spec.groupSize(), int64_t(16));
  all.launch("_units", true, -1, all.mul(heads, all.index(headTiles)), units,
             view, &GpuAttention::runUnits);
  all.launch("_combine", true, 0, all.mul(heads, all.index(spec.groupSize())),
             all.index(1), view, &GpuAttention::runCombine);
  return success();
}

LogicalResult
nax::launchAttentionWeights(ImplicitLocOpBuilder &host,
                            kernel::AttentionWeightsOp op, KernelModule &module,
                            SmallVectorImpl<KernelLaunch> &launches) {
  AttentionSpec spec = AttentionSpec::get(op);
  if (failed(checkComponents(op, spec)))
    return failure();
  Type element = cast<MemRefType>(op.getQ().getType()).getElementType();
  AttentionLaunches all(host, op, spec, element, module, launches);
  SmallVector<Value> memrefs{op.getQ(), op.getK(), op.getOut()};
  llvm::append_range(memrefs, op.getExtras());
  all.addOperands(memrefs);
  auto view = [&](GpuBuilder &b, ValueRange args) {
    SmallVector<GlobalView> views = all.operands.views(b, args);
    AttentionViews o{views[0], views[1], {}, views[2]};
    o.extras.assign(views.begin() + 3, views.end());
    return o;
  };
  AttentionTile tile = all.tileOf(/*isOne=*/false);
  Value t = all.sizeOf(op.getQ(), spec.queryMap, spec.numBatch);
  SmallVector<unsigned> dims =
      llvm::to_vector(llvm::seq<unsigned>(0, spec.numBatch));
  Value blocks =
      host.createOrFold<arith::CeilDivUIOp>(t, all.index(tile.rows()));
  all.launch("_weights", false, -1,
             all.mul(blocks, all.extentOf(op.getOut(), dims)), all.index(1),
             view, &GpuAttention::runWeights);
  return success();
}
