//===- Parser.cpp - directives of a module --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include <charconv>

using namespace nvemu::ptx;

bool Parser::run() {
  if (!parseHeader())
    return false;
  while (!cursor.atEnd())
    if (!parseTopLevel())
      return false;
  return resolveAliases();
}

/// .version 8.0 .target sm_80, debug .address_size 64
bool Parser::parseHeader() {
  if (!cursor.accept(".version"))
    return cursor.fail("PTX begins with .version, but got " + cursor.shown());
  std::string_view version = cursor.peek().text;
  const char *end = version.data() + version.size();
  auto [dot, code] = std::from_chars(version.data(), end, module.versionMajor);
  if (!cursor.next(Token::Kind::Number) || code != std::errc() || dot == end || *dot != '.' ||
      std::from_chars(dot + 1, end, module.versionMinor).ptr != end)
    return cursor.fail("expects a version like 8.0, but got " + cursor.shown());
  cursor.take();
  if (!cursor.accept(".target"))
    return cursor.fail("expects .target after .version, but got " + cursor.shown());
  do {
    std::string word;
    if (!cursor.expectWord(word, "a target like sm_80"))
      return false;
    if (word.starts_with("sm_"))
      module.target = word;
  } while (cursor.accept(","));
  return !module.target.empty() || cursor.fail("expects a target like sm_80 before " + cursor.shown());
}

bool Parser::parseTopLevel() {
  const Token &token = cursor.peek();
  if (token.is(".address_size")) {
    cursor.take();
    unsigned line = cursor.peek().line;
    return cursor.expectNumber(module.addressBits, "32 or 64") &&
           (module.addressBits == 64 || cursor.failAt(line, "addresses have 64 bits in nvemu, but this is for " +
                                                                std::to_string(module.addressBits)));
  }
  if (token.is(".file"))
    return parseFile();
  if (token.is(".loc"))
    return parseLocation();
  if (token.is(".alias"))
    return parseAlias();
  if (token.is(".section")) {
    cursor.take();
    cursor.take(); // its name
    return cursor.next("{") ? cursor.skipBrackets("{", "}")
                            : cursor.fail("expects '{' after a section's name, but got " + cursor.shown());
  }
  if (token.is(".pragma")) {
    cursor.take();
    cursor.take();
    return cursor.expect(";", "after .pragma");
  }
  auto isLinking = [&] {
    return cursor.next(".visible") || cursor.next(".weak") || cursor.next(".extern") || cursor.next(".common");
  };
  bool isExtern = cursor.next(".extern");
  if (isLinking())
    cursor.take();
  if (isLinking())
    return cursor.fail("what is declared is one of .visible, .weak, .extern and .common, but got " + cursor.shown() +
                       " as a second one");
  if (cursor.next(".func") || cursor.next(".entry"))
    return parseFunction(isExtern);
  if (!cursor.next(Token::Kind::Directive))
    return cursor.fail("expects a function or a variable, but got " + cursor.shown());
  return parseVariables(isExtern);
}

/// .file 1 "name.cpp" [, time, size]
bool Parser::parseFile() {
  cursor.take();
  unsigned number, ignored;
  if (!cursor.expectNumber(number, "a file's number"))
    return false;
  if (!cursor.next(Token::Kind::String))
    return cursor.fail("expects a file's name in quotes, but got " + cursor.shown());
  module.files[number] = cursor.take().text;
  while (cursor.accept(","))
    if (!cursor.next(Token::Kind::Number))
      return cursor.expectNumber(ignored, "a number");
    else
      cursor.take();
  return true;
}

/// .alias name, target;
bool Parser::parseAlias() {
  Alias alias;
  alias.line = cursor.take().line;
  if (!cursor.expectWord(alias.name, "a function's name after .alias") || !cursor.expect(",", "between two names") ||
      !cursor.expectWord(alias.target, "the function that the alias stands for"))
    return false;
  aliases.push_back(std::move(alias));
  return cursor.expect(";", "after .alias");
}

/// An alias is a copy of the function under the other name.
bool Parser::resolveAliases() {
  for (const Alias &alias : aliases) {
    auto target = functions.find(alias.target);
    if (target == functions.end() || module.functions[target->second].isDeclaration)
      return cursor.failAt(alias.line, "the function '" + alias.target + "' of this alias is not defined");
    Function copy = module.functions[target->second];
    copy.name = alias.name;
    copy.line = alias.line;
    if (!keep(std::move(copy)))
      return false;
  }
  return true;
}

bool Parser::isGlobalName(std::string_view name) const { return variables.contains(name) || functions.contains(name); }

std::unique_ptr<Module> nvemu::ptx::parse(std::string_view text, std::string &error) {
  error.clear();
  std::vector<Token> tokens;
  if (!tokenize(text, tokens, error))
    return nullptr;
  auto module = std::make_unique<Module>();
  Cursor cursor(std::move(tokens), error);
  if (!Parser(cursor, *module).run())
    return nullptr;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.ends_with('\r'))
      line.remove_suffix(1);
    module->lines.emplace_back(line);
  }
  return module;
}
