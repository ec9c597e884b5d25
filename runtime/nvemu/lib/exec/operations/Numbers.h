//===- Numbers.h - the small floating-point formats of PTX ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Written without branches that depend on the number, so that loops over them
// become vector code on any host. Rounding is to nearest, ties to even.
//
//===----------------------------------------------------------------------===//

#ifndef NVEMU_EXEC_OPERATIONS_NUMBERS_H
#define NVEMU_EXEC_OPERATIONS_NUMBERS_H

#include <bit>
#include <cstdint>

namespace nvemu {

/// The NaN that PTX instructions give back (PTX ISA, "Half Precision" and "Floating-Point Instructions").
inline constexpr uint16_t f16NaN = 0x7fff, bf16NaN = 0x7fff;

inline float floatOfHalf(uint16_t half) {
  // The exponent's bias is 15 there and 127 here; the product also makes a subnormal half a normal float.
  uint32_t body = (half & 0x7fffu) << 13;
  uint32_t bits = std::bit_cast<uint32_t>(std::bit_cast<float>(body) * 0x1p112f);
  bits |= body >= 0x0f800000u ? 0x7f800000u : 0u; // infinity or NaN
  return std::bit_cast<float>(bits | (half & 0x8000u) << 16);
}

inline uint16_t halfOfFloat(float number) {
  uint32_t bits = std::bit_cast<uint32_t>(number), sign = bits >> 16 & 0x8000u, body = bits & 0x7fffffffu;
  if (body > 0x7f800000u)
    return f16NaN;
  if (body >= 0x477ff000u) // 65520, which rounds up to 2^16
    return uint16_t(sign | 0x7c00u);
  if (body < 0x38800000u) // below 2^-14: one unit of the last place of 0.5f is a half's smallest step, 2^-24
    return uint16_t(sign | (std::bit_cast<uint32_t>(std::bit_cast<float>(body) + 0.5f) - 0x3f000000u));
  body += 0x0fffu + (body >> 13 & 1u);
  return uint16_t(sign | ((body >> 13) - (112u << 10)));
}

inline float floatOfBf16(uint16_t number) { return std::bit_cast<float>(uint32_t(number) << 16); }

inline uint16_t bf16OfFloat(float number) {
  uint32_t bits = std::bit_cast<uint32_t>(number);
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return bf16NaN;
  return uint16_t((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

/// What a tensor core reads of a .tf32 operand: the lower 13 bits of the mantissa are not there.
inline float floatOfTf32(uint32_t bits) { return std::bit_cast<float>(bits & 0xffffe000u); }

} // namespace nvemu

#endif // NVEMU_EXEC_OPERATIONS_NUMBERS_H
