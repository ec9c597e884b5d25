//===- Run.cpp - naxc run: one call, from files to files ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Binding.h"
#include "Compare.h"
#include "Session.h"
#include "Values.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace nax;
using namespace nax::driver;

/// Which result each --out takes, before anything is computed.
static Expected<std::vector<size_t>> resultsFor(const ModelEntry &entry,
                                                const Options::Files &files) {
  std::vector<size_t> results;
  for (const auto &[name, path] : files) {
    auto found = find_if(entry.buffers, [&](const ModelBuffer &buffer) {
      return buffer.name == name && !buffer.isInput();
    });
    if (found == entry.buffers.end())
      return wrong("entry " + entry.name + " has no result " + name);
    results.push_back(found - entry.buffers.begin());
    if (count_if(files, [&](const auto &file) { return file.second == path; }) >
        1)
      return wrong("two results are written to " + path);
  }
  return results;
}

static Error writeResults(const ModelEntry &entry, const Binding &binding,
                          const Arguments &arguments, ArrayRef<size_t> results,
                          const Options::Files &files) {
  Outputs outputs;
  for (auto [result, file] : zip(results, files)) {
    const ModelBuffer &buffer = entry.buffers[result];
    outputs.add(file.second,
                formatNpy(descrOf(buffer.dtype), binding.shapeOf(buffer),
                          arguments.buffers[result]->text()));
  }
  return outputs.commit();
}

/// Without --out the first numbers of each result.
static void printResults(const ModelEntry &entry, const Binding &binding,
                         const Arguments &arguments) {
  constexpr int64_t most = 8;
  for (auto [index, buffer] : enumerate(entry.buffers)) {
    if (buffer.isInput())
      continue;
    int64_t count = binding.countOf(buffer);
    outs() << buffer.name << " " << nameOf(buffer.dtype) << " " << buffer.text
           << ":";
    for (int64_t i = 0; i < std::min(count, most); ++i)
      outs() << " "
             << formatNumber(
                    buffer.dtype,
                    valueAt(buffer.dtype, arguments.buffers[index]->data(), i));
    outs() << (count > most ? " ...\n" : "\n");
  }
}

/// What the runtime checks on a CPU, and can't see on a GPU.
static Error checkIds(const ModelEntry &entry, const Binding &binding,
                      const Arguments &arguments) {
  for (auto [buffer, value] : zip(entry.buffers, arguments.buffers)) {
    if (buffer.role != Role::Input || buffer.bound < 0)
      continue;
    for (int64_t i = 0, count = binding.countOf(buffer); i < count; ++i) {
      double id = valueAt(buffer.dtype, value->data(), i);
      if (id < 0 || id >= double(buffer.bound))
        return wrong(buffer.name + formatIndex(binding.shapeOf(buffer), i) +
                     " is " + formatNumber(buffer.dtype, id) + ", " +
                     buffer.boundName + " has " + Twine(buffer.bound));
    }
  }
  return Error::success();
}

static Error run(Session &session) {
  const Options &options = session.options;
  if (!session.compilation.derive())
    return make_error<SaidAlready>();
  const ModelInfo &info = session.compilation.info();
  Expected<const ModelEntry *> chosen = chooseEntry(info, options.entry);
  if (!chosen)
    return chosen.takeError();
  const ModelEntry &entry = **chosen;

  // Whatever is wrong with the call is said before the model is compiled.
  Expected<std::vector<size_t>> results = resultsFor(entry, options.out);
  if (!results)
    return results.takeError();
  for (const auto &[name, path] : options.out)
    if (Error error = refuseRead(options, "--out", path, info.params))
      return error;
  Binding binding(info, entry);
  if (Error error = binding.readInputs(options.in))
    return error;
  if (Error error = binding.requireAllInputs())
    return error;
  if (!info.params.empty() && options.params.empty())
    return wrong("model " + info.name +
                 " has parameters: --params names their file");
  if (info.params.empty() && !options.params.empty())
    return wrong("model " + info.name + " has no parameters");

  std::optional<LinkedModel> linked = linkModel(session);
  if (!linked)
    return make_error<SaidAlready>();

  Expected<Arguments> arguments = binding.allocate();
  if (!arguments)
    return arguments.takeError();
  if (options.device != Device::Cpu)
    if (Error error = checkIds(entry, binding, *arguments))
      return error;
  {
    Timing::Scope scope(session.timing, "running");
    if (Error error = inChild(*linked, [&](Callee &callee) {
          return (info.params.empty() || callee.openParams(options.params)) &&
                 callee.call(entry, *arguments, options.threads);
        }))
      return error;
  }
  if (options.out.empty())
    printResults(entry, binding, *arguments);
  return writeResults(entry, binding, *arguments, *results, options.out);
}

int nax::driver::runCommand(Session &session) {
  if (!session.load())
    return 1;
  Error error = run(session);
  return error ? complain(std::move(error)) : 0;
}
