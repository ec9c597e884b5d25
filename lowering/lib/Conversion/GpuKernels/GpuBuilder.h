//===- GpuBuilder.h - short words for writing GPU kernels -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Private to this folder. What a thread, a warp and a tensor core do, in the
// arith, scf, gpu, llvm and nvvm dialects. Nothing here becomes a call of
// libdevice: functions are made of nvvm intrinsics and arithmetic.
//
// Numbers of positions and of bytes in shared memory are i32; offsets in global
// memory are i64, in elements. Both fold while they are built.
//
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_CONVERSION_GPUKERNELS_GPUBUILDER_H
#define NAX_LIB_CONVERSION_GPUKERNELS_GPUBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace nax {

using Values = llvm::SmallVector<mlir::Value>;

inline constexpr int64_t kWarp = 32;
/// Bytes of the widest access of a thread, and of one row that ldmatrix reads.
inline constexpr int64_t kChunk = 16;

/// The largest power of two, at most 16, that divides the address of each row
/// (of the last dimension) of a memref of this type; rows are one element wide
/// where the last dimension is not adjacent.
int64_t alignedBytes(mlir::MemRefType type);

class GpuBuilder : public mlir::ImplicitLocOpBuilder {
public:
  using Value = mlir::Value;
  using ValueRange = mlir::ValueRange;
  using Type = mlir::Type;
  using Predicate = mlir::arith::CmpIPredicate;
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  // --- Whole numbers, i32 unless the operands are i64; signed.
  Value i32(int64_t value);
  Value i64(int64_t value);
  Value toI64(Value x); ///< i32 or index, sign extended
  Value toI32(Value x); ///< i64 or index, cut off
  Value add(Value x, Value y);
  Value add(Value x, int64_t y) { return add(x, like(x, y)); }
  Value sub(Value x, Value y);
  Value mul(Value x, Value y);
  Value mul(Value x, int64_t y) { return mul(x, like(x, y)); }
  Value min(Value x, Value y);
  Value max(Value x, Value y);
  /// For x >= 0 and y > 0; shifts and masks where y is a power of two.
  Value div(Value x, Value y);
  Value rem(Value x, Value y);
  Value div(Value x, int64_t y) { return div(x, like(x, y)); }
  Value rem(Value x, int64_t y) { return rem(x, like(x, y)); }
  Value ceilDiv(Value x, int64_t y) { return div(add(x, y - 1), y); }
  Value bitAnd(Value x, Value y);
  Value bitAnd(Value x, int64_t y) { return bitAnd(x, like(x, y)); }
  Value bitOr(Value x, Value y);
  Value bitXor(Value x, Value y);
  Value shiftLeft(Value x, int64_t bits);
  Value shiftRight(Value x, int64_t bits); ///< unsigned
  Value compare(Predicate predicate, Value x, Value y);
  Value less(Value x, Value y) { return compare(Predicate::slt, x, y); }
  Value select(Value condition, Value x, Value y);
  Value like(Value x, int64_t value);

  // --- f32; no fast-math flag but contraction, which nothing here leaves open:
  // a fused multiplication is written as one.
  Value f32(double value);
  Value fma(Value x, Value y, Value z);
  Value addf(Value x, Value y);
  Value subf(Value x, Value y);
  Value mulf(Value x, Value y);
  Value maxf(Value x, Value y); ///< the other one where one is NaN
  Value isZero(Value x);        ///< i1, of f32
  Value toF32(Value x);         ///< of any float or integer
  Value fromF32(Value x, Type type);
  Value exp2(Value x); ///< ex2.approx.ftz: within 2 ulp
  Value log2(Value x); ///< lg2.approx.ftz
  /// 1 / x by rcp.approx.ftz, within 1 ulp.
  Value reciprocal(Value x);
  /// Within 2e-7, of ex2 and a polynomial.
  Value tanh(Value x);

