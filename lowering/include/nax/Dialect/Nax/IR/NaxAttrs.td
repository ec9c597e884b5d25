//===- NaxAttrs.td - axes, rotations and kinds ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_ATTRS
#define NAX_ATTRS

include "nax/Dialect/Nax/IR/NaxDialect.td"

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

class Nax_Enum<string name, string summary, list<string> words>
    : I32EnumAttr<name, summary,
                  !foreach(i, !range(!size(words)),
                           I32EnumAttrCase<words[i], i>)> {
  let cppNamespace = "::nax";
  let genSpecializedAttr = 0;
}

def Nax_AxisKind : Nax_Enum<"AxisKind", "what an axis is",
    ["plain", "product", "concat", "positions", "causal", "read", "next"]>;
def Nax_AxisData : Nax_Enum<"AxisData", "which positions of a sequence there are",
    ["all", "ragged", "packed", "left_padded", "continued"]>;
def Nax_Pairing : Nax_Enum<"Pairing", "which two components rotate together",
    ["halves", "interleaved"]>;
def Nax_Is : Nax_Enum<"Is", "what the numbers of a tensor are",
    ["ids", "rotated", "scores", "weights", "logits", "mask", "losses"]>;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

class Nax_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Nax_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
  let genVerifyDecl = 1;
}

def Nax_AxisAttr : Nax_Attr<"Axis", "axis"> {
  let summary = "a named axis";
  let description = [{
    Two axes are the same exactly if their attributes are equal.

    ```mlir
    #B = #nax.axis<"B">                       // a size known when called
    #C = #nax.axis<"C", 576>
    #T = #nax.axis<"T", causal>               // position t may read s <= t
    #U = #nax.axis<"U", causal, 128, packed>
    #N = #nax.axis<"N", causal, continued>    // new positions after cached ones
    #P = #nax.axis<"P", positions, ragged>
    #H = #nax.axis<"H" = #K * #G>             // row-major product
    #QKV = #nax.axis<"QKV" = #A + #Bq>        // one after another
    #ReadT = #nax.axis<read #T>               // T in the role of being read
    #NextT = #nax.axis<next #T>               // holding what belongs to t + 1
    ```

    The size of a product, a concat, a read or a next axis follows from its
    parts and is never written. `read` and `next` carry their base's name.

    The positions of a continued axis stand after those that a cache has, a
    number of its own for each row. `nax-derive-decode` puts one in the place of
    a causal axis; its Read has the cached positions and the new ones.
  }];
  let parameters = (ins
    StringRefParameter<"as declared; of its base for read and next">:$name,
    "int64_t":$size,
    "::nax::AxisKind":$kind,
    "::nax::AxisData":$data,
    ArrayRefParameter<"::nax::AxisAttr",
      "factors of a product, pieces of a concat, the base of read and next">:$parts);
  let hasCustomAssemblyFormat = 1;

  let builders = [
    /// A plain axis or a sequence. The size is -1 if known only when called.
    AttrBuilder<(ins "::llvm::StringRef":$name,
                     CArg<"int64_t", "-1">:$size,
                     CArg<"::nax::AxisKind", "::nax::AxisKind::plain">:$kind,
                     CArg<"::nax::AxisData", "::nax::AxisData::all">:$data), [{
      return $_get($_ctxt, name, size, kind, data,
                   ::llvm::ArrayRef<::nax::AxisAttr>());
    }]>,
  ];

  let extraClassDeclaration = [{
    /// `name` = the product (or the concat) of `parts`, which are not empty.
    static AxisAttr getProduct(::llvm::StringRef name,
                               ::llvm::ArrayRef<AxisAttr> parts);
    static AxisAttr getConcat(::llvm::StringRef name,
                              ::llvm::ArrayRef<AxisAttr> parts);
    static AxisAttr getRead(AxisAttr sequence);
    static AxisAttr getNext(AxisAttr sequence);
    /// "T.span": where the new positions of a row of T begin and end.
    static AxisAttr getSpan(AxisAttr sequence);
    /// "T.cache", or "T.ring16" if only the last 16 positions are kept: the
    /// slots that a row of T has for what is read.
    static AxisAttr getSlots(AxisAttr sequence, int64_t ring = 0);

    bool isSequence() const {
      return getKind() == AxisKind::positions || getKind() == AxisKind::causal;
    }
    bool isProduct() const { return getKind() == AxisKind::product; }
    bool isConcat() const { return getKind() == AxisKind::concat; }
    bool isRead() const { return getKind() == AxisKind::read; }
    bool isNext() const { return getKind() == AxisKind::next; }
    /// T of Read<T> and Next<T>, the axis itself otherwise.
    AxisAttr getBase() const;
    /// Whether the base is causal.
    bool isCausal() const { return getBase().getKind() == AxisKind::causal; }
    /// Which positions the base has.
    AxisData getBaseData() const { return getBase().getData(); }
    /// Whether the base is new positions after those that a cache has.
    bool isContinued() const { return getBaseData() == AxisData::continued; }

    /// What follows from the parts; equals getSize().
    int64_t getStaticSize() const { return getSize(); }
    bool hasStaticSize() const { return getSize() >= 0; }

    /// "T", "Read<T>" or "Next<T>", as messages print it.
    std::string getLabel() const;
  }];
}

