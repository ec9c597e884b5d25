//===- Lexer.h - the tokens of PTX text -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NVEMU_PTX_LEXER_H
#define NVEMU_PTX_LEXER_H

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace nvemu::ptx {

struct Token {
  enum class Kind {
    End,
    Word,      // %r1, $L__BB0_1, and with its modifiers: ld.shared::cta.b32, %tid.x
    Directive, // .reg, .b32
    Number,    // 12, 0x1F, 0f3F800000, 8.0, 12U
    String,    // without its quotes
    Mark,      // one of the operators and brackets: ( << && ...
  };
  Kind kind = Kind::End;
  std::string_view text;
  unsigned line = 0;

  bool is(std::string_view mark) const { return kind != Kind::String && text == mark; }
};

/// The tokens of a text, with an End as the last. They point into the text. False,
/// and `error` is `line 12: what is wrong`.
bool tokenize(std::string_view text, std::vector<Token> &tokens, std::string &error);

/// A place in the tokens, and the first error.
class Cursor {
public:
  Cursor(std::vector<Token> tokens, std::string &error) : tokens(std::move(tokens)), error(error) {}

  const Token &peek(size_t ahead = 0) const { return tokens[std::min(at + ahead, tokens.size() - 1)]; }
  Token take() {
    Token token = peek();
    at += at + 1 < tokens.size();
    return token;
  }
  bool atEnd() const { return peek().kind == Token::Kind::End; }
  bool next(std::string_view mark) const { return peek().is(mark); }
  bool next(Token::Kind kind) const { return peek().kind == kind; }
  /// Takes the token if it is this one.
  bool accept(std::string_view mark) { return next(mark) && (take(), true); }
  /// The same, and fails if it is not: `expects ';' after .reg, but got 'x'`.
  bool expect(std::string_view mark, std::string_view where);
  bool expectWord(std::string &word, std::string_view what);
  /// An unsigned decimal number, as directives have them, or an octal one (012).
  bool expectNumber(unsigned &number, std::string_view what);
  /// Over what is between { and }, or ( and ), brackets within included.
  bool skipBrackets(std::string_view open, std::string_view close);

  /// Both keep the first error only, and return false.
  bool fail(const std::string &message) { return failAt(peek().line, message); }
  bool failAt(unsigned line, const std::string &message);
  bool failed() const { return !error.empty(); }
  /// What stands here, quoted, for a message.
  std::string shown() const;

private:
  std::vector<Token> tokens;
  size_t at = 0;
  std::string &error;
};

} // namespace nvemu::ptx

#endif // NVEMU_PTX_LEXER_H
