//===- Masks.td - which positions may be read -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_OPS_MASKS
#define NAX_OPS_MASKS

include "nax/Dialect/Nax/IR/NaxTypes.td"

def Nax_WindowOp : Nax_Op<"window"> {
  let summary = "True where t - s < size";
  let description = [{
    **Requires**  a sequence, and a size of at least 1: the position itself.

    **Ensures**   a mask on T and Read<T>. The future is not hidden by it.

    ```mlir
    %m = nax.window of #T size 128 : !nax.tensor<[#T, #ReadT], i1, mask<#T, #ReadT>>
    ```

    **Errors** (cases of `test/dialect/masks-invalid.mlir`)

    - `axis` is no sequence
    - `size` is less than 1
    - the result is not that mask
  }];
  let arguments = (ins Nax_AxisAttr:$axis, I64Attr:$size);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    `of` $axis `size` $size attr-dict `:` qualified(type($result))
  }];
}

def Nax_PastOp : Nax_Op<"past"> {
  let summary = "True where s <= t";
  let description = [{
    What a causal axis has from nax.causal_mask; joined with other masks, over a
    sequence all of which may be read, it makes a prefix language model.

    **Requires**  a sequence.

    **Ensures**   a mask on T and Read<T>.

    ```mlir
    %m = nax.past of #P : !nax.tensor<[#P, #ReadP], i1, mask<#P, #ReadP>>
    ```

    **Errors** (cases of `test/dialect/masks-invalid.mlir`)

    - `axis` is no sequence
    - the result is not that mask
  }];
  let arguments = (ins Nax_AxisAttr:$axis);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    `of` $axis attr-dict `:` qualified(type($result))
  }];
}

def Nax_PrefixOp : Nax_Op<"prefix"> {
  let summary = "True where s < size";
  let description = [{
    **Requires**  a sequence, and a size of at least 1.

    **Ensures**   a mask on Read<T>, the same for every query.

    ```mlir
    %m = nax.prefix of #T size 4 : !nax.tensor<[#ReadT], i1, mask<every, #ReadT>>
    ```

    **Errors** (cases of `test/dialect/masks-invalid.mlir`)

    - `size` is less than 1
    - the result is a mask for some queries
    - the sequence is packed: a row has several documents
    - the sequence is left-padded: a row begins with padding
  }];
  let arguments = (ins Nax_AxisAttr:$axis, I64Attr:$size);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    `of` $axis `size` $size attr-dict `:` qualified(type($result))
  }];
}

def Nax_ShorterThanOp : Nax_Op<"shorter_than"> {
  let summary = "True where s is below the length of its row";
  let description = [{
    **Requires**  i32 or i64 lengths that do not stand on the sequence `axis`.

    **Ensures**   a mask on the axes of `lengths` and Read<T>, the same for every
    query.

    ```mlir
    %m = nax.shorter_than %lengths of #P : (!nax.tensor<[#B], i32>) -> !nax.tensor<[#B, #ReadP], i1, mask<every, #ReadP>>
    ```

    **Errors** (cases of `test/dialect/masks-invalid.mlir`)

    - `lengths` are no i32 or i64
    - `lengths` stand on the sequence
    - the sequence is left-padded: rows end together
    - `lengths` have seen all of the causal sequence
  }];
  let arguments = (ins Nax_Tensor:$lengths, Nax_AxisAttr:$axis);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $lengths `of` $axis attr-dict `:` functional-type(operands, results)
  }];
}

def Nax_SameDocumentOp : Nax_Op<"same_document"> {
  let summary = "True where t and s belong to one document";
  let description = [{
    **Requires**  i32 or i64 numbers of documents that stand on the sequence
    `axis`. The positions of a document follow one another. If `axis` is
    continued, `cached` is what `nax.cached` gives of them.

    **Ensures**   a mask on the axes of `documents` and Read<T>.

    ```mlir
    %m = nax.same_document %documents of #Z : (!nax.tensor<[#B, #Z], i32>) -> !nax.tensor<[#B, #Z, #ReadZ], i1, mask<#Z, #ReadZ>>
    %n = nax.same_document %documents cached %c of #N : (!nax.tensor<[#B, #N], i32>, !nax.tensor<[#B, #ReadN], i32>) -> !nax.tensor<[#B, #N, #ReadN], i1, mask<#N, #ReadN>>
    ```

    **Errors** (cases of `test/dialect/masks-invalid.mlir`)

    - `documents` are no i32 or i64
    - `documents` do not stand on the sequence
    - the sequence is not packed: rope and losses would not know them
    - the sequence is continued and what is cached of the documents is missing (`decode-invalid.mlir`)
    - `cached` is there although all positions are (`decode-invalid.mlir`)
    - `cached` is of other rows (`decode-invalid.mlir`)
  }];
  let arguments = (ins Nax_Tensor:$documents, Optional<Nax_Tensor>:$cached,
                       Nax_AxisAttr:$axis);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $documents (`cached` $cached^)? `of` $axis attr-dict `:` functional-type(operands, results)
  }];
}

