//===- SourceText.cpp - the user's own text, where a message points -------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "SourceText.h"

#include "Scan.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>

using namespace llvm;
using namespace nax::driver;

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// Where the comment or literal that begins at `at` ends; `at` if none does.
static size_t skipUnread(StringRef text, size_t at) {
  StringRef rest = text.substr(at);
  if (rest.starts_with("//"))
    return text.find('\n', at);
  if (rest.starts_with("/*"))
    return text.find("*/", at + 2) == StringRef::npos
               ? text.size()
               : text.find("*/", at + 2) + 2;
  // The ' of 1'000 begins no literal.
  bool quotes = rest.starts_with("\"") ||
                (rest.starts_with("'") && (at == 0 || !isWord(text[at - 1])));
  if (!quotes)
    return at;
  size_t end = at + 1;
  while (end < text.size() && text[end] != text[at] && text[end] != '\n')
    end += text[end] == '\\' ? 2 : 1;
  return std::min(end + 1, text.size());
}

static std::string codeOf(StringRef text) {
  std::string code = text.str();
  bool lineBegins = true;
  for (size_t at = 0; at < text.size();) {
    size_t end = skipUnread(text, at);
    if (lineBegins && text[at] == '#') {
      end = text.find('\n', at);
      while (end != StringRef::npos && text[end - 1] == '\\')
        end = text.find('\n', end + 1);
    }
    end = std::min(end, text.size());
    if (end == at) {
      lineBegins = text[at] == '\n' || (lineBegins && isSpace(text[at]));
      ++at;
    }
    for (; at < end; ++at)
      if (code[at] != '\n')
        code[at] = ' ';
  }
  return code;
}

const SourceText::File &SourceText::read(StringRef path) {
  auto [it, isNew] = files.try_emplace(path);
  if (isNew)
    if (auto file = MemoryBuffer::getFile(path)) {
      it->second.text = (*file)->getBuffer().str();
      it->second.code = codeOf(it->second.text);
    }
  return it->second;
}

static size_t lineStart(StringRef text, unsigned line) {
  size_t start = 0;
  for (unsigned number = 1; number < line && start != StringRef::npos; ++number)
    start = text.find('\n', start) == StringRef::npos
                ? StringRef::npos
                : text.find('\n', start) + 1;
  return start;
}

/// The end of the text if there is no such place.
static size_t offsetOf(StringRef text, const Place &place) {
  size_t start = lineStart(text, place.line);
  if (start == StringRef::npos || place.line == 0)
    return text.size();
  return std::min(start + std::max(place.column, 1u) - 1, text.size());
}

Place SourceText::placeAt(StringRef path, size_t offset) {
  StringRef before = StringRef(read(path).text).take_front(offset);
  size_t start = before.rfind('\n') + 1; // npos + 1 is 0
  return {path.str(), unsigned(before.count('\n') + 1),
          unsigned(offset - start + 1)};
}

StringRef SourceText::lineOf(const Place &place) {
  StringRef text = read(place.file).text;
  size_t start = lineStart(text, place.line);
  if (place.line == 0 || start == StringRef::npos || start == text.size())
    return "";
  return text.substr(start).split('\n').first.rtrim('\r');
}

