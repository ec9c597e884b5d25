//===- Matrix.cpp - the tensor core's arithmetic and fragments ------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// A multiplication has three steps, each a loop over plain arrays that the
// compiler makes vector code of: the registers are laid out as rows of A and
// columns of B, these become numbers, and rows of eight sums run over k.
//
//===----------------------------------------------------------------------===//

#include "Matrix.h"

#include "Numbers.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace nvemu {

namespace {

constexpr unsigned maxM = 16, maxK = 64, n = 8;

unsigned bitsOf(MatrixType type) {
  switch (type) {
  case MatrixType::F16:
  case MatrixType::BF16:
    return 16;
  case MatrixType::TF32:
    return 32;
  case MatrixType::F64:
    return 64;
  case MatrixType::S8:
  case MatrixType::U8:
    return 8;
  case MatrixType::S4:
  case MatrixType::U4:
    return 4;
  }
  return 0;
}

unsigned numbersOfRegister(MatrixType type) { return type == MatrixType::F64 ? 1 : 32 / bitsOf(type); }

/// How a register's numbers lie in the array of raw numbers, and what they are worth.
struct Half {
  using Raw = uint16_t;
  static void spread(uint64_t bits, Raw *to) { std::memcpy(to, &bits, 4); }
  static float value(Raw raw) { return floatOfHalf(raw); }
};
struct Bf16 {
  using Raw = uint16_t;
  static void spread(uint64_t bits, Raw *to) { std::memcpy(to, &bits, 4); }
  static float value(Raw raw) { return floatOfBf16(raw); }
};
struct Tf32 {
  using Raw = uint32_t;
  static void spread(uint64_t bits, Raw *to) { *to = uint32_t(bits); }
  static float value(Raw raw) { return floatOfTf32(raw); }
};
struct Double {
  using Raw = uint64_t;
  static void spread(uint64_t bits, Raw *to) { *to = bits; }
  static double value(Raw raw) { return std::bit_cast<double>(raw); }
};
// Floats hold every sum of 64 products of bytes exactly: 64 * 255 * 255 < 2^24.
template <class Number>
struct Byte {
  using Raw = uint8_t;
  static void spread(uint64_t bits, Raw *to) { std::memcpy(to, &bits, 4); }
  static float value(Raw raw) { return float(Number(raw)); }
};
template <bool isSigned>
struct Nibble {
  using Raw = uint8_t;
  static void spread(uint64_t bits, Raw *to) {
    for (unsigned j = 0; j < 8; ++j)
      to[j] = bits >> 4 * j & 15;
  }
  static float value(Raw raw) { return float(isSigned && raw >= 8 ? int(raw) - 16 : int(raw)); }
};

/// Rows of A, or columns of B, each with its numbers in the order of k.
template <class Format, class Value>
void layOut(const Mma &mma, MatrixType type, bool isA, const uint64_t *const in[32], unsigned first, unsigned registers,
            Value *lines) {
  using Raw = typename Format::Raw;
  alignas(64) Raw raw[maxM * maxK];
  const unsigned perRegister = numbersOfRegister(type);
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned r = 0; r < registers; ++r) {
      unsigned group = lane / 4, member = lane % 4;
      unsigned line = isA ? group + 8 * (r % 2) : group, piece = isA ? r / 2 : r;
      Format::spread(in[lane][first + r], raw + line * mma.k + perRegister * (member + 4 * piece));
    }
  const unsigned count = (isA ? mma.m : n) * mma.k;
  for (unsigned i = 0; i < count; ++i)
    lines[i] = Format::value(raw[i]);
}

template <class Value>
void layOut(const Mma &mma, bool isA, const uint64_t *const in[32], Value *lines) {
  MatrixType type = isA ? mma.a : mma.b;
  unsigned first = isA ? 0 : mma.aRegisters(), registers = isA ? mma.aRegisters() : mma.bRegisters();
  switch (type) {
  case MatrixType::F16:
    return layOut<Half>(mma, type, isA, in, first, registers, lines);
  case MatrixType::BF16:
    return layOut<Bf16>(mma, type, isA, in, first, registers, lines);
  case MatrixType::TF32:
    return layOut<Tf32>(mma, type, isA, in, first, registers, lines);
  case MatrixType::F64:
    return layOut<Double>(mma, type, isA, in, first, registers, lines);
  case MatrixType::S8:
    return layOut<Byte<int8_t>>(mma, type, isA, in, first, registers, lines);
  case MatrixType::U8:
    return layOut<Byte<uint8_t>>(mma, type, isA, in, first, registers, lines);
  case MatrixType::S4:
    return layOut<Nibble<true>>(mma, type, isA, in, first, registers, lines);
  case MatrixType::U4:
    return layOut<Nibble<false>>(mma, type, isA, in, first, registers, lines);
  }
}

/// sums[m][n] += a[m][k] * b[n][k], in the order of k.
void addProducts(unsigned m, unsigned k, const float *a, const float *columns, float *sums) {
  alignas(64) float b[maxK * n];
  for (unsigned i = 0; i < k; ++i)
    for (unsigned column = 0; column < n; ++column)
      b[i * n + column] = columns[column * k + i];
  for (unsigned row = 0; row < m; ++row) {
    float sum[n];
    std::memcpy(sum, sums + row * n, sizeof sum);
    for (unsigned i = 0; i < k; ++i) {
      float factor = a[row * k + i];
      for (unsigned column = 0; column < n; ++column)
        sum[column] += factor * b[i * n + column];
    }
    std::memcpy(sums + row * n, sum, sizeof sum);
  }
}

