//===- Embed.td - tables of tokens and positions --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_OPS_EMBED
#define NAX_OPS_EMBED

include "nax/Dialect/Nax/IR/NaxTypes.td"

def Nax_EmbedOp : Nax_Op<"embed"> {
  let summary = "Look ids up in a table";
  let arguments = (ins Nax_Tensor:$ids, Nax_Tensor:$table, Nax_AxisAttr:$from);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $ids `,` $table `from` $from attr-dict `:` functional-type(operands, results)
  }];
}

def Nax_UnembedOp : Nax_Op<"unembed"> {
  let summary = "Logits: how well a value matches each row of a table";
  let arguments = (ins Nax_Tensor:$x, Nax_Tensor:$table, Nax_AxisAttr:$to);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $x `,` $table `to` $to attr-dict `:` functional-type(operands, results)
  }];
}

def Nax_EmbedPositionsOp : Nax_Op<"embed_positions"> {
  let summary = "Add a learned row for each position";
  let arguments = (ins Nax_Tensor:$x, Nax_Tensor:$table,
                       Optional<Nax_Tensor>:$data, Nax_AxisAttr:$axis);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $x `,` $table (`data` $data^)? `along` $axis attr-dict `:`
    functional-type(operands, results)
  }];
}

#endif // NAX_OPS_EMBED
