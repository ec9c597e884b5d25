//===- Body.cpp - the statements of a function ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Parser.h"

using namespace nvemu::ptx;

bool Parser::parseBody(Function &function, Scope names) {
  Body read(function);
  read.scope = &read.scopes.emplace_back(std::move(names));
  body = &read;
  unsigned line = cursor.take().line; // {
  while (read.scope) {
    if (cursor.atEnd())
      return cursor.failAt(line, "the body of '" + function.name + "' has no '}'");
    if (!parseStatement())
      return false;
  }
  bool fine = resolveLabels();
  body = nullptr;
  return fine;
}

bool Parser::parseStatement() {
  if (cursor.accept("{")) {
    body->scope = &body->scopes.emplace_back(body->scope, body->scopes.size());
    return true;
  }
  if (cursor.accept("}")) {
    body->scope = body->scope->outer;
    return true;
  }
  if (cursor.next(Token::Kind::Directive))
    return parseDirective();
  if (cursor.next(Token::Kind::Word) && cursor.peek(1).is(":"))
    return parseLabel();
  if (cursor.next(Token::Kind::Word) || cursor.next("@"))
    return parseInstruction();
  return cursor.fail("expects an instruction, but got " + cursor.shown());
}

/// label: , or label: .branchtargets a, b; and the like.
bool Parser::parseLabel() {
  Statement statement;
  statement.instruction.line = cursor.peek().line;
  std::string_view label = cursor.take().text;
  cursor.take(); // :
  if (label.find('.') != label.npos)
    return cursor.failAt(statement.instruction.line, "'" + std::string(label) + "' is no name of a label");
  if (!body->scope->addLabel(label))
    return cursor.failAt(statement.instruction.line, "there are two labels '" + std::string(label) + "' in a scope");
  statement.label = body->scope->unique(label);
  if (cursor.accept(".branchtargets") || cursor.accept(".calltargets")) {
    if (!parseTargets(statement))
      return false;
  } else if (cursor.accept(".callprototype")) {
    while (!cursor.atEnd() && !cursor.next(";"))
      cursor.take();
    if (!cursor.expect(";", "after .callprototype"))
      return false;
  }
  body->function.body.push_back(std::move(statement));
  body->scopeOf.push_back(body->scope);
  return true;
}

bool Parser::parseTargets(Statement &statement) {
  do {
    if (!cursor.expectWord(statement.targets.emplace_back(), "a label"))
      return false;
  } while (cursor.accept(","));
  return cursor.expect(";", "after the targets");
}

bool Parser::parseDirective() {
  if (cursor.next(".loc"))
    return parseLocation();
  if (cursor.next(".file"))
    return parseFile();
  if (cursor.accept(".pragma")) {
    cursor.take();
    return cursor.expect(";", "after .pragma");
  }
  return parseVariables(cursor.accept(".extern"));
}

/// .loc file line column [, function_name label [+ number]] [, inlined_at file line column]
bool Parser::parseLocation() {
  cursor.take();
  Location location;
  if (!cursor.expectNumber(location.file, "a file's number") || !cursor.expectNumber(location.line, "a line") ||
      !cursor.expectNumber(location.column, "a column"))
    return false;
  unsigned ignored;
  while (cursor.accept(",")) {
    if (cursor.accept("function_name")) {
      std::string name;
      if (!cursor.expectWord(name, "a label after function_name"))
        return false;
      if (cursor.accept("+") && !cursor.expectNumber(ignored, "a number"))
        return false;
    } else if (cursor.accept("inlined_at")) {
      for (std::string_view what : {"a file's number", "a line", "a column"})
        if (!cursor.expectNumber(ignored, what))
          return false;
    } else {
      return cursor.fail("expects function_name or inlined_at, but got " + cursor.shown());
    }
  }
  if (body)
    body->location = location;
  return true;
}

/// [@[!]%p] opcode.modifiers operands ;
bool Parser::parseInstruction() {
  Instruction instruction;
  if (cursor.accept("@")) {
    instruction.guardNegated = cursor.accept("!");
    Operand guard;
    unsigned line = cursor.peek().line;
    if (!cursor.next(Token::Kind::Word))
      return cursor.fail("expects a predicate after '@', but got " + cursor.shown());
    if (!resolve(cursor.take(), guard))
      return false;
    if (guard.kind != Operand::Kind::Register || body->function.registers[guard.name] != Type::Pred)
      return cursor.failAt(line, "the guard '" + guard.name + "' is no predicate register");
    instruction.guard = guard.name;
  }
  instruction.line = cursor.peek().line;
  instruction.location = body->location;
  std::string word;
  if (!cursor.expectWord(word, "an opcode"))
    return false;
  size_t dot = word.find('.');
  instruction.opcode = word.substr(0, dot);
  while (dot != word.npos) {
    size_t next = word.find('.', dot + 1);
    instruction.modifiers.push_back(word.substr(dot + 1, next - dot - 1));
    dot = next;
  }
  bool fine = instruction.opcode == "call" ? parseCall(instruction) : parseOperandList(instruction.operands, ";");
  if (!fine)
    return false;
  Statement statement;
  statement.instruction = std::move(instruction);
  body->function.body.push_back(std::move(statement));
  body->scopeOf.push_back(body->scope);
  return true;
}

/// call [(results),] callee [, (arguments)] [, prototype or targets] ;
bool Parser::parseCall(Instruction &instruction) {
  std::vector<Operand> &operands = instruction.operands;
  operands.resize(3);
  operands[0].kind = operands[2].kind = Operand::Kind::Vector;
  if (cursor.accept("(") &&
      (!parseOperandList(operands[0].parts, ")") || !cursor.expect(",", "after the results of a call")))
    return false;
  if (!cursor.next(Token::Kind::Word))
    return cursor.fail("expects a function or a register, but got " + cursor.shown());
  unsigned line = cursor.peek().line;
  if (!resolve(cursor.take(), operands[1]))
    return false;
  bool isFunction = operands[1].kind == Operand::Kind::Symbol && functions.contains(operands[1].name);
  if (!isFunction && operands[1].kind != Operand::Kind::Register)
    return cursor.failAt(line, "the function '" + operands[1].name + "' is not declared");
  while (cursor.accept(",")) {
    if (cursor.accept("(")) {
      if (!parseOperandList(operands[2].parts, ")"))
        return false;
    } else if (!parseOperand(operands.emplace_back())) {
      return false;
    }
  }
  return cursor.expect(";", "after a call");
}

bool Parser::resolveLabels() {
  std::vector<Statement> &statements = body->function.body;
  for (size_t index = 0; index < statements.size(); ++index) {
    Statement &statement = statements[index];
    const Scope &scope = *body->scopeOf[index];
    unsigned line = statement.instruction.line;
    for (Operand &operand : statement.instruction.operands)
      if (!resolveLabels(operand, scope, line))
        return false;
    for (std::string &target : statement.targets) {
      if (functions.contains(target))
        continue;
      auto label = scope.findLabel(target);
      if (!label)
        return cursor.failAt(line, "there is no label '" + target + "'");
      target = *label;
    }
  }
  return true;
}

bool Parser::resolveLabels(Operand &operand, const Scope &scope, unsigned line) {
  for (Operand &part : operand.parts)
    if (!resolveLabels(part, scope, line))
      return false;
  if (operand.kind != Operand::Kind::Label)
    return true;
  auto label = scope.findLabel(operand.name);
  if (!label)
    return cursor.failAt(line, "'" + operand.name + "' is not declared, nor a label that is visible here");
  operand.name = *label;
  return true;
}
