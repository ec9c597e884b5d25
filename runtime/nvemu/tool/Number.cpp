//===- Number.cpp - the types of kernel arguments -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Number.h"

#include "llvm/ADT/APFloat.h"

#include <charconv>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>

using namespace nvemu::tool;
using llvm::APFloat;

namespace {

const llvm::fltSemantics &semanticsOf(NumberType type) {
  if (type.kind == NumberType::Kind::BFloat)
    return APFloat::BFloat();
  return type.bytes == 2 ? APFloat::IEEEhalf() : type.bytes == 4 ? APFloat::IEEEsingle() : APFloat::IEEEdouble();
}

uint64_t maskOf(NumberType type) { return ~0ull >> (64 - 8 * type.bytes); }

std::optional<uint64_t> parseInteger(NumberType type, std::string_view text) {
  bool negative = text.starts_with('-');
  text.remove_prefix(negative);
  bool hex = text.starts_with("0x");
  text.remove_prefix(hex ? 2 : 0);
  uint64_t bits = 0;
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), bits, hex ? 16 : 10);
  if (text.empty() || code != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  uint64_t most = maskOf(type), half = most / 2;
  // Bits may be written either way, and so may hexadecimal digits of a signed type.
  bool isSigned = type.kind == NumberType::Kind::Signed;
  if (negative)
    return type.kind == NumberType::Kind::Unsigned || bits > half + 1 ? std::nullopt : std::optional(-bits & most);
  return bits > (isSigned && !hex ? half : most) ? std::nullopt : std::optional(bits);
}

std::optional<uint64_t> parseFloat(NumberType type, std::string_view text) {
  std::string copy(text);
  char *end = nullptr;
  double value = std::strtod(copy.c_str(), &end);
  // strtod takes blanks before a number; nobody means them here.
  if (copy.empty() || *end || copy[0] == ' ' || copy[0] == '\t' || copy[0] == '\n')
    return std::nullopt;
  return numberFrom(type, value);
}

} // namespace

std::optional<NumberType> nvemu::tool::numberType(std::string_view name) {
  if (name == "bf16")
    return NumberType{NumberType::Kind::BFloat, 2};
  if (name.empty())
    return std::nullopt;
  std::string_view size = name.substr(1);
  unsigned bytes = size == "8" ? 1 : size == "16" ? 2 : size == "32" ? 4 : size == "64" ? 8 : 0;
  if (!bytes)
    return std::nullopt;
  switch (name[0]) {
  case 'b':
    return NumberType{NumberType::Kind::Bits, bytes};
  case 'u':
    return NumberType{NumberType::Kind::Unsigned, bytes};
  case 's':
  case 'i':
    return NumberType{NumberType::Kind::Signed, bytes};
  case 'f':
    return bytes == 1 ? std::nullopt : std::optional(NumberType{NumberType::Kind::Float, bytes});
  default:
    return std::nullopt;
  }
}

std::optional<uint64_t> nvemu::tool::parseNumber(NumberType type, std::string_view text) {
  return type.isFloat() ? parseFloat(type, text) : parseInteger(type, text);
}

uint64_t nvemu::tool::numberFrom(NumberType type, double value) {
  if (!type.isFloat())
    return uint64_t(int64_t(value)) & maskOf(type);
  APFloat number(value);
  bool loses = false;
  number.convert(semanticsOf(type), APFloat::rmNearestTiesToEven, &loses);
  return number.bitcastToAPInt().getZExtValue();
}

std::string nvemu::tool::showNumber(NumberType type, uint64_t bits, bool hex) {
  char text[40];
  if (hex || type.kind == NumberType::Kind::Bits) {
    std::snprintf(text, sizeof text, "0x%0*" PRIx64, int(2 * type.bytes), bits);
  } else if (type.isFloat()) {
    APFloat number(semanticsOf(type), llvm::APInt(8 * type.bytes, bits));
    bool loses = false;
    number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
    // The sign of a NaN is not told, for it differs from machine to machine.
    std::snprintf(text, sizeof text, "%.*g", type.bytes == 8 ? 17 : 9, number.convertToDouble());
    if (number.isNaN())
      return "nan";
  } else if (type.kind == NumberType::Kind::Signed) {
    unsigned unused = 64 - 8 * type.bytes;
    std::snprintf(text, sizeof text, "%" PRId64, int64_t(bits << unused) >> unused);
  } else {
    std::snprintf(text, sizeof text, "%" PRIu64, bits);
  }
  return text;
}
