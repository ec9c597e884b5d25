//===- ModelInfo.cpp - read a model's interface off its nax module --------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "nax/Emit/ModelInfo.h"

#include "Interface.h"

#include "nax/Dialect/Nax/IR/Nax.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

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

static FailureOr<DType> dtypeOf(Type number, Location loc) {
  if (number.isF32())
    return DType::F32;
  if (number.isF16())
    return DType::F16;
  if (number.isBF16())
    return DType::BF16;
  if (number.isF64())
    return DType::F64;
  if (number.isInteger(32))
    return DType::I32;
  if (number.isInteger(64))
    return DType::I64;
  if (number.isInteger(1))
    return DType::Bool;
  return emitError(loc) << "numbers of type " << number
                        << " can't be passed through C";
}

namespace {

/// Fills a ModelInfo; keeps which attribute each of its axes came from.
class Reader {
public:
  explicit Reader(ModuleOp module) : module(module) {}

  FailureOr<ModelInfo> read();

private:
  LogicalResult readNames();
  LogicalResult readEntry(func::FuncOp func);
  LogicalResult readParam(ParamOp op);
  LogicalResult readLimit(EmbedPositionsOp op);
  FailureOr<int64_t> axisIndex(AxisAttr axis, Location loc);
  LogicalResult readTensor(nax::TensorType type, Location loc,
                           ModelTensor &out);
  FailureOr<ModelBuffer> readArgument(func::FuncOp func, unsigned index);
  FailureOr<ModelBuffer> readResult(func::FuncOp func, unsigned index);
  LogicalResult readDims(func::FuncOp func, ModelEntry &entry);

  ModuleOp module;
  ModelInfo info;
  llvm::DenseMap<AxisAttr, int64_t> indices;
  llvm::StringMap<AxisAttr> declared;
};

} // namespace

FailureOr<int64_t> Reader::axisIndex(AxisAttr axis, Location loc) {
  axis = axis.getBase();
  auto known = indices.find(axis);
  if (known != indices.end())
    return known->second;

  auto [other, isNew] = declared.try_emplace(axis.getName(), axis);
  if (!isNew)
    return emitError(loc) << "two axes are called " << axis.getName() << ": "
                          << other->second << " and " << axis;
  // A call gives the size of each axis, so a product whose factors' sizes are
  // only known then would have two sources of one number.
  if (axis.getStaticSize() < 0 && !axis.getParts().empty())
    return emitError(loc) << "axis " << axis.getName()
                          << " is made of axes whose sizes are known only when "
                             "the model is called; split it in the model";

  ModelAxis entry;
  entry.name = axis.getName().str();
  entry.size = axis.getStaticSize();
  entry.causal = axis.isCausal();
  info.axes.push_back(std::move(entry));
  int64_t index = info.axes.size() - 1;
  indices.try_emplace(axis, index);
  return index;
}

LogicalResult Reader::readTensor(nax::TensorType type, Location loc,
                                 ModelTensor &out) {
  FailureOr<DType> dtype = dtypeOf(type.getElementType(), loc);
  if (failed(dtype))
    return failure();
  out.dtype = *dtype;
  out.text = "[";
  for (AxisAttr axis : type.getAxes()) {
    FailureOr<int64_t> index = axisIndex(axis, loc);
    if (failed(index))
      return failure();
    out.axes.push_back(*index);
    if (out.text.size() > 1)
      out.text += ",";
    out.text += axis.getLabel();
  }
  out.text += "]";
  return success();
}

FailureOr<ModelBuffer> Reader::readArgument(func::FuncOp func, unsigned index) {
  Location loc = func.getArgument(index).getLoc();
  auto type = dyn_cast<nax::TensorType>(func.getArgumentTypes()[index]);
  if (!type)
    return emitError(loc) << "expects arguments of an entry to be nax tensors, "
                             "but got "
                          << func.getArgumentTypes()[index];
  auto name = func.getArgAttrOfType<StringAttr>(index, "nax.name");
  if (!name)
    return emitError(loc) << "expects argument " << index << " of entry @"
                          << func.getName() << " to have a nax.name";

  ModelBuffer buffer;
  buffer.name = name.str();
  if (failed(readTensor(type, loc, buffer)))
    return failure();

  if (auto axis = func.getArgAttrOfType<AxisAttr>(index, "nax.data")) {
    FailureOr<int64_t> dataAxis = axisIndex(axis, loc);
    if (failed(dataAxis))
      return failure();
    buffer.dataAxis = *dataAxis;
    switch (axis.getData()) {
    case AxisData::ragged:
      buffer.role = Role::Lengths;
      break;
    case AxisData::left_padded:
      buffer.role = Role::Starts;
      break;
    case AxisData::packed:
    case AxisData::continued:
      buffer.role = Role::Documents;
      break;
    case AxisData::all:
      return emitError(loc)
             << "axis " << axis.getName() << " has no data, but argument "
             << name << " says it is some";
    }
    return buffer;
  }

  if (buffer.dtype == DType::I64 && buffer.axes.empty())
    buffer.role = Role::Seed;
  KindAttr kind = type.getKind();
  if (kind && kind.getIs() == Is::ids) {
    buffer.bound = kind.getA().getStaticSize();
    buffer.boundName = kind.getA().getLabel();
    if (buffer.bound < 0) {
      FailureOr<int64_t> vocabulary = axisIndex(kind.getA(), loc);
      if (failed(vocabulary))
        return failure();
      buffer.dataAxis = *vocabulary;
    }
  }
  return buffer;
}

