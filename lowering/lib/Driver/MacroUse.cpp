//===- MacroUse.cpp - macros that are used in a wrong form ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// What a compiler says of a forgotten parenthesis is about the inside of the
// macro.
//
//===----------------------------------------------------------------------===//

#include "Scan.h"
#include "SourceText.h"

#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <optional>

using namespace llvm;
using namespace nax::driver;

/// The arguments of a macro, as the preprocessor parts them: it knows no angle
/// brackets.
static SmallVector<StringRef> argumentsOf(StringRef inside) {
  SmallVector<StringRef> arguments;
  size_t begin = 0;
  for (size_t at = 0; at < inside.size(); ++at) {
    if (inside[at] == '(')
      at = std::min(closing(inside, at), inside.size() - 1);
    if (inside[at] == ',') {
      arguments.push_back(inside.slice(begin, at));
      begin = at + 1;
    }
  }
  arguments.push_back(inside.substr(begin));
  return arguments;
}

static bool isName(StringRef text) {
  text = text.trim();
  return !text.empty() && !isDigit(text[0]) && all_of(text, isWord);
}

/// What stands in parentheses that are all of the text; nothing if they are
/// not.
static std::optional<SmallVector<StringRef>> groupOf(StringRef text) {
  text = text.trim();
  if (!text.starts_with("(") || closing(text, 0) + 1 != text.size())
    return std::nullopt;
  return argumentsOf(text.drop_front().drop_back());
}

static StringRef structMistake(ArrayRef<StringRef> arguments, size_t &which) {
  which = 0;
  if (groupOf(arguments[0]))
    return "its first word is the struct itself: "
           "BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, C>, gain), ...)";
  for (which = 1; which < arguments.size(); ++which) {
    auto member = groupOf(arguments[which]);
    if (!member || member->size() < 2 || !isName(member->back()))
      return "each member is a type, a comma and a name in parentheses of its "
             "own, as in (Param<f32, C>, gain)";
  }
  return "";
}

static StringRef modelMistake(ArrayRef<StringRef> arguments, size_t &which) {
  which = 0;
  if (!isName(arguments[0]))
    return "the model's name is a plain word, as in NAX_MODEL(gpt, Model, "
           "(forward, (ids), (logits)))";
  if (arguments.size() > 1 && groupOf(arguments[1]))
    return "a name comes first, then the struct, then the entries, as in "
           "NAX_MODEL(gpt, Model, (forward, (ids), (logits)))";
  if (arguments.size() > 1 && arguments[1].count('<') > arguments[1].count('>'))
    return which = 1, "a struct with a comma in its name needs another: using "
                      "Chosen = Model<8, 64>; NAX_MODEL(gpt, Chosen, ...)";
  for (which = 2; which < arguments.size(); ++which) {
    auto entry = groupOf(arguments[which]);
    if (!entry || entry->size() != 3)
      return "each entry is (name, (arguments), (results)), as in (forward, "
             "(ids), (logits))";
  }
  return "";
}

static StringRef decodeMistake(ArrayRef<StringRef> arguments, size_t &which) {
  for (which = 0; which < arguments.size(); ++which)
    if (!isName(arguments[which]) && !arguments[which].empty())
      return "it takes the names of entries, as in NAX_DECODE(forward, all)";
  return "";
}

static StringRef mistakeIn(StringRef macro, ArrayRef<StringRef> arguments,
                           size_t &which) {
  if (macro == "NAX_DECODE")
    return decodeMistake(arguments, which);
  return macro == "NAX_MODEL" ? modelMistake(arguments, which)
                              : structMistake(arguments, which);
}

std::vector<MacroMistake> SourceText::macroMistakes(StringRef file) {
  std::vector<MacroMistake> mistakes;
  const File &read = this->read(file);
  StringRef code = read.code;
  for (StringRef macro :
       {"BOOST_HANA_DEFINE_STRUCT", "NAX_MODEL", "NAX_DECODE"}) {
    for (size_t at = 0; (at = code.find(macro, at)) != StringRef::npos; ++at) {
      size_t open = at + macro.size();
      bool called = code.substr(open).starts_with("(") &&
                    (at == 0 || !isWord(code[at - 1]));
      size_t close = called ? closing(code, open) : StringRef::npos;
      if (close == StringRef::npos)
        continue;
      auto arguments = argumentsOf(code.slice(open + 1, close));
      size_t which = 0;
      StringRef said = mistakeIn(macro, arguments, which);
      if (said.empty())
        continue;
      // Past spaces and comments, but not past a literal.
      size_t begin = arguments[which].data() - code.data();
      while (code[begin] == '\n' ||
             (code[begin] == ' ' && read.text[begin] != '"'))
        ++begin;
      mistakes.push_back({placeAt(file, begin), (macro + ": " + said).str()});
    }
  }
  return mistakes;
}
