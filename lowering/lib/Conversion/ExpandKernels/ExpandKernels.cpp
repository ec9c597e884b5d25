//===- ExpandKernels.cpp - kernels become calls ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// One function for each different kernel, however often a model uses it: the
// time to compile then does not grow with the number of layers.
//
//===----------------------------------------------------------------------===//

#include "nax/Conversion/ExpandKernels.h"

#include "AttentionSpec.h"
#include "BodyKey.h"
#include "Epilogue.h"

#include "nax/Conversion/WeightFormat.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/TypeSwitch.h"

namespace nax {
#define GEN_PASS_DEF_EXPANDKERNELS
#include "nax/Conversion/ExpandKernels.h.inc"
} // namespace nax

using namespace mlir;
using namespace nax;

namespace {

int64_t lastSize(Value memref) {
  return cast<MemRefType>(memref.getType()).getShape().back();
}

std::string panelsOf(kernel::DotOp dot) {
  auto type = cast<MemRefType>(dot.getPanels().getType());
  std::string width = "_NR" + std::to_string(type.getDimSize(2));
  if (type.getRank() == 4)
    return width + "_pairs";
  Type element = type.getElementType();
  return width + (element.isF16() ? "_f16" : element.isBF16() ? "_bf16" : "");
}

/// A name that a person finds in a profile.
std::string nameOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::string>(op)
      .Case([](kernel::DotOp dot) {
        std::string name =
            dot.getStored()
                ? "nax_dot_K" + std::to_string(lastSize(dot.getA())) + "_N" +
                      std::to_string(lastSize(dot.getC())) + "_" +
                      dot.getStored()->str()
                : "nax_dot" + panelsOf(dot);
        return name + (dot.getEpilogue().empty() ? "" : "_epilogue");
      })
      .Case([](kernel::NormOp norm) {
        return "nax_" + norm.getKind().str() + "_norm_C" +
               std::to_string(lastSize(norm.getX()));
      })
      .Case([](kernel::AttentionOp op) {
        return std::string(op.getCausal() ? "nax_causal_attention_D"
                                          : "nax_attention_D") +
               std::to_string(AttentionSpec::get(op).components);
      })
      .Case([](kernel::AttentionWeightsOp op) {
        return "nax_attention_weights_D" +
               std::to_string(AttentionSpec::get(op).components);
      });
}

class Expansion {
public:
  Expansion(ModuleOp module, const CpuTarget &cpu)
      : module(module), symbols(module), cpu(cpu) {}

  LogicalResult expand(Operation *op) {
    auto caller = op->getParentOfType<FunctionOpInterface>();
    if (!caller || caller.getNumArguments() == 0 ||
        !isa<LLVM::LLVMPointerType>(caller.getArgument(0).getType()))
      return op->emitOpError("expects the function around it to take the "
                             "context, a !llvm.ptr, as its first argument");
    if (op->getParentOfType<ParallelOp>())
      return op->emitOpError("expects not to stand in a nax.parallel");

    if (failed(checkTypes(op)) || failed(checkScratch(op)))
      return failure();

    SmallVector<Value> operands{caller.getArgument(0)};
    llvm::append_range(operands, argumentsOf(op));
    OpBuilder b(op);
    func::CallOp::create(b, op->getLoc(), functionFor(op, operands), operands);
    op->erase();
    return success();
  }

private:
  static Values argumentsOf(Operation *op) {
    auto dot = dyn_cast<kernel::DotOp>(op);
    if (!dot)
      return Values(op->getOperands());
    // What is computed of sizes is for those of quantised panels static.
    Values arguments = llvm::map_to_vector(op->getOperands(), [&](Value value) {
      return dot.getStored() ? value : ofAnySize(value);
    });
    llvm::append_range(arguments, capturesOf(dot));
    return arguments;
  }

  /// The same buffer without its sizes, but those of a panel's columns.
  static Value ofAnySize(Value value) {
    auto type = cast<MemRefType>(value.getType());
    SmallVector<int64_t> shape(type.getShape());
    llvm::fill(MutableArrayRef(shape).take_front(2), ShapedType::kDynamic);
    MemRefLayoutAttrInterface layout = type.getLayout();
    if (auto strided = dyn_cast<StridedLayoutAttr>(layout)) {
      SmallVector<int64_t> strides(shape.size(), ShapedType::kDynamic);
      strides.back() = 1;
      layout = StridedLayoutAttr::get(type.getContext(), ShapedType::kDynamic,
                                      strides);
    }
    OpBuilder b(value.getContext());
    b.setInsertionPointAfterValue(value);
    return b.createOrFold<memref::CastOp>(
        value.getLoc(), MemRefType::get(shape, type.getElementType(), layout),
        value);
  }

  /// Other types and matrices without panels are a GPU's.
  LogicalResult checkTypes(Operation *op) {
    auto dot = dyn_cast<kernel::DotOp>(op);
    for (Value operand : op->getOperands())
      if (Type element = cast<MemRefType>(operand.getType()).getElementType();
          isa<FloatType>(element) && !element.isF32() &&
          !(dot && operand == dot.getPanels()))
        return op->emitOpError("expects f32 on a CPU, but got ")
               << operand.getType();
    if (dot && (failed(checkPanels(dot)) || failed(checkEpilogue(dot))))
      return failure();
    auto attention = dyn_cast<kernel::AttentionOp>(op);
    if (attention && attention.getCosines())
      return op->emitOpError("expects queries on a CPU that are rotated "
                             "already; rotate them in a loop of their own");
    return success();
  }