FailureOr<ModelBuffer> Reader::readResult(func::FuncOp func, unsigned index) {
  Location loc = func.getLoc();
  auto type = dyn_cast<nax::TensorType>(func.getResultTypes()[index]);
  if (!type)
    return emitError(loc) << "expects results of an entry to be nax tensors, "
                             "but got "
                          << func.getResultTypes()[index];
  auto name = func.getResultAttrOfType<StringAttr>(index, "nax.name");
  if (!name)
    return emitError(loc) << "expects result " << index << " of entry @"
                          << func.getName() << " to have a nax.name";
  ModelBuffer buffer;
  buffer.name = name.str();
  buffer.role = Role::Output;
  if (failed(readTensor(type, loc, buffer)))
    return failure();
  return buffer;
}

/// Collects the run-time axes of the inputs, and refuses a result that stands
/// on one that no input has: nothing in the call would say how long it is.
LogicalResult Reader::readDims(func::FuncOp func, ModelEntry &entry) {
  for (const ModelBuffer &buffer : entry.buffers) {
    for (int64_t axis : buffer.axes) {
      if (!info.axes[axis].isRuntime() || llvm::is_contained(entry.dims, axis))
        continue;
      if (!buffer.isInput())
        return emitError(func.getLoc())
               << "result " << buffer.name << " " << buffer.text
               << " stands on axis " << info.axes[axis].name
               << ", whose size no input of entry @" << func.getName()
               << " gives";
      entry.dims.push_back(axis);
    }
  }
  return success();
}

LogicalResult Reader::readEntry(func::FuncOp func) {
  ModelEntry entry;
  entry.name = func.getName().str();
  llvm::StringMap<bool> names;
  auto add = [&](FailureOr<ModelBuffer> buffer) -> LogicalResult {
    if (failed(buffer))
      return failure();
    if (!names.try_emplace(buffer->name, true).second)
      return emitError(func.getLoc())
             << "two arguments or results of entry @" << func.getName()
             << " are called " << buffer->name;
    entry.buffers.push_back(std::move(*buffer));
    return success();
  };
  for (unsigned index = 0; index < func.getNumArguments(); ++index)
    if (failed(add(readArgument(func, index))))
      return failure();
  for (unsigned index = 0; index < func.getNumResults(); ++index)
    if (failed(add(readResult(func, index))))
      return failure();
  if (failed(readDims(func, entry)))
    return failure();
  info.entries.push_back(std::move(entry));
  return success();
}

LogicalResult Reader::readParam(ParamOp op) {
  ModelTensor param;
  param.name = op.getName().str();
  auto type = cast<nax::TensorType>(op.getResult().getType());
  if (failed(readTensor(type, op.getLoc(), param)))
    return failure();
  for (int64_t axis : param.axes)
    if (info.axes[axis].isRuntime())
      return op.emitOpError("expects axes of fixed size, but ")
             << info.axes[axis].name << " of " << param.text
             << " is known only when the model is called";
  int64_t known = info.findParam(param.name);
  if (known < 0) {
    info.params.push_back(std::move(param));
    return success();
  }
  const ModelTensor &other = info.params[known];
  if (other.dtype != param.dtype || other.axes != param.axes)
    return op.emitOpError("expects ")
           << nameOf(other.dtype) << " " << other.text
           << ", as an earlier use of " << param.name << " has it, but got "
           << nameOf(param.dtype) << " " << param.text;
  return success();
}

/// A learned position table bounds the axis whose positions index it.
LogicalResult Reader::readLimit(EmbedPositionsOp op) {
  auto table = cast<nax::TensorType>(op.getTable().getType());
  auto x = cast<nax::TensorType>(op.getX().getType());
  for (AxisAttr axis : table.getAxes()) {
    if (x.has(axis))
      continue;
    FailureOr<int64_t> index = axisIndex(op.getAxis(), op.getLoc());
    if (failed(index))
      return failure();
    ModelAxis &bounded = info.axes[*index];
    int64_t positions = axis.getStaticSize();
    if (bounded.limit >= 0 && bounded.limit <= positions)
      continue;
    bounded.limit = positions;
    bounded.limitReason =
        "positions of the learned table, its axis " + axis.getLabel();
  }
  return success();
}

LogicalResult Reader::readNames() {
  auto rows = module->getAttrOfType<ArrayAttr>("nax.names");
  if (!rows)
    return success();
  for (Attribute row : rows) {
    auto fields = dyn_cast<DictionaryAttr>(row);
    if (!fields)
      return module.emitError(
                 "expects nax.names to hold dictionaries, but got ")
             << row;
    auto text = [&](StringRef key) {
      auto value = fields.getAs<StringAttr>(key);
      return value ? value.str() : std::string();
    };
    info.names.push_back({text("table"), text("param"), text("file"),
                          text("axes"), text("pairing")});
  }
  return success();
}

FailureOr<ModelInfo> Reader::read() {
  auto name = module->getAttrOfType<StringAttr>("nax.model");
  if (!name)
    return module.emitError("expects a module with the attribute nax.model");
  info.name = name.str();

  for (auto func : module.getOps<func::FuncOp>())
    if (func->hasAttr("nax.entry") && failed(readEntry(func)))
      return failure();
  if (info.entries.empty())
    return module.emitError("model ") << info.name << " has no entry";

  WalkResult walk = module.walk([&](Operation *op) {
    LogicalResult result = success();
    if (auto param = dyn_cast<ParamOp>(op))
      result = readParam(param);
    else if (auto embed = dyn_cast<EmbedPositionsOp>(op))
      result = readLimit(embed);
    return failed(result) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (walk.wasInterrupted() || failed(readNames()))
    return failure();
  return std::move(info);
}

FailureOr<ModelInfo> ModelInfo::get(ModuleOp module) {
  if (module->hasAttr(interfaceAttrName))
    return interfaceOf(module);
  return Reader(module).read();
}
