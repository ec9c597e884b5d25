//===- Scan.cpp - brackets and words of C++ text --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Scan.h"

using namespace llvm;
using namespace nax::driver;

size_t nax::driver::closing(StringRef code, size_t open) {
  int depth = 0;
  for (size_t at = open; at < code.size(); ++at) {
    depth += opens(code[at]) ? 1 : closes(code[at]) ? -1 : 0;
    if (depth == 0)
      return at;
  }
  return StringRef::npos;
}

/// The > of template arguments that begin at `open`: tensors are not compared.
static size_t closingAngle(StringRef code, size_t open) {
  if (open == 0 || !isWord(code[open - 1]))
    return StringRef::npos;
  int depth = 0;
  for (size_t at = open; at < code.size(); ++at) {
    if (opens(code[at]))
      at = closing(code, at);
    if (at == StringRef::npos || code[at] == ';')
      return StringRef::npos;
    depth += code[at] == '<' ? 1 : code[at] == '>' ? -1 : 0;
    if (depth == 0)
      return at;
  }
  return StringRef::npos;
}

size_t nax::driver::skipOne(StringRef code, size_t at) {
  size_t end = StringRef::npos;
  if (isWord(code[at])) {
    bool number = isDigit(code[at]);
    auto goesOn = [&](char c) {
      bool sign =
          (c == '-' || c == '+') && (code[at] == 'e' || code[at] == 'E');
      return isWord(c) || (number && (c == '.' || sign));
    };
    while (at + 1 < code.size() && goesOn(code[at + 1]))
      ++at;
    return at + 1;
  }
  if (opens(code[at]))
    end = closing(code, at);
  else if (code[at] == '<')
    end = closingAngle(code, at);
  return end == StringRef::npos ? at + 1 : end + 1;
}
