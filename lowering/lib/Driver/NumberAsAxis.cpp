//===- NumberAsAxis.cpp - Tensor<f32, B, 32> ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "NumberAsAxis.h"

#include "Scan.h"

using namespace llvm;

bool nax::driver::isValueForType(StringRef sentence) {
  return sentence == "template argument for template type parameter must be a "
                     "type" ||
         sentence.starts_with("type/value mismatch at argument"); // g++
}

unsigned nax::driver::columnOfValue(StringRef line, unsigned column,
                                    StringRef note) {
  StringRef value = note.ltrim();
  if (!value.consume_front("expected a type, got "))
    return column;
  value = value.trim("'\xe2\x80\x98\x99"); // in either kind of quotes
  size_t at = line.take_front(column).rfind(value);
  return at == StringRef::npos ? column : at + 1;
}

std::string nax::driver::numberAsAxis(StringRef line, unsigned column) {
  if (column == 0 || column > line.size())
    return "";
  StringRef before = line.take_front(column - 1).rtrim();
  size_t open = before.size();
  for (int depth = 0; depth >= 0;) {
    if (open == 0)
      return "";
    char c = before[--open];
    depth += c == '>' ? 1 : c == '<' ? -1 : 0;
  }
  StringRef name = before.take_front(open).rtrim();
  size_t begin = name.size();
  while (begin > 0 && isWord(name[begin - 1]))
    --begin;
  name = name.drop_front(begin);
  // What comes first in these is a type of number.
  bool tensor =
      (name == "Tensor" || name == "Param") && open + 1 != before.size();
  if (!tensor && name != "Ids" && name != "Read")
    return "";
  StringRef what = isDigit(line[column - 1]) ? "an integer" : "a value";
  return (name + ": " + what +
          " is not an axis, which is a struct: struct C : Axis<\"C\", 64> {}  "
          "[N0010]")
      .str();
}
