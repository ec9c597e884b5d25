//===- Declaration.cpp - declarations of variables and registers ----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// PTX ISA, section 5.4.
//
//===----------------------------------------------------------------------===//

#include "Initializer.h"
#include "Parser.h"

#include <algorithm>

using namespace nvemu::ptx;

namespace {

constexpr uint64_t mostBytes = 1ull << 30; // of one variable; a size may well be a slip
constexpr uint64_t mostRegisters = 1u << 24;

std::optional<Space> spaceNamed(std::string_view directive) {
  static constexpr std::pair<std::string_view, Space> spaces[] = {
      {".global", Space::Global}, {".shared", Space::Shared}, {".local", Space::Local},
      {".const", Space::Const},   {".param", Space::Param},
  };
  for (auto [name, space] : spaces)
    if (name == directive)
      return space;
  return std::nullopt;
}

/// Whether registers and variables have it: the others are types of instructions alone.
bool isDeclarable(Type type) {
  return type != Type::BF16 && type != Type::BF16x2 && type != Type::TF32 && type != Type::E4M3x2 &&
         type != Type::E5M2x2;
}

} // namespace

/// Everything before the names: .param .align 8 .b8, .param .u64 .ptr .global .align 16
bool Parser::parseDeclaration(Declaration &declaration) {
  declaration.line = cursor.peek().line;
  bool ofPointer = false, isOne = true;
  while (cursor.next(Token::Kind::Directive)) {
    if (!parseSpecifier(declaration, ofPointer, isOne))
      return false;
  }
  if (!declaration.isRegister && !declaration.space)
    return cursor.fail("expects a state space like .global before " + cursor.shown());
  if (!declaration.type)
    return cursor.fail("expects a type like .b32 before " + cursor.shown());
  return true;
}

/// One of them. What follows .ptr is said of what the parameter points to, and nvemu
/// checks each access by its address.
bool Parser::parseSpecifier(Declaration &declaration, bool &ofPointer, bool &isOne) {
  Token token = cursor.take();
  std::string_view text = token.text;
  if (text == ".ptr") {
    ofPointer = true;
  } else if (text == ".align") {
    unsigned line = cursor.peek().line, number = 0;
    if (!cursor.expectNumber(number, "an alignment in bytes"))
      return false;
    if (!number || (number & (number - 1)) || number > 4096)
      return cursor.failAt(line, "an alignment is a power of two up to 4096, but got " + std::to_string(number));
    if (!ofPointer)
      declaration.alignment = number;
  } else if (auto space = spaceNamed(text); space || text == ".reg") {
    if (ofPointer)
      return true;
    if (declaration.isRegister || declaration.space)
      return cursor.failAt(token.line,
                           "a declaration has one state space, and '" + std::string(text) + "' is a second one");
    declaration.space = space;
    declaration.isRegister = !space;
  } else if (text == ".attribute") {
    return cursor.skipBrackets("(", ")");
  } else if (text == ".v2" || text == ".v4") {
    declaration.vector = text == ".v2" ? 2 : 4;
  } else if (auto type = typeNamed(text.substr(1)); type && !declaration.type) {
    if (!isDeclarable(*type))
      return cursor.failAt(token.line, "'" + std::string(text) + "' is a type of instructions; a declaration says .b" +
                                           std::to_string(bitsOf(*type)));
    declaration.type = type;
  } else {
    return cursor.failAt(token.line, "'" + std::string(text) + "' in a declaration is not known to nvemu");
  }
  return true;
}

/// name, name[4][2], name[]
bool Parser::parseDeclarator(const Declaration &declaration, Variable &variable, std::vector<uint64_t> &sizes) {
  variable.line = cursor.peek().line;
  if (!cursor.expectWord(variable.name, "a name"))
    return false;
  variable.space = *declaration.space;
  variable.type = *declaration.type;
  if (variable.type == Type::Pred)
    return cursor.failAt(variable.line, "'" + variable.name + "' is a .pred, which only registers can be");
  if (variable.type == Type::F16x2 && variable.space == Space::Param)
    return cursor.failAt(variable.line, "'" + variable.name + "' is a .f16x2, which no parameter can be; .b32 is one");
  uint64_t bytes = bitsOf(variable.type) / 8 * declaration.vector;
  variable.alignment = std::max<unsigned>(declaration.alignment, bytes);
  while (cursor.accept("[")) {
    Constant size;
    if (!cursor.next("]") && !parseConstant(cursor, size))
      return false;
    if (size.isFloat || (!sizes.empty() && !size.bits))
      return cursor.fail("the size of an array is a number of elements");
    sizes.push_back(size.bits);
    if (!cursor.expect("]", "after the size of an array"))
      return false;
  }
  variable.isArray = !sizes.empty();
  if (declaration.vector > 1)
    sizes.push_back(declaration.vector);
  for (uint64_t size : sizes) {
    if (size > mostBytes || variable.count * size > mostBytes / (bytes / declaration.vector))
      return cursor.failAt(variable.line, "'" + variable.name + "' is larger than 1 GiB");
    variable.count *= size;
  }
  return true;
}

