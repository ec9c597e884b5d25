//===- Masks.td - which positions may be read -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_OPS_MASKS
#define NAX_OPS_MASKS

include "nax/Dialect/Nax/IR/NaxTypes.td"

class Nax_SizedMaskOp<string mnemonic> : Nax_Op<mnemonic> {
  let arguments = (ins Nax_AxisAttr:$axis, I64Attr:$size);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = "`of` $axis `size` $size attr-dict `:` qualified(type($result))";
}

def Nax_WindowOp : Nax_SizedMaskOp<"window"> {
  let summary = "True where t - s < size";
}

def Nax_PrefixOp : Nax_SizedMaskOp<"prefix"> {
  let summary = "True where s < size";
}

def Nax_ShorterThanOp : Nax_Op<"shorter_than"> {
  let summary = "True where s is below the length of its row";
  let arguments = (ins Nax_Tensor:$lengths, Nax_AxisAttr:$axis);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $lengths `of` $axis attr-dict `:` functional-type(operands, results)
  }];
}

def Nax_SameDocumentOp : Nax_Op<"same_document"> {
  let summary = "True where t and s belong to one document";
  let arguments = (ins Nax_Tensor:$documents, Nax_AxisAttr:$axis);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $documents `of` $axis attr-dict `:` functional-type(operands, results)
  }];
}


def Nax_AllowedWhereTrueOp : Nax_Op<"allowed_where_true"> {
  let summary = "A mask from a buffer whose true means: may be read";
  let arguments = (ins Nax_Tensor:$m);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = "$m attr-dict `:` functional-type(operands, results)";
}

def Nax_BlockedWhereTrueOp : Nax_Op<"blocked_where_true"> {
  let summary = "A mask from a buffer whose true means: may not be read";
  let arguments = (ins Nax_Tensor:$m);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = "$m attr-dict `:` functional-type(operands, results)";
}

class Nax_MaskOfTwoOp<string mnemonic> : Nax_Op<mnemonic> {
  let arguments = (ins Nax_Tensor:$x, Nax_Tensor:$y);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $x `,` $y attr-dict `:` functional-type(operands, results)
  }];
}

def Nax_MaskAndOp : Nax_MaskOfTwoOp<"mask_and"> {
  let summary = "True where both are";
}

def Nax_MaskOrOp : Nax_MaskOfTwoOp<"mask_or"> {
  let summary = "True where either is";
}

def Nax_MaskNotOp : Nax_Op<"mask_not", [AllTypesMatch<["x", "result"]>]> {
  let summary = "True where the other is not";
  let arguments = (ins Nax_Tensor:$x);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = "$x attr-dict `:` qualified(type($result))";
}

#endif // NAX_OPS_MASKS
