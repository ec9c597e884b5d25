//===- Random.cpp - inputs and parameters that nobody gave ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Random.h"

#include "Values.h"

#include "nax/Dialect/Nax/IR/Nax.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <cstring>
#include <numbers>

using namespace llvm;
using namespace nax;
using namespace nax::driver;

int64_t Random::integer(int64_t below) {
  return below > 0 ? int64_t(engine() % uint64_t(below)) : 0;
}

/// Two at a time, by Box and Muller: std::normal_distribution gives other
/// numbers in another library.
double Random::normal() {
  if (hasSpare) {
    hasSpare = false;
    return spare;
  }
  double radius = std::sqrt(-2 * std::log(1 - uniform()));
  double angle = 2 * std::numbers::pi * uniform();
  spare = radius * std::sin(angle);
  hasSpare = true;
  return radius * std::cos(angle);
}

//===----------------------------------------------------------------------===//
// Sizes and inputs
//===----------------------------------------------------------------------===//

void nax::driver::setDefaultSizes(const ModelInfo &info,
                                  const ModelEntry &entry,
                                  mlir::ModuleOp module, Binding &binding) {
  auto func = module.lookupSymbol<mlir::func::FuncOp>(entry.name);
  for (auto [buffer, type] : zip(entry.buffers, func.getArgumentTypes())) {
    auto axes = mlir::cast<nax::TensorType>(type).getAxes();
    for (auto [axis, attr] : zip(buffer.axes, axes)) {
      int64_t size = attr.getBase().isSequence() ? 8 : 2;
      if (info.axes[axis].limit >= 0)
        size = std::min(size, info.axes[axis].limit);
      if (!binding.isKnown(axis))
        binding.setDefault(axis, size);
    }
  }
}

/// Rows of documents that are a few positions long; numbers only rise.
static void drawDocuments(const ModelBuffer &buffer, int64_t length,
                          int64_t count, Random &random, void *data) {
  int64_t document = 0, positions = 0;
  for (int64_t i = 0; i < count; ++i) {
    bool isFull = positions == buffer.bound;
    if (i % length == 0)
      document = positions = 0;
    else if (random.integer(4) == 0 || isFull) {
      ++document;
      positions = 0;
    }
    ++positions;
    setValue(buffer.dtype, data, i, double(document));
  }
}

/// `bound`: how many ids there are, if it is ids.
static double drawElement(const ModelBuffer &buffer, int64_t bound,
                          Random &random) {
  if (bound >= 0)
    return bound ? double(random.integer(bound)) : 0;
  if (buffer.dtype == DType::Bool)
    return random.coin();
  return isInteger(buffer.dtype) ? double(random.integer(5)) : random.normal();
}

static void drawInput(const ModelBuffer &buffer, const Binding &binding,
                      Random &random, void *data) {
  int64_t count = binding.countOf(buffer);
  int64_t length = buffer.dataAxis >= 0 ? binding.sizeOf(buffer.dataAxis) : 0;
  if (buffer.role == Role::Documents)
    return drawDocuments(buffer, length, count, random, data);
  for (int64_t i = 0; i < count; ++i) {
    double value = 0;
    // The first row has some of its positions, two at least so that there is a
    // label, and not all, if it can; the last of several is empty: what it
    // gives is 0, not NaN.
    bool cut = i == 0 && length > 1;
    switch (buffer.role) {
    case Role::Lengths:
      if (i == 0 && length > 2)
        value = 2 + random.integer(length - 2);
      else
        value = i > 0 && i + 1 == count ? 0 : 1 + random.integer(length - cut);
      break;
    case Role::Starts:
      value = cut ? 1 + random.integer(length - 1) : random.integer(length);
      break;
    case Role::Seed:
      value = random.integer(int64_t(1) << 40);
      break;
    default:
      value = drawElement(buffer, buffer.dataAxis >= 0 ? length : buffer.bound,
                          random);
    }
    setValue(buffer.dtype, data, i, value);
  }
}

void nax::driver::drawInputs(const ModelInfo &info, const ModelEntry &entry,
                             const Binding &binding, Random &random,
                             Arguments &arguments) {
  for (auto [index, buffer] : enumerate(entry.buffers))
    if (buffer.isInput() && !binding.isGiven(index))
      drawInput(buffer, binding, random, arguments.buffers[index]->data());
}

