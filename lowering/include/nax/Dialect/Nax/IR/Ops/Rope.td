//===- Rope.td - rotary positions -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_OPS_ROPE
#define NAX_OPS_ROPE

include "nax/Dialect/Nax/IR/NaxTypes.td"

def Nax_RopeOp : Nax_Op<"rope"> {
  let summary = "Rotate pairs of features by an angle that grows with position";
  let description = [{
    **Requires**  numbers on a sequence or what is read of it, and on features of
    a fixed even size. Of a packed or left-padded sequence, its documents or
    starts are `data`; then positions restart in each document or count from the
    start of their row. Of a continued one the positions themselves are `data`.

    **Ensures**   components a and b of pair i become `a cos - b sin` and
    `b cos + a sin` of the angle `(position / scaling) * base^(-2 i / dims)`.
    Pairs are i with i + dims/2 (halves) or 2i with 2i + 1 (interleaved).
    Components from `dims` on are left as they are.

    ```mlir
    %r = nax.rope %q positions #T features #D by #rope : (!nax.tensor<[#B, #T, #D], f32>) -> !nax.tensor<[#B, #T, #D], f32, rotated<#T, #D, #rope>>
    ```

    **Errors** (cases of `test/dialect/rope-invalid.mlir`)

    - `x` is rotated already
    - `positions` is no sequence
    - `x` lacks the features
    - `dims` is larger than the features
    - the features have an odd size
    - the documents of a packed sequence are missing
    - the result is rotated by another rope
    - `positions` is a concatenation of old and new ones
    - `positions` and all axes of `x` are no sequence
    - the features are a sequence
    - `x` is no real numbers
    - the positions of a continued sequence are missing (`decode-invalid.mlir`)
    - `data` is not the positions of a continued sequence (`decode-invalid.mlir`)
  }];
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
