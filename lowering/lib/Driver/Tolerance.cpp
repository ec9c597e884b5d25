//===- Tolerance.cpp - how far from float64 a result may be ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Checker.h"
#include "Levels.h"

#include "nax/Conversion/CpuTarget.h"
#include "nax/Conversion/WeightFormat.h"

using namespace llvm;
using namespace nax;
using namespace nax::driver;

/// f32 arithmetic stays below 1e-5; what is computed in fewer bits on the way
/// to `value` is rounded to them. Moving numbers rounds nothing.
static double barOver(mlir::Value value,
                      llvm::SmallPtrSetImpl<mlir::Operation *> &seen) {
  mlir::Operation *op = value.getDefiningOp();
  if (!op || !seen.insert(op).second)
    return 1e-5;
  double bar = 1e-5;
  mlir::Type number =
      mlir::cast<nax::TensorType>(value.getType()).getElementType();
  if (!mlir::isa<ParamOp, EmbedOp, ReadOp, SplitOp, MergeOp, PartOp, ConcatOp,
                 SpreadOp, FirstOp, LastOp>(op))
    bar = number.isF16() ? 2e-3 : number.isBF16() ? 1.6e-2 : bar;
  if (auto call = mlir::dyn_cast<mlir::func::CallOp>(op))
    if (auto callee = op->getParentOfType<mlir::ModuleOp>()
                          .lookupSymbol<mlir::func::FuncOp>(call.getCallee());
        callee && !callee.isExternal())
      for (mlir::Value result :
           callee.getBody().front().getTerminator()->getOperands())
        bar = std::max(bar, barOver(result, seen));
  for (mlir::Value operand : op->getOperands())
    bar = std::max(bar, barOver(operand, seen));
  return bar;
}

/// What rows lose that are rounded for their product with weights of `format`.
/// The weights themselves are compared as they are stored.
static double barOfRows(const WeightFormat &format, const Options &options) {
  if (format.isQuantised())
    return options.activations == "f32" ? 0 : 8e-2;
  std::optional<CpuTarget> level = CpuTarget::get(chooseLevels(options).back());
  bool arePairs = format.stored == NAX_STORED_BF16 && level->hasBf16;
  return arePairs ? 2e-2 : 0;
}

static double barOfRows(Session &session) {
  const Options &options = session.options;
  if (std::optional<WeightFormat> format = WeightFormat::get(options.weights))
    return barOfRows(*format, options);
  double bar = 0;
  if (auto byName =
          session.compilation.module()->getAttrOfType<mlir::DictionaryAttr>(
              "nax.weights"))
    for (mlir::NamedAttribute entry : byName)
      if (auto name = mlir::dyn_cast<mlir::StringAttr>(entry.getValue()))
        if (auto format = WeightFormat::get(name.getValue()))
          bar = std::max(bar, barOfRows(*format, options));
  return bar;
}

double Checker::barOf(mlir::Value result) const {
  if (mlir::cast<nax::TensorType>(result.getType())
          .getElementType()
          .isInteger())
    return 0;
  llvm::SmallPtrSet<mlir::Operation *, 16> seen;
  double bar = barOver(result, seen);
  // What a GPU has between operations is rounded to its type in memory; with
  // tf32 factors are rounded, to as many bits as f16 has.
  if (session.options.device == Device::Cpu)
    return std::max(bar, barOfRows(session));
  StringRef type = session.options.gpuType;
  return std::max(bar, type == "f16" || type == "tf32" ? 3e-3
                       : type == "bf16"                ? 2e-2
                                                       : 0);
}
