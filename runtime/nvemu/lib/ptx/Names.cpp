//===- Names.cpp - what names stand for in a function ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Names.h"

#include <algorithm>
#include <charconv>

using namespace nvemu::ptx;

std::string Scope::unique(std::string_view name) const {
  return number ? std::string(name) + "#" + std::to_string(number) : std::string(name);
}

bool Scope::add(std::string_view name, Declared declared) {
  if (findHere(name))
    return false;
  names.emplace(name, std::move(declared));
  return true;
}

bool Scope::addRange(std::string_view prefix, uint64_t count, Type type) {
  return ranges.emplace(prefix, Range{count, type}).second;
}

bool Scope::addLabel(std::string_view label) { return labels.emplace(label).second; }

std::optional<Declared> Scope::findHere(std::string_view name) const {
  if (auto at = names.find(name); at != names.end())
    return at->second;
  // A range's prefix may end in digits itself, so each split of %r12 is tried.
  for (size_t cut = name.size(); cut > 1 && name[cut - 1] >= '0' && name[cut - 1] <= '9'; --cut) {
    std::string_view number = name.substr(cut - 1);
    auto at = ranges.find(name.substr(0, cut - 1));
    if (at == ranges.end() || (number.size() > 1 && number[0] == '0'))
      continue;
    uint64_t value = 0;
    auto [end, code] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (code == std::errc() && value < at->second.count)
      return Declared{true, at->second.type, 1, unique(name)};
  }
  return std::nullopt;
}

std::optional<Declared> Scope::find(std::string_view name) const {
  for (const Scope *scope = this; scope; scope = scope->outer)
    if (auto found = scope->findHere(name))
      return found;
  return std::nullopt;
}

std::optional<std::string> Scope::findLabel(std::string_view label) const {
  for (const Scope *scope = this; scope; scope = scope->outer)
    if (scope->labels.contains(label))
      return scope->unique(label);
  return std::nullopt;
}

bool nvemu::ptx::isSpecialRegister(std::string_view name) {
  static constexpr std::string_view vectors[] = {"%tid",       "%ntid",       "%ctaid",         "%nctaid",
                                                 "%clusterid", "%nclusterid", "%cluster_ctaid", "%cluster_nctaid"};
  static constexpr std::string_view scalars[] = {
      "%laneid",
      "%warpid",
      "%nwarpid",
      "%smid",
      "%nsmid",
      "%gridid",
      "%lanemask_eq",
      "%lanemask_le",
      "%lanemask_lt",
      "%lanemask_ge",
      "%lanemask_gt",
      "%clock",
      "%clock_hi",
      "%clock64",
      "%globaltimer",
      "%globaltimer_lo",
      "%globaltimer_hi",
      "%is_explicit_cluster",
      "%cluster_ctarank",
      "%cluster_nctarank",
      "%total_smem_size",
      "%aggr_smem_size",
      "%dynamic_smem_size",
      "%current_graph_exec",
  };
  static constexpr std::string_view families[] = {"%envreg", "%pm", "%reserved_smem_offset_"};
  auto holds = [](const auto &list, std::string_view each) {
    return std::find(std::begin(list), std::end(list), each) != std::end(list);
  };
  std::string_view base = name.substr(0, name.find('.'));
  if (base.size() == name.size())
    return holds(scalars, name) || holds(vectors, name) ||
           std::any_of(std::begin(families), std::end(families), [&](auto each) { return name.starts_with(each); });
  std::string_view part = name.substr(base.size());
  return holds(vectors, base) && (part == ".x" || part == ".y" || part == ".z" || part == ".w");
}
