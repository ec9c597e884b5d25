// SPDX-License-Identifier: Apache-2.0
// NAX_NAMES: what a checkpoint calls the parameters. A row that fits nothing is a slip of the pen, and is said so here
// rather than when a file does not load.
#include "nax/rules/names.h"
#include "spelling.h"
#include <algorithm>
#include <fstream>
#include <map>

namespace nax::trace {

namespace {

// Whether this text has, from `at` on, the first two words of a row: {"layers.*.wq", "blk.*.attn_q.weight"
bool begins_row(std::string const& line, std::size_t at, std::string const& param, std::string const& file) {
  at += param.size();
  if (file == "\"\"") return true;
  at = line.find_first_not_of(" ,", at);
  return at != std::string::npos && line.compare(at, file.size(), file) == 0;
}

// All rows are the arguments of one macro, for which a compiler knows one place, its begin or its end. The row's own is
// where this table has its words; of rows with the same words, each has the next place.
[[noreturn]] void refuse(NamesText const& table, Name const& row, std::string const& why) {
  std::string const param = '"' + std::string(row.param) + '"', file = '"' + std::string(row.file) + '"';
  std::ptrdiff_t before = std::count_if(table.names.data(), &row, [&](Name const& other) {
    return row.param == std::string(other.param) && row.file == std::string(other.file);
  });
  std::ifstream source(table.at.file_name());
  unsigned number = 0, found = 0, column = 0;
  std::ptrdiff_t left = before;
  bool inside = false;
  for (std::string line; std::getline(source, line);) {
    ++number;
    if (line.find("NAX_NAMES") != std::string::npos) {
      if (number > table.at.line()) break;
      inside = true, found = 0, left = before;
    }
    for (std::size_t at = 0; inside && !found && (at = line.find(param, at)) != std::string::npos; ++at)
      if (begins_row(line, at, param, file) && left-- == 0) found = number, column = static_cast<unsigned>(at);
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

struct Listed {
  std::string path;
  Name const* row;
};

// Rule 46. Every layer has tensors of its own. (Several rows for one parameter are alternatives, one of which may be the
// tensor of another parameter, as in a checkpoint whose head is tied.)
void check_once(NamesText const& table, Name const& row, std::string const& path,
                std::map<std::string, Listed>& by_file, std::map<std::string, int> const& rows) {
  std::string file(rule::file_name(row.file, row.param, path).view());
  auto [other, isNew] = by_file.emplace(file, Listed{path, &row});
  Listed const& first = other->second;
  if (isNew || first.path == path) return;
  if (first.row == &row) check(table, row, rule::no_star(table.table, row.param, row.file, path, first.path));
  else if (rows.at(path) == 1 && rows.at(first.path) == 1)
    check(table, row, rule::one_tensor(table.table, path, first.path, file));
}

void check_row(NamesText const& table, Name const& row, std::vector<ParamText> const& params,
               std::vector<RotatedParam> const& rotated) {
  bool found = false;
  std::string what = "names table " + table.table + ": ";
  if (!*row.param || !*row.file)
    refuse(table, row,
           what + "a row is {parameter, name in the file, axes, pairing}, and the last two may be left out");
  for (ParamText const& param : params) {
    if (!rule::names_parameter(row.param, param.path)) continue;
    found = true;
    check(table, row, rule::file_axes(table.table, row.axes, param.path, param.type));
    check(table, row, rule::file_pairing(table.table, row.pairing, param.path, param.type));
    if (*row.pairing) check_rotation(table, row, param.path, rotated);
  }
  if (!found) refuse(table, row, what + "no parameter is called " + row.param);
}

// Rule 37. What a rope rotates meets in scores, so that a table re-orders all of it or nothing. What it does not list is
// not its own.
void check_met(NamesText const& table, MetParams const& met, std::map<std::string, Name const*> const& by_path) {
  auto row_of = [&](RotatedParam const& param) {
    auto found = by_path.find(param.path);
    return found == by_path.end() ? nullptr : found->second;
  };
  for (RotatedParam const& one : met.rotated)
    for (RotatedParam const& other : met.rotated) {
      Name const *moved = row_of(one), *left = row_of(other);
      if (moved && left && *moved->pairing && !*left->pairing)
        check(table, *left, rule::reordered_alone(table.table, moved->pairing, one.path, other.path, met.features));
    }
}

void check_table(NamesText const& table, std::vector<ParamText> const& params, Rotations const& rotations) {
  std::map<std::string, Listed> by_file;
  std::map<std::string, Name const*> by_path;
  std::map<std::string, int> rows;
  for (Name const& row : table.names) {
    check_row(table, row, params, rotations.params);
    for (ParamText const& param : params)
      if (rule::names_parameter(row.param, param.path)) by_path.emplace(param.path, &row), ++rows[param.path];
  }
  for (Name const& row : table.names)
    for (ParamText const& param : params)
      if (rule::names_parameter(row.param, param.path)) check_once(table, row, param.path, by_file, rows);
  for (MetParams const& met : rotations.met) check_met(table, met, by_path);
}

} // namespace

std::string names_attribute(std::vector<ParamText> const& params, Rotations const& rotations) {
  std::string text;
  for (NamesText const& table : names_tables()) {
    check_table(table, params, rotations);
    for (Name const& row : table.names) {
      text += (text.empty() ? "" : ", ") + ("{table = " + Spelling::quoted(table.table)) +
              ", param = " + Spelling::quoted(row.param) + ", file = " + Spelling::quoted(row.file);
      if (*row.axes) text += ", axes = " + Spelling::quoted(row.axes);
      if (*row.pairing) text += ", pairing = " + Spelling::quoted(row.pairing);
      text += "}";
    }
  }
  return text;
}

} // namespace nax::trace
