//===- Attention.td - from queries and keys to mixed values ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_OPS_ATTENTION
#define NAX_OPS_ATTENTION

include "nax/Dialect/Nax/IR/NaxTypes.td"

def Nax_ReadOp : Nax_Op<"read"> {
  let summary = "The same values in the role of being read";
  let arguments = (ins Nax_Tensor:$x, Nax_AxisAttr:$axis);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $x `along` $axis attr-dict `:` functional-type(operands, results)
  }];
}

def Nax_ScoresOp : Nax_Op<"scores"> {
  let summary = "How well each query matches each key";
  let arguments = (ins Nax_Tensor:$q, Nax_Tensor:$k, Nax_AxisAttr:$over,
                       F64Attr:$scale);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $q `,` $k `over` $over `scale` $scale attr-dict `:`
    functional-type(operands, results)
  }];
}

def Nax_SoftcapOp : Nax_Op<"softcap"> {
  let summary = "Keep scores within (-cap, cap) by cap * tanh(s / cap)";
  let arguments = (ins Nax_Tensor:$s, F64Attr:$cap);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $s `at` $cap attr-dict `:` functional-type(operands, results)
  }];
}

def Nax_BiasOp : Nax_Op<"bias"> {
  let summary = "Add numbers to scores";
  let arguments = (ins Nax_Tensor:$s, Nax_Tensor:$b);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $s `,` $b attr-dict `:` functional-type(operands, results)
  }];
}

def Nax_AlibiOp : Nax_Op<"alibi"> {
  let summary = "Add a penalty that grows with distance, a slope for each head";
  let arguments = (ins Nax_Tensor:$s, Nax_AxesAttr:$heads);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $s `heads` $heads attr-dict `:` functional-type(operands, results)
  }];
}

def Nax_CausalMaskOp : Nax_Op<"causal_mask"> {
  let summary = "Let position t read only s <= t";
  let arguments = (ins Nax_Tensor:$s);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = "$s attr-dict `:` functional-type(operands, results)";
}

def Nax_MaskOp : Nax_Op<"mask"> {
  let summary = "Let scores count only where a mask is true";
  let arguments = (ins Nax_Tensor:$s, Nax_Tensor:$m);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $s `,` $m attr-dict `:` functional-type(operands, results)
  }];
}

def Nax_SoftmaxOp : Nax_Op<"softmax"> {
  let summary = "Weights that sum to 1 along an axis";
  let arguments = (ins Nax_Tensor:$x, Optional<Nax_Tensor>:$data,
                       Nax_AxisAttr:$along);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $x (`data` $data^)? `along` $along attr-dict `:`
    functional-type(operands, results)
  }];
}

def Nax_ValuesOp : Nax_Op<"values"> {
  let summary = "Weights, logits or losses as plain numbers";
  let arguments = (ins Nax_Tensor:$x);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = "$x attr-dict `:` functional-type(operands, results)";
}

//===----------------------------------------------------------------------===//
// Made by nax-fuse-attention
//===----------------------------------------------------------------------===//

def Nax_AttentionOp : Nax_Op<"attention", [AttrSizedOperandSegments]> {
  let summary = "Scores, masks, softmax and the mixing of values in one";
  let arguments = (ins Nax_Tensor:$q, Nax_Tensor:$k, Nax_Tensor:$v,
                       Optional<Nax_Tensor>:$bias, Optional<Nax_Tensor>:$mask,
                       Optional<Nax_Tensor>:$data, Nax_AxisAttr:$over,
                       Nax_AxisAttr:$along, F64Attr:$scale,
                       OptionalAttr<F64Attr>:$cap,
                       OptionalAttr<Nax_AxesAttr>:$alibi, UnitAttr:$causal);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $q `,` $k `,` $v (`bias` $bias^)? (`mask` $mask^)? (`data` $data^)?
    `over` $over `along` $along `scale` $scale (`cap` $cap^)?
    (`alibi` $alibi^)? (`causal` $causal^)? attr-dict `:`
    functional-type(operands, results)
  }];
}

def Nax_AttentionWeightsOp
    : Nax_Op<"attention_weights", [AttrSizedOperandSegments]> {
  let summary = "The weights of an attention, where a model asks for them";
  let arguments = (ins Nax_Tensor:$q, Nax_Tensor:$k,
                       Optional<Nax_Tensor>:$bias, Optional<Nax_Tensor>:$mask,
                       Optional<Nax_Tensor>:$data, Nax_AxisAttr:$over,
                       Nax_AxisAttr:$along, F64Attr:$scale,
                       OptionalAttr<F64Attr>:$cap,
                       OptionalAttr<Nax_AxesAttr>:$alibi, UnitAttr:$causal);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $q `,` $k (`bias` $bias^)? (`mask` $mask^)? (`data` $data^)?
    `over` $over `along` $along `scale` $scale (`cap` $cap^)?
    (`alibi` $alibi^)? (`causal` $causal^)? attr-dict `:`
    functional-type(operands, results)
  }];
}

#endif // NAX_OPS_ATTENTION