  LogicalResult checkPanels(kernel::DotOp dot) {
    auto panels = cast<MemRefType>(dot.getPanels().getType());
    if (panels.getRank() == 2)
      return dot.emitOpError("expects panels on a CPU, but got ") << panels;
    if (!panels.getLayout().isIdentity())
      return dot.emitOpError("expects dense panels on a CPU, but got ")
             << panels;
    if (panels.getRank() == 4 && !cpu.hasBf16)
      return dot.emitOpError("expects panels without pairs at CPU level ")
             << cpu.name << ", which has no products of bf16, but got "
             << panels;
    if (panels.getRank() == 4 && cpu.hasTiles &&
        panels.getDimSize(2) != kPairColumns)
      return dot.emitOpError("expects pairs of ")
             << kPairColumns << " columns at CPU level " << cpu.name
             << ", but got " << panels;
    if (dotScratchPerRow(dot) > 0 && !dot.getScratch())
      return dot.emitOpError("expects ")
             << dotScratchPerRow(dot) << " bytes of scratch for each row";
    return success();
  }

  /// A size that is known only when called is the caller's to get right.
  LogicalResult checkScratch(Operation *op) {
    int64_t needed = kernelScratchBytes(op);
    if (needed == 0)
      return success();
    Value scratch;
    if (auto attention = dyn_cast<kernel::AttentionOp>(op))
      scratch = attention.getScratch();
    else
      scratch = cast<kernel::AttentionWeightsOp>(op).getScratch();
    if (!scratch)
      return op->emitOpError("expects ") << needed << " bytes of scratch";
    int64_t given = cast<MemRefType>(scratch.getType()).getDimSize(0);
    if (!ShapedType::isDynamic(given) && given < needed)
      return op->emitOpError("expects ")
             << needed << " bytes of scratch, but got " << given;
    return success();
  }

  func::FuncOp functionFor(Operation *op, ValueRange operands) {
    std::string key;
    llvm::raw_string_ostream os(key);
    os << op->getName() << op->getAttrDictionary();
    llvm::interleaveComma(operands.getTypes(), os);
    if (auto dot = dyn_cast<kernel::DotOp>(op)) {
      os << bodyKey(dot.getEpilogue());
      // Columns of a last panel, and of rows what whole vectors leave.
      auto panels = cast<MemRefType>(dot.getPanels().getType());
      os << lastSize(dot.getC()) % panels.getDimSize(2);
      if (panels.getRank() == 4)
        os << ' ' << lastSize(dot.getA()) % kPairDepth;
    }
    func::FuncOp &function = made[key];
    if (!function)
      function = makeFunction(op, operands.getTypes());
    return function;
  }

  func::FuncOp makeFunction(Operation *op, TypeRange inputs) {
    MLIRContext *context = op->getContext();
    auto function = func::FuncOp::create(
        op->getLoc(), nameOf(op), FunctionType::get(context, inputs, {}));
    function.setPrivate();
    function->setAttr("llvm.linkage",
                      LLVM::LinkageAttr::get(context, LLVM::Linkage::Internal));
    symbols.insert(function); // makes the name unique

    KernelBuilder b(op->getLoc(), context);
    b.setInsertionPointToStart(function.addEntryBlock());
    ValueRange args = function.getArguments().drop_front();
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](kernel::DotOp dot) {
          dot.getStored() ? emitDotQuantised(b, dot, args, cpu)
                          : emitDot(b, dot, args, cpu);
        })
        .Case([&](kernel::NormOp norm) { emitNorm(b, norm, args); })
        .Case([&](kernel::AttentionOp attention) {
          emitAttention(b, attention, args, cpu);
        })
        .Case([&](kernel::AttentionWeightsOp weights) {
          emitAttentionWeights(b, weights, args, cpu);
        });
    func::ReturnOp::create(b);
    return function;
  }

  ModuleOp module;
  SymbolTable symbols;
  const CpuTarget &cpu;
  llvm::StringMap<func::FuncOp> made;
};

struct ExpandKernels final : nax::impl::ExpandKernelsBase<ExpandKernels> {
  using ExpandKernelsBase::ExpandKernelsBase;

  void runOnOperation() override {
    std::optional<CpuTarget> target = CpuTarget::get(cpu);
    if (!target) {
      getOperation().emitError() << "expects the CPU level " << CpuTarget::names
                                 << ", but got " << cpu;
      return signalPassFailure();
    }
    SmallVector<Operation *> kernels;
    getOperation().walk([&](Operation *op) {
      if (isa<kernel::DotOp, kernel::NormOp, kernel::AttentionOp,
              kernel::AttentionWeightsOp>(op))
        kernels.push_back(op);
    });
    Expansion expansion(getOperation(), *target);
    for (Operation *op : kernels)
      if (failed(expansion.expand(op)))
        return signalPassFailure();
  }
};

} // namespace
