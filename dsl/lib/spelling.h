// SPDX-License-Identifier: Apache-2.0
// Axes, ropes, types, attributes and locations as MLIR spells them. Axes and ropes become aliases (#T, #H, #ReadT).
#pragma once
#include "graph.h"
#include <map>
#include <set>

namespace nax::trace {

class Spelling {
public:
  explicit Spelling(Site model) : model(model) {}

  std::string axis(rule::Ax a);
  std::string axes(std::vector<rule::Ax> const& as);
  std::string rope(Rope const& r);
  std::string type(rule::Ten t);
  std::string attr(OwnedAttr const& a);
  static std::string location(Site at);
  static std::string quoted(std::string_view text);
  static std::string number(double v);

  // The lines that define every alias used so far.
  std::string const& definitions() const { return lines; }

private:
  std::string alias(std::string const& wanted);
  void declare(rule::Ax a);

  Site model;
  std::string lines;
  std::map<rule::Ax, std::string> axis_names;
  std::vector<std::pair<Rope, std::string>> rope_names;
  std::set<std::string> taken;
  std::map<std::string_view, DeclaredAxis const*> declared;
};

// A name that MLIR takes without quotes.
std::string identifier(std::string_view text);

} // namespace nax::trace