  // --- Threads.
  Value threadId(); ///< of the block, i32
  Value blockId(mlir::gpu::Dimension dimension);
  Value lane();
  Value warp(); ///< the same in all lanes, for the compiler, too
  void barrier();
  void warpBarrier();
  /// From the lane whose number differs in the bits of `mask`.
  Value shuffleXor(Value x, int64_t mask);
  /// From lane number `from`, an i32.
  Value shuffleFrom(Value x, Value from);
  /// Over `lanes` neighbours (a power of two), in one order, in each lane.
  Value sumOfLanes(Value x, int64_t lanes = kWarp);
  Value largestOfLanes(Value x, int64_t lanes = kWarp);
  /// Whether it is true in one of the warp's lanes.
  Value any(Value condition);

  // --- Memory.
  /// The dynamic shared memory: an external global of the gpu.module, made
  /// when it is first asked for (one of the size 0 inside of the module would
  /// become one static byte). `!llvm.ptr<3>`, aligned to 1024 bytes.
  Value shared();
  /// `pointer` plus an i32 or i64: elements of `element`, or bytes.
  Value at(Value pointer, Value offset, Type element);
  Value atByte(Value pointer, Value bytes) {
    return at(pointer, bytes, getI8Type());
  }
  /// Of a scalar or a vector that lies in memory as it is; `alignment` in
  /// bytes, the natural one of the whole when 0.
  Value load(Value pointer, Type type, int64_t alignment = 0);
  void store(Value value, Value pointer, int64_t alignment = 0);
  /// The parts of a vector, and back.
  Values unpack(Value vector);
  Value pack(ValueRange elements);
  /// Two f32 as two bf16 or f16 in an i32, the first one in the low half.
  Value packHalves(Value low, Value high, Type element);
  /// Numbers of f32 as `type`, to be stored one behind the other.
  Value fromF32s(ValueRange numbers, Type type);

  /// cp.async of 4, 8 or 16 bytes, zeros where `valid` (i1 or null) is false;
  /// nothing is read then. 16 bytes bypass L1.
  void copyAsync(Value to, Value from, int64_t bytes, Value valid);
  void commitCopies();
  /// Until at most `pending` of the committed groups are in flight.
  void waitCopies(int64_t pending);

  // --- Tensor cores (PTX ISA, "Matrix Multiply-Accumulate Instructions").
  /// ldmatrix .x4 or .x2 or .x1 of 8 x 8 elements of 16 bits: an i32 each.
  /// Lane i has the address of row i mod 8 of matrix i / 8.
  Values loadMatrices(Value address, int64_t count, bool transposed);
  /// Registers of 32 bits as mma.sync takes factors of this type: f32 (or its
  /// bits) for tf32, rounded to nearest and ties away from zero; others as they
  /// are.
  Values asFactors(ValueRange registers, Type factor);
  /// An element as f32, as it is in a product of factors of this type.
  Value rounded(Value element, Type factor);
  /// mma.sync.m16n8k16 of bf16 or f16 and .m16n8k8 of tf32, f32 accumulators: A
  /// in 4 and B in 2 i32, C in 4 f32. Lane i has of C the rows i / 4 and
  /// i / 4 + 8, the columns 2 (i mod 4) and the next one. It has the same rows
  /// of A and the column i / 4 of B; of k, of each half of a step, 4 bytes from
  /// byte 4 (i mod 4) on: ldmatrix brings them for each of the types.
  Values mma(ValueRange a, ValueRange b, ValueRange c, Type factor);

  // --- Control flow. Bounds are i32.
  void loop(Value from, Value to, int64_t step,
            llvm::function_ref<void(Value)> body);
  Values loop(Value from, Value to, int64_t step, ValueRange init,
              llvm::function_ref<Values(Value, ValueRange)> body);
  /// The same, but neither LLVM nor the assembler unrolls it.
  Values rolledLoop(Value from, Value to, int64_t step, ValueRange init,
                    llvm::function_ref<Values(Value, ValueRange)> body);
  void when(Value condition, llvm::function_ref<void()> then,
            llvm::function_ref<void()> otherwise = nullptr);
  /// The results of one side or of the other.
  Values choose(Value condition, llvm::function_ref<Values()> then,
                llvm::function_ref<Values()> otherwise);
};

} // namespace nax

#endif // NAX_LIB_CONVERSION_GPUKERNELS_GPUBUILDER_H
