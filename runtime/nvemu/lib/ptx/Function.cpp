//===- Function.cpp - .func and .entry, their parameters and limits -------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Parser.h"

using namespace nvemu::ptx;

namespace {

/// Directives that say something to ptxas only, and how many numbers follow.
struct Ignored {
  std::string_view name;
  unsigned numbers;
};
constexpr Ignored ignoredDirectives[] = {
    {".maxnctapersm", 1}, {".abi_preserve", 1}, {".abi_preserve_control", 1}, {".maxclusterrank", 1}};

} // namespace

/// .func [(results)] name [(parameters)] limits... ; or { body }
bool Parser::parseFunction(bool isExtern) {
  Function function;
  function.isEntry = cursor.take().is(".entry");
  Scope names(nullptr, 0);
  if (!parseLimits(function))
    return false;
  if (!function.isEntry && cursor.next("(") && !parseParameters(function.results, names))
    return false;
  function.line = cursor.peek().line;
  if (!cursor.expectWord(function.name, "a function's name"))
    return false;
  if (cursor.next("(") && !parseParameters(function.parameters, names))
    return false;
  if (!parseLimits(function))
    return false;
  if (!cursor.next("{")) {
    function.isDeclaration = true;
    return cursor.expect(";", "or a body after the head of '" + function.name + "'") && keep(std::move(function));
  }
  if (isExtern)
    return cursor.fail("'" + function.name + "' is .extern and has a body");
  // Its name is known within, for a function may call itself.
  functions.emplace(function.name, module.functions.size());
  if (functions.find(function.name)->second == module.functions.size()) {
    Function head = function;
    head.isDeclaration = true;
    module.functions.push_back(std::move(head));
  }
  return parseBody(function, std::move(names)) && keep(std::move(function));
}

/// Adds a function, or puts a definition into the place of its declaration.
bool Parser::keep(Function &&function) {
  if (variables.contains(function.name))
    return cursor.failAt(function.line, "'" + function.name + "' is a variable already");
  auto [at, isNew] = functions.emplace(function.name, module.functions.size());
  if (isNew) {
    module.functions.push_back(std::move(function));
    return true;
  }
  Function &old = module.functions[at->second];
  if (!old.isDeclaration && !function.isDeclaration)
    return cursor.failAt(function.line,
                         "'" + function.name + "' is defined on line " + std::to_string(old.line) + " already");
  if (old.isDeclaration)
    old = std::move(function);
  return true;
}

bool Parser::parseParameters(std::vector<Variable> &list, Scope &names) {
  cursor.take(); // (
  if (cursor.accept(")"))
    return true;
  do {
    if (cursor.accept("..."))
      break;
    Declaration declaration;
    Variable variable;
    std::vector<uint64_t> sizes;
    unsigned line = cursor.peek().line;
    if (!parseDeclaration(declaration))
      return false;
    if (declaration.space != Space::Param)
      return cursor.failAt(line, "nvemu takes parameters of functions in .param only, not in registers");
    if (cursor.accept("_")) { // of a prototype
      list.emplace_back();
      continue;
    }
    if (!parseDeclarator(declaration, variable, sizes))
      return false;
    if (!names.add(variable.name, {.unique = variable.name}))
      return cursor.failAt(line, "there are two parameters '" + variable.name + "'");
    list.push_back(std::move(variable));
  } while (cursor.accept(","));
  return cursor.expect(")", "after parameters");
}

bool Parser::parseLimits(Function &function) {
  while (cursor.next(Token::Kind::Directive)) {
    std::string_view directive = cursor.take().text;
    if (!parseLimit(function, directive))
      return false;
  }
  return true;
}

bool Parser::parseLimit(Function &function, std::string_view directive) {
  unsigned line = cursor.peek().line, number = 0;
  auto numbers = [&](std::optional<unsigned> *into) {
    unsigned count = 0;
    do {
      if (count == 3)
        return cursor.fail("a size has at most three numbers");
      if (!cursor.expectNumber(number, "a number after " + std::string(directive)))
        return false;
      into[count++] = number;
    } while (cursor.accept(","));
    for (; count < 3; ++count)
      into[count] = 1;
    return true;
  };
  auto one = [&](std::optional<unsigned> &into) {
    bool fine = cursor.expectNumber(number, "a number after " + std::string(directive));
    into = number;
    return fine;
  };
  if (directive == ".maxntid")
    return numbers(function.maxThreads);
  if (directive == ".reqntid")
    return numbers(function.requiredThreads);
  if (directive == ".minnctapersm")
    return one(function.minBlocks);
  if (directive == ".maxnreg")
    return one(function.maxRegisters);
  if (directive == ".noreturn")
    return function.noReturn = true;
  if (directive == ".explicitcluster")
    return true;
  if (directive == ".pragma") {
    while (!cursor.atEnd() && !cursor.next(";"))
      cursor.take();
    return cursor.expect(";", "after .pragma");
  }
  if (directive == ".attribute")
    return cursor.skipBrackets("(", ")");
  if (directive == ".reqnctapercluster") {
    std::optional<unsigned> blocks[3];
    if (!numbers(blocks))
      return false;
    return *blocks[0] * *blocks[1] * *blocks[2] == 1 ||
           cursor.failAt(line, "clusters of more than one block are not known to nvemu");
  }
  for (const Ignored &each : ignoredDirectives)
    if (each.name == directive) {
      std::optional<unsigned> ignored;
      return one(ignored);
    }
  return cursor.failAt(line, "the directive '" + std::string(directive) + "' of a function is not known to nvemu");
}
