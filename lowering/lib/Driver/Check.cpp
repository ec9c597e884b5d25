//===- Check.cpp - naxc check: the object against what the model means ----===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// For each entry: the emitted object against the reference evaluator, the
// future of every causal axis changed, the same call again in a workspace of
// the exact size, and with two threads; all calls in one child process.
//
//===----------------------------------------------------------------------===//

#include "Checker.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>
#include <unistd.h>

using namespace llvm;
using namespace nax;
using namespace nax::driver;

/// The axes and sizes of a parameter or argument of this type, as float64.
static reference::NDArray toArray(nax::TensorType type,
                                  const reference::Extents &extents,
                                  DType dtype, const void *data) {
  reference::NDArray array = *reference::zeros(type, extents);
  for (int64_t i = 0, count = array.count(); i < count; ++i) {
    if (!array.integral)
      array[i] = valueAt(dtype, data, i);
    else if (dtype == DType::I64)
      array.integers[i] = static_cast<const int64_t *>(data)[i];
    else
      array.integers[i] = int64_t(valueAt(dtype, data, i));
  }
  return array;
}

static llvm::StringMap<nax::TensorType> paramTypes(mlir::ModuleOp module) {
  llvm::StringMap<nax::TensorType> types;
  module.walk([&](ParamOp op) {
    types[op.getName()] = mlir::cast<nax::TensorType>(op.getResult().getType());
  });
  return types;
}

/// Of types that only a file has, the runtime says that one is to be given.
static Error sayWhatGives(Error error) {
  std::string words = toString(std::move(error));
  bool asksForFile = StringRef(words).ends_with("give a file of that type");
  return wrong(asksForFile ? words + " with --params" : words);
}

/// Random parameters, or what the runtime reads from the user's file.
Error Checker::loadParams() {
  const std::string &path = session.options.params;
  if (!path.empty() && info.params.empty())
    return wrong("model " + info.name + " has no parameters");
  if (path.empty())
    drawn = drawParams(info, *model, random);
  // Of a file, or where memory has them in fewer bits, as memory has them.
  bool areRead = !path.empty() || session.options.storesWeights();
  std::vector<Shared> values = drawn;
  if (areRead)
    if (Error error = readParams(values))
      return path.empty() ? sayWhatGives(std::move(error)) : std::move(error);
  if (!session.options.save.empty() && !values.empty())
    if (Error error = saveParams(path.empty() ? drawn : values))
      return error;
  llvm::StringMap<nax::TensorType> types = paramTypes(*model);
  for (auto [param, value] : zip(info.params, values))
    params[param.name] =
        toArray(types[param.name], {}, areRead ? DType::F64 : param.dtype,
                value->data());
  return Error::success();
}

/// What the model's parameters are as it has them, of f64.
Error Checker::readParams(std::vector<Shared> &values) {
  values.clear();
  for (const ModelTensor &param : info.params) {
    int64_t count = 1;
    for (int64_t axis : param.axes)
      count *= info.axes[axis].size;
    values.push_back(SharedBytes::make(count * sizeof(double)));
    if (!values.back())
      return wrong("no memory for " + param.name);
  }
  return inChild(library, [&](Callee &callee) {
    bool good = giveParams(callee);
    for (size_t i = 0; good && i < values.size(); ++i)
      good = callee.readParam(i, static_cast<double *>(values[i]->data()));
    return good;
  });
}

/// numpy has no bf16, and f32 holds each of its numbers.
static std::string asF32(const SharedBytes &bf16) {
  std::string bytes(bf16.size() * 2, '\0');
  for (size_t i = 0; i < bf16.size() / 2; ++i)
    memcpy(&bytes[4 * i + 2], static_cast<const char *>(bf16.data()) + 2 * i,
           2);
  return bytes;
}

/// DIR/params is a folder that --params takes.
Error Checker::saveParams(ArrayRef<Shared> values) {
  std::string folder = session.options.save + "/params";
  if (Error error = makeFolders(folder))
    return error;
  bool drawnHere = session.options.params.empty();
  Outputs outputs;
  for (auto [param, value] : zip(info.params, values)) {
    SmallVector<int64_t> shape;
    for (int64_t axis : param.axes)
      shape.push_back(info.axes[axis].size);
    std::string path = folder + "/" + param.name + ".npy";
    if (Error error = refuseRead(session.options, "--save", path, info.params))
      return error;
    if (drawnHere && param.dtype == DType::BF16)
      outputs.add(path, formatNpy(descrOf(DType::F32), shape, asF32(*value)));
    else
      outputs.add(path, formatNpy(descrOf(drawnHere ? param.dtype : DType::F64),
                                  shape, value->text()));
  }
  return outputs.commit();
}

Error Checker::saveEntry(const ModelEntry &entry, const Binding &binding,
                         ArrayRef<reference::NDArray> results) {
  if (session.options.save.empty())
    return Error::success();
  std::string folder = session.options.save + "/" + entry.name;
  if (Error error = makeFolders(folder))
    return error;
  Outputs outputs;
  size_t inputs = entry.buffers.size() - results.size();
  for (auto [index, buffer] : enumerate(entry.buffers)) {
    std::string path = folder + "/" + buffer.name;
    for (StringRef ending : {".npy", ".reference.npy"})
      if (Error error = refuseRead(session.options, "--save",
                                   path + ending.str(), info.params))
        return error;
    outputs.add(path + ".npy",
                formatNpy(descrOf(buffer.dtype), binding.shapeOf(buffer),
                          calls[0].arguments.buffers[index]->text()));
    if (buffer.isInput())
      continue;
    const reference::NDArray &array = results[index - inputs];
    const void *data = array.integral
                           ? static_cast<const void *>(array.integers.data())
                           : array.numbers.data();
    outputs.add(path + ".reference.npy",
                formatNpy(array.integral ? "<i8" : "<f8", array.sizes,
                          {static_cast<const char *>(data),
                           size_t(array.count()) * 8}));
  }
  return outputs.commit();
}

