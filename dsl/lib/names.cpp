// SPDX-License-Identifier: Apache-2.0
// NAX_NAMES: what a checkpoint calls the parameters. A row that fits nothing is a slip of the pen, and is said so here
// rather than when a file does not load.
#include "spelling.h"
#include <algorithm>

namespace nax::trace {

namespace {

std::vector<std::string> pieces(std::string_view text, std::string_view separators) {
  std::vector<std::string> all(1);
  for (char c : text) {
    if (separators.find(c) == std::string_view::npos)
      all.back() += c;
    else if (!all.back().empty())
      all.emplace_back();
  }
  if (all.back().empty()) all.pop_back();
  return all;
}

// `*` stands for one piece of a path.
bool matches(std::string_view pattern, std::string_view path) {
  std::vector<std::string> want = pieces(pattern, "."), got = pieces(path, ".");
  return std::equal(want.begin(), want.end(), got.begin(), got.end(),
                    [](std::string const& w, std::string const& g) { return w == "*" || w == g; });
}

// Rule 37: a row re-orders what is rotated, into the pairing that the model rotates it in.
void check_pairing(NamesText const& table, Name const& row, ParamText const& param,
                   std::vector<RotatedParam> const& rotated) {
  std::string_view pairing = row.pairing, axis = pairing.substr(pairing.find(':') + 1);
  bool for_halves = pairing.starts_with("interleaved_to_halves"), found = false;
  std::string what = "names table " + table.table + ": \"" + row.pairing + "\" ";
  for (RotatedParam const& one : rotated) {
    if (one.path != param.path || one.features->name != axis) continue;
    found = true;
    bool halves = one.pairing == Rope::halves;
    if (halves != for_halves)
      fail(table.at, what + "orders " + param.path + " for " + (for_halves ? "halves" : "interleaved") +
                         " pairs, but its rope is Rope::" + (halves ? "halves" : "interleaved") + "  [N0037]");
  }
  if (!found)
    fail(table.at, what + "is about " + param.path + ", which no rope rotates over " + std::string(axis) + "  [N0037]");
}

void check_row(NamesText const& table, Name const& row, std::vector<ParamText> const& params,
               std::vector<RotatedParam> const& rotated) {
  std::string what = "names table " + table.table + ": ";
  std::string_view axes = row.axes, pairing = row.pairing;
  bool found = false;
  for (ParamText const& param : params) {
    if (!matches(row.param, param.path)) continue;
    found = true;
    std::vector<std::string> names = pieces(axes, " *"), own;
    for (rule::Ax a : param.type) own.emplace_back(a->name);
    std::string of = " of " + param.path + " " + str(param.type);
    std::sort(names.begin(), names.end());
    std::sort(own.begin(), own.end());
    if (!axes.empty() && names != own)
      fail(table.at, what + "\"" + row.axes + "\" are not the axes" + of + ", each once");
    std::size_t colon = pairing.find(':');
    if (colon != std::string_view::npos && !std::count(own.begin(), own.end(), std::string(pairing.substr(colon + 1))))
      fail(table.at, what + "\"" + row.pairing + "\" is about an axis that is none" + of);
  }
  if (!found) fail(table.at, what + "no parameter is called " + row.param);
  if (!*row.file) fail(table.at, what + row.param + " has no name in the file");
  std::string_view order = pairing.substr(0, pairing.find(':'));
  bool ordered = order == "halves_to_interleaved" || order == "interleaved_to_halves";
  if (!pairing.empty() && (!ordered || pairing.find(':') == std::string_view::npos))
    fail(table.at, what + "\"" + row.pairing +
                       "\" is no change of a rotary pairing: halves_to_interleaved:D or "
                       "interleaved_to_halves:D");
  for (ParamText const& param : params)
    if (!pairing.empty() && matches(row.param, param.path)) check_pairing(table, row, param, rotated);
}

} // namespace

std::string names_attribute(std::vector<ParamText> const& params, std::vector<RotatedParam> const& rotated) {
  std::string text;
  for (NamesText const& table : names_tables())
    for (Name const& row : table.names) {
      check_row(table, row, params, rotated);
      text += (text.empty() ? "" : ", ") + ("{table = " + Spelling::quoted(table.table)) +
              ", param = " + Spelling::quoted(row.param) + ", file = " + Spelling::quoted(row.file);
      if (*row.axes) text += ", axes = " + Spelling::quoted(row.axes);
      if (*row.pairing) text += ", pairing = " + Spelling::quoted(row.pairing);
      text += "}";
    }
  return text;
}

} // namespace nax::trace
