//===- Loops.h - linalg loops as kernels see them ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Private to this folder. Loops that lie side by side in every operand are
// merged into one group, which counts their elements: what a thread has to
// divide is then as little as can be.
//
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_CONVERSION_GPUKERNELS_LOOPS_H
#define NAX_LIB_CONVERSION_GPUKERNELS_LOOPS_H

#include "GpuKernels.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace nax {

/// Values from around a region that it uses; constants are made anew in it.
struct Captures {
  llvm::SmallVector<mlir::Value> memrefs, numbers;

  /// Memory that the operation has as an operand, too, is no capture of it.
  static Captures get(mlir::Region &region);
  void addTo(KernelOperands &operands) const;
};

/// Copies of a body on single elements.
class BodyCloner {
public:
  /// `views` and `numbers` are of the captures, in their order.
  BodyCloner(GpuBuilder &b, const Captures &captures,
             llvm::ArrayRef<GlobalView> views, mlir::ValueRange numbers);

  /// Makes an operand's memory known, which a body may load, too.
  void know(mlir::Value memref, const GlobalView &view) {
    views[memref] = &view;
  }

  /// Copies `body` with these arguments and values of linalg.index (of type
  /// index; null where unused). The terminator's operands are returned.
  Values clone(mlir::Block &body, mlir::ValueRange args,
               llvm::ArrayRef<mlir::Value> indices = {});

private:
  mlir::Value replacement(mlir::Operation *op,
                          llvm::ArrayRef<mlir::Value> indices,
                          mlir::IRMapping &map);
  mlir::Value address(mlir::Value memref, mlir::ValueRange indices);
  void mapConstants(mlir::Operation *op, mlir::IRMapping &map);

  GpuBuilder &b;
  llvm::DenseMap<mlir::Value, const GlobalView *> views;
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>> numbers;
};

/// One operand of loops. A number, such as what a fill writes, has no type.
struct LoopAccess {
  mlir::Value operand;
  mlir::MemRefType type;
  mlir::AffineMap map;
  bool isUsed = true; ///< whether the body looks at it

  /// Where the loop stands in the operand's dimensions, or -1.
  int64_t dimOf(unsigned loop) const;
  /// Elements between two steps of the loop: 0 where it is no dimension,
  /// ShapedType::kDynamic where that is known when called.
  int64_t strideOf(unsigned loop) const;
};

/// Neighbouring loops, outer ones first, counted together.
using LoopGroup = llvm::SmallVector<unsigned, 4>;

struct LoopNest {
  mlir::linalg::LinalgOp op;
  llvm::SmallVector<LoopAccess> ins, outs;
  llvm::SmallVector<unsigned> parallel, reduced;
  llvm::SmallVector<int64_t> sizes; ///< or ShapedType::kDynamic

  /// Fails with an error where an operand is not indexed by single loops.
  static mlir::FailureOr<LoopNest> get(mlir::linalg::LinalgOp op);

  mlir::Block &body() const { return op->getRegion(0).front(); }
  bool usesIndex(unsigned loop) const;
  /// The loops in groups; the innermost last.
  llvm::SmallVector<LoopGroup> groups(llvm::ArrayRef<unsigned> loops) const;
  /// The product of the group's static sizes.
  int64_t staticProduct(const LoopGroup &group) const;
  /// How many elements a thread takes at once along the group: the most for
  /// which every operand that moves with it has one aligned access of at most
  /// 16 bytes, else 1.
  int64_t vectorWidth(const LoopGroup &group,
                      llvm::ArrayRef<LoopAccess> accesses) const;
  /// On the host: the elements of all `loops`, of type index.
  mlir::Value count(mlir::ImplicitLocOpBuilder &host,
                    llvm::ArrayRef<unsigned> loops) const;
  void addTo(KernelOperands &operands) const;

private:
  bool canMerge(unsigned outer, unsigned inner) const;
};

/// The same loops inside of a kernel.
class KernelLoops {
public:
  /// `views` begins with those of the operands that are memrefs, `numbers` with
  /// the others; both are cut off.
  KernelLoops(GpuBuilder &b, const LoopNest &nest,
              llvm::ArrayRef<GlobalView> &views, mlir::ValueRange &numbers);

  void tell(BodyCloner &bodies) const {
    for (auto &[memref, view] : views)
      bodies.know(memref, view);
  }

  /// The elements of a group, i64.
  mlir::Value size(const LoopGroup &group) const;
  mlir::Value size(unsigned loop) const { return sizes[loop]; } ///< i32

  /// Where a thread stands: a value for each loop that has one, i64. The first
  /// of a merged group's loops has 0, the last one counts for all of them.
  using Position = llvm::SmallVector<mlir::Value>;
  /// Number `linear` (i64) of the elements of `groups`, written to `at`.
  void place(mlir::Value linear, llvm::ArrayRef<LoopGroup> groups,
             Position &at) const;
  Position start() const { return Position(sizes.size()); }

  /// The elements from `at` on along `loop`, `width` of them; one value for all
  /// of an operand that does not move with the loop.
  Values load(const LoopAccess &access, const Position &at, unsigned loop,
              int64_t width) const;
  void store(mlir::ValueRange elements, const LoopAccess &access,
             const Position &at) const;
  mlir::Value address(const LoopAccess &access, const Position &at) const;
  /// The values of linalg.index, `lane` elements further along `loop`.
  llvm::SmallVector<mlir::Value> indices(const Position &at, unsigned loop,
                                         int64_t lane) const;

private:
  GpuBuilder &b;
  const LoopNest &nest;
  llvm::DenseMap<mlir::Value, GlobalView> views;
  llvm::DenseMap<mlir::Value, mlir::Value> numbers;
  llvm::SmallVector<mlir::Value> sizes;
};

} // namespace nax

#endif // NAX_LIB_CONVERSION_GPUKERNELS_LOOPS_H
