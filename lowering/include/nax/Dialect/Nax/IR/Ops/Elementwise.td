//===- Elementwise.td - operations on each element ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_OPS_ELEMENTWISE
#define NAX_OPS_ELEMENTWISE

include "nax/Dialect/Nax/IR/NaxTypes.td"

//===----------------------------------------------------------------------===//
// Two tensors
//===----------------------------------------------------------------------===//

class Nax_BinaryOp<string mnemonic, string formula, string errors = "">
    : Nax_Op<mnemonic> {
  let summary = formula;
  let description = [{
    **Requires**  numbers of one type; the axes of one side contain the other's.

    **Ensures**   `}] # formula # [{` on the axes of the larger side, of `x` if
    they are equally many. Elements are matched by name.

    ```mlir
    %z = nax.}] # mnemonic # [{ %x, %y : (!nax.tensor<[#B, #T, #C], f32>, !nax.tensor<[#C], f32>) -> !nax.tensor<[#B, #T, #C], f32>
    ```

    **Errors** (cases of `test/dialect/elementwise-invalid.mlir`)
    }] # errors;
  let arguments = (ins Nax_Tensor:$x, Nax_Tensor:$y);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $x `,` $y attr-dict `:` functional-type(operands, results)
  }];
}

def Nax_AddOp : Nax_BinaryOp<"add", "x + y", [{
    - each side has an axis that the other lacks
    - the sides have different types of numbers
    - what has seen all of T meets T
    - a side is weights
    - a side is a mask
    - a parameter stands on a sequence
    - a parameter is a table of positions
    - one name is two axes
    - the result lacks an axis of the larger side
}]>;
def Nax_SubOp : Nax_BinaryOp<"sub", "x - y", [{
    - a side is ids
}]>;
def Nax_MulOp : Nax_BinaryOp<"mul", "x * y", [{
    - a side is scores
    - a side is weights and the other a mask
    - a side is logits and the other values
    - the sides share an axis, and each has one that the other lacks
}]>;
def Nax_DivOp : Nax_BinaryOp<"div", "x / y", [{
    - a side is true or false
}]>;

//===----------------------------------------------------------------------===//
// One tensor
//===----------------------------------------------------------------------===//

class Nax_UnaryOp<string mnemonic, string formula>
    : Nax_Op<mnemonic, [AllTypesMatch<["x", "result"]>]> {
  let summary = formula;
  let description = [{
    **Requires**  numbers or logits.

    **Ensures**   `}] # formula # [{` of each element, of the type of `x`.

    ```mlir
    %y = nax.}] # mnemonic # [{ %x : !nax.tensor<[#T, #C], f32>
    ```

    **Errors** (cases of `test/dialect/elementwise-invalid.mlir`)

    - `x` is weights
  }];
  let arguments = (ins Nax_Tensor:$x);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = "$x attr-dict `:` qualified(type($result))";
}

def Nax_NegOp : Nax_UnaryOp<"neg", "-x">;
def Nax_SiluOp : Nax_UnaryOp<"silu", "x / (1 + exp(-x))">;
def Nax_GeluOp : Nax_UnaryOp<"gelu", "x (1 + erf(x / sqrt 2)) / 2">;
def Nax_GeluTanhOp
    : Nax_UnaryOp<"gelu_tanh",
                  "x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2">;
def Nax_ReluOp : Nax_UnaryOp<"relu", "max(x, 0)">;
def Nax_ExpOp : Nax_UnaryOp<"exp", "exp(x)">;
def Nax_TanhOp : Nax_UnaryOp<"tanh", "tanh(x)">;
def Nax_SigmoidOp : Nax_UnaryOp<"sigmoid", "1 / (1 + exp(-x))">;
def Nax_SqrtOp : Nax_UnaryOp<"sqrt", "sqrt(x)">;

class Nax_ByConstantOp<string mnemonic, string formula, string errors>
    : Nax_Op<mnemonic, [AllTypesMatch<["x", "result"]>]> {
  let summary = formula;
  let description = [{
    **Requires**  numbers or logits, and a finite constant.

    **Ensures**   `}] # formula # [{` of each element, of the type of `x`.

    ```mlir
    %y = nax.}] # mnemonic # [{ %x by 5.000000e-01 : !nax.tensor<[#T, #C], f32>
    ```

    **Errors** (cases of `test/dialect/elementwise-invalid.mlir`)

    - the constant is infinite or no number
    }] # errors;
  let arguments = (ins Nax_Tensor:$x, F64Attr:$by);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = "$x `by` $by attr-dict `:` qualified(type($result))";
}

def Nax_ScaleOp : Nax_ByConstantOp<"scale", "x * by", [{
    - `x` is scores
    - `x` is masked scores
}]>;
def Nax_OffsetOp : Nax_ByConstantOp<"offset", "x + by", [{
    - `x` is ids
    - `x` is scores
}]>;

def Nax_CastOp : Nax_Op<"cast"> {
  let summary = "The same numbers in another element type";
  let description = [{
    **Requires**  numbers, true and false, logits, weights or what was rotated.

    **Ensures**   each element, rounded to the nearest, a whole number towards
    zero: the nearest one of the type where it lies beyond, 0 where it is NaN.
    True is 1, and whatever is not 0 is true. Axes and kind of `x`. A cast to the
    same type puts the axes in another order.

    ```mlir
    %y = nax.cast %x : (!nax.tensor<[#T, #C], f32>) -> !nax.tensor<[#T, #C], bf16>
    ```

    **Errors** (cases of `test/dialect/elementwise-invalid.mlir`)

    - `x` is ids
    - the result has other axes
  }];
  let arguments = (ins Nax_Tensor:$x);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = "$x attr-dict `:` functional-type(operands, results)";
}

def Nax_DropoutOp : Nax_Op<"dropout", [AllTypesMatch<["x", "result"]>]> {
  let summary = "Set elements to 0 at random and scale up the others";
  let description = [{
    **Requires**  numbers, logits or weights, one i64 `seed`, and p in [0, 1).

    **Ensures**   element `index`, row-major in the order of the type's axes, is
    x / (1 - p) if it is kept and 0 if not. All modulo 2^64:

    ```
    z = seed + 0x9E3779B97F4A7C15 * (1 + site) + 0xBF58476D1CE4E5B9 * (index + 1)
    z ^= z >> 30;  z *= 0xBF58476D1CE4E5B9
    z ^= z >> 27;  z *= 0x94D049BB133111EB;  z ^= z >> 31
    kept if (z >> 40) * 2^-24 >= p
    ```

    ```mlir
    %y = nax.dropout %x, %seed p 1.000000e-01 site 3 : (!nax.tensor<[#T, #C], f32>, !nax.tensor<[], i64>) -> !nax.tensor<[#T, #C], f32>
    ```

    **Errors** (cases of `test/dialect/elementwise-invalid.mlir`)

    - the seed is not one i64
    - p is 1 or more
    - `x` is scores
  }];
  let arguments = (ins Nax_Tensor:$x, Nax_Tensor:$seed, F64Attr:$p,
                       I64Attr:$site);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $x `,` $seed `p` $p `site` $site attr-dict `:`
    functional-type(operands, results)
  }];
}

#endif // NAX_OPS_ELEMENTWISE