bool Checker::giveParams(Callee &callee) {
  if (!session.options.params.empty())
    return callee.openParams(session.options.params);
  std::vector<const void *> values;
  for (const Shared &value : drawn)
    values.push_back(value->data());
  return callee.takeParams(values);
}

/// Bytes that the reference evaluator keeps at once: float64 for every value of
/// a function, scores and weights included, and of the calls it is in.
static double evaluationBytes(mlir::ModuleOp module, mlir::func::FuncOp func,
                              const reference::Extents &extents) {
  double own = 0, called = 0;
  func.walk([&](mlir::Operation *op) {
    if (auto call = mlir::dyn_cast<mlir::func::CallOp>(op))
      if (auto callee =
              module.lookupSymbol<mlir::func::FuncOp>(call.getCallee()))
        called = std::max(called, evaluationBytes(module, callee, extents));
    for (mlir::Type type : op->getResultTypes())
      if (auto tensor = mlir::dyn_cast<nax::TensorType>(type)) {
        double bytes = sizeof(double);
        for (AxisAttr axis : tensor.getAxes())
          bytes *= double(extents.get(axis));
        own += bytes;
      }
  });
  return own + called;
}

reference::Extents Checker::extentsOf(const ModelEntry &entry,
                                      ArrayRef<int64_t> dims) {
  reference::Extents extents;
  auto func = model->lookupSymbol<mlir::func::FuncOp>(entry.name);
  for (auto [index, type] : enumerate(func.getArgumentTypes()))
    for (auto [axis, place] : zip(mlir::cast<nax::TensorType>(type).getAxes(),
                                  entry.buffers[index].axes)) {
      auto dim = find(entry.dims, place);
      if (dim != entry.dims.end())
        extents.set(axis, dims[dim - entry.dims.begin()]);
    }
  return extents;
}

Error Checker::fitsInMemory(const ModelEntry &entry, ArrayRef<int64_t> dims) {
  double needed = evaluationBytes(
      *model, model->lookupSymbol<mlir::func::FuncOp>(entry.name),
      extentsOf(entry, dims));
  double there =
      double(sysconf(_SC_PHYS_PAGES)) * double(sysconf(_SC_PAGESIZE));
  if (needed <= there / 2)
    return Error::success();
  return wrong("the float64 evaluation keeps every value, scores of all pairs "
               "of positions too, and would need " +
               Twine(int64_t(needed / (1 << 30))) +
               " GiB at these sizes; check smaller ones, as --size T=8");
}

Expected<std::vector<reference::NDArray>>
Checker::evaluate(const ModelEntry &entry, const Arguments &arguments) {
  Timing::Scope scope(session.timing, "float64");
  auto func = model->lookupSymbol<mlir::func::FuncOp>(entry.name);
  reference::Extents extents = extentsOf(entry, arguments.dims);
  std::vector<reference::NDArray> inputs;
  for (auto [index, type] : enumerate(func.getArgumentTypes()))
    inputs.push_back(toArray(mlir::cast<nax::TensorType>(type), extents,
                             entry.buffers[index].dtype,
                             arguments.buffers[index]->data()));
  auto results = reference::evaluate(
      *model, entry.name, inputs,
      [&](StringRef name) -> const reference::NDArray * {
        auto found = params.find(name);
        return found == params.end() ? nullptr : &found->second;
      });
  if (mlir::failed(results))
    return make_error<SaidAlready>();
  return std::move(*results);
}

static int checkAll(Session &session) {
  const Options &options = session.options;
  Compilation &compilation = session.compilation;
  if (!compilation.isNaxLevel())
    return complain(options.inputs[0] + " has no axes any more to check by; "
                                        "of a dumped model the stages nax and "
                                        "fused still have them");
  // The evaluator reads the model as it was written, before any pass.
  mlir::OwningOpRef<mlir::ModuleOp> model = compilation.module().clone();
  if (!compilation.derive())
    return 1;
  const ModelInfo &info = session.checkedInfo();
  std::vector<const ModelEntry *> entries;
  if (options.entry.empty() && options.in.empty() && options.changes.empty()) {
    for (const ModelEntry &entry : info.entries)
      if (entry.kind == EntryKind::Whole)
        entries.push_back(&entry);
  } else {
    Expected<const ModelEntry *> entry = chooseEntry(info, options.entry);
    if (!entry)
      return complain(entry.takeError());
    entries.push_back(*entry);
  }

  std::optional<LinkedModel> linked = linkModel(session);
  if (!linked)
    return 1;
  Checker checker(session, std::move(model), *linked);
  if (Error error = checker.loadParams())
    return complain(std::move(error));
  bool good = true;
  for (const ModelEntry *entry : entries) {
    Expected<bool> passed = checker.checkEntry(*entry);
    if (!passed)
      return complain(passed.takeError());
    good &= *passed;
    Expected<bool> steps = checker.checkSteps(*entry);
    if (!steps)
      return complain(steps.takeError());
    good &= *steps;
  }
  return good ? 0 : 1;
}

int nax::driver::checkCommand(Session &session) {
  return session.load() ? checkAll(session) : 1;
}