std::string SourceText::show(const Place &place) {
  StringRef line = lineOf(place);
  if (line.empty())
    return "";
  std::string number = std::to_string(place.line);
  std::string margin(std::max<size_t>(number.size(), 5) - number.size(), ' ');
  std::string text = margin + number + " | " + line.str() + "\n";
  if (place.column == 0)
    return text;
  text += std::string(margin.size() + number.size(), ' ') + " | ";
  for (char c : line.take_front(place.column - 1).str())
    text += c == '\t' ? '\t' : ' ';
  return text + "^\n";
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

static StringRef expressionAt(StringRef code, size_t start) {
  size_t end = start;
  while (end < code.size() && code[end] != ';' && code[end] != ',' &&
         !closes(code[end]))
    end = skipOne(code, end);
  return code.slice(start, end).trim();
}

/// "layers[0]" of "model.layers[0]", "dot" of "nax::dot<H, D>".
static StringRef lastName(StringRef callee) {
  size_t begin = 0, end = 0;
  for (size_t at = 0; at < callee.size();) {
    bool word = isWord(callee[at]);
    bool subscript = callee[at] == '[' && at == end;
    if (word)
      begin = at;
    at = skipOne(callee, at);
    if (word || subscript)
      end = at;
  }
  return callee.slice(begin, end);
}

static std::string operationOf(StringRef code) {
  while (code.starts_with("(") && closing(code, 0) + 1 == code.size())
    code = code.drop_front().drop_back().trim();
  // Of the operators outside of brackets the last that binds least.
  constexpr StringLiteral byBinding = "|^&+-*/";
  size_t found = StringRef::npos, least = StringRef::npos, call = 0;
  bool operand = false;
  for (size_t at = 0; at < code.size(); at = skipOne(code, at)) {
    char c = code[at];
    size_t binding = byBinding.find(c);
    size_t level = binding < 3 ? binding : binding < 5 ? 3 : 4;
    if (c == '-' && code.substr(at).starts_with("->"))
      ++at;
    else if (binding != StringRef::npos && operand && level <= least)
      found = at, least = level;
    if (c == '(')
      call = at;
    if (!isSpace(c))
      operand = binding == StringRef::npos;
  }
  if (found != StringRef::npos)
    return "operator" + code.substr(found, 1).str();
  if (code.starts_with("-") || code.starts_with("!"))
    return "operator" + code.take_front().str();
  return call ? lastName(code.take_front(call)).str() : "";
}

std::string SourceText::operationAt(const Place &place) {
  StringRef code = read(place.file).code;
  return operationOf(expressionAt(code, offsetOf(code, place)));
}

/// Past `if (...)`, `for (...)`, `while (...)`, `else` and `do`.
static size_t skipControl(StringRef code, size_t at) {
  while (true) {
    at = std::min(code.find_first_not_of(" \t\r\n", at), code.size());
    StringRef rest = code.substr(at);
    StringRef word = rest.take_while(isWord);
    if (word == "if" || word == "for" || word == "while") {
      size_t end = closing(code, code.find('(', at));
      if (end == StringRef::npos)
        return at;
      at = end + 1;
    } else if (word == "else" || word == "do") {
      at += word.size();
    } else {
      return at;
    }
  }
}

Place SourceText::startOfStatement(const Place &place) {
  StringRef code = read(place.file).code;
  size_t offset = offsetOf(code, place);
  if (offset == code.size())
    return place;
  int depth = 0, angles = 0;
  size_t at = closes(code[offset]) ? offset + 1 : offset;
  for (; at > 0; --at) {
    char c = code[at - 1];
    bool ends = opens(c) || c == ';' || c == '}' || (c == ',' && angles == 0);
    if (depth == 0 && ends)
      break;
    depth += closes(c) ? 1 : opens(c) ? -1 : 0;
    bool arrow = at > 1 && code[at - 2] == '-';
    angles += c == '>' && !arrow ? 1 : c == '<' && angles ? -1 : 0;
  }
  return placeAt(place.file, skipControl(code, at));
}

static size_t lengthOfWordBefore(StringRef code, size_t at) {
  size_t length = 0;
  while (length < at && isWord(code[at - length - 1]))
    ++length;
  return length;
}

Place SourceText::startOfCall(const Place &place) {
  StringRef code = read(place.file).code;
  size_t at = offsetOf(code, place);
  if (at == code.size() || (!opens(code[at]) && !closes(code[at])))
    return place;
  int depth = closes(code[at]) ? 1 : 0;
  for (; depth > 0 && at > 0; --at)
    depth += closes(code[at - 1]) ? 1 : opens(code[at - 1]) ? -1 : 0;
  // Template arguments, then the name.
  if (at > 0 && code[at - 1] == '>')
    do
      --at, depth += code[at] == '>' ? 1 : code[at] == '<' ? -1 : 0;
    while (depth > 0 && at > 0);
  size_t name = at - lengthOfWordBefore(code, at);
  return name < at ? placeAt(place.file, name) : place;
}

Place SourceText::signBefore(const Place &place, StringRef sign) {
  StringRef code = read(place.file).code;
  int depth = 0;
  size_t offset = offsetOf(code, place);
  bool behind = offset < code.size() && closes(code[offset]);
  for (size_t at = behind ? offset + 1 : offset; at > 0; --at) {
    char c = code[at - 1];
    if (c == ';' || (depth == 0 && opens(c)))
      break;
    depth += closes(c) ? 1 : opens(c) ? -1 : 0;
    StringRef before = code.take_front(at);
    if (depth == 0 && before.ends_with(sign))
      return placeAt(place.file, at - sign.size());
  }
  return place;
}
