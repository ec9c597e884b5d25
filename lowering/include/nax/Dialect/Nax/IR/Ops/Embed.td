//===- Embed.td - tables of tokens and positions --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_OPS_EMBED
#define NAX_OPS_EMBED

include "nax/Dialect/Nax/IR/NaxTypes.td"

def Nax_EmbedOp : Nax_Op<"embed"> {
  let summary = "Look ids up in a table";
  let description = [{
    **Requires**  ids into `from`, and numbers with that axis and no axis of the
    ids.

    **Ensures**   the row of each id, on the axes of the ids, then those of the
    table without `from`.

    ```mlir
    %x = nax.embed %ids, %table from #V : (!nax.tensor<[#B, #T], i32, ids<#V>>, !nax.tensor<[#V, #C], f32>) -> !nax.tensor<[#B, #T, #C], f32>
    ```

    **Errors** (cases of `test/dialect/embed-invalid.mlir`)

    - `ids` are no ids
    - `ids` index another vocabulary
    - the table lacks `from`
    - the table has an axis of the ids
    - the result has other axes
  }];
  let arguments = (ins Nax_Tensor:$ids, Nax_Tensor:$table, Nax_AxisAttr:$from);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $ids `,` $table `from` $from attr-dict `:` functional-type(operands, results)
  }];
}

def Nax_UnembedOp : Nax_Op<"unembed"> {
  let summary = "Logits: how well a value matches each row of a table";
  let description = [{
    **Requires**  numbers of one type; `x` has every axis of the table but `to`.

    **Ensures**   logits over `to`, the sum over all axes of the table but `to`,
    on the axes of `x` that the table lacks, then `to`.

    ```mlir
    %l = nax.unembed %x, %table to #V : (!nax.tensor<[#B, #T, #C], f32>, !nax.tensor<[#V, #C], f32>) -> !nax.tensor<[#B, #T, #V], f32, logits<#V>>
    ```

    **Errors** (cases of `test/dialect/embed-invalid.mlir`)

    - the table lacks `to`
    - `x` lacks an axis of the table
    - `x` has `to` already
    - the table stands on a sequence or a batch
    - the result is plain numbers
  }];
  let arguments = (ins Nax_Tensor:$x, Nax_Tensor:$table, Nax_AxisAttr:$to);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $x `,` $table `to` $to attr-dict `:` functional-type(operands, results)
  }];
}

def Nax_EmbedPositionsOp : Nax_Op<"embed_positions"> {
  let summary = "Add a learned row for each position";
  let description = [{
    **Requires**  numbers of one type. The table has one axis that `x` lacks, a
    plain one of fixed size. Of a packed or left-padded `axis`, its documents or
    starts are `data`; then positions restart in each document or count from the
    start of their row. Of a continued one the positions themselves are `data`.

    **Ensures**   `x` plus the table's row of each position. A position that the
    table does not have is an error when the model runs.

    ```mlir
    %y = nax.embed_positions %x, %table along #T : (!nax.tensor<[#B, #T, #C], f32>, !nax.tensor<[#F, #C], f32>) -> !nax.tensor<[#B, #T, #C], f32>
    ```

    **Errors** (cases of `test/dialect/embed-invalid.mlir`)

    - `axis` is no sequence
    - the table has no axis of positions
    - the positions have no fixed size
    - the documents of a packed axis are missing
    - the positions of a continued axis are missing (`decode-invalid.mlir`)
  }];
  let arguments = (ins Nax_Tensor:$x, Nax_Tensor:$table,
                       Optional<Nax_Tensor>:$data, Nax_AxisAttr:$axis);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $x `,` $table (`data` $data^)? `along` $axis attr-dict `:`
    functional-type(operands, results)
  }];
}

#endif // NAX_OPS_EMBED
