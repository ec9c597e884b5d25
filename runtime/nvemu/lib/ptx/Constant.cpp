//===- Constant.cpp - constant expressions of PTX -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Constant.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <optional>

using namespace nvemu::ptx;

namespace {

/// Bits of the f64 of the same value. In arithmetic rather than by a conversion, for
/// that would make a signalling NaN quiet.
uint64_t widen(uint32_t bits) {
  uint64_t sign = uint64_t(bits >> 31) << 63, fraction = bits & 0x7fffff;
  if ((bits >> 23 & 0xff) == 0xff)
    return sign | 0x7ffull << 52 | fraction << 29;
  return std::bit_cast<uint64_t>(double(std::bit_cast<float>(bits)));
}

Constant integer(uint64_t bits, bool isUnsigned = false) { return {false, isUnsigned, bits}; }
Constant real(double value) { return {true, false, std::bit_cast<uint64_t>(value)}; }

std::optional<uint64_t> digits(std::string_view text, int base) {
  uint64_t bits = 0;
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), bits, base);
  if (text.empty() || code != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return bits;
}

std::optional<Constant> literal(std::string_view text) {
  char second = text.size() > 1 && text[0] == '0' ? text[1] | 0x20 : 0;
  if (second == 'f' || second == 'd') {
    auto bits = digits(text.substr(2), 16);
    if (!bits || text.size() != (second == 'f' ? 10u : 18u))
      return std::nullopt;
    return Constant{true, false, second == 'f' ? widen(uint32_t(*bits)) : *bits, second == 'f'};
  }
  bool isUnsigned = text.ends_with('U');
  std::string_view rest = text.substr(0, text.size() - isUnsigned);
  std::optional<uint64_t> bits;
  if (second == 'x')
    bits = digits(rest.substr(2), 16);
  else if (second == 'b')
    bits = digits(rest.substr(2), 2);
  else
    bits = digits(rest, rest.size() > 1 && rest[0] == '0' ? 8 : 10);
  if (bits)
    return integer(*bits, isUnsigned || int64_t(*bits) < 0);
  if (second == 'x' || second == 'b' || isUnsigned || text.find_first_of(".eE") == text.npos)
    return std::nullopt;
  double value = 0;
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return real(value);
}

unsigned precedence(const Token &token) {
  static constexpr std::string_view levels[] = {"||",    "&&",        "|",     "^",   "&",
                                                "== !=", "< > <= >=", "<< >>", "+ -", "* / %"};
  if (token.kind != Token::Kind::Mark)
    return 0;
  for (unsigned level = 0; level < std::size(levels); ++level) {
    std::string padded = " " + std::string(levels[level]) + " ";
    if (padded.find(" " + std::string(token.text) + " ") != padded.npos)
      return level + 1;
  }
  return 0;
}

class Expression {
public:
  explicit Expression(Cursor &cursor) : cursor(cursor) {}

  bool conditional(Constant &value) {
    return nested([&] {
      if (!binary(value, 1))
        return false;
      if (!cursor.accept("?"))
        return true;
      Constant yes, no;
      if (!conditional(yes) || !cursor.expect(":", "after '?' and a value") || !conditional(no))
        return false;
      value = value.isZero() ? no : yes;
      return true;
    });
  }

private:
  /// A text of a million minus signs is no reason to run out of stack.
  template <class F>
  bool nested(F &&within) {
    if (++depth > 200)
      return cursor.fail("the constant expression is nested too deeply; at most 100 levels are read");
    bool fine = within();
    --depth;
    return fine;
  }

  bool binary(Constant &value, unsigned lowest) {
    if (!unary(value))
      return false;
    while (unsigned level = precedence(cursor.peek())) {
      if (level < lowest)
        break;
      Token op = cursor.take();
      Constant right;
      if (!binary(right, level + 1) || !apply(op.text, value, right))
        return false;
    }
    return true;
  }

  bool unary(Constant &value) {
    return nested([&] { return unaryWithin(value); });
  }

  bool unaryWithin(Constant &value) {
    if (cursor.accept("-")) {
      if (!unary(value))
        return false;
      value.bits = value.isFloat ? value.bits ^ 1ull << 63 : -value.bits;
      return true;
    }
    if (cursor.accept("+"))
      return unary(value);
    if (cursor.accept("!"))
      return unary(value) && (value = integer(value.isZero()), true);
    if (cursor.accept("~")) {
      if (!unary(value))
        return false;
      if (value.isFloat)
        return cursor.fail("'~' takes integers, but got a floating-point number");
      value = integer(~value.bits, true);
      return true;
    }
    if (cursor.next("(") && (cursor.peek(1).is(".s64") || cursor.peek(1).is(".u64")))
      return cast(value);
    if (cursor.accept("("))
      return conditional(value) && cursor.expect(")", "after a constant expression");
    return primary(value);
  }

