//===- Passes.td - passes from nax to nax ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_DIALECT_NAX_TRANSFORMS_PASSES
#define NAX_DIALECT_NAX_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

// Keep alphabetical.

def CheckAttention : Pass<"nax-check-attention", "::mlir::ModuleOp"> {
  let summary = "Refuse attention that is wrong by what its operands were made of";
  let description = [{
    Types say what is about scores and weights; plain numbers do not say what
    made them. From each `nax.scores`, `nax.softmax` and `nax.bias` the operations
    before it are followed, and refused are

    - scores with their 1/sqrt(D) whose query or key had such a factor already,
      and scores whose scale is the root of another size: that of an axis with D
      in it, or of what the query was projected from;
    - a softmax along a sequence of what a plain `nax.dot` matched, unscaled;
    - a softmax of the `nax.values` of another along the same axis;
    - a bias that is a mask in disguise: booleans or whole numbers, made large.

    The module is left as it is.

    ```mlir
    %r = nax.scale %q by 5.000000e-01 : !nax.tensor<[#T, #D], f32>
    %s = nax.scores %r, %k over #D scale 5.000000e-01 : (!nax.tensor<[#T, #D], f32>, !nax.tensor<[#ReadT, #D], f32>) -> !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>
    ```

    is refused for a D of size 4: `the query is times 1/sqrt(D) already`.
  }];
}

def CheckCausality : Pass<"nax-check-causality", "::mlir::ModuleOp"> {
  let summary = "Prove that no position of a causal axis depends on a later one";
  let description = [{
    For every causal axis T and every value, finds out which positions of the
    inputs an element may depend on: none, those up to its own position t, those
    up to the position s being read, or all of them. `nax.causal_mask` followed
    by `nax.softmax` brings what was read back to t; a sum over T, or a mix of
    what is read that no causal mask precedes, needs all positions.

    The proof looks at operations only, never at the kinds of types, and follows
    `func.call`: neither a function that calls itself, by whatever way, nor an
    entry may be called. The module is left as it is.

    After: each result of a function that nothing calls, where it stands on T,
    depends at t on positions up to t alone (or, if it is a loss, on the label
    of t as well).

    ```mlir
    // One number may drop from its type that it has seen all of T.
    %m = nax.mean %x over [#T, #C] : (!nax.tensor<[#T, #C], f32>) -> !nax.tensor<[], f32>
    %g = nax.gelu %m : !nax.tensor<[], f32>
    %y = nax.add %x, %g : (!nax.tensor<[#T, #C], f32>, !nax.tensor<[], f32>) -> !nax.tensor<[#T, #C], f32>
    ```

    is refused, with the way that the future took:

    ```
    error: 'nax.add' op lets the future in: [] has seen every position of T and meets T here
    note: which passes through here as []          (at the nax.gelu)
    note: every position of T is seen here         (at the nax.mean)
    ```
  }];
}

def DeriveDecode : Pass<"nax-derive-decode", "::mlir::ModuleOp"> {
  let summary = "Make the step of an entry: new positions after cached ones";
  let description = [{
    From each entry with `nax.decode` whose arguments stand on a causal axis T, a
    function @ENTRY_step that computes the same for new positions of each row,
    after those that its caches have. A continued axis T' takes the place of T.
    What is read goes through `nax.cached`, with a cache of its own each, rotated
    keys as they are rotated; operations that count positions take
    `nax.positions`, and what looks along T' takes the span: where the new
    positions of each row begin and end. Lengths and starts of T are gone;
    documents are cached too, and become a mask. A block that is repeated has its
    step once, and takes its caches at each call.

    Where a window hides all but the last n positions from every attention that
    reads a value, its cache is a ring of n slots.

    Values that no position takes part in but arguments do, such as what an
    encoder computes, are results of @ENTRY_begin, and fixed caches of the step:
    its operations never do them again. Blocks that take any are inlined.

    The entry stays. What a step can't be derived from is refused at the model's
    line: an axis that is not causal, a sum over all of T, labels, dropout,
    weights or numbers of pairs outside of attention.

    Before:

    ```mlir
    func.func @forward(%x: !nax.tensor<[#B, #T, #D], f32> {nax.name = "x"}) -> ... attributes {nax.entry, nax.decode} {
      %k = nax.read %x along #T : ...
      %s = nax.scores %x, %k over #D scale 5.000000e-01 : ...
      %m = nax.causal_mask %s : ...
      %w = nax.softmax %m along #ReadT : ...
    ```

    After, where `#T = #nax.axis<"T", causal, continued>`:

    ```mlir
    func.func @forward_step(%x: !nax.tensor<[#B, #T, #D], f32> {nax.name = "x"},
        %span: !nax.tensor<[#B, #T_span], i32> {nax.name = "T_lengths", nax.span = #T},
        %keys: !nax.tensor<[#B, #T_cache, #D], f32> {nax.cache = {index = 0 : i64}, nax.name = "cache.0"})
        -> ... attributes {nax.entry, nax.step = "forward"} {
      %k = nax.cached %x, %keys span %span along #T : ...
      %s = nax.scores %x, %k over #D scale 5.000000e-01 : ...
      %m = nax.causal_mask %s : ...
      %w = nax.softmax %m data %span along #ReadT : ...
    ```

    After: each entry with `nax.decode` has its step, once however often the pass
    runs; no operation of a step looks along T' but attention and `nax.last`.
  }];
  let dependentDialects = ["::nax::NaxDialect"];
}

def FuseAttention : Pass<"nax-fuse-attention"> {
  let summary = "Make one nax.attention of scores, masks, softmax and dot";
  let description = [{
    A softmax over scores, together with what leads to it (`nax.scores`, then
    `nax.softcap`, `nax.bias` and `nax.alibi`, then `nax.causal_mask` and
    `nax.mask`) and each `nax.dot` of its weights with values, becomes a
    `nax.attention`. Several masks become one by `nax.mask_and`. Any other use of the weights gets a
    `nax.attention_weights`.

    Before:

    ```mlir
    %s = nax.scores %q, %k over #D scale 1.250000e-01 : ...
    %c = nax.causal_mask %s : ...
    %m = nax.mask %c, %window : ...
    %w = nax.softmax %m along #ReadT : ...
    %o = nax.dot %w, %v over [#ReadT] : ...
    ```

    After:

    ```mlir
    %o = nax.attention %q, %k, %v mask %window over #D along #ReadT scale 1.250000e-01 causal : ...
    ```

    After: no `nax.softmax` has an operand that this function made by
    `nax.scores`. Locations of the softmax, the scores and the dot are kept,
    fused, the softmax's first.
  }];
  let dependentDialects = ["::nax::NaxDialect"];
}

#endif // NAX_DIALECT_NAX_TRANSFORMS_PASSES
