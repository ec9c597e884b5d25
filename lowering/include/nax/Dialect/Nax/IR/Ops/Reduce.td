//===- Reduce.td - axes that go away --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_OPS_REDUCE
#define NAX_OPS_REDUCE

include "nax/Dialect/Nax/IR/NaxTypes.td"

class Nax_ReduceOp<string mnemonic> : Nax_Op<mnemonic> {
  let arguments = (ins Nax_Tensor:$x, Optional<Nax_Tensor>:$data,
                       Nax_AxesAttr:$over);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $x (`data` $data^)? `over` $over attr-dict `:`
    functional-type(operands, results)
  }];
}

def Nax_SumOp : Nax_ReduceOp<"sum"> {
  let summary = "Sum over axes";
}

def Nax_MeanOp : Nax_ReduceOp<"mean"> {
  let summary = "Mean over axes";
}

def Nax_MaxOp : Nax_ReduceOp<"max"> {
  let summary = "Largest value over axes";
}

class Nax_EndOp<string mnemonic> : Nax_Op<mnemonic> {
  let arguments = (ins Nax_Tensor:$x, Optional<Nax_Tensor>:$data,
                       Nax_AxisAttr:$axis);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $x (`data` $data^)? `of` $axis attr-dict `:`
    functional-type(operands, results)
  }];
}

def Nax_LastOp : Nax_EndOp<"last"> {
  let summary = "The last position of each row";
}

def Nax_FirstOp : Nax_EndOp<"first"> {
  let summary = "The first position of each row";
}

def Nax_ArgmaxOp : Nax_Op<"argmax"> {
  let summary = "The index of the largest value";
  let arguments = (ins Nax_Tensor:$x, Nax_AxisAttr:$over);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $x `over` $over attr-dict `:` functional-type(operands, results)
  }];
}

def Nax_TopKOp : Nax_Op<"top_k"> {
  let summary = "The indices of the k largest values, largest first";
  let arguments = (ins Nax_Tensor:$x, Nax_AxisAttr:$over, Nax_AxisAttr:$k);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $x `over` $over `to` $k attr-dict `:` functional-type(operands, results)
  }];
}

#endif // NAX_OPS_REDUCE