  bool cast(Constant &value) {
    cursor.take();
    bool isUnsigned = cursor.take().is(".u64");
    if (!cursor.expect(")", "after the type of a cast") || !unary(value))
      return false;
    if (value.isFloat)
      return cursor.fail("a cast to an integer takes an integer, but got a floating-point number");
    value.isUnsigned = isUnsigned;
    return true;
  }

  bool primary(Constant &value) {
    if (cursor.accept("WARP_SZ")) {
      value = integer(32);
      return true;
    }
    if (!cursor.next(Token::Kind::Number))
      return cursor.fail("expects an operand or a constant, but got " + cursor.shown());
    auto found = literal(cursor.peek().text);
    if (!found)
      return cursor.fail(cursor.shown() + " is not a number of PTX");
    value = *found;
    cursor.take();
    return true;
  }

  bool apply(std::string_view op, Constant &left, const Constant &right) {
    if (op == "&&" || op == "||") {
      bool a = !left.isZero(), b = !right.isZero();
      left = integer(op == "&&" ? a && b : a || b);
      return true;
    }
    return left.isFloat || right.isFloat ? applyFloat(op, left, right) : applyInteger(op, left, right);
  }

  bool applyFloat(std::string_view op, Constant &left, const Constant &right) {
    double a = left.asDouble(), b = right.asDouble();
    if (op == "+")
      left = real(a + b);
    else if (op == "-")
      left = real(a - b);
    else if (op == "*")
      left = real(a * b);
    else if (op == "/")
      left = real(a / b);
    else if (auto answer = compare(op, a, b))
      left = integer(*answer);
    else
      return cursor.fail("'" + std::string(op) + "' takes integers, but got a floating-point number");
    return true;
  }

  template <class Number>
  static std::optional<bool> compare(std::string_view op, Number a, Number b) {
    if (op == "<")
      return a < b;
    if (op == ">")
      return a > b;
    if (op == "<=")
      return a <= b;
    if (op == ">=")
      return a >= b;
    if (op == "==")
      return a == b;
    if (op == "!=")
      return a != b;
    return std::nullopt;
  }

  bool applyInteger(std::string_view op, Constant &left, const Constant &right) {
    uint64_t a = left.bits, b = right.bits;
    bool isUnsigned = left.isUnsigned || right.isUnsigned;
    auto comparison = isUnsigned ? compare(op, a, b) : compare(op, int64_t(a), int64_t(b));
    if (comparison) {
      left = integer(*comparison);
      return true;
    }
    if (op == "<<" || op == ">>") {
      left.bits = shift(op == "<<", left, b);
      return true;
    }
    if ((op == "/" || op == "%") && !b)
      return cursor.fail("a constant expression divides by zero");
    if (op == "+")
      a += b;
    else if (op == "-")
      a -= b;
    else if (op == "*")
      a *= b;
    else if (op == "/" || op == "%")
      a = divide(op == "/", a, b, isUnsigned);
    else
      a = op == "&" ? a & b : op == "|" ? a | b : a ^ b;
    left = integer(a, isUnsigned);
    return true;
  }

  static uint64_t shift(bool toLeft, const Constant &value, uint64_t by) {
    if (toLeft)
      return by > 63 ? 0 : value.bits << by;
    if (value.isUnsigned)
      return by > 63 ? 0 : value.bits >> by;
    return uint64_t(int64_t(value.bits) >> std::min<uint64_t>(by, 63));
  }

  static uint64_t divide(bool quotient, uint64_t a, uint64_t b, bool isUnsigned) {
    if (isUnsigned)
      return quotient ? a / b : a % b;
    if (int64_t(b) == -1) // the only case that can overflow
      return quotient ? -a : 0;
    return uint64_t(quotient ? int64_t(a) / int64_t(b) : int64_t(a) % int64_t(b));
  }

  Cursor &cursor;
  unsigned depth = 0;
};

} // namespace

double Constant::asDouble() const {
  if (isFloat)
    return std::bit_cast<double>(bits);
  return isUnsigned ? double(bits) : double(int64_t(bits));
}

bool Constant::isZero() const { return isFloat ? asDouble() == 0 : bits == 0; }

bool nvemu::ptx::parseConstant(Cursor &cursor, Constant &value) { return Expression(cursor).conditional(value); }

uint32_t nvemu::ptx::narrowToF32(uint64_t bits) {
  double value = std::bit_cast<double>(bits);
  if (std::isnan(value))
    return uint32_t(bits >> 63) << 31 | 0xffu << 23 | uint32_t(bits >> 29 & 0x7fffff);
  return std::bit_cast<uint32_t>(float(value));
}
