//===- Parser.h - PTX tokens to the syntax tree -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// By recursive descent. Every function leaves the cursor after what it read, or
// returns false after cursor.fail.
//
//===----------------------------------------------------------------------===//

#ifndef NVEMU_PTX_PARSER_H
#define NVEMU_PTX_PARSER_H

#include "Constant.h"
#include "Names.h"

#include <deque>

namespace nvemu::ptx {

class Parser {
public:
  Parser(Cursor &cursor, Module &module) : cursor(cursor), module(module) {}
  bool run();

private:
  // Parser.cpp: directives of a module.
  bool parseHeader();
  bool parseTopLevel();
  bool parseFile();
  bool parseAlias();
  bool resolveAliases();

  // Function.cpp: .func and .entry, their parameters and limits.
  bool parseFunction(bool isExtern);
  bool parseParameters(std::vector<Variable> &list, Scope &names);
  bool parseLimits(Function &function);
  bool parseLimit(Function &function, std::string_view directive);
  bool keep(Function &&function);

  // Body.cpp: statements.
  struct Body;
  bool parseBody(Function &function, Scope names);
  bool parseStatement();
  bool parseLabel();
  bool parseTargets(Statement &statement);
  bool parseDirective();
  bool parseLocation();
  bool parseInstruction();
  bool parseCall(Instruction &instruction);
  bool resolveLabels();
  bool resolveLabels(Operand &operand, const Scope &scope, unsigned line);

  // Operand.cpp.
  bool parseOperand(Operand &operand);
  bool parseOperandList(std::vector<Operand> &list, std::string_view close);
  bool parseWord(Operand &operand);
  bool parseAddress(Operand &operand);
  bool parseOffset(int64_t &offset);
  bool resolve(const Token &word, Operand &operand);

  // Declaration.cpp: declarations of variables and registers.
  struct Declaration {
    std::optional<Space> space;
    bool isRegister = false;
    std::optional<Type> type;
    unsigned alignment = 0, vector = 1;
    unsigned line = 0;
  };
  bool parseDeclaration(Declaration &declaration);
  bool parseSpecifier(Declaration &declaration, bool &ofPointer, bool &isOne);
  bool parseDeclarator(const Declaration &declaration, Variable &variable, std::vector<uint64_t> &sizes);
  bool parseVariables(bool isExtern);
  bool parseVariable(const Declaration &declaration, bool isExtern);
  bool addVariable(Variable &&variable);
  bool parseRegisters(const Declaration &declaration);
  bool addRegister(const Declaration &declaration, const Token &name);

  /// Whether a module's variable or function has this name.
  bool isGlobalName(std::string_view name) const;

  struct Alias {
    std::string name, target;
    unsigned line;
  };

  Cursor &cursor;
  Module &module;
  Body *body = nullptr;                                 // of the function that is read
  std::map<std::string, size_t, std::less<>> functions; // indices in the module
  std::set<std::string, std::less<>> variables;
  std::vector<Alias> aliases;
  unsigned depth = 0; // of operands within operands
};

/// What a function's statements are read into.
struct Parser::Body {
  explicit Body(Function &function) : function(function) {}

  Function &function;
  std::deque<Scope> scopes; // a deque, since scopes point to outer ones
  Scope *scope = nullptr;
  std::vector<const Scope *> scopeOf; // of each statement
  Location location;
};

/// What follows the name of a vector register to name its parts.
inline constexpr std::string_view vectorComponents[] = {".x", ".y", ".z", ".w"};

} // namespace nvemu::ptx

#endif // NVEMU_PTX_PARSER_H