def Nax_RopeAttr : Nax_Attr<"Rope", "rope"> {
  let summary = "a rotary embedding";
  let description = [{
    The angle of pair i at position p is `(p / scaling) * base^(-2 i / dims)`.
    Only the first `dims` components rotate; 0 stands for all of them.

    ```mlir
    #rope = #nax.rope<base = 1.000000e+05, pairing = halves, scaling = 1.000000e+00, dims = 0>
    ```
  }];
  let parameters = (ins
    APFloatParameter<"">:$baseValue,
    "::nax::Pairing":$pairing,
    APFloatParameter<"">:$scalingValue,
    "int64_t":$dims);
  let builders = [
    AttrBuilder<(ins "double":$base, "::nax::Pairing":$pairing,
                     CArg<"double", "1.0">:$scaling,
                     CArg<"int64_t", "0">:$dims), [{
      return $_get($_ctxt, ::llvm::APFloat(base), pairing,
                   ::llvm::APFloat(scaling), dims);
    }]>,
  ];
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    double getBase() const { return getBaseValue().convertToDouble(); }
    double getScaling() const { return getScalingValue().convertToDouble(); }
  }];
}

def Nax_KindAttr : Nax_Attr<"Kind", "kind"> {
  let summary = "what the numbers of a tensor are";
  let description = [{
    | kind | its axes |
    | --- | --- |
    | `ids<#V>` | indices into V |
    | `rotated<#T, #D, #rope>` | queries or keys after rope over D by the positions of T (or Read<T>) |
    | `scores<#T, #ReadT, capped, biased, masked, causally>` | matches of what T asks with what ReadT offers, and what was done to them |
    | `weights<#ReadT>` | sum to 1 over ReadT |
    | `logits<#V>` | unnormalised, over V |
    | `mask<#T, #ReadT>`, `mask<every, #ReadT>` | true where the position may be read |
    | `losses<#T>` | one loss for each position of T that has a label |

    A type prints its kind without `#nax.kind`.
  }];
  let parameters = (ins
    "::nax::Is":$is,
    OptionalParameter<"::nax::AxisAttr">:$a,
    OptionalParameter<"::nax::AxisAttr">:$b,
    "uint32_t":$states,
    OptionalParameter<"::nax::RopeAttr">:$rope);
  let builders = [
    AttrBuilderWithInferredContext<(ins "::nax::Is":$is, "::nax::AxisAttr":$a), [{
      return $_get(a.getContext(), is, a, ::nax::AxisAttr(), 0u,
                   ::nax::RopeAttr());
    }]>,
  ];
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    static KindAttr getIds(AxisAttr vocabulary) {
      return get(Is::ids, vocabulary);
    }
    static KindAttr getLogits(AxisAttr vocabulary) {
      return get(Is::logits, vocabulary);
    }
    static KindAttr getWeights(AxisAttr along) {
      return get(Is::weights, along);
    }
    static KindAttr getLosses(AxisAttr sequence) {
      return get(Is::losses, sequence);
    }
    static KindAttr getRotated(AxisAttr positions, AxisAttr features,
                               RopeAttr rope);
    static KindAttr getScores(AxisAttr query, AxisAttr key,
                              uint32_t states = 0);
    /// `query` is null for a mask that is the same for every query.
    static KindAttr getMask(AxisAttr query, AxisAttr key);

    bool hasState(ScoreState state) const { return getStates() & state; }

    /// The kind as a type prints it: `scores<#T, #ReadT, masked>`.
    static ::mlir::FailureOr<KindAttr> parseBare(::mlir::AsmParser &parser,
                                                 ::llvm::StringRef word);
    void printBare(::mlir::AsmPrinter &printer) const;
  }];
}

//===----------------------------------------------------------------------===//
// Constraints for operations
//===----------------------------------------------------------------------===//

/// A list of axes; its accessor gives ArrayRef<AxisAttr>.
def Nax_AxesAttr : TypedArrayAttrBase<Nax_AxisAttr, "list of axes"> {
  let returnType = "::llvm::ArrayRef<::nax::AxisAttr>";
  let convertFromStorage = "::nax::axesOf($_self)";
  let constBuilderCall = "::nax::axesAttr($_builder.getContext(), $0)";
}

#endif // NAX_ATTRS
