//===- Lexer.cpp - the tokens of PTX text ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// PTX ISA, section 4.3 (identifiers) and 4.4 and 4.5 (directives, constants). An
// opcode and its modifiers are one token, since modifiers begin with digits too
// (.2d, .128B), and so is a special register and its component (%tid.x).
//
//===----------------------------------------------------------------------===//

#include "Lexer.h"

#include <algorithm>
#include <charconv>

using namespace nvemu::ptx;

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool isFollowing(char c) { return isLetter(c) || isDigit(c) || c == '_' || c == '$'; }

class Lexer {
public:
  Lexer(std::string_view text, std::vector<Token> &tokens, std::string &error)
      : text(text), tokens(tokens), error(error) {}

  bool run() {
    while (skipBlanks() && at < text.size())
      if (!lexOne())
        return false;
    tokens.push_back({Token::Kind::End, "", line});
    return error.empty();
  }

private:
  char look(size_t ahead = 0) const { return at + ahead < text.size() ? text[at + ahead] : '\0'; }

  bool fail(const std::string &message) {
    error = "line " + std::to_string(line) + ": " + message;
    return false;
  }

  bool add(Token::Kind kind, size_t begin) {
    tokens.push_back({kind, text.substr(begin, at - begin), line});
    return true;
  }

  /// Blanks and comments of both kinds.
  bool skipBlanks() {
    while (at < text.size()) {
      if (look() == '\n') {
        ++line, ++at;
      } else if (look() == ' ' || look() == '\t' || look() == '\r' || look() == '\f' || look() == '\v') {
        ++at;
      } else if (look() == '/' && look(1) == '/') {
        at = std::min(text.find('\n', at), text.size());
      } else if (look() == '/' && look(1) == '*') {
        size_t end = text.find("*/", at + 2);
        if (end == text.npos)
          return fail("the comment that begins here has no */");
        line += std::count(text.begin() + at, text.begin() + end, '\n');
        at = end + 2;
      } else {
        break;
      }
    }
    return true;
  }

  bool lexOne() {
    char c = look();
    if (isDigit(c))
      return lexNumber();
    if (isLetter(c) || ((c == '_' || c == '$' || c == '%') && isFollowing(look(1))))
      return lexWord();
    if (c == '_') {
      size_t begin = at++;
      return add(Token::Kind::Word, begin);
    }
    if (c == '.' && (isFollowing(look(1))))
      return lexDirective();
    if (c == '"')
      return lexString();
    return lexMark();
  }

  void skipFollowing() {
    while (isFollowing(look()))
      ++at;
  }

  bool lexWord() {
    size_t begin = at++;
    skipFollowing();
    while (look() == '.' && isFollowing(look(1))) {
      ++at;
      skipFollowing();
      while (look() == ':' && look(1) == ':' && isFollowing(look(2))) {
        at += 2;
        skipFollowing();
      }
    }
    return add(Token::Kind::Word, begin);
  }

  bool lexDirective() {
    size_t begin = at++;
    skipFollowing();
    return add(Token::Kind::Directive, begin);
  }

  /// Whatever could belong to a number; its meaning is found out where it is used.
  bool lexNumber() {
    size_t begin = at;
    skipFollowing();
    bool hex = at - begin > 1 && text[begin] == '0' && isLetter(text[begin + 1]);
    if (!hex && look() == '.' && isDigit(look(1))) {
      ++at;
      skipFollowing();
    }
    if (!hex && (text[at - 1] == 'e' || text[at - 1] == 'E') && (look() == '+' || look() == '-')) {
      ++at;
      skipFollowing();
    }
    return add(Token::Kind::Number, begin);
  }

  bool lexString() {
    size_t begin = at + 1;
    for (++at; look() != '"'; ++at) {
      if (at >= text.size() || look() == '\n')
        return fail("the string that begins here has no closing quote");
      at += look() == '\\' && look(1) != '\n';
    }
    add(Token::Kind::String, begin);
    ++at;
    return true;
  }

  bool lexMark() {
    static constexpr std::string_view marks[] = {"...", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "(", ")",
                                                 "{",   "}",  "[",  "]",  "<",  ">",  ",",  ";",  ":",  "=", "+",
                                                 "-",   "*",  "/",  "%",  "&",  "|",  "^",  "~",  "!",  "?", "@"};
    for (std::string_view mark : marks) {
      if (text.substr(at, mark.size()) != mark)
        continue;
      size_t begin = at;
      at += mark.size();
      return add(Token::Kind::Mark, begin);
    }
    unsigned char c = look();
    if (c < 0x20 || c >= 0x7f)
      return fail("a byte of value " + std::to_string(c) + " is not PTX");
    return fail(std::string("'") + look() + "' is not PTX");
  }

  std::string_view text;
  std::vector<Token> &tokens;
  std::string &error;
  size_t at = 0;
  unsigned line = 1;
};

} // namespace

bool nvemu::ptx::tokenize(std::string_view text, std::vector<Token> &tokens, std::string &error) {
  return Lexer(text, tokens, error).run();
}

std::string Cursor::shown() const {
  if (atEnd())
    return "the end of the text";
  return "'" + std::string(peek().text.substr(0, 60)) + "'";
}

bool Cursor::failAt(unsigned line, const std::string &message) {
  if (error.empty())
    error = "line " + std::to_string(line) + ": " + message;
  return false;
}

bool Cursor::expect(std::string_view mark, std::string_view where) {
  if (accept(mark))
    return true;
  return fail("expects '" + std::string(mark) + "' " + std::string(where) + ", but got " + shown());
}

bool Cursor::expectWord(std::string &word, std::string_view what) {
  if (!next(Token::Kind::Word))
    return fail("expects " + std::string(what) + ", but got " + shown());
  word = take().text;
  return true;
}

bool Cursor::expectNumber(unsigned &number, std::string_view what) {
  std::string_view text = peek().text;
  const int base = text.size() > 1 && text[0] == '0' ? 8 : 10;
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (!next(Token::Kind::Number) || code != std::errc() || end != text.data() + text.size())
    return fail("expects " + std::string(what) + ", but got " + shown());
  take();
  return true;
}

bool Cursor::skipBrackets(std::string_view open, std::string_view close) {
  unsigned line = peek().line, depth = 0;
  do {
    if (atEnd())
      return failAt(line, "the '" + std::string(open) + "' here has no '" + std::string(close) + "'");
    depth += next(open);
    depth -= next(close);
    take();
  } while (depth);
  return true;
}
