//===- CheckEntry.cpp - the checks of one entry ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Checker.h"

#include "mlir/IR/Visitors.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>

using namespace llvm;
using namespace nax;
using namespace nax::driver;

static Arguments copyOf(const Arguments &arguments) {
  Arguments copy;
  copy.dims = arguments.dims;
  for (const Shared &buffer : arguments.buffers) {
    Shared bytes = SharedBytes::make(buffer->size());
    if (!bytes)
      report_fatal_error("no memory is left", /*gen_crash_diag=*/false);
    memcpy(bytes->data(), buffer->data(), buffer->size());
    copy.buffers.push_back(std::move(bytes));
  }
  return copy;
}

//===----------------------------------------------------------------------===//
// What is called
//===----------------------------------------------------------------------===//

/// --set: checked against the shape and the vocabulary before anything runs.
Error Checker::addChange(const ModelEntry &entry, const Binding &binding,
                         const TokenChange &change, Arguments &arguments) {
  auto found = find_if(entry.buffers, [&](const ModelBuffer &buffer) {
    return buffer.isInput() && buffer.name == change.buffer;
  });
  if (found == entry.buffers.end())
    return wrong("--set: entry " + entry.name + " has no input " +
                 change.buffer);
  SmallVector<int64_t, 4> shape = binding.shapeOf(*found);
  if (shape.size() != change.index.size())
    return wrong("--set: " + change.buffer + " is " + found->text + ", but " +
                 Twine(change.index.size()) + " indices are given");
  int64_t place = 0;
  for (auto [index, size, axis] : zip(change.index, shape, found->axes)) {
    if (index >= size)
      return wrong("--set: axis " + info.axes[axis].name + " of " +
                   change.buffer + " has " + Twine(size) + " places, so " +
                   Twine(index) + " is none");
    place = place * size + index;
  }
  if (found->role == Role::Input && found->bound >= 0 &&
      (change.value < 0 || change.value >= found->bound))
    return wrong("--set: ids of " + change.buffer + " are below " +
                 Twine(found->bound) + " (axis " + found->boundName + "), so " +
                 Twine(change.value) + " is none");
  void *data = arguments.buffers[found - entry.buffers.begin()]->data();
  changeTexts.push_back(
      change.buffer + formatIndex(shape, place) + "=" +
      std::to_string(change.value) + " (was " +
      formatNumber(found->dtype, valueAt(found->dtype, data, place)) + ")");
  setValue(found->dtype, data, place, double(change.value));
  return Error::success();
}

/// Every position of a short axis, a few of a long one.
static std::vector<int64_t> cutsOf(int64_t size) {
  std::vector<int64_t> places;
  int64_t step = std::max<int64_t>(1, (size - 1) / 7);
  for (int64_t from = 1; from < size; from += step)
    places.push_back(from);
  if (size > 1 && places.back() != size - 1)
    places.push_back(size - 1);
  return places;
}

void Checker::addCuts(const ModelEntry &entry, const Binding &binding) {
  for (auto [axis, known] : enumerate(info.axes)) {
    bool carried = any_of(entry.buffers, [&](const ModelBuffer &buffer) {
      return buffer.role == Role::Input && is_contained(buffer.axes, axis);
    });
    if (!known.causal || !carried)
      continue;
    for (int64_t from : cutsOf(binding.sizeOf(axis))) {
      Call call{copyOf(calls[0].arguments)};
      redrawFuture(info, entry, binding, axis, from, random, call.arguments);
      cuts.push_back({int64_t(axis), from, calls.size()});
      calls.push_back(std::move(call));
    }
  }
}

//===----------------------------------------------------------------------===//
// What came out
//===----------------------------------------------------------------------===//

Error Checker::compareWithReference(const ModelEntry &entry,
                                    const Binding &binding, Report &report) {
  Expected<std::vector<reference::NDArray>> results =
      evaluate(entry, calls[0].arguments);
  if (!results)
    return results.takeError();
  size_t inputs = entry.buffers.size() - results->size();
  auto func = model->lookupSymbol<mlir::func::FuncOp>(entry.name);
  auto values = func.getBody().front().getTerminator()->getOperands();
  for (auto [index, want] : enumerate(*results)) {
    const ModelBuffer &buffer = entry.buffers[inputs + index];
    double bar = barOf(values[index]);
    const void *got = calls[0].arguments.buffers[inputs + index]->data();
    Distance distance = distanceOf(buffer, got, want);
    // Where no value is finite, nothing was compared.
    int64_t infinite = want.count() - distance.finite;
    bool compared = distance.finite || !infinite;
    bool good = compared && distance.relative() <= bar;
    std::string found = formatError(distance.relative()) + " of the largest, " +
                        formatNumber(DType::F64, distance.largest);
    if (infinite)
      found += ", " + std::to_string(infinite) + " of " +
               std::to_string(want.count()) + " not finite";
    report.add(buffer.name + " " + buffer.text + " against float64", found,
               good);
    if (!compared)
      report.explain(buffer.name + " has no finite value, here and in float64");
    if (good || !compared)
      continue;
    double right = want.integral ? double(want.integers[distance.worst])
                                 : want[distance.worst];
    report.explain(
        buffer.name + " at " +
        formatIndex(binding.shapeOf(buffer), distance.worst) + " is " +
        formatNumber(buffer.dtype, valueAt(buffer.dtype, got, distance.worst)) +
        ", the reference " + formatNumber(DType::F64, right));
  }
  return saveEntry(entry, binding, *results);
}

