//===- Loss.td - labels and losses ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_OPS_LOSS
#define NAX_OPS_LOSS

include "nax/Dialect/Nax/IR/NaxTypes.td"

def Nax_LogitsOp : Nax_Op<"logits"> {
  let summary = "Plain numbers as logits";
  let arguments = (ins Nax_Tensor:$x, Nax_AxisAttr:$over);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $x `over` $over attr-dict `:` functional-type(operands, results)
  }];
}

def Nax_NextOp : Nax_Op<"next"> {
  let summary = "The ids that each position should predict";
  let arguments = (ins Nax_Tensor:$ids, Optional<Nax_Tensor>:$data,
                       Nax_AxisAttr:$axis);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $ids (`data` $data^)? `along` $axis attr-dict `:`
    functional-type(operands, results)
  }];
}

def Nax_CrossEntropyOp : Nax_Op<"cross_entropy"> {
  let summary = "Minus the log of the probability of each label";
  let arguments = (ins Nax_Tensor:$logits, Nax_Tensor:$labels,
                       Optional<Nax_Tensor>:$data, Nax_AxisAttr:$over);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $logits `,` $labels (`data` $data^)? `over` $over attr-dict `:`
    functional-type(operands, results)
  }];
}

#endif // NAX_OPS_LOSS
