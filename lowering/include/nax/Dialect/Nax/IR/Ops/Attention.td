//===- Attention.td - from queries and keys to mixed values ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_OPS_ATTENTION
#define NAX_OPS_ATTENTION

include "nax/Dialect/Nax/IR/NaxTypes.td"

def Nax_ReadOp : Nax_Op<"read"> {
  let summary = "The same values in the role of being read";
  let description = [{
    The only way for one position of a sequence to reach another.

    **Requires**  `x` stands on the sequence `axis` and not on Read of it.

    **Ensures**   Read<T> in the place of T. What was rotated by T is now
    rotated by Read<T>.

    ```mlir
    %k = nax.read %x along #T : (!nax.tensor<[#B, #T, #D], f32>) -> !nax.tensor<[#B, #ReadT, #D], f32>
    ```

    **Errors** (cases of `test/dialect/attention-invalid.mlir`)

    - `axis` is no sequence
    - `x` does not stand on `axis`
    - `x` is scores, weights or a mask
    - `x` stands on Read<T> already
    - `axis` is continued (`decode-invalid.mlir`)
  }];
  let arguments = (ins Nax_Tensor:$x, Nax_AxisAttr:$axis);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $x `along` $axis attr-dict `:` functional-type(operands, results)
  }];
}

def Nax_ScoresOp : Nax_Op<"scores"> {
  let summary = "How well each query matches each key";
  let description = [{
    **Requires**  `q` and `k` have the features `over`. Exactly one sequence axis
    of `q` is not in `k` and exactly one Read axis of `k` is not in `q`; every
    other axis of `k` is one of `q`. Both are rotated alike or not at all.

    **Ensures**   `scale` times the sum of products over `over`, on the axes of
    `q` and then the one being read. No other scale is applied later.

    ```mlir
    %s = nax.scores %q, %k over #D scale 5.000000e-01 : (!nax.tensor<[#B, #T, #K, #G, #D], f32>, !nax.tensor<[#B, #ReadT, #K, #D], f32>) -> !nax.tensor<[#B, #T, #K, #G, #ReadT], f32, scores<#T, #ReadT>>
    ```

    **Errors** (cases of `test/dialect/attention-invalid.mlir`)

    - one side lacks `over`
    - the keys are not read
    - the keys have an axis that the queries lack
    - one side is rotated and the other is not
    - the two are rotated differently
    - one causal sequence reads another
    - the scale is not finite
    - the scale is 0
    - the result is not scores of these two
    - two sequences are both rotated, each by its own positions
    - the key is rotated and the query is not
    - the pairings differ
    - the scalings differ
    - the rotated dims differ
    - the features rotated are others than those that match
    - the sides have different types of numbers
    - only one side has `over`
    - `over` is another declaration of the keys' axis
    - the queries are read
    - the keys have a batch that the queries lack
    - the queries' heads are not split into groups of the keys' heads
    - the queries' heads are no multiple of the keys'
    - the keys have more heads than the queries
    - the queries are read and the keys are not
    - what is read is packed and another sequence asks
  }];
  let arguments = (ins Nax_Tensor:$q, Nax_Tensor:$k, Nax_AxisAttr:$over,
                       F64Attr:$scale);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $q `,` $k `over` $over `scale` $scale attr-dict `:`
    functional-type(operands, results)
  }];
}

def Nax_SoftcapOp : Nax_Op<"softcap"> {
  let summary = "Keep scores within (-cap, cap) by cap * tanh(s / cap)";
  let description = [{
    **Requires**  scores that are neither capped, biased nor masked; a positive
    cap.

    **Ensures**   the scores, capped.

    ```mlir
    %c = nax.softcap %s at 5.000000e+01 : (!nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>) -> !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT, capped>>
    ```

    **Errors** (cases of `test/dialect/attention-invalid.mlir`)

    - `s` is no scores
    - `s` is masked already
    - `s` is capped already
    - the cap is not positive
  }];
  let arguments = (ins Nax_Tensor:$s, F64Attr:$cap);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $s `at` $cap attr-dict `:` functional-type(operands, results)
  }];
}

def Nax_BiasOp : Nax_Op<"bias"> {
  let summary = "Add numbers to scores";
  let description = [{
    **Requires**  scores that are neither biased nor masked, and numbers `b` of
    their type whose axes are axes of the scores.

    **Ensures**   the scores, biased.

    ```mlir
    %r = nax.bias %s, %b : (!nax.tensor<[#H, #T, #ReadT], f32, scores<#T, #ReadT>>, !nax.tensor<[#H], f32>) -> !nax.tensor<[#H, #T, #ReadT], f32, scores<#T, #ReadT, biased>>
    ```

    **Errors** (cases of `test/dialect/attention-invalid.mlir`)

    - `b` is a mask
    - `b` has an axis that the scores lack
    - `b` is masked scores
    - `b` is whole numbers
    - `s` is weights already
    - `s` is masked already
    - `s` is biased already
  }];
  let arguments = (ins Nax_Tensor:$s, Nax_Tensor:$b);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $s `,` $b attr-dict `:` functional-type(operands, results)
  }];
}

