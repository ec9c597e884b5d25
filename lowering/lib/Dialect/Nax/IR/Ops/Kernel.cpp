//===- Kernel.cpp - kernels on buffers: verifiers, syntax -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "nax/Conversion/WeightFormat.h"
#include "nax/Dialect/Nax/IR/Nax.h"

using namespace mlir;
using namespace nax;

static MemRefType memrefOf(Value value) {
  return cast<MemRefType>(value.getType());
}

/// Vectors are loaded and stored along the last dimension.
static LogicalResult expectAdjacentColumns(Operation *op, Value value,
                                           StringRef what) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(memrefOf(value).getStridesAndOffset(strides, offset)) ||
      strides.back() != 1)
    return op->emitOpError() << "expects adjacent columns in " << what
                             << ", but got " << value.getType();
  return success();
}

//===----------------------------------------------------------------------===//
// Dot
//===----------------------------------------------------------------------===//

/// A number for each column, or for each element of the result.
static LogicalResult verifyExtra(kernel::DotOp op, Value extra) {
  ArrayRef<int64_t> result = memrefOf(op.getC()).getShape();
  ArrayRef<int64_t> shape = memrefOf(extra).getShape();
  if (failed(verifyCompatibleShape(shape, result.take_back(shape.size()))) ||
      shape.back() != result.back())
    return op.emitOpError("expects an extra of ")
           << result.back() << " numbers, or of rows of as many, one for each "
           << "row of the result, but got " << extra.getType();
  return expectAdjacentColumns(op, extra, "each extra");
}

static LogicalResult verifyResult(kernel::DotOp op) {
  for (Value extra : op.getExtras())
    if (failed(verifyExtra(op, extra)))
      return failure();
  return expectAdjacentColumns(op, op.getC(), "the result");
}

/// Rows and matrix are of one type; narrower panels are widened.
static LogicalResult verifyTypes(kernel::DotOp op) {
  MemRefType matrix = memrefOf(op.getPanels());
  Type element = memrefOf(op.getA()).getElementType();
  Type result = memrefOf(op.getC()).getElementType();
  bool isWidened = matrix.getRank() > 2 && element.isF32();
  if ((matrix.getElementType() != element && !isWidened) ||
      (result != element && !result.isF32()))
    return op.emitOpError("expects a matrix of ")
           << element << " and a result of it or of f32, but got " << matrix
           << " and " << op.getC().getType();
  if (matrix.getRank() == 4 &&
      (!element.isF32() || !matrix.getElementType().isBF16()))
    return op.emitOpError("expects pairs of bf16 and rows of f32, but got ")
           << matrix << " and " << op.getA().getType();
  return success();
}

static LogicalResult verifyTransposed(kernel::DotOp op, int64_t n, int64_t k) {
  if (memrefOf(op.getPanels()).getShape() != ArrayRef({n, k}))
    return op.emitOpError("expects a matrix of ")
           << n << " rows of " << k << " numbers, but got "
           << op.getPanels().getType();
  return expectAdjacentColumns(op, op.getPanels(), "the matrix");
}

/// `panels` are N1, K, NR, or N1, pairs of K, NR, 2.
static LogicalResult verifyPanels(kernel::DotOp op, int64_t n, int64_t k) {
  ArrayRef<int64_t> panels = memrefOf(op.getPanels()).getShape();
  if (panels[2] <= 0 || panels[2] % 16 != 0)
    return op.emitOpError(
               "expects panels of a multiple of 16 columns, but got ")
           << panels[2];
  if (panels.size() == 4 &&
      (panels[3] != 2 || !memrefOf(op.getPanels()).getLayout().isIdentity()))
    return op.emitOpError("expects dense panels of pairs, but got ")
           << op.getPanels().getType();
  int64_t depth = panels.size() == 4 ? pairsOf(k) : k;
  if (depth != panels[1])
    return op.emitOpError("expects rows of ")
           << panels[1] << (panels.size() == 4 ? " pairs" : " numbers")
           << " as the panels have, but got " << k
           << (panels.size() == 4 ? " numbers" : "");
  if ((n + panels[2] - 1) / panels[2] != panels[0])
    return op.emitOpError("expects ")
           << (n + panels[2] - 1) / panels[2] << " panels for " << n
           << " columns, but got " << panels[0];
  return expectAdjacentColumns(op, op.getPanels(), "the panels");
}