def Nax_AllowedWhereTrueOp : Nax_Op<"allowed_where_true"> {
  let summary = "A mask from a buffer whose true means: may be read";
  let description = [{
    **Requires**  true and false on exactly one axis being read.

    **Ensures**   a mask about that axis, for the queries of the first sequence
    axis that `m` has, or for every query.

    ```mlir
    %r = nax.allowed_where_true %m : (!nax.tensor<[#B, #P, #ReadP], i1>) -> !nax.tensor<[#B, #P, #ReadP], i1, mask<#P, #ReadP>>
    ```

    **Errors** (cases of `test/dialect/masks-invalid.mlir`)

    - `m` is not true or false
    - `m` stands on the sequence and not on its Read
    - the result is for every query although `m` stands on some
  }];
  let arguments = (ins Nax_Tensor:$m);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = "$m attr-dict `:` functional-type(operands, results)";
}

def Nax_BlockedWhereTrueOp : Nax_Op<"blocked_where_true"> {
  let summary = "A mask from a buffer whose true means: may not be read";
  let description = [{
    **Requires**  as `nax.allowed_where_true`.

    **Ensures**   the opposite of it.

    ```mlir
    %r = nax.blocked_where_true %m : (!nax.tensor<[#B, #ReadP], i1>) -> !nax.tensor<[#B, #ReadP], i1, mask<every, #ReadP>>
    ```

    **Errors** (cases of `test/dialect/masks-invalid.mlir`)

    - `m` has no axis being read
  }];
  let arguments = (ins Nax_Tensor:$m);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = "$m attr-dict `:` functional-type(operands, results)";
}

class Nax_MaskOfTwoOp<string mnemonic> : Nax_Op<mnemonic> {
  let arguments = (ins Nax_Tensor:$x, Nax_Tensor:$y);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $x `,` $y attr-dict `:` functional-type(operands, results)
  }];
}

def Nax_MaskAndOp : Nax_MaskOfTwoOp<"mask_and"> {
  let summary = "True where both are";
  let description = [{
    **Requires**  two masks about one axis, and of one that asks if both have
    one.

    **Ensures**   a mask on the axes of `x`, then those that only `y` has.

    ```mlir
    %m = nax.mask_and %x, %y : (!nax.tensor<[#T, #ReadT], i1, mask<#T, #ReadT>>, !nax.tensor<[#B, #ReadT], i1, mask<every, #ReadT>>) -> !nax.tensor<[#T, #ReadT, #B], i1, mask<#T, #ReadT>>
    ```

    **Errors** (cases of `test/dialect/masks-invalid.mlir`)

    - a side is no mask
    - the masks are about two axes
    - the result is for every query although one side is not
  }];
}

def Nax_MaskOrOp : Nax_MaskOfTwoOp<"mask_or"> {
  let summary = "True where either is";
  let description = [{
    **Requires**  as `nax.mask_and`.

    **Ensures**   a mask on the axes of `x`, then those that only `y` has.

    ```mlir
    %m = nax.mask_or %x, %y : (!nax.tensor<[#T, #ReadT], i1, mask<#T, #ReadT>>, !nax.tensor<[#ReadT], i1, mask<every, #ReadT>>) -> !nax.tensor<[#T, #ReadT], i1, mask<#T, #ReadT>>
    ```

    **Errors** (cases of `test/dialect/masks-invalid.mlir`)

    - the masks are for two that ask
  }];
}

def Nax_MaskNotOp : Nax_Op<"mask_not", [AllTypesMatch<["x", "result"]>]> {
  let summary = "True where the other is not";
  let description = [{
    **Requires**  a mask.

    **Ensures**   a mask of its type.

    ```mlir
    %m = nax.mask_not %x : !nax.tensor<[#ReadT], i1, mask<every, #ReadT>>
    ```

    **Errors** (cases of `test/dialect/masks-invalid.mlir`)

    - `x` is no mask
  }];
  let arguments = (ins Nax_Tensor:$x);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = "$x attr-dict `:` qualified(type($result))";
}

#endif // NAX_OPS_MASKS