def Nax_AlibiOp : Nax_Op<"alibi"> {
  let summary = "Add a penalty that grows with distance, a slope for each head";
  let description = [{
    **Requires**  scores of a sequence with itself, neither biased nor masked;
    `heads` are axes of fixed size among theirs.

    **Ensures**   the scores less `slope[h] * |t - s|`, biased. h counts the
    heads row-major over `heads`. Of n heads, with p the largest power of two
    that is no larger, slope i < p is `2^(-8 (i + 1) / p)`; the others are the
    first, third, fifth, ... of the slopes of 2 p heads.

    ```mlir
    %r = nax.alibi %s heads [#K, #G] : (!nax.tensor<[#K, #G, #T, #ReadT], f32, scores<#T, #ReadT>>) -> !nax.tensor<[#K, #G, #T, #ReadT], f32, scores<#T, #ReadT, biased>>
    ```

    **Errors** (cases of `test/dialect/attention-invalid.mlir`)

    - no heads are named
    - an axis of `heads` has no fixed size
    - the scores are of two sequences
    - `s` is masked already
  }];
  let arguments = (ins Nax_Tensor:$s, Nax_AxesAttr:$heads);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $s `heads` $heads attr-dict `:` functional-type(operands, results)
  }];
}

def Nax_CausalMaskOp : Nax_Op<"causal_mask"> {
  let summary = "Let position t read only s <= t";
  let description = [{
    **Requires**  scores of a causal sequence with itself, not causally masked.

    **Ensures**   the scores, masked and causally so.

    ```mlir
    %m = nax.causal_mask %s : (!nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>) -> !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT, masked, causally>>
    ```

    **Errors** (cases of `test/dialect/attention-invalid.mlir`)

    - the scores are of two sequences
    - the sequence is not causal
    - `s` is causally masked already
    - `s` is plain numbers
    - `s` is weights already
  }];
  let arguments = (ins Nax_Tensor:$s);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = "$s attr-dict `:` functional-type(operands, results)";
}

def Nax_MaskOp : Nax_Op<"mask"> {
  let summary = "Let scores count only where a mask is true";
  let description = [{
    **Requires**  scores, and a mask about what they read whose axes are axes of
    theirs.

    **Ensures**   the scores, masked.

    ```mlir
    %r = nax.mask %s, %m : (!nax.tensor<[#B, #P, #ReadP], f32, scores<#P, #ReadP>>, !nax.tensor<[#B, #ReadP], i1, mask<every, #ReadP>>) -> !nax.tensor<[#B, #P, #ReadP], f32, scores<#P, #ReadP, masked>>
    ```

    **Errors** (cases of `test/dialect/attention-invalid.mlir`)

    - `s` is weights already
    - `m` is numbers
    - `m` is about the sequence that asks
    - `m` is a boolean that does not say what true means
    - `m` is about another sequence
    - `m` has an axis that the scores lack
    - `m` hides padding of each row, and the keys are rotated by all positions
  }];
  let arguments = (ins Nax_Tensor:$s, Nax_Tensor:$m);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $s `,` $m attr-dict `:` functional-type(operands, results)
  }];
}

def Nax_SoftmaxOp : Nax_Op<"softmax"> {
  let summary = "Weights that sum to 1 along an axis";
  let description = [{
    **Requires**  scores, along the axis that they read, causally masked if it is
    causal; logits along their classes; or numbers along any axis of theirs that
    is no causal sequence, has not size 1 and is no batch: a plain axis of a size
    known when called, beside another of fixed size or a sequence. Along Read<T> of a T that is ragged, packed or left-padded, the
    lengths, documents or starts of T are `data`; of a continued T, its span is.

    **Ensures**   `exp(x) / sum exp(x)` over what is not masked and, by `data`,
    is there: s below the length of its row, from its start on, of the document
    of t, below the end of its span (and t with it). The others are exactly 0, and so is a row with nothing allowed.

    ```mlir
    %w = nax.softmax %s along #ReadT : (!nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT, masked, causally>>) -> !nax.tensor<[#T, #ReadT], f32, weights<#ReadT>>
    %g = nax.softmax %x along #C : (!nax.tensor<[#T, #C], f32>) -> !nax.tensor<[#T, #C], f32, weights<#C>>
    ```

    **Errors** (cases of `test/dialect/attention-invalid.mlir`)

    - `along` is the querying axis of scores
    - `along` is the heads of scores
    - `along` is the rows of a batch
    - `along` is not what the logits are over
    - `along` has size 1
    - scores of a causal sequence are not causally masked
    - `x` is weights already
    - `x` lacks `along`
    - `along` is a causal sequence of plain numbers
    - `data` is missing
    - `data` is there and not needed
    - `data` is no lengths, documents or starts
    - `along` is a packed sequence of plain numbers: a row has several documents
    - `along` is read, and the scores read another sequence
    - the span of a continued axis is missing (`decode-invalid.mlir`)
    - `data` is no span of a continued axis (`decode-invalid.mlir`)
  }];
  let arguments = (ins Nax_Tensor:$x, Optional<Nax_Tensor>:$data,
                       Nax_AxisAttr:$along);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $x (`data` $data^)? `along` $along attr-dict `:`
    functional-type(operands, results)
  }];
}