void Checker::compareAgain(const ModelEntry &entry, const Binding &binding,
                           Report &report) {
  for (auto [call, what] : {std::pair(again, "called again, exact workspace"),
                            std::pair(threaded, "with 2 threads")}) {
    std::string different;
    for (auto [index, buffer] : enumerate(entry.buffers)) {
      if (buffer.isInput())
        continue;
      SmallVector<int64_t, 4> shape = binding.shapeOf(buffer);
      int64_t place = firstDifference(
          buffer, shape, calls[0].arguments.buffers[index]->data(),
          calls[call].arguments.buffers[index]->data());
      if (place >= 0 && different.empty())
        different = buffer.name + formatIndex(shape, place) + " differs";
    }
    report.add(what, different.empty() ? "the same bits" : different,
               different.empty());
  }
}

/// Whether a value was made with what the next position holds, as labels are:
/// then its last position before a cut may change.
static bool usesNext(mlir::Value value,
                     llvm::SmallPtrSetImpl<mlir::Operation *> &seen) {
  mlir::Operation *op = value.getDefiningOp();
  if (!op || !seen.insert(op).second)
    return false;
  if (mlir::isa<NextOp>(op))
    return true;
  if (auto call = mlir::dyn_cast<mlir::func::CallOp>(op)) {
    auto callee =
        op->getParentOfType<mlir::ModuleOp>().lookupSymbol<mlir::func::FuncOp>(
            call.getCallee());
    if (callee &&
        callee.walk([](NextOp) { return mlir::WalkResult::interrupt(); })
            .wasInterrupted())
      return true;
  }
  return any_of(op->getOperands(),
                [&](mlir::Value operand) { return usesNext(operand, seen); });
}

/// The dimension of a result that is an axis in the role of asking, else of
/// being read; -1 if the result lacks the axis.
static int64_t dimensionOf(const ModelBuffer &buffer, nax::TensorType type,
                           int64_t axis) {
  int64_t found = -1;
  for (auto [dim, place] : enumerate(buffer.axes))
    if (place == axis && (found < 0 || !type.getAxes()[dim].isRead()))
      found = dim;
  return found;
}

void Checker::compareCuts(const ModelEntry &entry, const Binding &binding,
                          Report &report) {
  auto func = model->lookupSymbol<mlir::func::FuncOp>(entry.name);
  auto results = func.getBody().front().getTerminator()->getOperands();
  size_t inputs = entry.buffers.size() - results.size();
  for (auto [axis, known] : enumerate(info.axes)) {
    for (auto [index, result] : enumerate(results)) {
      const ModelBuffer &buffer = entry.buffers[inputs + index];
      int64_t dim = dimensionOf(
          buffer, mlir::cast<nax::TensorType>(result.getType()), axis);
      llvm::SmallPtrSet<mlir::Operation *, 16> seen;
      int64_t ahead = usesNext(result, seen) ? 1 : 0;
      int64_t looked = 0;
      std::string leak;
      for (const Cut &cut : cuts) {
        if (cut.axis != int64_t(axis) || dim < 0)
          continue;
        ++looked;
        SmallVector<int64_t, 4> shape = binding.shapeOf(buffer);
        int64_t place = firstDifference(
            buffer, shape, calls[0].arguments.buffers[inputs + index]->data(),
            calls[cut.call].arguments.buffers[inputs + index]->data(), dim,
            cut.from - ahead);
        if (place >= 0 && leak.empty())
          leak = formatIndex(shape, place) + " changes with position " +
                 std::to_string(cut.from);
      }
      if (looked)
        report.add(buffer.name + " before a changed future of " + known.name,
                   leak.empty()
                       ? "the same bits at " + std::to_string(looked) + " cuts"
                       : leak,
                   leak.empty());
    }
  }
}

