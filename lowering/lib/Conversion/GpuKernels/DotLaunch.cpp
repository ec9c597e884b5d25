//===- DotLaunch.cpp - launches of a dot ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "../ExpandKernels/BodyKey.h"
#include "Dot.h"
#include "Loops.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace nax;

static std::string nameOf(const DotShape &shape, StringRef variant) {
  std::string name = "dot_";
  llvm::raw_string_ostream os(name);
  os << shape.factor << "_K" << shape.k << "_N" << shape.n << variant;
  return name;
}

/// Functions of f64 are long and want many registers.
static bool usesF64(Region &epilogue) {
  return epilogue
      .walk([](Operation *op) {
        return llvm::any_of(op->getResultTypes(), llvm::IsaPred<Float64Type>)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

LogicalResult nax::launchDot(ImplicitLocOpBuilder &host, kernel::DotOp op,
                             KernelModule &module,
                             SmallVectorImpl<KernelLaunch> &launches) {
  auto matrix = cast<MemRefType>(op.getPanels().getType());
  if (matrix.getRank() != 2)
    return op.emitOpError("expects a matrix [n, k] on a GPU, but got panels");
  auto result = cast<MemRefType>(op.getC().getType());
  Type element = matrix.getElementType();
  DotShape shape{matrix.getDimSize(0), matrix.getDimSize(1), element,
                 module.factorOf(element), result.getElementType()};
  KernelOperands operands(host);
  for (Value memref : {op.getA(), op.getPanels(), op.getC()})
    operands.add(memref);
  for (Value extra : op.getExtras())
    operands.add(extra);
  Region &epilogue = op.getEpilogue();
  Captures captures = Captures::get(epilogue);
  captures.addTo(operands);
  std::string key = kernelKey(op);
  if (!epilogue.empty())
    key += bodyKey(op);

  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(host, value);
  };
  Value m = host.createOrFold<memref::DimOp>(op.getA(), 0);
  auto launch = [&](const DotTile &tile, StringRef variant, Value columnBlocks,
                    Value isUsed) {
    KernelLaunch launch;
    launch.threads = tile.warps() * kWarp;
    launch.sharedBytes = tile.sharedBytes();
    launch.operands = llvm::to_vector(operands.values());
    launch.kernel = module.get(
        key + variant.str(), nameOf(shape, variant), op.getLoc(),
        operands.kernelTypes(), launch.threads,
        [&](GpuBuilder &b, ValueRange args) {
          SmallVector<GlobalView> views = operands.views(b, args);
          BodyCloner bodies(b, captures, {}, operands.sizes(args));
          DotEpilogue all{epilogue.empty() ? nullptr : &epilogue.front(),
                          &bodies};
          emitDot(b, shape, tile, views, all);
        });
    if (tile.blocksOfProcessor && !usesF64(epilogue))
      launch.kernel->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                             host.getI32IntegerAttr(tile.blocksOfProcessor));
    Value rowBlocks =
        host.createOrFold<arith::CeilDivUIOp>(m, index(tile.rows));
    Value x = tile.few ? columnBlocks : rowBlocks;
    Value y = tile.few ? rowBlocks : columnBlocks;
    launch.grid[0] = host.createOrFold<arith::SelectOp>(isUsed, x, index(0));
    launch.grid[1] = y;
    launch.grid[2] = index(1);
    launches.push_back(std::move(launch));
  };
  auto isAbove = [&](int64_t rows) {
    return host.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::ugt, m,
                                            index(rows));
  };
  Value truth = arith::ConstantIntOp::create(host, 1, 1);
  Value isMany = isAbove(kFewRows);
  DotTile few = DotTile::fewRows();
  launch(few, "_few",
         index(llvm::divideCeil(shape.n, few.columnsOfBlock(shape))),
         host.createOrFold<arith::XOrIOp>(isMany, truth));
  DotTile small = DotTile::many(shape, false);
  auto blocks = [&](const DotTile &tile) {
    return index(llvm::divideCeil(shape.n, tile.columns));
  };
  // Large tiles pay once there are enough of them for all of a GPU.
  if (!shape.usesMma() || shape.n < 1024) {
    launch(small, "", blocks(small), isMany);
    return success();
  }
  DotTile large = DotTile::many(shape, true);
  Value isLarge = isAbove(1024);
  launch(small, "", blocks(small),
         host.createOrFold<arith::AndIOp>(
             isMany, host.createOrFold<arith::XOrIOp>(isLarge, truth)));
  launch(large, "_large", blocks(large), isLarge);
  return success();
}
