//===- Run.cpp - one launch, or a list of kernels -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Run.h"
#include "Argument.h"

#include <algorithm>
#include <cstdio>

using namespace nvemu;
using namespace nvemu::tool;

namespace {

bool readFile(const std::string &name, std::string &text, std::string &error) {
  std::FILE *file = std::fopen(name.c_str(), "rb");
  char piece[1 << 16];
  size_t got = 0;
  while (file && (got = std::fread(piece, 1, sizeof piece, file)))
    text.append(piece, got);
  bool fine = file && !std::ferror(file);
  if (file)
    std::fclose(file);
  error = fine ? "" : name + " cannot be read";
  return fine;
}

void list(const Module &module) {
  std::printf("target %s\n", module.target().c_str());
  for (const std::string &kernel : module.kernels()) {
    std::string sizes;
    for (size_t bytes : module.parameterSizes(kernel))
      sizes += (sizes.empty() ? "" : " ") + std::to_string(bytes);
    std::printf("kernel %s, parameters (%s), %zu bytes of static shared memory, at most %u threads\n", kernel.c_str(),
                sizes.c_str(), module.staticShared(kernel), module.maxThreads(kernel));
  }
}

/// The kernel that was asked for, or the only one.
bool chooseKernel(const Module &module, const CommandLine &line, std::string &kernel, std::string &error) {
  std::vector<std::string> kernels = module.kernels();
  kernel = line.kernel.empty() && kernels.size() == 1 ? kernels[0] : line.kernel;
  if (std::find(kernels.begin(), kernels.end(), kernel) != kernels.end())
    return true;
  if (kernels.empty()) {
    error = line.file + " has no kernel";
    return false;
  }
  std::string names;
  for (const std::string &each : kernels)
    names += (names.empty() ? "" : ", ") + each;
  error = line.kernel.empty() ? "--kernel NAME is missing; there are " + names
                              : "there is no kernel '" + line.kernel + "', but " + names;
  return false;
}

bool makeArguments(const CommandLine &line, const std::string &kernel, const std::vector<size_t> &sizes,
                   std::vector<Argument> &arguments, std::string &error) {
  if (line.arguments.size() != sizes.size()) {
    error = "'" + kernel + "' has " + std::to_string(sizes.size()) + " parameters, but got " +
            std::to_string(line.arguments.size()) + " arguments";
    return false;
  }
  arguments.resize(sizes.size());
  for (size_t index = 0; index < sizes.size(); ++index) {
    // Buffers of one seed differ from each other.
    if (!Argument::parse(line.arguments[index], line.dataSeed + (index << 32), arguments[index], error))
      return false;
    if (arguments[index].valueBytes() == sizes[index])
      continue;
    error = "the argument '" + line.arguments[index] + "' has " + std::to_string(arguments[index].valueBytes()) +
            " bytes, but parameter " + std::to_string(index) + " of '" + kernel + "' has " +
            std::to_string(sizes[index]);
    return false;
  }
  return true;
}

bool checkOutputs(const CommandLine &line, const std::vector<Argument> &arguments, std::string &error) {
  auto isBuffer = [&](size_t index, const char *option) {
    if (index < arguments.size() && arguments[index].isBuffer())
      return true;
    error = std::string(option) + " " + std::to_string(index) + ": argument " + std::to_string(index) +
            " is no buffer; they are counted from 0";
    return false;
  };
  return std::all_of(line.prints.begin(), line.prints.end(),
                     [&](const auto &each) { return isBuffer(each.argument, "--print"); }) &&
         std::all_of(line.outs.begin(), line.outs.end(),
                     [&](const auto &each) { return isBuffer(each.argument, "--out"); });
}

/// Findings to stderr, and one line that says how many.
void say(const Report &report) {
  std::fflush(stdout);
  for (const Finding &finding : report.findings)
    std::fprintf(stderr, "%s\n", describe(finding).c_str());
  if (report.clean())
    std::fprintf(stderr, "nvemu: clean\n");
  else
    std::fprintf(stderr, "nvemu: %zu finding%s\n", report.findings.size(), report.findings.size() == 1 ? "" : "s");
}

} // namespace

int nvemu::tool::run(const CommandLine &line, std::string &error) {
  std::string text, kernel;
  if (!readFile(line.file, text, error))
    return 2;
  std::unique_ptr<Module> module = Module::load(text, error);
  if (!module) {
    error = line.file + ": " + error;
    return 2;
  }
  if (line.list) {
    list(*module);
    return 0;
  }
  std::vector<Argument> arguments;
  if (!chooseKernel(*module, line, kernel, error) ||
      !makeArguments(line, kernel, module->parameterSizes(kernel), arguments, error) ||
      !checkOutputs(line, arguments, error))
    return 2;
  std::vector<const void *> values;
  for (const Argument &argument : arguments)
    values.push_back(argument.value());
  Report report = module->launch(kernel, line.grid, line.block, line.shared, values.data(), line.options);
  for (const CommandLine::Print &print : line.prints)
    std::printf("arg%zu: %s\n", print.argument, arguments[print.argument].show(print.hex).c_str());
  for (const CommandLine::Out &out : line.outs)
    if (!arguments[out.argument].write(out.file, error))
      return 2;
  say(report);
  return report.clean() ? 0 : 1;
}
