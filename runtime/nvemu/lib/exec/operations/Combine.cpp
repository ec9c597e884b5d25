//===- Combine.cpp - what atom, red and redux compute ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Combine.h"

#include "Numbers.h"

#include <algorithm>
#include <cmath>

namespace nvemu {

using ptx::Type;

std::optional<Combine> combineNamed(std::string_view name) {
  static constexpr std::string_view names[] = {"and", "or", "xor", "exch", "cas", "add", "inc", "dec", "min", "max"};
  auto found = std::find(std::begin(names), std::end(names), name);
  if (found == std::end(names))
    return std::nullopt;
  return Combine(found - std::begin(names));
}

namespace {

template <class Number>
Number arithmetic(Combine operation, Number a, Number b) {
  switch (operation) {
  case Combine::Min:
    return std::min(a, b);
  case Combine::Max:
    return std::max(a, b);
  default:
    return Number(a + b);
  }
}

float arithmetic(Combine operation, float a, float b) {
  switch (operation) {
  case Combine::Min:
    return std::fmin(a, b);
  case Combine::Max:
    return std::fmax(a, b);
  default:
    return a + b;
  }
}

float flushed(float number, bool flush) {
  return flush && std::fabs(number) < 0x1p-126f ? std::copysign(0.0f, number) : number;
}

uint64_t combineFloats(Combine operation, Type type, bool flush, uint64_t old, uint64_t b) {
  switch (type) {
  case Type::F64:
    return std::bit_cast<uint64_t>(std::bit_cast<double>(old) + std::bit_cast<double>(b));
  case Type::F32: {
    float left = flushed(std::bit_cast<float>(uint32_t(old)), flush);
    float right = flushed(std::bit_cast<float>(uint32_t(b)), flush);
    return std::bit_cast<uint32_t>(flushed(arithmetic(operation, left, right), flush));
  }
  // A sum of two such numbers in f32 is rounded once more than it should be, which
  // changes nothing: f32 has more than twice their bits and two.
  case Type::F16:
    return halfOfFloat(arithmetic(operation, floatOfHalf(uint16_t(old)), floatOfHalf(uint16_t(b))));
  case Type::BF16:
    return bf16OfFloat(arithmetic(operation, floatOfBf16(uint16_t(old)), floatOfBf16(uint16_t(b))));
  default: { // two halves
    Type half = type == Type::F16x2 ? Type::F16 : Type::BF16;
    return combineFloats(operation, half, flush, old & 0xffff, b & 0xffff) |
           combineFloats(operation, half, flush, old >> 16, b >> 16) << 16;
  }
  }
}

uint64_t combineIntegers(Combine operation, Type type, uint64_t old, uint64_t b) {
  switch (type) {
  case Type::S32:
    return uint32_t(operation == Combine::Add ? int32_t(uint32_t(old) + uint32_t(b))
                                              : arithmetic(operation, int32_t(old), int32_t(b)));
  case Type::S64:
    return operation == Combine::Add ? old + b : uint64_t(arithmetic(operation, int64_t(old), int64_t(b)));
  case Type::U64:
    return arithmetic(operation, old, b);
  default:
    return arithmetic(operation, uint32_t(old), uint32_t(b));
  }
}

} // namespace

uint64_t combine(Combine operation, Type type, bool flush, uint64_t old, uint64_t b, uint64_t c) {
  switch (operation) {
  case Combine::And:
    return old & b;
  case Combine::Or:
    return old | b;
  case Combine::Xor:
    return old ^ b;
  case Combine::Exch:
    return b;
  case Combine::Cas:
    return old == b ? c : old;
  case Combine::Inc:
    return old >= b ? 0 : old + 1;
  case Combine::Dec:
    return old == 0 || old > b ? b : old - 1;
  case Combine::Add:
  case Combine::Min:
  case Combine::Max:
    break;
  }
  switch (type) {
  case Type::F16:
  case Type::F16x2:
  case Type::BF16:
  case Type::BF16x2:
  case Type::F32:
  case Type::F64:
    return combineFloats(operation, type, flush, old, b);
  default:
    return combineIntegers(operation, type, old, b);
  }
}

} // namespace nvemu