bool Parser::parseVariables(bool isExtern) {
  Declaration declaration;
  if (!parseDeclaration(declaration))
    return false;
  if (declaration.isRegister)
    return parseRegisters(declaration);
  if (!body && (declaration.space == Space::Local || declaration.space == Space::Param))
    return cursor.failAt(declaration.line, "variables of .local and .param are declared within functions");
  do {
    if (!parseVariable(declaration, isExtern))
      return false;
  } while (cursor.accept(","));
  return cursor.expect(";", "after a declaration");
}

bool Parser::parseVariable(const Declaration &declaration, bool isExtern) {
  Variable variable;
  std::vector<uint64_t> sizes;
  if (!parseDeclarator(declaration, variable, sizes))
    return false;
  variable.isExtern = isExtern;
  bool canBegin = variable.space == Space::Global || variable.space == Space::Const;
  if (cursor.accept("=")) {
    if (!canBegin || isExtern)
      return cursor.fail("only variables of .global and .const that are not .extern have initial values");
    auto isName = [&](std::string_view name) { return isGlobalName(name); };
    if (!Initializer(cursor, variable, sizes, isName).run())
      return false;
  }
  if (!variable.count && variable.space != Space::Shared && !isExtern)
    return cursor.failAt(variable.line, "the array '" + variable.name + "' needs a size or initial values");
  return addVariable(std::move(variable));
}

/// To the function that is read, or to the module. A .global within a function is the
/// module's, under a name of its own.
bool Parser::addVariable(Variable &&variable) {
  bool ofModule = variable.space == Space::Global || variable.space == Space::Const;
  std::string name = variable.name;
  if (body) {
    variable.name = ofModule ? name + "#" + body->function.name + "#" + std::to_string(body->scopes.size())
                             : body->scope->unique(name);
    if (!body->scope->add(name, {.unique = variable.name}))
      return cursor.failAt(variable.line, "'" + name + "' is declared in this scope already");
    if (!ofModule) {
      body->function.variables.push_back(std::move(variable));
      return true;
    }
  }
  if (functions.contains(variable.name))
    return cursor.failAt(variable.line, "'" + name + "' is a function already");
  if (variables.insert(variable.name).second) {
    module.variables.push_back(std::move(variable));
    return true;
  }
  auto old = std::find_if(module.variables.begin(), module.variables.end(),
                          [&](const Variable &each) { return each.name == variable.name; });
  if (!old->isExtern && !variable.isExtern)
    return cursor.failAt(variable.line, "'" + name + "' is defined on line " + std::to_string(old->line) + " already");
  if (old->isExtern)
    *old = std::move(variable);
  return true;
}

/// %p, %r<12>
bool Parser::parseRegisters(const Declaration &declaration) {
  if (!body)
    return cursor.failAt(declaration.line, "registers are declared within functions");
  do {
    Token name = cursor.peek();
    std::string ignored;
    if (!cursor.expectWord(ignored, "a register's name"))
      return false;
    if (!cursor.accept("<")) {
      if (!addRegister(declaration, name))
        return false;
      continue;
    }
    unsigned count = 0;
    if (!cursor.expectNumber(count, "the number of registers") || !cursor.expect(">", "after a number of registers"))
      return false;
    if (count > mostRegisters || declaration.vector > 1)
      return cursor.failAt(name.line,
                           "a range of registers has at most " + std::to_string(mostRegisters) + " and no vectors");
    if (!body->scope->addRange(name.text, count, *declaration.type))
      return cursor.failAt(name.line, "'" + std::string(name.text) + "' is declared in this scope already");
  } while (cursor.accept(","));
  return cursor.expect(";", "after registers");
}

/// A register; a vector register is its parts, and a name for all of them.
bool Parser::addRegister(const Declaration &declaration, const Token &name) {
  Scope &scope = *body->scope;
  std::string text(name.text);
  bool isNew = scope.add(text, {true, *declaration.type, declaration.vector, scope.unique(text)});
  for (unsigned part = 0; part < declaration.vector && declaration.vector > 1; ++part) {
    std::string component = text + std::string(vectorComponents[part]);
    isNew &= scope.add(component, {true, *declaration.type, 1, scope.unique(component)});
  }
  return isNew || cursor.failAt(name.line, "'" + text + "' is declared in this scope already");
}