/// `panels` are N1, K / block, bytes of a record.
static LogicalResult verifyQuantised(kernel::DotOp op) {
  std::optional<WeightFormat> format = WeightFormat::get(*op.getStored());
  if (!format || !format->isQuantised())
    return op.emitOpError("expects a quantised type that is stored, but got \"")
           << *op.getStored() << "\"";
  MemRefType a = memrefOf(op.getA()), c = memrefOf(op.getC());
  MemRefType panels = memrefOf(op.getPanels());
  if (!a.getElementType().isF32() || !c.getElementType().isF32())
    return op.emitOpError("expects rows and a result of f32 for quantised "
                          "panels, but got ")
           << a << " and " << c;
  int64_t k = a.getDimSize(1), n = c.getDimSize(1);
  if (ShapedType::isDynamic(k) || ShapedType::isDynamic(n))
    return op.emitOpError("expects static K, N and panels");
  if (k % format->block != 0)
    return op.emitOpError("expects rows of a multiple of ")
           << format->block << " numbers for " << format->name << ", but got "
           << k;
  bool areBytes = panels.getElementType().isInteger(8) &&
                  panels.getRank() == 3 && panels.hasStaticShape();
  int64_t nr = areBytes ? panels.getDimSize(2) / format->bytes : 0;
  if (nr == 0 || nr % 16 != 0 ||
      panels.getDimSize(2) != format->recordBytes(nr) ||
      panels.getDimSize(1) != k / format->block ||
      panels.getDimSize(0) != (n + nr - 1) / nr)
    return op.emitOpError("expects panels of ")
           << k / format->block << " records of " << format->bytes
           << " bytes for each of a multiple of 16 columns, but got " << panels;
  for (Value value : {op.getA(), op.getPanels()})
    if (failed(expectAdjacentColumns(op, value, "rows and panels")))
      return failure();
  return verifyResult(op);
}

LogicalResult kernel::DotOp::verify() {
  if (getEpilogue().empty() && !getExtras().empty())
    return emitOpError("expects an epilogue that reads its extras");
  if (getStored())
    return verifyQuantised(*this);
  if (getExact() || memrefOf(getPanels()).getElementType().isInteger(8))
    return emitOpError("expects `stored` to say what its panels are");
  if (failed(verifyTypes(*this)))
    return failure();
  ArrayRef<int64_t> panels = memrefOf(getPanels()).getShape();
  int64_t k = memrefOf(getA()).getDimSize(1);
  int64_t n = memrefOf(getC()).getDimSize(1);
  if (ShapedType::isDynamicShape(panels) || ShapedType::isDynamic(k) ||
      ShapedType::isDynamic(n))
    return emitOpError("expects static K, N and panels");
  if (failed(panels.size() == 2 ? verifyTransposed(*this, n, k)
                                : verifyPanels(*this, n, k)))
    return failure();
  return verifyResult(*this);
}

LogicalResult kernel::DotOp::verifyRegions() {
  if (getEpilogue().empty())
    return success();
  Block &body = getEpilogue().front();
  SmallVector<Type> wanted{Float32Type::get(getContext())};
  for (Value extra : getExtras())
    wanted.push_back(memrefOf(extra).getElementType());
  if (!llvm::equal(body.getArgumentTypes(), wanted))
    return emitOpError("expects an epilogue of (")
           << wanted << "), but got (" << body.getArgumentTypes() << ")";
  for (Operation &op : body.without_terminator())
    if (!op.hasTrait<OpTrait::ConstantLike>() &&
        (!OpTrait::hasElementwiseMappableTraits(&op) ||
         llvm::any_of(op.getOperandTypes(), llvm::IsaPred<ShapedType>)))
      return (emitOpError("expects an epilogue of arithmetic on numbers of one "
                          "element, but got ")
              << op.getName())
                 .attachNote(op.getLoc())
             << "it stands here";
  auto yield = dyn_cast<YieldOp>(body.empty() ? nullptr : &body.back());
  Type element = memrefOf(getC()).getElementType();
  if (!yield || yield.getValue().getType() != element)
    return emitOpError("expects an epilogue that ends with nax.yield of ")
           << element << " as the result has";
  return success();
}

//===----------------------------------------------------------------------===//
// Norm
//===----------------------------------------------------------------------===//

LogicalResult kernel::NormOp::verify() {
  if (getKind() != "rms" && getKind() != "layer")
    return emitOpError("expects the kind \"rms\" or \"layer\", but got \"")
           << getKind() << "\"";
  if (getKind() == "rms" && getShift())
    return emitOpError("expects no shift for the kind \"rms\"");
  int64_t c = memrefOf(getX()).getDimSize(1);
  if (ShapedType::isDynamic(c))
    return emitOpError("expects rows of a static size");
  if (memrefOf(getOut()).getDimSize(1) != c ||
      memrefOf(getGain()).getDimSize(0) != c ||
      (getShift() && memrefOf(getShift()).getDimSize(0) != c))
    return emitOpError("expects ") << c << " numbers in each operand's row";
  for (Value value : {getX(), getGain(), getShift(), getOut()})
    if (value && failed(expectAdjacentColumns(*this, value, "each operand")))
      return failure();
  return success();
}
