//===- NaxTypes.td - the tensor type --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_TYPES
#define NAX_TYPES

include "nax/Dialect/Nax/IR/NaxAttrs.td"

def Nax_Tensor : TypeDef<Nax_Dialect, "Tensor"> {
  let mnemonic = "tensor";
  let summary = "a tensor whose axes have names";
  let description = [{
    ```mlir
    !nax.tensor<[#B, #T, #C], f32>                            // numbers
    !nax.tensor<[#B, #T], i32, ids<#V>>
    !nax.tensor<[#B, #T, #H, #ReadT], f32, scores<#T, #ReadT, causally>>
    !nax.tensor<[#B, #C], f32, whole #T>   // has seen every position of T
    !nax.tensor<[], f32>                   // one number
    ```

    The elements are f64, f32, f16, bf16, i32, i64 or i1 (true or false).
    A value that is `whole` for a causal T may meet nothing that carries T.
  }];
  let parameters = (ins
    ArrayRefParameter<"::nax::AxisAttr">:$axes,
    "::mlir::Type":$elementType,
    OptionalParameter<"::nax::KindAttr">:$kind,
    OptionalParameter<"::nax::AxisAttr">:$whole);
  let builders = [
    TypeBuilderWithInferredContext<(ins
        "::llvm::ArrayRef<::nax::AxisAttr>":$axes,
        "::mlir::Type":$elementType,
        CArg<"::nax::KindAttr", "{}">:$kind,
        CArg<"::nax::AxisAttr", "{}">:$whole), [{
      return $_get(elementType.getContext(), axes, elementType, kind, whole);
    }]>,
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return getAxes().size(); }
    /// The position of `axis`, or -1.
    int64_t indexOf(AxisAttr axis) const;
    bool has(AxisAttr axis) const { return indexOf(axis) >= 0; }
    /// Alias of getElementType, as the language calls it.
    ::mlir::Type getNumber() const { return getElementType(); }
    bool is(Is what) const { return getKind() && getKind().getIs() == what; }
    /// Plain numbers, or true and false.
    bool isPlain() const { return !getKind(); }

    TensorType withAxes(::llvm::ArrayRef<AxisAttr> axes) const;
    TensorType withKind(KindAttr kind) const;
    TensorType withWhole(AxisAttr whole) const;
    TensorType withElementType(::mlir::Type elementType) const;

    /// "scores [B,T,Read<T>]", as messages print it.
    std::string getLabel() const;
  }];
}

#endif // NAX_TYPES
