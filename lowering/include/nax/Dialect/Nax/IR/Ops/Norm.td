//===- Norm.td - normalisation over features ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_OPS_NORM
#define NAX_OPS_NORM

include "nax/Dialect/Nax/IR/NaxTypes.td"

def Nax_RmsNormOp : Nax_Op<"rms_norm", [AllTypesMatch<["x", "result"]>]> {
  let summary = "Divide by the root of the mean square, then multiply by a gain";
  let arguments = (ins Nax_Tensor:$x, Nax_Tensor:$gain, Nax_AxesAttr:$over,
                       F64Attr:$eps, UnitAttr:$one_plus);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $x `,` $gain `over` $over `eps` $eps (`one_plus` $one_plus^)? attr-dict `:`
    functional-type(operands, results)
  }];
}

def Nax_LayerNormOp : Nax_Op<"layer_norm", [AllTypesMatch<["x", "result"]>]> {
  let summary = "Subtract the mean, divide by the deviation, gain and shift";
  let arguments = (ins Nax_Tensor:$x, Nax_Tensor:$gain,
                       Optional<Nax_Tensor>:$shift, Nax_AxesAttr:$over,
                       F64Attr:$eps);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $x `,` $gain (`shift` $shift^)? `over` $over `eps` $eps attr-dict `:`
    functional-type(operands, results)
  }];
}

#endif // NAX_OPS_NORM
