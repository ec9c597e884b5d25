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
  let description = [{
    **Requires**  `x` has the product `axis` and none of its factors.

    **Ensures**   the factors in the place of the product; an index of the
    product is row-major over them. Kind of `x`.

    ```mlir
    %y = nax.split %x axis #H : (!nax.tensor<[#T, #H, #D], f32>) -> !nax.tensor<[#T, #K, #G, #D], f32>
    ```

    **Errors** (cases of `test/dialect/shape-invalid.mlir`)

    - `axis` is no product
    - `x` lacks `axis`
    - `x` has a factor already
    - `x` is weights or logits over `axis`, or rotated over it
    - the result lacks a factor
    - `x` has a concatenation of the same parts
  }];
}

def Nax_MergeOp : Nax_ReshapeOp<"merge"> {
  let summary = "The factors of a product become the product";
  let description = [{
    **Requires**  `x` has every factor of the product `axis` and not the product.

    **Ensures**   the product in the place of the first factor that `x` has; an
    index of the product is row-major over the factors. Kind of `x`.

    ```mlir
    %y = nax.merge %x axis #H : (!nax.tensor<[#T, #K, #G, #D], f32>) -> !nax.tensor<[#T, #H, #D], f32>
    ```

    **Errors** (cases of `test/dialect/shape-invalid.mlir`)

    - `axis` is a concat
    - `x` lacks a factor
    - `x` has the product already
  }];
}

def Nax_PartOp : Nax_Op<"part"> {
  let summary = "One piece of a concat";
  let description = [{
    **Requires**  `x` has `concat`, of which `part` is a piece, and not `part`.

    **Ensures**   the piece in the place of the concat.

    ```mlir
    %y = nax.part %x concat #QKV part #K : (!nax.tensor<[#T, #QKV], f32>) -> !nax.tensor<[#T, #K], f32>
    ```

    **Errors** (cases of `test/dialect/shape-invalid.mlir`)

    - no concat of `x` has this part
    - `concat` is not the one that has it
    - `x` has `part` already
    - the part is inside a product, which is to be split first
  }];
  let arguments = (ins Nax_Tensor:$x, Nax_AxisAttr:$concat, Nax_AxisAttr:$part);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $x `concat` $concat `part` $part attr-dict `:`
    functional-type(operands, results)
  }];
}

def Nax_ConcatOp : Nax_Op<"concat"> {
  let summary = "The pieces of a concat, laid one after another";
  let description = [{
    **Requires**  numbers of one type, one for each piece of `axis` in its order,
    which differ in that piece alone.

    **Ensures**   the concat in the place of the piece, on the axes of the first.

    ```mlir
    %y = nax.concat %h, %k axis #QKV : (!nax.tensor<[#T, #H], f32>, !nax.tensor<[#T, #K], f32>) -> !nax.tensor<[#T, #QKV], f32>
    ```

    **Errors** (cases of `test/dialect/shape-invalid.mlir`)

    - `axis` is no concat
    - there are more or fewer operands than pieces
    - an operand lacks its piece
    - the operands differ in more than the piece
  }];
  let arguments = (ins Variadic<Nax_Tensor>:$xs, Nax_AxisAttr:$axis);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $xs `axis` $axis attr-dict `:` functional-type(operands, results)
  }];
}

def Nax_SpreadOp : Nax_ReshapeOp<"spread"> {
  let summary = "The same value at every position of a new axis";
  let description = [{
    **Requires**  numbers or logits that lack `axis`.

    **Ensures**   `axis` after the axes of `x`.

    ```mlir
    %y = nax.spread %x axis #F : (!nax.tensor<[#T], f32>) -> !nax.tensor<[#T, #F], f32>
    ```

    **Errors** (cases of `test/dialect/shape-invalid.mlir`)

    - `x` has `axis` already
    - `x` has seen all of the causal `axis`
    - `axis` is Read<T> and `x` stands on T
    - the result lacks the new axis
  }];
}

#endif // NAX_OPS_SHAPE
