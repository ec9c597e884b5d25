//===- Decode.td - new positions after cached ones ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Made by nax-derive-decode. They stand on a continued axis T: for each row,
// new positions after `start` cached ones. Where those of a row begin and end
// is its span: i32 on the rows and an axis of size 2, [.., 0] the start and
// [.., 1] the end. A row may have fewer new positions than T: what stands
// behind its end is padding.
//
//===----------------------------------------------------------------------===//

#ifndef NAX_OPS_DECODE
#define NAX_OPS_DECODE

include "nax/Dialect/Nax/IR/NaxTypes.td"

def Nax_PositionsOp : Nax_Op<"positions", [AttrSizedOperandSegments]> {
  let summary = "The position of each new one in its row, or in its document";
  let description = [{
    **Requires**  a continued axis and its span. If a row holds several
    documents: their numbers at the new positions, i32 on the rows and the axis,
    and the same with what is cached of them. The positions of a document follow
    one another.

    **Ensures**   `start + t`, i32 on the rows and the axis; with documents, the
    number of positions before it that are of its document, cached ones too.

    ```mlir
    %p = nax.positions %span along #N : (!nax.tensor<[#B, #N_span], i32>) -> !nax.tensor<[#B, #N], i32>
    %z = nax.positions %span documents %d cached %c along #N : (!nax.tensor<[#B, #N_span], i32>, !nax.tensor<[#B, #N], i32>, !nax.tensor<[#B, #ReadN], i32>) -> !nax.tensor<[#B, #N], i32>
    ```

    **Errors** (cases of `test/dialect/decode-invalid.mlir`)

    - `axis` is not continued
    - `span` is no span of `axis`
    - the documents are there and what is cached of them is not
    - the documents do not stand on the rows and `axis`
    - what is cached of them does not stand on the rows and Read of it
    - the result is not i32 on the rows and `axis`
  }];
  let arguments = (ins Nax_Tensor:$span, Optional<Nax_Tensor>:$documents,
                       Optional<Nax_Tensor>:$cached, Nax_AxisAttr:$axis);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $span (`documents` $documents^)? (`cached` $cached^)? `along` $axis
    attr-dict `:` functional-type(operands, results)
  }];
}

/// Not pure, unlike the others: it keeps what it is given.
def Nax_CachedOp : Op<Nax_Dialect, "cached"> {
  let summary = "All positions of a row as they are read: those cached, then the new";
  let description = [{
    What `nax.read` is on a sequence all of which is there. `cache` has a place
    for each of `slots` positions of a row.

    **Requires**  `x` stands on the continued `axis`, on all rows of its `span`
    and not on Read of it. `cache` stands on the rows, then on a plain axis of
    slots whose number is known when called, then on the other axes of `x`, in
    any order. Its numbers are plain: f32 where those of `x` are floats, as
    attention reads them, else of the type of `x`.

    **Ensures**   Read<T> in the place of T. At s < `start` it is the cache's slot
    `s mod slots`, from there to `end` it is `x` at `s - start`; there is nothing
    more to read. What was rotated by T is now rotated by Read<T>. When the
    function ends, position `start + t` of `x` is in slot
    `(start + t) mod slots`, for each t < `end - start`; of several that fall on
    one slot, the last. No other slot changes.

    ```mlir
    %k = nax.cached %x, %cache span %span along #N : (!nax.tensor<[#B, #N, #K, #D], f32>, !nax.tensor<[#B, #N_cache, #K, #D], f32>, !nax.tensor<[#B, #N_span], i32>) -> !nax.tensor<[#B, #ReadN, #K, #D], f32>
    ```

    **Errors** (cases of `test/dialect/decode-invalid.mlir`)

    - `axis` is not continued
    - `x` does not stand on `axis`
    - `x` is scores
    - `span` is no span of `axis`
    - `x` lacks a row
    - the slots of `cache` have a fixed size
    - `cache` lacks an axis of `x`
    - `cache` has another type of numbers
    - the result has not Read of `axis` in its place
  }];
  let arguments = (ins Nax_Tensor:$x,
                       Arg<Nax_Tensor, "the cache", [MemRead, MemWrite]>:$cache,
                       Nax_Tensor:$span, Nax_AxisAttr:$axis);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $x `,` $cache `span` $span `along` $axis attr-dict `:`
    functional-type(operands, results)
  }];
  let extraClassDeclaration = [{
    /// What a cache holds for a value whose numbers are of this type.
    static ::mlir::Type numberKept(::mlir::Type number);
  }];
  let hasVerifier = 1;
}

#endif // NAX_OPS_DECODE