/// "0" for positions that did not change, in runs.
static void explainAlong(const ModelBuffer &buffer, StringRef axis,
                         ArrayRef<double> changes, Report &report) {
  constexpr size_t most = 40;
  size_t lines = 0;
  for (size_t t = 0; t < changes.size() && lines < most; ++lines) {
    size_t end = t + 1;
    while (changes[t] == 0 && end < changes.size() && changes[end] == 0)
      ++end;
    std::string range = std::to_string(t);
    if (end > t + 1)
      range += ".." + std::to_string(end - 1);
    report.explain(buffer.name + " at " + axis.str() + "=" + range + "  " +
                   formatError(changes[t]));
    t = end;
  }
}

void Checker::describeChanges(const ModelEntry &entry, const Binding &binding,
                              Report &report) {
  if (!changed)
    return;
  report.explain("");
  report.explain("set " + join(changeTexts, ", ") +
                 ": the largest change at each position");
  auto func = model->lookupSymbol<mlir::func::FuncOp>(entry.name);
  size_t inputs = func.getNumArguments();
  for (size_t index = inputs; index < entry.buffers.size(); ++index) {
    const ModelBuffer &buffer = entry.buffers[index];
    auto type =
        mlir::cast<nax::TensorType>(func.getResultTypes()[index - inputs]);
    SmallVector<int64_t, 4> shape = binding.shapeOf(buffer);
    int64_t dim = -1;
    for (auto [place, axis] : enumerate(type.getAxes()))
      if (axis.isSequence() && dim < 0)
        dim = place;
    const void *before = calls[0].arguments.buffers[index]->data();
    const void *after = calls[changed].arguments.buffers[index]->data();
    if (dim >= 0) {
      explainAlong(buffer, info.axes[buffer.axes[dim]].name,
                   changeAlong(buffer, shape, before, after, dim), report);
      continue;
    }
    // One number for all of it, as if it had an axis of one position.
    SmallVector<int64_t, 4> whole{1, binding.countOf(buffer)};
    report.explain(
        buffer.name + "  " +
        formatError(changeAlong(buffer, whole, before, after, 0)[0]));
  }
}

//===----------------------------------------------------------------------===//
// One entry
//===----------------------------------------------------------------------===//

Error Checker::bindSizes(const ModelEntry &entry, Binding &binding) {
  const Options &options = session.options;
  if (Error error = binding.readInputs(options.in))
    return error;
  for (const auto &[axis, size] : options.sizes) {
    // Where all entries are checked, an axis may be another one's.
    bool others = options.entry.empty() && !binding.takesSize(axis) &&
                  any_of(info.entries, [&](const ModelEntry &other) {
                    return Binding(info, other).takesSize(axis);
                  });
    if (others)
      continue;
    if (Error error = binding.setSize(axis, size))
      return error;
  }
  return Error::success();
}

void Checker::printHead(const ModelEntry &entry, const Binding &binding) {
  outs() << info.name << "." << entry.name << "  " << binding.describeSizes()
         << (session.options.params.empty() && !info.params.empty()
                 ? "  random parameters, seed " +
                       std::to_string(session.options.seed)
                 : "")
         << "\n";
}

Expected<bool> Checker::checkEntry(const ModelEntry &entry) {
  const Options &options = session.options;
  Binding binding(info, entry);
  if (Error error = bindSizes(entry, binding))
    return std::move(error);
  setDefaultSizes(info, entry, *model, binding);

  calls.clear();
  cuts.clear();
  changeTexts.clear();
  Expected<Arguments> arguments = binding.allocate();
  if (!arguments)
    return arguments.takeError();
  if (Error error = fitsInMemory(entry, arguments->dims))
    return std::move(error);
  calls.push_back({std::move(*arguments)});
  drawInputs(info, entry, binding, random, calls[0].arguments);
  again = calls.size();
  calls.push_back({copyOf(calls[0].arguments), 1, /*ownWorkspace=*/true});
  threaded = calls.size();
  calls.push_back({copyOf(calls[0].arguments), 2});
  addCuts(entry, binding);
  changed = 0;
  if (!options.changes.empty()) {
    changed = calls.size();
    calls.push_back({copyOf(calls[0].arguments)});
    for (const TokenChange &change : options.changes)
      if (Error error =
              addChange(entry, binding, change, calls[changed].arguments))
        return std::move(error);
  }

  {
    Timing::Scope scope(session.timing, "running");
    if (Error error = inChild(library, [&](Callee &callee) {
          return giveParams(callee) && all_of(calls, [&](const Call &call) {
                   return callee.call(entry, call.arguments, call.threads,
                                      call.ownWorkspace);
                 });
        }))
      return std::move(error);
  }

  Report report;
  if (Error error = compareWithReference(entry, binding, report))
    return std::move(error);
  compareCuts(entry, binding, report);
  compareAgain(entry, binding, report);
  describeChanges(entry, binding, report);
  printHead(entry, binding);
  report.print(outs());
  return report.good();
}