/// Never the value that was there, if the type has another.
static double another(const ModelBuffer &buffer, double value, Random &random) {
  if (buffer.bound > 1)
    return double((int64_t(value) + 1 + random.integer(buffer.bound - 1)) %
                  buffer.bound);
  if (buffer.bound == 1)
    return 0;
  if (buffer.dtype == DType::Bool)
    return value == 0;
  return isInteger(buffer.dtype) ? value + 1
                                 : value + 1 + std::abs(random.normal());
}

void nax::driver::redrawFuture(const ModelInfo &info, const ModelEntry &entry,
                               const Binding &binding, int64_t axis,
                               int64_t from, Random &random,
                               Arguments &arguments) {
  for (auto [index, buffer] : enumerate(entry.buffers)) {
    auto place = find(buffer.axes, axis);
    if (buffer.role != Role::Input || place == buffer.axes.end())
      continue;
    int64_t stride = 1;
    for (auto inner = place + 1; inner != buffer.axes.end(); ++inner)
      stride *= binding.sizeOf(*inner);
    void *data = arguments.buffers[index]->data();
    for (int64_t i = 0, count = binding.countOf(buffer); i < count; ++i)
      if (i / stride % binding.sizeOf(axis) >= from)
        setValue(buffer.dtype, data, i,
                 another(buffer, valueAt(buffer.dtype, data, i), random));
  }
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

namespace {
struct Distribution {
  double centre = 0, width = 0.3;
};
} // namespace

static int64_t extentOf(ArrayRef<AxisAttr> axes) {
  int64_t extent = 1;
  for (AxisAttr axis : axes)
    extent *= std::max<int64_t>(axis.getStaticSize(), 1);
  return extent;
}

/// What one use makes of a parameter; null if it says nothing.
static std::optional<Distribution> distributionFor(mlir::OpOperand &use) {
  mlir::Operation *op = use.getOwner();
  if (auto dot = mlir::dyn_cast<DotOp>(op))
    return Distribution{0, 1 / std::sqrt(double(extentOf(dot.getOver())))};
  bool isGain = use.getOperandNumber() == 1;
  if (auto norm = mlir::dyn_cast<RmsNormOp>(op); norm && isGain)
    return Distribution{norm.getOnePlus() ? 0.0 : 1.0, 0.2};
  if (mlir::isa<LayerNormOp>(op) && isGain)
    return Distribution{1, 0.2};
  return std::nullopt;
}

/// By the first use that tells, in callees too.
static std::optional<Distribution> distributionOf(mlir::Value value,
                                                  mlir::ModuleOp module) {
  for (mlir::OpOperand &use : value.getUses()) {
    std::optional<Distribution> found = distributionFor(use);
    if (auto call = mlir::dyn_cast<mlir::func::CallOp>(use.getOwner())) {
      auto callee = module.lookupSymbol<mlir::func::FuncOp>(call.getCallee());
      if (callee && !callee.isExternal())
        found =
            distributionOf(callee.getArgument(use.getOperandNumber()), module);
    }
    if (found)
      return found;
  }
  return std::nullopt;
}

std::vector<Shared> nax::driver::drawParams(const ModelInfo &info,
                                            mlir::ModuleOp module,
                                            Random &random) {
  std::vector<Distribution> distributions(info.params.size());
  module.walk([&](ParamOp op) {
    if (auto found = distributionOf(op.getResult(), module))
      distributions[info.findParam(op.getName())] = *found;
  });
  std::vector<Shared> params;
  for (auto [param, distribution] : zip(info.params, distributions)) {
    int64_t count = 1;
    for (int64_t axis : param.axes)
      count *= info.axes[axis].size;
    Shared bytes = SharedBytes::make(count * sizeOf(param.dtype));
    if (!bytes)
      report_fatal_error("no memory is left", /*gen_crash_diag=*/false);
    for (int64_t i = 0; i < count; ++i)
      setValue(param.dtype, bytes->data(), i,
               distribution.centre + distribution.width * random.normal());
    params.push_back(std::move(bytes));
  }
  return params;
}
