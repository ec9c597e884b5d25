//===- NaxDialect.td - the dialect and the base of its operations ---------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_DIALECT
#define NAX_DIALECT

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Nax_Dialect : Dialect {
  let name = "nax";
  let summary = "Tensors with named axes, and the operations of transformers";
  let description = [{
    A value of type `!nax.tensor<[#B, #T, #C], f32>` has one axis per name.
    Operations name the axes they act on and never count them, so that the order
    of axes matters only at a function's boundary.

    Documentation gives the axes of a result in the order that is natural for
    the operation. An operation may give them in any other order, which is how a
    value gets the order that a function's result has in memory. Only where a
    result must be of the type of an operand is there no choice.

    What may be done to a value is said by its kind (ids, scores, weights, ...),
    and causality by its axes: position t of a causal axis T reaches another
    position only through `nax.read`.
  }];
  let cppNamespace = "::nax";
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;

  let extraClassDeclaration = [{
    /// The descriptions of axes that the shared rules compare by address: one
    /// for each AxisAttr of a context, made on first use.
    detail::AxisTable &getAxisTable() { return *axisTable; }

    /// The version of the form that modules are exchanged in.
    static constexpr int64_t getFormat() { return 1; }

    /// Attributes of functions, arguments and modules (lowering/README.md).
    static constexpr ::llvm::StringLiteral getEntryAttrName() {
      return "nax.entry";
    }
    static constexpr ::llvm::StringLiteral getNameAttrName() {
      return "nax.name";
    }
    static constexpr ::llvm::StringLiteral getDataAttrName() {
      return "nax.data";
    }
    static constexpr ::llvm::StringLiteral getParamAttrName() {
      return "nax.param";
    }
    /// Of an entry: a step is derived from it; of what was derived: which entry
    /// it continues, or what of it is computed before the first step.
    static constexpr ::llvm::StringLiteral getDecodeAttrName() {
      return "nax.decode";
    }
    static constexpr ::llvm::StringLiteral getStepAttrName() {
      return "nax.step";
    }
    static constexpr ::llvm::StringLiteral getBeginAttrName() {
      return "nax.begin";
    }
    /// Of arguments: the span of a continued axis; what a cache keeps.
    static constexpr ::llvm::StringLiteral getSpanAttrName() {
      return "nax.span";
    }
    static constexpr ::llvm::StringLiteral getCacheAttrName() {
      return "nax.cache";
    }

  private:
    void registerAttributes();
    void registerTypes();
    void registerOperations();

    std::unique_ptr<detail::AxisTable, detail::AxisTableDeleter> axisTable;

  public:
  }];
}

/// Every operation on tensors is pure: which position of a sequence it reads is
/// part of its operands, never of a state. (But for what keeps a cache.)
class Nax_Op<string mnemonic, list<Trait> traits = []>
    : Op<Nax_Dialect, mnemonic, !listconcat([Pure], traits)> {
  let hasVerifier = 1;
}

#endif // NAX_DIALECT
