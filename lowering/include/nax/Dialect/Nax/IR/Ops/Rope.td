//===- Rope.td - rotary positions -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_OPS_ROPE
#define NAX_OPS_ROPE

include "nax/Dialect/Nax/IR/NaxTypes.td"

def Nax_RopeOp : Nax_Op<"rope"> {
  let summary = "Rotate pairs of features by an angle that grows with position";
  let arguments = (ins Nax_Tensor:$x, Optional<Nax_Tensor>:$data,
                       Nax_AxisAttr:$positions, Nax_AxisAttr:$features,
                       Nax_RopeAttr:$rope);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $x (`data` $data^)? `positions` $positions `features` $features `by` $rope
    attr-dict `:` functional-type(operands, results)
  }];
}

#endif // NAX_OPS_ROPE
