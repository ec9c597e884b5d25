// SPDX-License-Identifier: Apache-2.0
// NAX_NAMES: what a checkpoint calls the parameters. A row that fits nothing is a slip of the pen, and is said so here
// rather than when a file does not load.
#include "nax/rules/names.h"
#include "spelling.h"
#include <fstream>

namespace nax::trace {

namespace {

// All rows are the arguments of one macro, for which a compiler knows one place, its begin or its end. The row's own is
// the first line of this table that has its words.
[[noreturn]] void refuse(NamesText const& table, Name const& row, std::string const& why) {
  std::string const param = '"' + std::string(row.param) + '"', file = '"' + std::string(row.file) + '"';
  std::ifstream source(table.at.file_name());
  unsigned number = 0, found = 0, column = 0;
  bool inside = false;
  for (std::string line; std::getline(source, line);) {
    ++number;
    if (line.find("NAX_NAMES") != std::string::npos) {
      if (number > table.at.line()) break;
      inside = true, found = 0;
    }
    std::size_t at = line.find(param);
    if (inside && !found && at != std::string::npos && line.find(file, at) != std::string::npos)
      found = number, column = static_cast<unsigned>(at);
    if (line.find("});") != std::string::npos) inside = false;
  }
  if (!found) fail(table.at, why);
  fail(table.at.file_name(), found, column, why);
}
void check(NamesText const& table, Name const& row, rule::Text const& sentence) {
  if (sentence) refuse(table, row, std::string(sentence.view()));
}

// Rule 37: a row re-orders what is rotated, into the pairing that the model rotates it in.
void check_rotation(NamesText const& table, Name const& row, std::string const& path,
                    std::vector<RotatedParam> const& rotated) {
  bool found = false;
  for (RotatedParam const& one : rotated) {
    if (one.path != path || one.features->name != rule::reordering(row.pairing).axis) continue;
    found = true;
    check(table, row, rule::rotated_as(table.table, row.pairing, path, one.features, one.pairing, one.dims));
  }
  if (!found) check(table, row, rule::not_rotated(table.table, row.pairing, path));
}

void check_row(NamesText const& table, Name const& row, std::vector<ParamText> const& params,
               std::vector<RotatedParam> const& rotated) {
  bool found = false;
  for (ParamText const& param : params) {
    if (!rule::names_parameter(row.param, param.path)) continue;
    found = true;
    check(table, row, rule::file_axes(table.table, row.axes, param.path, param.type));
    check(table, row, rule::file_pairing(table.table, row.pairing, param.path, param.type));
    if (*row.pairing) check_rotation(table, row, param.path, rotated);
  }
  std::string what = "names table " + table.table + ": ";
  if (!found) refuse(table, row, what + "no parameter is called " + row.param);
  if (!*row.file) refuse(table, row, what + row.param + " has no name in the file");
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
