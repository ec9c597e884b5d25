//===- GpuKernels.h - kernels and what they are launched with ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Private to this folder. A kernel is a gpu.func that takes pointers
// (!llvm.ptr<1>), numbers of type i32 (sizes) and i64 (strides, in elements).
// It may assume of each pointer that it is a multiple of 16 bytes, plus the
// offset that the memref's type says; a type with an offset that is not static
// promises no more than the alignment of an element. Sizes are below 2^31.
//
// A kernel's results follow from static sizes, types and the row itself: which
// of two launches does a row may depend on run-time sizes only where both do
// the same arithmetic.
//
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_CONVERSION_GPUKERNELS_GPUKERNELS_H
#define NAX_LIB_CONVERSION_GPUKERNELS_GPUKERNELS_H

#include "GpuBuilder.h"

#include "nax/Dialect/Nax/IR/Nax.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/StringMap.h"

#include <string>

namespace nax {

/// The most dynamic shared memory that a kernel asks for: what a block may have
/// on compute capability 8.6 and 8.9, the least of all since 8.0.
inline constexpr int64_t kMaxSharedBytes = 99 * 1024;

/// One launch, all of it values of the host function.
struct KernelLaunch {
  mlir::gpu::GPUFuncOp kernel;
  /// Blocks in x, y and z, of type index. A grid with a 0 is not launched.
  mlir::Value grid[3];
  int64_t threads = 0;     ///< of a block, all in x
  int64_t sharedBytes = 0; ///< dynamic; with more than 48 KiB the driver must
                           ///< be told before the launch
  /// Argument i of the kernel is operand i: of a memref the pointer to its
  /// first element (aligned pointer plus offset), of an i32 or i64 itself.
  llvm::SmallVector<mlir::Value> operands;
};

/// A memref as a kernel sees it.
struct GlobalView {
  mlir::MemRefType type;
  mlir::Value pointer;                    ///< !llvm.ptr<1>
  llvm::SmallVector<mlir::Value> sizes;   ///< i32
  llvm::SmallVector<mlir::Value> strides; ///< i64, in elements
  mlir::Type element() const { return type.getElementType(); }
  /// The address of an element; a null index is 0.
  mlir::Value at(GpuBuilder &b, mlir::ValueRange indices) const;
};

/// Collects a kernel's operands on the host's side and gives them back on the
/// device's: for each memref its pointer, the sizes that are not static and the
/// strides that neither are static nor follow from sizes. A constant of the
/// module (memref.get_global) is no operand: the gpu.module has one of its own.
class KernelOperands {
public:
  explicit KernelOperands(mlir::ImplicitLocOpBuilder &host) : host(host) {}

  void add(mlir::Value memref);
  /// An index, as i32.
  void addSize(mlir::Value index);
  /// A number of any type; an index as a size.
  void addNumber(mlir::Value number);

  llvm::ArrayRef<mlir::Value> values() const { return operands; }
  llvm::SmallVector<mlir::Type> kernelTypes() const;

  /// In the kernel, in the order of the calls of `add` and `addSize`.
  llvm::SmallVector<GlobalView> views(GpuBuilder &b,
                                      mlir::ValueRange args) const;
  llvm::SmallVector<mlir::Value> sizes(mlir::ValueRange args) const;

private:
  struct Viewed {
    mlir::MemRefType type;
    unsigned first;
    mlir::memref::GlobalOp constant; ///< null: an operand
  };
  mlir::ImplicitLocOpBuilder &host;
  llvm::SmallVector<mlir::Value> operands;
  llvm::SmallVector<Viewed> memrefs;
  llvm::SmallVector<unsigned> numbers;
};

/// The kernels of one gpu.module, each made once.
class KernelModule {
public:
  /// With `tf32`, products of f32 are those of tensor cores.
  KernelModule(mlir::gpu::GPUModuleOp module, bool tf32)
      : module(module), tf32(tf32) {}

  /// What the factors of products are rounded to where memory has `element`;
  /// f32 is multiplied by fused multiplications, other types by mma.sync.
  mlir::Type factorOf(mlir::Type element) const {
    return tf32 && element.isF32()
               ? mlir::FloatTF32Type::get(element.getContext())
               : element;
  }

  /// The kernel of this key. A new one gets the first free name of `name`,
  /// `name_1`, ...; `body` fills it, and its gpu.return is added behind.
  mlir::gpu::GPUFuncOp
  get(llvm::StringRef key, llvm::StringRef name, mlir::Location loc,
      mlir::TypeRange arguments, int64_t threads,
      llvm::function_ref<void(GpuBuilder &, mlir::ValueRange)> body);

private:
  mlir::gpu::GPUModuleOp module;
  bool tf32;
  llvm::StringMap<mlir::gpu::GPUFuncOp> made;
};

/// Operation, attributes and types of operands as text: equal ones share
/// kernels.
std::string kernelKey(mlir::Operation *op);

/// The launches that do what `op` says, in their order; operations that make
/// the operands are added at `host`. Fails with an error at `op` where it can't
/// be done on a GPU.
mlir::LogicalResult launchDot(mlir::ImplicitLocOpBuilder &host,
                              kernel::DotOp op, KernelModule &module,
                              llvm::SmallVectorImpl<KernelLaunch> &launches);
mlir::LogicalResult
launchAttention(mlir::ImplicitLocOpBuilder &host, kernel::AttentionOp op,
                KernelModule &module,
                llvm::SmallVectorImpl<KernelLaunch> &launches);
mlir::LogicalResult
launchAttentionWeights(mlir::ImplicitLocOpBuilder &host,
                       kernel::AttentionWeightsOp op, KernelModule &module,
                       llvm::SmallVectorImpl<KernelLaunch> &launches);

} // namespace nax

#endif // NAX_LIB_CONVERSION_GPUKERNELS_GPUKERNELS_H
