//===- Shape.td - axes split, merged, cut and joined ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_OPS_SHAPE
#define NAX_OPS_SHAPE

include "nax/Dialect/Nax/IR/NaxTypes.td"

class Nax_ReshapeOp<string mnemonic> : Nax_Op<mnemonic> {
  let arguments = (ins Nax_Tensor:$x, Nax_AxisAttr:$axis);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $x `axis` $axis attr-dict `:` functional-type(operands, results)
  }];
}

def Nax_SplitOp : Nax_ReshapeOp<"split"> {
  let summary = "A product becomes its factors";
}

def Nax_MergeOp : Nax_ReshapeOp<"merge"> {
  let summary = "The factors of a product become the product";
}

def Nax_SpreadOp : Nax_ReshapeOp<"spread"> {
  let summary = "The same value at every position of a new axis";
}

def Nax_PartOp : Nax_Op<"part"> {
  let summary = "One piece of a concat";
  let arguments = (ins Nax_Tensor:$x, Nax_AxisAttr:$concat, Nax_AxisAttr:$part);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $x `concat` $concat `part` $part attr-dict `:`
    functional-type(operands, results)
  }];
}

def Nax_ConcatOp : Nax_Op<"concat"> {
  let summary = "The pieces of a concat, laid one after another";
  let arguments = (ins Variadic<Nax_Tensor>:$xs, Nax_AxisAttr:$axis);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $xs `axis` $axis attr-dict `:` functional-type(operands, results)
  }];
}

#endif // NAX_OPS_SHAPE