void addProducts(unsigned m, unsigned k, const double *a, const double *columns, double *sums) {
  for (unsigned row = 0; row < m; ++row)
    for (unsigned column = 0; column < n; ++column)
      for (unsigned i = 0; i < k; ++i)
        sums[row * n + column] = std::fma(a[row * k + i], columns[column * k + i], sums[row * n + column]);
}

/// Where number i of C or D of a lane lies in the rows of eight.
unsigned placeOfSum(unsigned lane, unsigned i) { return (lane / 4 + 8 * (i / 2)) * n + 2 * (lane % 4) + i % 2; }

void multiplyFloats(const Mma &mma, const float *a, const float *b, const uint64_t *const in[32],
                    uint64_t *const out[32]) {
  alignas(64) float sums[maxM * n];
  const unsigned first = mma.aRegisters() + mma.bRegisters(), numbers = mma.m / 4;
  const bool halves = mma.sum == SumType::F16;
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < numbers; ++i)
      sums[placeOfSum(lane, i)] = halves ? floatOfHalf(uint16_t(in[lane][first + i / 2] >> 16 * (i % 2)))
                                         : std::bit_cast<float>(uint32_t(in[lane][first + i]));
  addProducts(mma.m, mma.k, a, b, sums);
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < numbers; ++i) {
      float sum = sums[placeOfSum(lane, i)];
      if (!halves)
        out[lane][i] = std::bit_cast<uint32_t>(sum);
      else if (i % 2 == 0)
        out[lane][i / 2] = halfOfFloat(sum);
      else
        out[lane][i / 2] |= uint64_t(halfOfFloat(sum)) << 16;
    }
}

void multiplyIntegers(const Mma &mma, const float *a, const float *b, const uint64_t *const in[32],
                      uint64_t *const out[32]) {
  alignas(64) float sums[maxM * n] = {};
  const unsigned first = mma.aRegisters() + mma.bRegisters(), numbers = mma.m / 4;
  addProducts(mma.m, mma.k, a, b, sums);
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < numbers; ++i) {
      int64_t sum = int64_t(int32_t(in[lane][first + i])) + int64_t(sums[placeOfSum(lane, i)]);
      if (mma.saturate)
        sum = std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX);
      out[lane][i] = uint32_t(sum);
    }
}

void multiplyDoubles(const Mma &mma, const uint64_t *const in[32], uint64_t *const out[32]) {
  double a[maxM * maxK], b[n * maxK], sums[maxM * n];
  const unsigned first = mma.aRegisters() + mma.bRegisters(), numbers = mma.m / 4;
  layOut(mma, true, in, a);
  layOut(mma, false, in, b);
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < numbers; ++i)
      sums[placeOfSum(lane, i)] = std::bit_cast<double>(in[lane][first + i]);
  addProducts(mma.m, mma.k, a, b, sums);
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < numbers; ++i)
      out[lane][i] = std::bit_cast<uint64_t>(sums[placeOfSum(lane, i)]);
}

} // namespace

unsigned Mma::aRegisters() const { return m * k / 32 / numbersOfRegister(a); }
unsigned Mma::bRegisters() const { return n * k / 32 / numbersOfRegister(b); }
unsigned Mma::cRegisters() const { return m / 4 / (sum == SumType::F16 ? 2 : 1); }

void multiply(const Mma &mma, const uint64_t *const in[32], uint64_t *const out[32]) {
  if (mma.sum == SumType::F64)
    return multiplyDoubles(mma, in, out);
  alignas(64) float a[maxM * maxK], b[n * maxK];
  layOut(mma, true, in, a);
  layOut(mma, false, in, b);
  if (mma.sum == SumType::S32)
    return multiplyIntegers(mma, a, b, in, out);
  multiplyFloats(mma, a, b, in, out);
}

uint32_t matrixPiece(const uint8_t *const rows[8], unsigned lane, bool transposed) {
  unsigned group = lane / 4, member = lane % 4;
  uint32_t piece;
  if (!transposed) {
    std::memcpy(&piece, rows[group] + 4 * member, 4);
    return piece;
  }
  uint16_t low, high;
  std::memcpy(&low, rows[2 * member] + 2 * group, 2);
  std::memcpy(&high, rows[2 * member + 1] + 2 * group, 2);
  return low | uint32_t(high) << 16;
}

void storeMatrixPiece(uint8_t *const rows[8], unsigned lane, bool transposed, uint32_t piece) {
  unsigned group = lane / 4, member = lane % 4;
  if (!transposed) {
    std::memcpy(rows[group] + 4 * member, &piece, 4);
    return;
  }
  uint16_t low = uint16_t(piece), high = uint16_t(piece >> 16);
  std::memcpy(rows[2 * member] + 2 * group, &low, 2);
  std::memcpy(rows[2 * member + 1] + 2 * group, &high, 2);
}

} // namespace nvemu
