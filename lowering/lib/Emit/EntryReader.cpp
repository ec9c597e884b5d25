//===- EntryReader.cpp - arguments, results and caches of an entry --------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "ModelReader.h"

using namespace mlir;
using namespace nax;

/// Which positions of `axis` there are: what `buffer` holds.
LogicalResult ModelReader::readData(AxisAttr axis, Location loc,
                                    ModelBuffer &buffer) {
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
    return emitError(loc) << "axis " << axis.getName()
                          << " has no data, but argument " << buffer.name
                          << " says it is some";
  }
  return success();
}

/// The axis that a step continues; null: `func` is no step.
static AxisAttr continuedAxis(func::FuncOp func) {
  for (unsigned index = 0; index < func.getNumArguments(); ++index)
    if (auto axis = func.getArgAttrOfType<AxisAttr>(index, "nax.span"))
      return axis;
  return nullptr;
}

/// Of a begin these are the results, all of them fixed.
LogicalResult ModelReader::readCache(func::FuncOp func, nax::TensorType type,
                                     DictionaryAttr cache, Location loc,
                                     ModelBuffer &buffer) {
  buffer.role = Role::Cache;
  buffer.cache = cache.getAs<IntegerAttr>("index").getInt();
  if (cache.contains("fixed"))
    return success();
  auto ring = cache.getAs<IntegerAttr>("ring");
  AxisAttr sequence = continuedAxis(func), slots;
  if (sequence)
    slots = AxisAttr::getSlots(sequence, ring ? ring.getInt() : 0);
  if (!slots || !type.has(slots))
    return emitError(loc) << "expects " << buffer.name << " " << buffer.text
                          << " to stand on slots of the axis whose span entry @"
                          << func.getName() << " has";
  FailureOr<int64_t> of = axisIndex(sequence, loc),
                     index = axisIndex(slots, loc);
  if (failed(of) || failed(index))
    return failure();
  info.axes[*index].slotsOf = *of;
  info.axes[*index].ring = ring ? ring.getInt() : 0;
  return success();
}

FailureOr<ModelBuffer> ModelReader::readArgument(func::FuncOp func,
                                                 unsigned index) {
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
  ArrayRef<AxisAttr> axes = type.getAxes();
  // What is handed over is a number for each row: how many are new.
  auto continued = func.getArgAttrOfType<AxisAttr>(index, "nax.span");
  if (continued)
    axes = axes.drop_back();
  if (failed(readTensor(axes, type.getElementType(), loc, buffer)))
    return failure();
  if (continued) {
    FailureOr<int64_t> sequence = axisIndex(continued, loc);
    if (failed(sequence))
      return failure();
    buffer.dataAxis = *sequence;
    buffer.role = Role::Counts;
    return buffer;
  }

  if (auto axis = func.getArgAttrOfType<AxisAttr>(index, "nax.data"))
    if (failed(readData(axis, loc, buffer)))
      return failure();
  if (auto cache = func.getArgAttrOfType<DictionaryAttr>(index, "nax.cache"))
    if (failed(readCache(func, type, cache, loc, buffer)))
      return failure();
  if (buffer.dataAxis >= 0)
    return buffer;

  if (buffer.dtype == DType::I64 && buffer.axes.empty() && !buffer.isCache())
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

FailureOr<ModelBuffer> ModelReader::readResult(func::FuncOp func,
                                               unsigned index) {
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
  if (failed(readTensor(type.getAxes(), type.getElementType(), loc, buffer)))
    return failure();
  if (auto cache = func.getResultAttrOfType<DictionaryAttr>(index, "nax.cache"))
    if (failed(readCache(func, type, cache, loc, buffer)))
      return failure();
  return buffer;
}

/// Collects the run-time axes of the inputs, and refuses a result that stands
/// on one that no input has: nothing in the call would say how long it is.
LogicalResult ModelReader::readDims(func::FuncOp func, ModelEntry &entry) {
  for (auto [index, buffer] : llvm::enumerate(entry.buffers)) {
    for (int64_t axis : buffer.axes) {
      if (!info.axes[axis].isRuntime() || llvm::is_contained(entry.dims, axis))
        continue;
      if (index >= func.getNumArguments())
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

LogicalResult ModelReader::readEntry(func::FuncOp func) {
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
  readKind(func, entry);
  info.entries.push_back(std::move(entry));
  return success();
}

/// What the entry was derived from; and of its documents, which cache keeps
/// them: the one of whole numbers that grows.
void ModelReader::readKind(func::FuncOp func, ModelEntry &entry) {
  auto step = func->getAttrOfType<StringAttr>("nax.step");
  auto begin = func->getAttrOfType<StringAttr>("nax.begin");
  if (!step && !begin)
    return;
  entry.kind = step ? EntryKind::Step : EntryKind::Begin;
  entry.of = (step ? step : begin).str();
  for (ModelBuffer &documents : entry.buffers)
    for (const ModelBuffer &cache : entry.buffers) {
      auto isSlots = [&](int64_t axis) { return info.axes[axis].isSlots(); };
      if (step && documents.role == Role::Documents && cache.isCache() &&
          cache.dtype == DType::I32 && llvm::any_of(cache.axes, isSlots))
        documents.cache = cache.cache;
    }
}

LogicalResult ModelReader::findSteps() {
  for (ModelEntry &entry : info.entries) {
    for (auto [place, other] : llvm::enumerate(info.entries))
      if (entry.hasCache() && other.kind == EntryKind::Step &&
          other.of == entry.of)
        entry.step = place;
    if (entry.hasCache() && entry.step < 0)
      return module.emitError("entry @")
             << entry.name << " begins steps of " << entry.of
             << ", but none is derived from it";
  }
  return success();
}
