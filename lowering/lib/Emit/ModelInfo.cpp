//===- ModelInfo.cpp - what a compiled model shows to its caller ----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "nax/Emit/ModelInfo.h"

#include "Interface.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace nax;

int64_t nax::sizeOf(DType dtype) {
  switch (dtype) {
  case DType::F64:
  case DType::I64:
    return 8;
  case DType::F32:
  case DType::I32:
    return 4;
  case DType::F16:
  case DType::BF16:
    return 2;
  case DType::Bool:
    return 1;
  }
  llvm_unreachable("every dtype has a size");
}

StringRef nax::cTypeOf(DType dtype) {
  switch (dtype) {
  case DType::F64:
    return "double";
  case DType::I64:
    return "int64_t";
  case DType::F32:
    return "float";
  case DType::I32:
    return "int32_t";
  case DType::F16:
  case DType::BF16:
    return "uint16_t";
  case DType::Bool:
    return "uint8_t";
  }
  llvm_unreachable("every dtype has a C type");
}

StringRef nax::nameOf(DType dtype) {
  static constexpr StringRef names[] = {"f32", "f16", "bf16", "f64",
                                        "i32", "i64", "bool"};
  return names[static_cast<size_t>(dtype)];
}

ModelInfo ModelInfo::withMemoryType(DType type) const {
  ModelInfo result = *this;
  for (ModelTensor &param : result.params)
    if (param.dtype == DType::F32)
      param.dtype = type;
  for (ModelEntry &entry : result.entries)
    for (ModelBuffer &buffer : entry.buffers)
      if (buffer.isCache() && buffer.dtype == DType::F32)
        buffer.dtype = type;
  return result;
}

const ModelEntry *ModelInfo::findEntry(StringRef name) const {
  for (const ModelEntry &entry : entries)
    if (entry.name == name)
      return &entry;
  return nullptr;
}

int64_t ModelInfo::findParam(StringRef name) const {
  for (auto [index, param] : llvm::enumerate(params))
    if (param.name == name)
      return index;
  return -1;
}

SmallVector<int64_t, 4> ModelInfo::cacheDims(const ModelEntry &step) const {
  SmallVector<int64_t, 4> kept;
  for (int64_t axis : step.dims)
    if (!axes[axis].isSlots() &&
        llvm::any_of(step.buffers, [&](const ModelBuffer &buffer) {
          bool isKept = buffer.isCache() || buffer.isCounts();
          bool isCapacity = buffer.isCounts() && buffer.dataAxis == axis;
          return isCapacity ||
                 (isKept && llvm::is_contained(buffer.axes, axis));
        }))
      kept.push_back(axis);
  return kept;
}

FailureOr<ModelInfo> ModelInfo::get(ModuleOp module) {
  if (module->hasAttr(interfaceAttrName))
    return interfaceOf(module);
  return readInterface(module);
}
