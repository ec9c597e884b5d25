//===- ThrownAway.cpp - results that nobody uses --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "ThrownAway.h"

#include "nax/rules.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace nax::driver;

bool nax::driver::isThrownAway(StringRef sentence) {
  return sentence.starts_with("ignoring return") &&
         sentence.contains("nodiscard") && sentence.contains("Tensor<");
}

/// The template arguments of a type as compilers print it: "Tensor<A, B<C>>".
static SmallVector<StringRef> argumentsOf(StringRef type) {
  SmallVector<StringRef> arguments;
  size_t begin = type.find('<') + 1;
  int depth = 0;
  for (size_t at = begin; begin && at < type.size(); ++at) {
    char c = type[at];
    if (depth == 0 && (c == ',' || c == '>')) {
      if (at > begin)
        arguments.push_back(type.slice(begin, at).trim());
      begin = at + 1;
    }
    if (c == '>' && depth == 0)
      break;
    depth += c == '<' || c == '{' ? 1 : c == '>' || c == '}' ? -1 : 0;
  }
  return arguments;
}

/// "Read<T>" of "nax::Read<model::T>".
static std::string shortName(StringRef type) {
  StringRef head = type.split('<').first;
  std::string name = head.substr(head.rfind(':') + 1).str();
  if (head.size() < type.size())
    name += "<" + shortName(argumentsOf(type).front()) + ">";
  return name;
}

static StringRef wordFor(StringRef element) {
  if (element.contains("Whole<"))
    element = argumentsOf(element).front();
  element.consume_front("nax::");
  return StringSwitch<StringRef>(element.split('<').first)
      .Case("boolean", "bool ")
      .Case("Ids", "ids ")
      .Case("Rotated", "rotated ")
      .Case("Scores", "scores ")
      .Case("Weights", "weights ")
      .Case("Logits", "logits ")
      .Case("Mask", "mask ")
      .Case("Losses", "losses ")
      .Default("");
}

/// "scores [B,T,Read<T>]" as the language's own sentences have it; the names
/// are those of the structs, which the axes mostly share.
static std::string describe(StringRef sentence) {
  SmallVector<StringRef> arguments =
      argumentsOf(sentence.substr(sentence.find("Tensor<")));
  if (arguments.empty())
    return "";
  std::string text;
  for (StringRef axis : ArrayRef(arguments).drop_front())
    text += (text.empty() ? "" : ",") + shortName(axis);
  return wordFor(arguments.front()).str() + "[" + text + "]";
}

std::string nax::driver::thrownAway(StringRef operation, StringRef sentence) {
  rule::Text text = rule::thrown_away(operation, describe(sentence));
  return std::string(text.view());
}
