//===- Helpers.cpp - arithmetic that code calls ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Helpers.h"
#include "Translator.h"

#include "llvm/ADT/APFloat.h"

#include <bit>
#include <cfenv>
#include <cmath>

namespace nvemu::jit {
namespace {

int modeOf(uint32_t rounding) {
  switch (Rounding(rounding)) {
  case Rounding::Zero:
    return FE_TOWARDZERO;
  case Rounding::Down:
    return FE_DOWNWARD;
  case Rounding::Up:
    return FE_UPWARD;
  default:
    return FE_TONEAREST;
  }
}

/// The host computes it in that mode. What is volatile is read after the mode is
/// set and written before it is set back; the compiler knows nothing of modes.
template <class T>
T rounded(uint32_t operation, uint32_t rounding, T x, T y, T z) {
  volatile T a = x, b = y, c = z, result = 0;
  int before = std::fegetround();
  std::fesetround(modeOf(rounding));
  switch (Rounded(operation)) {
  case Rounded::Add:
    result = a + b;
    break;
  case Rounded::Multiply:
    result = a * b;
    break;
  case Rounded::FusedMultiplyAdd:
    result = std::fma(a, b, c);
    break;
  case Rounded::Divide:
    result = a / b;
    break;
  case Rounded::Root:
    result = std::sqrt(a);
    break;
  }
  std::fesetround(before);
  return result;
}

float roundF32(uint32_t operation, uint32_t rounding, float a, float b, float c) {
  return rounded(operation, rounding, a, b, c);
}
double roundF64(uint32_t operation, uint32_t rounding, double a, double b, double c) {
  return rounded(operation, rounding, a, b, c);
}

// In f64 the error of these is far below what can be seen in f32.
float ex2(float x) { return float(std::exp2(double(x))); }
float lg2(float x) { return float(std::log2(double(x))); }
float sine(float x) { return float(std::sin(double(x))); }
float cosine(float x) { return float(std::cos(double(x))); }
float hyperbolicTangent(float x) { return float(std::tanh(double(x))); }
float rsqrt(float x) { return float(1.0 / std::sqrt(double(x))); }

/// `sum` is the nearest f64 to sum + error. The odd one of the two neighbours of
/// the exact value, where that is no f64.
double toOdd(double sum, double error) {
  uint64_t bits = std::bit_cast<uint64_t>(sum);
  if (error == 0 || (bits & 1))
    return sum;
  return std::bit_cast<double>(bits + ((error > 0) == (sum > 0) ? 1 : -1));
}

float narrowToOdd(double number) {
  float narrow = float(number);
  if (number != number || double(narrow) == number)
    return narrow;
  uint32_t bits = std::bit_cast<uint32_t>(narrow);
  if (std::fabs(double(narrow)) > std::fabs(number))
    --bits;
  return std::bit_cast<float>(bits | 1);
}

float fmaOdd(float a, float b, float c) {
  double product = double(a) * b; // exact: 22 digits
  double sum = product + c;
  if (!std::isfinite(sum))
    return float(sum);
  // The error of the sum, exactly (Knuth, two-sum).
  double other = sum - product;
  double error = (product - (sum - other)) + (c - other);
  return narrowToOdd(toOdd(sum, error));
}

const llvm::fltSemantics &semanticsOf(Type type) {
  switch (type) {
  case Type::F16:
  case Type::F16x2:
    return llvm::APFloat::IEEEhalf();
  case Type::BF16:
  case Type::BF16x2:
    return llvm::APFloat::BFloat();
  case Type::F64:
    return llvm::APFloat::IEEEdouble();
  case Type::E4M3x2:
    return llvm::APFloat::Float8E4M3FN();
  case Type::E5M2x2:
    return llvm::APFloat::Float8E5M2();
  default:
    return llvm::APFloat::IEEEsingle();
  }
}

/// One lane of it.
unsigned widthOf(Type type) { return llvm::APFloat::getSizeInBits(semanticsOf(type)); }

llvm::RoundingMode llvmMode(uint32_t rounding) {
  switch (Rounding(rounding)) {
  case Rounding::Zero:
    return llvm::RoundingMode::TowardZero;
  case Rounding::Down:
    return llvm::RoundingMode::TowardNegative;
  case Rounding::Up:
    return llvm::RoundingMode::TowardPositive;
  case Rounding::NearestAway:
    return llvm::RoundingMode::NearestTiesToAway;
  default:
    return llvm::RoundingMode::NearestTiesToEven;
  }
}

uint64_t convert(uint64_t bits, uint32_t from, uint32_t to, uint32_t rounding) {
  llvm::APInt raw = llvm::APInt(64, bits).trunc(widthOf(Type(from)));
  llvm::APFloat number(semanticsOf(Type(from)), raw);
  bool losesInfo;
  number.convert(semanticsOf(Type(to)), llvmMode(rounding), &losesInfo);
  return number.bitcastToAPInt().getZExtValue();
}

uint64_t convertInteger(uint64_t bits, uint32_t isSigned, uint32_t to, uint32_t rounding) {
  llvm::APFloat number(semanticsOf(Type(to)));
  number.convertFromAPInt(llvm::APInt(64, bits), isSigned, llvmMode(rounding));
  return number.bitcastToAPInt().getZExtValue();
}

template <class F>
Helper helper(const char *name, F *function) {
  return {name, reinterpret_cast<void *>(function)};
}

} // namespace

llvm::ArrayRef<Helper> helpers() {
  static const Helper table[] = {
      helper("nvemu_round_f32", roundF32),
      helper("nvemu_round_f64", roundF64),
      helper("nvemu_ex2", ex2),
      helper("nvemu_lg2", lg2),
      helper("nvemu_sin", sine),
      helper("nvemu_cos", cosine),
      helper("nvemu_tanh", hyperbolicTangent),
      helper("nvemu_rsqrt", rsqrt),
      helper("nvemu_fma_odd", fmaOdd),
      helper("nvemu_convert", convert),
      helper("nvemu_convert_integer", convertInteger),
      helper("fma", static_cast<double (*)(double, double, double)>(std::fma)),
      helper("fmaf", static_cast<float (*)(float, float, float)>(std::fma)),
  };
  return table;
}

} // namespace nvemu::jit
