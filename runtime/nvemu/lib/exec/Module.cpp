//===- Module.cpp - the public face: load, ask, launch --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Launch.h"

namespace nvemu {

struct Module::Impl {
  std::unique_ptr<Code> code;

  const KernelInfo *kernel(std::string_view name) const {
    const auto found = code->kernels.find(name);
    return found == code->kernels.end() ? nullptr : &found->second;
  }
};

Module::Module(std::unique_ptr<Impl> parts) : impl(std::move(parts)) {}
Module::~Module() = default;

std::unique_ptr<Module> Module::load(std::string_view text, std::string &error) {
  std::unique_ptr<ptx::Module> parsed = ptx::parse(text, error);
  if (!parsed)
    return nullptr;
  auto parts = std::make_unique<Impl>();
  parts->code = compile(std::move(parsed), error);
  if (!parts->code)
    return nullptr;
  return std::unique_ptr<Module>(new Module(std::move(parts)));
}

std::vector<std::string> Module::kernels() const {
  std::vector<std::string> names;
  for (const auto &[name, kernel] : impl->code->kernels)
    names.push_back(name);
  return names;
}

std::string Module::target() const { return impl->code->module->target; }

std::vector<size_t> Module::parameterSizes(std::string_view name) const {
  std::vector<size_t> sizes;
  if (const KernelInfo *kernel = impl->kernel(name))
    for (const ParameterPlace &place : kernel->parameters)
      sizes.push_back(place.bytes);
  return sizes;
}

size_t Module::staticShared(std::string_view name) const {
  const KernelInfo *kernel = impl->kernel(name);
  return kernel ? kernel->staticShared : 0;
}

unsigned Module::maxThreads(std::string_view name) const {
  const KernelInfo *kernel = impl->kernel(name);
  return kernel ? kernel->maxThreads : 0;
}

void *Module::variable(std::string_view name, size_t &bytes) const {
  const auto found = impl->code->variables.find(name);
  if (found == impl->code->variables.end())
    return nullptr;
  bytes = found->second.bytes;
  return found->second.address;
}

/// A launch that did not begin.
static Report refused(Kind kind, std::string_view kernel, std::string why) {
  Finding finding;
  finding.kind = kind;
  finding.message = std::move(why);
  finding.site.kernel = kernel;
  finding.block = finding.thread = {0, 0, 0};
  finding.hasThread = false;
  Report report;
  report.findings.push_back(std::move(finding));
  return report;
}

Report Module::launch(std::string_view name, Dim3 grid, Dim3 block, size_t dynamicShared, const void *const *params,
                      const Options &options) const {
  const KernelInfo *kernel = impl->kernel(name);
  if (!kernel)
    return refused(Kind::Invalid, name, "the module has no kernel " + std::string(name) + ", see kernels()");
  const LaunchRequest request{grid, block, dynamicShared, options};
  if (std::string fault = launchFault(*kernel, request); !fault.empty())
    return refused(Kind::Limit, name, std::move(fault));
  for (size_t number = 0; number < kernel->parameters.size(); ++number)
    if (!params || !params[number])
      return refused(Kind::Invalid, name,
                     "parameter " + std::to_string(number) + " of kernel " + std::string(name) + " is not given");
  LaunchState state(*impl->code, *kernel, std::string(name), request, params);
  return state.run();
}

} // namespace nvemu
