//===- ModelReader.cpp - read a model's interface off its nax module ------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "ModelReader.h"

#include "Interface.h"

using namespace mlir;
using namespace nax;

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

/// Whether `step` is what a derived step has in the place of `whole`.
static bool isContinuation(AxisAttr step, AxisAttr whole) {
  return step.isContinued() && step.getKind() == whole.getKind() &&
         step.getName() == whole.getName();
}

FailureOr<int64_t> ModelReader::axisIndex(AxisAttr axis, Location loc) {
  axis = axis.getBase();
  auto known = indices.find(axis);
  if (known != indices.end())
    return known->second;

  auto [other, isNew] = declared.try_emplace(axis.getName(), axis);
  if (!isNew && !isContinuation(axis, other->second) &&
      !isContinuation(other->second, axis))
    return emitError(loc) << "two axes are called " << axis.getName() << ": "
                          << other->second << " and " << axis;
  // One axis for the caller, who says how many positions there are.
  if (!isNew && axis.getStaticSize() == other->second.getStaticSize())
    return indices[axis] = indices.lookup(other->second);
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
  if (!isNew)
    limitToWhole(index, indices.lookup(other->second));
  return index;
}

/// A step of a sequence of fixed size has as many positions at the most.
void ModelReader::limitToWhole(int64_t one, int64_t other) {
  if (!info.axes[one].isRuntime())
    std::swap(one, other);
  ModelAxis &continued = info.axes[one];
  continued.limit = info.axes[other].size;
  continued.limitReason = "positions of axis " + continued.name;
}

LogicalResult ModelReader::readTensor(ArrayRef<AxisAttr> axes, Type number,
                                      Location loc, ModelTensor &out) {
  FailureOr<DType> dtype = dtypeOf(number, loc);
  if (failed(dtype))
    return failure();
  out.dtype = *dtype;
  out.text = "[";
  for (AxisAttr axis : axes) {
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

LogicalResult ModelReader::readParam(ParamOp op) {
  ModelTensor param;
  param.name = op.getName().str();
  auto type = cast<nax::TensorType>(op.getResult().getType());
  if (failed(readTensor(type.getAxes(), type.getElementType(), op.getLoc(),
                        param)))
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
LogicalResult ModelReader::readLimit(EmbedPositionsOp op) {
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

/// Positions begin anew with each document, so that not the axis is bounded.
void ModelReader::limitDocuments() {
  std::vector<int64_t> packed;
  for (ModelEntry &entry : info.entries)
    for (ModelBuffer &buffer : entry.buffers)
      if (buffer.role == Role::Documents) {
        buffer.bound = info.axes[buffer.dataAxis].limit;
        buffer.boundName = info.axes[buffer.dataAxis].limitReason;
        packed.push_back(buffer.dataAxis);
      }
  for (int64_t axis : packed) {
    info.axes[axis].limit = -1;
    info.axes[axis].limitReason.clear();
  }
}

LogicalResult ModelReader::readNames() {
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

FailureOr<ModelInfo> ModelReader::read() {
  auto name = module->getAttrOfType<StringAttr>("nax.model");
  if (!name)
    return module.emitError("expects a module with the attribute nax.model");
  info.name = name.str();

  for (auto func : module.getOps<func::FuncOp>())
    if (func->hasAttr("nax.entry") && failed(readEntry(func)))
      return failure();
  if (info.entries.empty())
    return module.emitError("model ") << info.name << " has no entry";
  if (failed(findSteps()))
    return failure();

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
  limitDocuments();
  return std::move(info);
}

FailureOr<ModelInfo> nax::readInterface(ModuleOp module) {
  return ModelReader(module).read();
}
