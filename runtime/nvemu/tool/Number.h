//===- Number.h - the types of kernel arguments -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NVEMU_TOOL_NUMBER_H
#define NVEMU_TOOL_NUMBER_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nvemu::tool {

/// A type's letters and size: b8 u16 s32 i64 f16 bf16 f32 f64. i is s.
struct NumberType {
  enum class Kind { Bits, Unsigned, Signed, Float, BFloat };
  Kind kind = Kind::Bits;
  unsigned bytes = 4;

  bool isFloat() const { return kind == Kind::Float || kind == Kind::BFloat; }
};

std::optional<NumberType> numberType(std::string_view name);

/// The bits of a number that is written in decimal, or of an integer in hexadecimal
/// (0x...); a floating-point one is rounded to the nearest, ties to even. Nothing
/// if it is no number of the type or does not fit.
std::optional<uint64_t> parseNumber(NumberType type, std::string_view text);
/// The bits of a small number: 0, 1, 2 of iota, and [-1, 1) of random.
uint64_t numberFrom(NumberType type, double value);

/// As decimal, with as many digits as tell its neighbours apart (9 of f32 and smaller, 17
/// of f64), or as 0x and the bits in hexadecimal.
std::string showNumber(NumberType type, uint64_t bits, bool hex);

} // namespace nvemu::tool

#endif // NVEMU_TOOL_NUMBER_H
