//===- Contract.td - parameters and contraction ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_OPS_CONTRACT
#define NAX_OPS_CONTRACT

include "nax/Dialect/Nax/IR/NaxTypes.td"

def Nax_ParamOp : Nax_Op<"param"> {
  let summary = "A parameter of the model, by its path";
  let arguments = (ins StrAttr:$name);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = "$name attr-dict `:` qualified(type($result))";
}

def Nax_DotOp : Nax_Op<"dot"> {
  let summary = "Sum of products over named axes";
  let arguments = (ins Nax_Tensor:$x, Nax_Tensor:$y, Nax_AxesAttr:$over);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $x `,` $y `over` $over attr-dict `:` functional-type(operands, results)
  }];
}

#endif // NAX_OPS_CONTRACT
