//===- Loss.td - labels and losses ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_OPS_LOSS
#define NAX_OPS_LOSS

include "nax/Dialect/Nax/IR/NaxTypes.td"

def Nax_LogitsOp : Nax_Op<"logits"> {
  let summary = "Plain numbers as logits";
  let description = [{
    **Requires**  numbers on `over`, which is no sequence.

    **Ensures**   the same numbers, as logits.

    ```mlir
    %l = nax.logits %x over #V : (!nax.tensor<[#B, #V], f32>) -> !nax.tensor<[#B, #V], f32, logits<#V>>
    ```

    **Errors** (cases of `test/dialect/loss-invalid.mlir`)

    - `x` is weights
    - `over` is a sequence
  }];
  let arguments = (ins Nax_Tensor:$x, Nax_AxisAttr:$over);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $x `over` $over attr-dict `:` functional-type(operands, results)
  }];
}

def Nax_NextOp : Nax_Op<"next"> {
  let summary = "The ids that each position should predict";
  let description = [{
    **Requires**  ids on the sequence `axis`. `data` is allowed, and changes
    nothing: `nax.cross_entropy` decides which positions have a label.

    **Ensures**   Next<T> in the place of T: position t holds the id of t + 1.

    ```mlir
    %n = nax.next %ids along #T : (!nax.tensor<[#B, #T], i32, ids<#V>>) -> !nax.tensor<[#B, #NextT], i32, ids<#V>>
    ```

    **Errors** (cases of `test/dialect/loss-invalid.mlir`)

    - `ids` are numbers
    - `ids` are shifted already
    - `axis` is no sequence
    - the result stands on T still
    - `axis` is continued (`decode-invalid.mlir`)
  }];
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
  let description = [{
    **Requires**  logits over `over`, and ids into it on their other axes: on
    Next<T> where the logits stand on a causal T, on T or Next<T> where they
    stand on another sequence. If T is ragged or packed and the labels stand on
    Next<T>, the lengths or documents of T are `data`.

    **Ensures**   `log(sum(exp(logits))) - logits[label]`, without `over`. For
    labels on Next<T>: losses of T, 0 where there is no label, that is where
    t + 1 is beyond the axis or the length of the row, or of another document.

    ```mlir
    %l = nax.cross_entropy %logits, %labels over #V : (!nax.tensor<[#B, #T, #V], f32, logits<#V>>, !nax.tensor<[#B, #NextT], i32, ids<#V>>) -> !nax.tensor<[#B, #T], f32, losses<#T>>
    ```

    **Errors** (cases of `test/dialect/loss-invalid.mlir`)

    - the labels stand on the causal T and not on Next<T>
    - `logits` are weights
    - the labels are no ids
    - the labels index another vocabulary
    - the labels have nothing for an axis of the logits
    - the lengths of a ragged axis are missing
    - `data` is there although every position has a label
    - the result is plain numbers although some positions have no label
    - the logits stand on what the labels stand on
  }];
  let arguments = (ins Nax_Tensor:$logits, Nax_Tensor:$labels,
                       Optional<Nax_Tensor>:$data, Nax_AxisAttr:$over);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $logits `,` $labels (`data` $data^)? `over` $over attr-dict `:`
    functional-type(operands, results)
  }];
}

#endif // NAX_OPS_LOSS
