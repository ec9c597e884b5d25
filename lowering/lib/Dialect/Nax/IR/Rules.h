//===- Rules.h - what verifiers share ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// A verifier describes its operands, asks the rule that the language asks too
// and reports its sentence, then compares the result with what it must be.
//
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_DIALECT_NAX_IR_RULES_H
#define NAX_LIB_DIALECT_NAX_IR_RULES_H

#include "nax/Dialect/Nax/IR/Nax.h"
#include "nax/rules.h"

namespace nax::checks {

//===----------------------------------------------------------------------===//
// Descriptions
//===----------------------------------------------------------------------===//

rule::Ax describe(AxisAttr axis);
llvm::SmallVector<rule::Ax, 4> describe(llvm::ArrayRef<AxisAttr> axes);
Rope describe(RopeAttr rope);
/// "f32", "boolean", as the language calls an element type.
llvm::StringRef nameOf(mlir::Type elementType);

/// What the type of a tensor says or should say. Unlike a type it may be
/// impossible, as the result of an operation that is wrong can be.
struct Wanted {
  Wanted(llvm::ArrayRef<AxisAttr> axes, mlir::Type elementType,
         KindAttr kind = {}, AxisAttr whole = {})
      : axes(axes), elementType(elementType), kind(kind), whole(whole) {}
  Wanted(TensorType type)
      : Wanted(type.getAxes(), type.getElementType(), type.getKind(),
               type.getWhole()) {}

  Wanted withAxes(llvm::ArrayRef<AxisAttr> axes) const {
    return {axes, elementType, kind, whole};
  }
  Wanted withElementType(mlir::Type elementType) const {
    return {axes, elementType, kind, whole};
  }
  Wanted withKind(KindAttr kind) const {
    return {axes, elementType, kind, whole};
  }
  Wanted withWhole(AxisAttr whole) const {
    return {axes, elementType, kind, whole};
  }

  llvm::SmallVector<AxisAttr, 6> axes;
  mlir::Type elementType;
  KindAttr kind;
  AxisAttr whole;
};

/// The description of a tensor, valid as long as this lives.
class Described {
public:
  explicit Described(const Wanted &type, bool isParameter = false);
  explicit Described(mlir::TypedValue<TensorType> value);

  Described(const Described &) = delete;
  Described &operator=(const Described &) = delete;

  operator const rule::TensorInfo &() const { return info; }
  const rule::TensorInfo *get() const { return &info; }

private:
  llvm::SmallVector<rule::Ax, 6> axes;
  rule::TensorInfo info;
};

//===----------------------------------------------------------------------===//
// Verdicts
//===----------------------------------------------------------------------===//

/// Success if a rule has nothing to say; else an error in its words, with notes
/// at the operations that made the operands it speaks of.
llvm::LogicalResult obey(mlir::Operation *op, const rule::Text &sentence);

/// Whether the one result is of the type it must be, in any order of its axes,
/// which matters only in memory. One number may drop that it has seen a whole
/// sequence: it stands nowhere any more.
llvm::LogicalResult expectResult(mlir::Operation *op, const Wanted &wanted);

/// "left-padded" for left_padded, as messages have it.
std::string adjectiveOf(AxisData data);

/// Whether `type` is the span of a continued axis: i32 on rows and then on the
/// axis of its start and end.
bool isSpan(TensorType type, AxisAttr sequence);

/// Whether the `data` operand of an operation on `x` fits `axis`, a sequence or
/// its Read or Next: i32 numbers that stand on T if it is packed and not if it
/// is ragged or left-padded. It must be there if `needed` names the axis's
/// data. Of a continued axis, operations that count its positions take these,
/// those that look along it take its span, and others are refused.
llvm::LogicalResult verifyData(mlir::Operation *op, mlir::Value data,
                               AxisAttr axis, const Wanted &x,
                               llvm::ArrayRef<AxisData> needed);
/// The same where several axes of `x` go away, one of which may have data.
llvm::LogicalResult verifyCounted(mlir::Operation *op, mlir::Value data,
                                  llvm::ArrayRef<AxisAttr> over,
                                  const Wanted &x,
                                  llvm::ArrayRef<AxisData> needed);

/// Whether a constant is finite and, if asked, positive.
llvm::LogicalResult verifyConstant(mlir::Operation *op, llvm::StringRef name,
                                   const llvm::APFloat &value,
                                   bool positive = false);

//===----------------------------------------------------------------------===//
// Types of results
//===----------------------------------------------------------------------===//

llvm::SmallVector<AxisAttr> less(llvm::ArrayRef<AxisAttr> axes,
                                 llvm::ArrayRef<AxisAttr> gone);
/// The axes of x, then those that only y has.
llvm::SmallVector<AxisAttr> joined(llvm::ArrayRef<AxisAttr> x,
                                   llvm::ArrayRef<AxisAttr> y);
/// `axes` with `by` in the place of `axis`.
llvm::SmallVector<AxisAttr> replaced(llvm::ArrayRef<AxisAttr> axes,
                                     AxisAttr axis,
                                     llvm::ArrayRef<AxisAttr> by);
inline AxisAttr joinedWhole(const Wanted &x, const Wanted &y) {
  return x.whole ? x.whole : y.whole;
}
/// What has been seen whole after summing over `axes`: what was so before, else
/// the first causal sequence among them.
AxisAttr wholeAfter(AxisAttr whole, llvm::ArrayRef<AxisAttr> axes);

} // namespace nax::checks

#endif // NAX_LIB_DIALECT_NAX_IR_RULES_H
