//===- Helpers.h - arithmetic that code calls -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// What is too long to be made in place: roundings other than to nearest, the
// elementary functions, conversions to small types. Exact or correctly rounded.
//
//===----------------------------------------------------------------------===//

#ifndef NVEMU_JIT_HELPERS_H
#define NVEMU_JIT_HELPERS_H

#include "llvm/ADT/ArrayRef.h"

namespace nvemu::jit {

/// Of nvemu_round_f32 and nvemu_round_f64, `(u32 operation, u32 Rounding, a, b, c)`.
enum class Rounded : uint32_t { Add, Multiply, FusedMultiplyAdd, Divide, Root };

struct Helper {
  const char *name; // as translated code calls it
  void *address;
};

/// nvemu_ex2, _lg2, _sin, _cos, _tanh, _rsqrt: `float (float)`.
/// nvemu_fma_odd: `float (float, float, float)`, a*b + c of numbers of f16 or
///   bf16 rounded to f32 "to odd": rounding once more to f16 or bf16 then gives
///   what rounding the exact value gives.
/// nvemu_convert: `u64 (u64 bits, u32 Type from, u32 Type to, u32 Rounding)`.
/// nvemu_convert_integer: `u64 (u64 bits, u32 isSigned, u32 Type to, u32 Rounding)`.
/// And what LLVM calls where the host has no instruction for it.
llvm::ArrayRef<Helper> helpers();

} // namespace nvemu::jit

#endif // NVEMU_JIT_HELPERS_H
