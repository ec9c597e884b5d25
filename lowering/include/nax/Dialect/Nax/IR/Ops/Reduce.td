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
  let description = [{
    **Requires**  numbers, logits or losses with every axis of `over`. If one of
    them is ragged or left-padded, its lengths or starts are `data`; if `x` is
    losses of a packed axis, its documents are.

    **Ensures**   the sum over all positions that are real and, of losses, have a
    label. What loses a causal T has seen all of it. Losses stay losses until
    their axis goes.

    ```mlir
    %y = nax.sum %x over [#C] : (!nax.tensor<[#B, #T, #C], f32>) -> !nax.tensor<[#B, #T], f32>
    %z = nax.sum %x data %lengths over [#R] : (!nax.tensor<[#B, #R, #C], f32>, !nax.tensor<[#B], i32>) -> !nax.tensor<[#B, #C], f32>
    ```

    **Errors** (cases of `test/dialect/reduce-invalid.mlir`)

    - `over` is empty
    - `x` lacks an axis of `over`
    - an axis is named twice
    - `x` is weights
    - Read<T> is summed on what stands on a causal T
    - a causal T is summed on what stands on Read<T>: no type says that
    - the lengths of a ragged axis are missing
    - `data` is there although all positions are
    - two axes have data
    - the result hides that it has seen all of T
    - an axis of `over` is continued (`decode-invalid.mlir`)
  }];
}

def Nax_MeanOp : Nax_ReduceOp<"mean"> {
  let summary = "Mean over axes";
  let description = [{
    **Requires**  as `nax.sum`.

    **Ensures**   the sum by the number of positions that it was made of; 0 if
    there were none.

    ```mlir
    %y = nax.mean %x over [#B, #T] : (!nax.tensor<[#B, #T], f32, losses<#T>>) -> !nax.tensor<[], f32>
    ```

    **Errors** (cases of `test/dialect/reduce-invalid.mlir`)

    - the documents of packed losses are missing
    - the mean of losses over their axis is losses still
  }];
}

def Nax_MaxOp : Nax_ReduceOp<"max"> {
  let summary = "Largest value over axes";
  let description = [{
    **Requires**  as `nax.sum`, but no losses.

    **Ensures**   the largest value of the real positions.

    ```mlir
    %y = nax.max %x over [#C] : (!nax.tensor<[#T, #C], f32>) -> !nax.tensor<[#T], f32>
    ```

    **Errors** (cases of `test/dialect/reduce-invalid.mlir`)

    - `x` is losses
  }];
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
  let description = [{
    **Requires**  numbers, ids or logits on the sequence `axis`; if it is ragged
    or left-padded, its lengths or starts are `data`; if continued, its span.

    **Ensures**   the values at the last real position, of the kind of `x`; zeros
    for a row without any. Has seen all of a causal T.

    ```mlir
    %y = nax.last %x of #T : (!nax.tensor<[#B, #T, #C], f32>) -> !nax.tensor<[#B, #C], f32, whole #T>
    ```

    **Errors** (cases of `test/dialect/reduce-invalid.mlir`)

    - `axis` is no sequence
    - the lengths of a ragged axis are missing
    - the starts of a left-padded axis are missing
    - the result hides that it has seen all of T
    - `axis` is read already
    - the span of a continued axis is missing (`decode-invalid.mlir`)
  }];
}

def Nax_FirstOp : Nax_EndOp<"first"> {
  let summary = "The first position of each row";
  let description = [{
    **Requires**  numbers, ids or logits on the sequence `axis`; if it is ragged
    or left-padded, its lengths or starts are `data`.

    **Ensures**   the values at the first real position, of the kind of `x`;
    zeros for a row without any. Every position may read the first, so this has
    not seen the whole of T.

    ```mlir
    %y = nax.first %x of #T : (!nax.tensor<[#B, #T, #C], f32>) -> !nax.tensor<[#B, #C], f32>
    ```

    **Errors** (cases of `test/dialect/reduce-invalid.mlir`)

    - `x` is scores
    - the lengths of a ragged axis are missing
    - the starts of a left-padded axis are missing
    - `axis` is continued (`decode-invalid.mlir`)
  }];
}

def Nax_ArgmaxOp : Nax_Op<"argmax"> {
  let summary = "The index of the largest value";
  let description = [{
    **Requires**  numbers, logits over `over` or weights over `over`, which is no
    sequence.

    **Ensures**   ids into `over`, i32 or i64: the first largest, where a NaN counts
    as -inf.

    ```mlir
    %i = nax.argmax %x over #V : (!nax.tensor<[#B, #V], f32, logits<#V>>) -> !nax.tensor<[#B], i32, ids<#V>>
    ```

    **Errors** (cases of `test/dialect/reduce-invalid.mlir`)

    - `over` is a sequence
    - the logits are over another axis
    - the result is no ids into `over`
    - `over` has more places than the ids can count
  }];
  let arguments = (ins Nax_Tensor:$x, Nax_AxisAttr:$over);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $x `over` $over attr-dict `:` functional-type(operands, results)
  }];
}

def Nax_TopKOp : Nax_Op<"top_k"> {
  let summary = "The indices of the k largest values, largest first";
  let description = [{
    **Requires**  as `nax.argmax`; a plain axis `k` of fixed size, no larger than
    `over`, that `x` lacks.

    **Ensures**   ids into `over` on the axes of `x` without `over`, then `k`. Of
    equal values the one of the smaller index comes first; a NaN counts as -inf,
    so that all k are different.

    ```mlir
    %i = nax.top_k %x over #V to #D : (!nax.tensor<[#B, #V], f32, logits<#V>>) -> !nax.tensor<[#B, #D], i32, ids<#V>>
    ```

    **Errors** (cases of `test/dialect/reduce-invalid.mlir`)

    - `k` has no fixed size
    - `k` is larger than `over`
    - `x` has `k` already
  }];
  let arguments = (ins Nax_Tensor:$x, Nax_AxisAttr:$over, Nax_AxisAttr:$k);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $x `over` $over `to` $k attr-dict `:` functional-type(operands, results)
  }];
}

#endif // NAX_OPS_REDUCE
