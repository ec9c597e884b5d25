//===- Elementwise.td - operations on each element ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_OPS_ELEMENTWISE
#define NAX_OPS_ELEMENTWISE

include "nax/Dialect/Nax/IR/NaxTypes.td"

class Nax_BinaryOp<string mnemonic> : Nax_Op<mnemonic> {
  let arguments = (ins Nax_Tensor:$x, Nax_Tensor:$y);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $x `,` $y attr-dict `:` functional-type(operands, results)
  }];
}

def Nax_AddOp : Nax_BinaryOp<"add"> { let summary = "x + y"; }
def Nax_SubOp : Nax_BinaryOp<"sub"> { let summary = "x - y"; }
def Nax_MulOp : Nax_BinaryOp<"mul"> { let summary = "x * y"; }
def Nax_DivOp : Nax_BinaryOp<"div"> { let summary = "x / y"; }

class Nax_UnaryOp<string mnemonic>
    : Nax_Op<mnemonic, [AllTypesMatch<["x", "result"]>]> {
  let arguments = (ins Nax_Tensor:$x);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = "$x attr-dict `:` qualified(type($result))";
}

def Nax_NegOp : Nax_UnaryOp<"neg"> { let summary = "-x"; }
def Nax_SiluOp : Nax_UnaryOp<"silu"> { let summary = "x / (1 + exp(-x))"; }
def Nax_GeluOp : Nax_UnaryOp<"gelu"> {
  let summary = "x (1 + erf(x / sqrt 2)) / 2";
}
def Nax_GeluTanhOp : Nax_UnaryOp<"gelu_tanh"> {
  let summary = "x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2";
}
def Nax_ReluOp : Nax_UnaryOp<"relu"> { let summary = "max(x, 0)"; }
def Nax_ExpOp : Nax_UnaryOp<"exp"> { let summary = "e^x"; }
def Nax_TanhOp : Nax_UnaryOp<"tanh"> { let summary = "tanh x"; }
def Nax_SigmoidOp : Nax_UnaryOp<"sigmoid"> { let summary = "1 / (1 + exp(-x))"; }
def Nax_SqrtOp : Nax_UnaryOp<"sqrt"> { let summary = "square root"; }

class Nax_ByConstantOp<string mnemonic>
    : Nax_Op<mnemonic, [AllTypesMatch<["x", "result"]>]> {
  let arguments = (ins Nax_Tensor:$x, F64Attr:$by);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = "$x `by` $by attr-dict `:` qualified(type($result))";
}

def Nax_ScaleOp : Nax_ByConstantOp<"scale"> { let summary = "x * by"; }
def Nax_OffsetOp : Nax_ByConstantOp<"offset"> { let summary = "x + by"; }

def Nax_CastOp : Nax_Op<"cast"> {
  let summary = "The same numbers in another element type";
  let arguments = (ins Nax_Tensor:$x);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = "$x attr-dict `:` functional-type(operands, results)";
}

def Nax_DropoutOp : Nax_Op<"dropout", [AllTypesMatch<["x", "result"]>]> {
  let summary = "Set elements to 0 at random and scale up the others";
  let arguments = (ins Nax_Tensor:$x, Nax_Tensor:$seed, F64Attr:$p,
                       I64Attr:$site);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $x `,` $seed `p` $p `site` $site attr-dict `:`
    functional-type(operands, results)
  }];
}

#endif // NAX_OPS_ELEMENTWISE
