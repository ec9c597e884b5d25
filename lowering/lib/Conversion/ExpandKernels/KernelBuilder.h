//===- KernelBuilder.h - short words for writing kernels --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Private to this folder. Index arithmetic folds while it is built, so that
// static sizes leave no trace of the run-time case.
//
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_CONVERSION_EXPANDKERNELS_KERNELBUILDER_H
#define NAX_LIB_CONVERSION_EXPANDKERNELS_KERNELBUILDER_H

#include "nax/Conversion/CpuTarget.h"
#include "nax/Dialect/Nax/IR/Nax.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace nax {

using Values = llvm::SmallVector<mlir::Value>;

/// Lanes of f32 in one vector, at every CPU level.
inline constexpr int64_t kLanes = 16;
/// Most chunks that one kernel is split into, whatever its sizes.
inline constexpr int64_t kMaxChunks = 64;

/// Steps of an innermost sum in one turn of its loop.
inline constexpr int64_t kUnroll = 4;

class KernelBuilder : public mlir::ImplicitLocOpBuilder {
public:
  using Value = mlir::Value;
  using ValueRange = mlir::ValueRange;
  using Predicate = mlir::arith::CmpIPredicate;
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  // Numbers of type index, signed.
  Value index(int64_t value);
  Value add(Value x, Value y);
  Value add(Value x, int64_t y) { return add(x, index(y)); }
  Value sub(Value x, Value y);
  Value mul(Value x, Value y);
  Value mul(Value x, int64_t y) { return mul(x, index(y)); }
  Value min(Value x, Value y);
  Value max(Value x, Value y);
  /// Both for x >= 0 and y > 0; the second rounds up.
  Value div(Value x, Value y);
  Value ceilDiv(Value x, Value y);
  Value rem(Value x, Value y);
  Value compare(Predicate predicate, Value x, Value y);
  Value both(Value x, Value y);
  Value select(Value condition, Value x, Value y);
  /// A number of type i32 or i64 as index, and an index as i32.
  Value toIndex(Value x);
  Value toI32(Value x);

  // Memory.
  Value dim(Value memref, unsigned i);
  Value load(Value memref, ValueRange at);
  void store(Value value, Value memref, ValueRange at);
  Value loadVector(Value memref, ValueRange at);
  void storeVector(Value value, Value memref, ValueRange at);
  /// Of the 16 lanes, only the first `lanes`; others load as 0.
  Value loadLanes(Value memref, ValueRange at, int64_t lanes);
  void storeLanes(Value value, Value memref, ValueRange at, int64_t lanes);
  /// A part of a buffer of bytes, `type` at `offset`.
  Value view(Value bytes, Value offset, mlir::MemRefType type);
  /// Memory of a chunk, in whose block this stands, aligned to a cache line. It
  /// comes before all else there: behind a division, for which LLVM makes
  /// blocks, it would cost a register that the stack is counted from.
  Value onStack(mlir::ArrayRef<int64_t> shape, mlir::Type element);

  // Vectors of 16.
  mlir::VectorType vectorOf(mlir::Type element);
  mlir::VectorType f32x16() { return vectorOf(getF32Type()); }
  Value splat(double value);
  Value scalar(double value);
  Value broadcast(Value value);
  /// As f32, what may be f16 or bf16.
  Value widen(Value x);
  /// 0, 1, ... 15 plus `first`, as i32.
  Value iota(int64_t first);
  Value fma(Value x, Value y, Value z);
  Value mulf(Value x, Value y);
  Value addf(Value x, Value y);
  Value subf(Value x, Value y);
  Value divf(Value x, Value y);
  /// The larger of two, `y` where x is NaN: one instruction.
  Value maxf(Value x, Value y);
  /// The sum and the largest of a vector's lanes, in each lane.
  Value sumOfLanes(Value x);
  Value largestOfLanes(Value x);
  /// Of sixteen vectors, the sum of each one's lanes in a lane. All are added
  /// in the same order.
  Value sumOfEach(Values rows);
  /// `lanes` lanes from `first` on.
  Value slice(Value x, int64_t first, int64_t lanes);
  /// Sixteen vectors, the lanes of one becoming the same lane of sixteen.
  Values transpose(Values rows);

  // Control flow.
  void loop(Value from, Value to, int64_t step,
            llvm::function_ref<void(Value)> body);
  Values loop(Value from, Value to, int64_t step, ValueRange init,
              llvm::function_ref<Values(Value, ValueRange)> body);
  /// The same for from <= to, with `unroll` steps in one turn and a second loop
  /// for the rest, unless there is none: the overhead of a turn counts on
  /// machines that issue little beside their multiplications.
  Values unrolledLoop(Value from, Value to, int64_t unroll, ValueRange init,
                      llvm::function_ref<Values(Value, Values)> body);
  void when(Value condition, llvm::function_ref<void()> then,
            llvm::function_ref<void()> otherwise = nullptr);
  /// What one of two gives.
  Values either(Value condition, llvm::function_ref<Values()> then,
                llvm::function_ref<Values()> otherwise);
  /// Runs `body` for each chunk below `n` through the runtime; with `rounds`
  /// for each below their product, as nax.parallel does.
  void parallel(Value n, llvm::function_ref<void(Value)> body,
                Value rounds = {});
  /// The part of `total` items that belongs to `chunk` of `chunks`.
  std::pair<Value, Value> share(Value total, Value chunk, Value chunks);
};

// One function for each kernel; `args` are the operation's operands and then
// what its region captures.
void emitDot(KernelBuilder &b, kernel::DotOp op, mlir::ValueRange args,
             const CpuTarget &cpu);
void emitDotQuantised(KernelBuilder &b, kernel::DotOp op, mlir::ValueRange args,
                      const CpuTarget &cpu);
/// What those keep of each row, enough for every CPU level.
int64_t quantisedRowBytes(kernel::DotOp op);
void emitNorm(KernelBuilder &b, kernel::NormOp op, mlir::ValueRange args);
void emitAttention(KernelBuilder &b, kernel::AttentionOp op,
                   mlir::ValueRange args, const CpuTarget &cpu);
void emitAttentionWeights(KernelBuilder &b, kernel::AttentionWeightsOp op,
                          mlir::ValueRange args, const CpuTarget &cpu);

} // namespace nax

#endif // NAX_LIB_CONVERSION_EXPANDKERNELS_KERNELBUILDER_H
