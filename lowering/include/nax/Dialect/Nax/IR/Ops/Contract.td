//===- Contract.td - parameters and contraction ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_OPS_CONTRACT
#define NAX_OPS_CONTRACT

include "nax/Dialect/Nax/IR/NaxTypes.td"

def Nax_ParamOp : Nax_Op<"param"> {
  let summary = "A parameter of the model, by its path";
  let description = [{
    **Requires**  a path such as `layers.3.attention.wq`, and a result of plain
    numbers whose axes all have fixed sizes.

    **Ensures**   the numbers that the parameter file has under that path.

    ```mlir
    %w = nax.param "mlp.up" : !nax.tensor<[#C, #F], f32>
    ```

    **Errors** (cases of `test/dialect/contract-invalid.mlir`)

    - the path is empty
    - the result is no plain numbers
    - an axis has no fixed size
    - the path has a line's end
    - the path has a control character
  }];
  let arguments = (ins StrAttr:$name);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = "$name attr-dict `:` qualified(type($result))";
}

def Nax_DotOp : Nax_Op<"dot"> {
  let summary = "Sum of products over named axes";
  let description = [{
    Axes that both sides have and that are not summed are matched one by one.
    Weights mix the values that they were made for: then their own axis goes
    away and no other.

    **Requires**  both sides have every axis of `over` and are numbers of one
    type, or one is weights over exactly `over`. If one of `over` is ragged or
    left-padded, its lengths or starts are `data`, unless by weights over what is
    read, which are 0 where nothing is.

    **Ensures**   the axes of `x`, then those that only `y` has, without `over`.
    A sum over a causal T or Read<T> has seen the whole of T, unless by weights.

    ```mlir
    %q = nax.dot %x, %w over [#C] : (!nax.tensor<[#B, #T, #C], f32>, !nax.tensor<[#C, #H, #D], f32>) -> !nax.tensor<[#B, #T, #H, #D], f32>
    %o = nax.dot %p, %v over [#ReadT] : (!nax.tensor<[#B, #T, #ReadT], f32, weights<#ReadT>>, !nax.tensor<[#B, #ReadT, #D], f32>) -> !nax.tensor<[#B, #T, #D], f32>
    ```

    **Errors** (cases of `test/dialect/contract-invalid.mlir`)

    - nothing is summed
    - one side lacks an axis of `over`
    - both sides stand on one sequence that is not summed, and neither is weights
    - plain numbers are summed over Read<T> and one side stands on T
    - weights are summed over another axis than theirs
    - the values of weights stand on T and not on Read<T>
    - the values of weights over Read<P> stand on another sequence
    - features of one who asks meet those of what is read, which is `nax.scores`
    - a side is no numbers
    - the sides have different types of numbers
    - one name is two axes
    - what has seen all of T meets T
    - the result has other axes
    - `data` is missing
    - `data` is there and not needed
    - neither side has an axis of `over`
    - one side has the same parts in another order
    - the values stand on key heads and the weights on all heads
    - an axis is named twice
    - the values of weights are rotated
    - a side is rotated
    - a side is logits
    - the values of weights over Read<P> stand on P, and another sequence asks
    - an axis of `over` is continued (`decode-invalid.mlir`)
  }];
  let arguments = (ins Nax_Tensor:$x, Nax_Tensor:$y, Optional<Nax_Tensor>:$data,
                       Nax_AxesAttr:$over);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $x `,` $y (`data` $data^)? `over` $over attr-dict `:`
    functional-type(operands, results)
  }];
}

#endif // NAX_OPS_CONTRACT