def Nax_ValuesOp : Nax_Op<"values"> {
  let summary = "Weights, logits, losses or scores as plain numbers";
  let description = [{
    **Requires**  weights, logits, losses, numbers or scores that are not masked.

    **Ensures**   the same numbers, of no kind.

    ```mlir
    %n = nax.values %w : (!nax.tensor<[#T, #C], f32, weights<#C>>) -> !nax.tensor<[#T, #C], f32>
    ```

    **Errors** (cases of `test/dialect/attention-invalid.mlir`)

    - `x` is masked scores
  }];
  let arguments = (ins Nax_Tensor:$x);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = "$x attr-dict `:` functional-type(operands, results)";
}

//===----------------------------------------------------------------------===//
// Made by nax-fuse-attention
//===----------------------------------------------------------------------===//

def Nax_AttentionOp : Nax_Op<"attention", [AttrSizedOperandSegments]> {
  let summary = "Scores, masks, softmax and the mixing of values in one";
  let description = [{
    **Requires**  what `nax.scores`, then `nax.softcap` (`cap`), `nax.bias` or
    `nax.alibi`, `nax.causal_mask` (`causal`), `nax.mask` and `nax.softmax` with
    `data` require, and `nax.dot` of the weights with `v`. The values are the
    same for each position that asks.

    **Ensures**   what they give, in this order. The axes of the result are those
    of the weights and of `v` without `along`.

    ```mlir
    %o = nax.attention %q, %k, %v over #D along #ReadT scale 5.000000e-01 causal : (!nax.tensor<[#B, #T, #K, #G, #D], f32>, !nax.tensor<[#B, #ReadT, #K, #D], f32>, !nax.tensor<[#B, #ReadT, #K, #D], f32>) -> !nax.tensor<[#B, #T, #K, #G, #D], f32>
    ```

    **Errors** (cases of `test/dialect/attention-invalid.mlir`)

    - a causal sequence is not masked by `causal`
    - `v` does not stand on what is read
    - `v` stands on the sequence that asks
    - the mask is about something else
    - there is both a bias and alibi
    - the result has other axes
    - the mask hides padding of each row, and `k` is rotated by all positions
  }];
  let arguments = (ins Nax_Tensor:$q, Nax_Tensor:$k, Nax_Tensor:$v,
                       Optional<Nax_Tensor>:$bias, Optional<Nax_Tensor>:$mask,
                       Optional<Nax_Tensor>:$data, Nax_AxisAttr:$over,
                       Nax_AxisAttr:$along, F64Attr:$scale,
                       OptionalAttr<F64Attr>:$cap,
                       OptionalAttr<Nax_AxesAttr>:$alibi, UnitAttr:$causal);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $q `,` $k `,` $v (`bias` $bias^)? (`mask` $mask^)? (`data` $data^)?
    `over` $over `along` $along `scale` $scale (`cap` $cap^)?
    (`alibi` $alibi^)? (`causal` $causal^)? attr-dict `:`
    functional-type(operands, results)
  }];
}

def Nax_AttentionWeightsOp
    : Nax_Op<"attention_weights", [AttrSizedOperandSegments]> {
  let summary = "The weights of an attention, where a model asks for them";
  let description = [{
    **Requires**  as `nax.attention`, without values.

    **Ensures**   the weights over `along` that `nax.softmax` would give.

    ```mlir
    %w = nax.attention_weights %q, %k over #D along #ReadP scale 5.000000e-01 : (!nax.tensor<[#P, #D], f32>, !nax.tensor<[#ReadP, #D], f32>) -> !nax.tensor<[#P, #ReadP], f32, weights<#ReadP>>
    ```

    **Errors** (cases of `test/dialect/attention-invalid.mlir`)

    - the result is no weights
  }];
  let arguments = (ins Nax_Tensor:$q, Nax_Tensor:$k,
                       Optional<Nax_Tensor>:$bias, Optional<Nax_Tensor>:$mask,
                       Optional<Nax_Tensor>:$data, Nax_AxisAttr:$over,
                       Nax_AxisAttr:$along, F64Attr:$scale,
                       OptionalAttr<F64Attr>:$cap,
                       OptionalAttr<Nax_AxesAttr>:$alibi, UnitAttr:$causal);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $q `,` $k (`bias` $bias^)? (`mask` $mask^)? (`data` $data^)?
    `over` $over `along` $along `scale` $scale (`cap` $cap^)?
    (`alibi` $alibi^)? (`causal` $causal^)? attr-dict `:`
    functional-type(operands, results)
  }];
}

#endif // NAX_OPS_ATTENTION
