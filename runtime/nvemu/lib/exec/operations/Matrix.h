//===- Matrix.h - the tensor core's arithmetic and fragments ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Pure functions of the registers of 32 lanes; nothing here knows of threads.
//
// Layouts are those of the PTX ISA, "Matrix Fragments for mma.m8n8k4 ..." to
// "... m16n8k256". All shapes but the m8n8k4 of f16 follow one rule, for lane
// l = 4 * group + member and R = numbers of a register (32 bits / bits of one;
// f64: 1):
//   A: register r, number j: row group + 8 * (r % 2), k = R * member + j + 4 * R * (r / 2)
//   B: register r, number j: k = R * member + j + 4 * R * r, column group
//   C, D: number i: row group + 8 * (i / 2), column 2 * member + i % 2
//
//===----------------------------------------------------------------------===//

#ifndef NVEMU_EXEC_OPERATIONS_MATRIX_H
#define NVEMU_EXEC_OPERATIONS_MATRIX_H

#include <cstdint>

namespace nvemu {

enum class MatrixType : uint8_t { F16, BF16, TF32, F64, S8, U8, S4, U4 };
enum class SumType : uint8_t { F16, F32, F64, S32 };

/// One mma.sync: D = A * B + C; A is m x k, B k x n, all with n = 8.
struct Mma {
  uint8_t m, k;
  MatrixType a, b;
  SumType sum;   // of C and D
  bool saturate; // integers: clamp D instead of wrapping around

  unsigned aRegisters() const;
  unsigned bRegisters() const;
  unsigned cRegisters() const; // and of D
};

/// `in[lane]` has the registers of A, then B, then C; `out[lane]` gets D's.
/// Floats: the product of two numbers is exact (but where bf16's leaves the range
/// of f32) and added in f32 in the order of k, beginning with C; f16 sums are
/// rounded to f16 once, at the end. Hardware adds in an order and with a
/// truncation of its own, so the last bits of its results may differ. f64: fused
/// multiply-add in the order of k. Integers are exact.
void multiply(const Mma &mma, const uint64_t *const in[32], uint64_t *const out[32]);

/// ldmatrix .m8n8 .b16: what lane `lane` gets of an 8 x 8 matrix whose row r is
/// the 16 bytes at `rows[r]`: elements 2 * member and 2 * member + 1 of row group,
/// or, transposed, element group of these rows.
uint32_t matrixPiece(const uint8_t *const rows[8], unsigned lane, bool transposed);

/// stmatrix, the inverse: puts a lane's piece into the rows.
void storeMatrixPiece(uint8_t *const rows[8], unsigned lane, bool transposed, uint32_t piece);

} // namespace nvemu

#endif // NVEMU_EXEC_OPERATIONS_MATRIX_H
