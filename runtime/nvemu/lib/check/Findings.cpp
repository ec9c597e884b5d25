//===- Findings.cpp - what a launch came upon -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Checker.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <utility>

using namespace nvemu;

struct Findings::Impl {
  const Sites &sites;
  const ptx::Module &module;
  std::string kernel;
  unsigned most;
  std::mutex mutex;
  std::map<std::pair<Kind, uint32_t>, Finding> all;
  std::atomic<bool> full{false};

  Site siteOf(uint32_t number) const;
};

static std::string trimmed(std::string_view text) {
  size_t first = text.find_first_not_of(" \t\r"), last = text.find_last_not_of(" \t\r");
  return first == text.npos ? std::string() : std::string(text.substr(first, last - first + 1));
}

Site Findings::Impl::siteOf(uint32_t number) const {
  Site site;
  site.kernel = kernel;
  if (number >= sites.size() || !sites[number].instruction)
    return site;
  const ptx::Instruction &instruction = *sites[number].instruction;
  site.line = instruction.line;
  if (site.line && site.line <= module.lines.size())
    site.text = trimmed(module.lines[site.line - 1]);
  auto file = module.files.find(instruction.location.file);
  if (instruction.location.file && file != module.files.end()) {
    site.file = file->second;
    site.fileLine = instruction.location.line;
    site.fileColumn = instruction.location.column;
  }
  return site;
}

Findings::Findings(const Sites &sites, const ptx::Module &module, std::string kernel, unsigned most)
    : impl(new Impl{sites, module, std::move(kernel), most, {}, {}}) {}
Findings::~Findings() = default;

bool Findings::full() const { return impl->full.load(std::memory_order_relaxed); }

bool Findings::again(Kind kind, uint32_t site) {
  std::lock_guard lock(impl->mutex);
  auto known = impl->all.find({kind, site});
  if (known == impl->all.end())
    return false;
  ++known->second.count;
  return true;
}

bool Findings::add(Kind kind, uint32_t site, std::string message, Dim3 block, Dim3 thread, bool hasThread,
                   uint32_t otherSite) {
  std::lock_guard lock(impl->mutex);
  auto known = impl->all.find({kind, site});
  if (known != impl->all.end()) {
    ++known->second.count;
    return full();
  }
  if (impl->all.size() >= impl->most) {
    impl->full = true;
    return true;
  }
  Finding finding{kind, std::move(message), impl->siteOf(site), block, thread, hasThread, Site(), 1};
  if (otherSite < impl->sites.size())
    finding.other = impl->siteOf(otherSite);
  impl->all.emplace(std::pair(kind, site), std::move(finding));
  impl->full = impl->all.size() >= impl->most;
  return full();
}

std::vector<Finding> Findings::take() {
  std::lock_guard lock(impl->mutex);
  std::vector<Finding> result;
  for (auto &entry : impl->all)
    result.push_back(std::move(entry.second));
  impl->all.clear();
  std::sort(result.begin(), result.end(), [](const Finding &a, const Finding &b) {
    return std::pair(a.site.line, a.kind) < std::pair(b.site.line, b.kind);
  });
  return result;
}

//===-- In words ----------------------------------------------------------===//

static const char *nameOf(Kind kind) {
  switch (kind) {
  case Kind::Race:
    return "race";
  case Kind::AsyncInFlight:
    return "in flight";
  case Kind::Uninitialized:
    return "uninitialized";
  case Kind::OutOfBounds:
    return "out of bounds";
  case Kind::Misaligned:
    return "misaligned";
  case Kind::Divergence:
    return "divergence";
  case Kind::Deadlock:
    return "deadlock";
  case Kind::Barrier:
    return "barrier";
  case Kind::Invalid:
    return "invalid";
  case Kind::Trap:
    return "trap";
  case Kind::Limit:
    return "limit";
  }
  return "finding";
}

static std::string text(Dim3 d) { return std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z); }

static std::string text(const Site &site) {
  std::string line = "line " + std::to_string(site.line) + ": " + site.text;
  if (!site.file.empty())
    line += " (" + site.file + ":" + std::to_string(site.fileLine) + ":" + std::to_string(site.fileColumn) + ")";
  return line;
}

std::string nvemu::describe(const Finding &finding) {
  std::string result = nameOf(finding.kind) + (": " + finding.message) + " (kernel " + finding.site.kernel +
                       ", block " + text(finding.block);
  if (finding.hasThread)
    result += ", thread " + text(finding.thread);
  result += ")";
  if (finding.count > 1)
    result += ", " + std::to_string(finding.count) + " times";
  if (finding.site.line)
    result += "\n  at " + text(finding.site);
  if (finding.other.line)
    result += "\n  and " + text(finding.other);
  return result;
}
