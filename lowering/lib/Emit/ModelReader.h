//===- ModelReader.h - read a model's interface off its nax module --------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_EMIT_MODELREADER_H
#define NAX_LIB_EMIT_MODELREADER_H

#include "nax/Dialect/Nax/IR/Nax.h"
#include "nax/Emit/ModelInfo.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace nax {

/// Fills a ModelInfo; keeps which attribute each of its axes came from.
class ModelReader {
public:
  explicit ModelReader(mlir::ModuleOp module) : module(module) {}

  mlir::FailureOr<ModelInfo> read();

private:
  mlir::LogicalResult readNames();
  mlir::LogicalResult readEntry(mlir::func::FuncOp func);
  mlir::LogicalResult readParam(ParamOp op);
  mlir::LogicalResult readLimit(EmbedPositionsOp op);
  mlir::FailureOr<int64_t> axisIndex(AxisAttr axis, mlir::Location loc);
  void limitDocuments();
  void limitToWhole(int64_t one, int64_t other);
  mlir::LogicalResult readTensor(llvm::ArrayRef<AxisAttr> axes,
                                 mlir::Type number, mlir::Location loc,
                                 ModelTensor &out);
  mlir::FailureOr<ModelBuffer> readArgument(mlir::func::FuncOp func,
                                            unsigned index);
  mlir::LogicalResult readData(AxisAttr axis, mlir::Location loc,
                               ModelBuffer &buffer);
  mlir::FailureOr<ModelBuffer> readResult(mlir::func::FuncOp func,
                                          unsigned index);
  mlir::LogicalResult readCache(mlir::func::FuncOp func, nax::TensorType type,
                                mlir::DictionaryAttr cache, mlir::Location loc,
                                ModelBuffer &buffer);
  mlir::LogicalResult readDims(mlir::func::FuncOp func, ModelEntry &entry);
  void readKind(mlir::func::FuncOp func, ModelEntry &entry);
  mlir::LogicalResult findSteps();

  mlir::ModuleOp module;
  ModelInfo info;
  llvm::DenseMap<AxisAttr, int64_t> indices;
  llvm::StringMap<AxisAttr> declared;
};

} // namespace nax

#endif // NAX_LIB_EMIT_MODELREADER_H
