//===- Kernel.td - whole kernels on buffers -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// What nax.dot, nax.attention and the norms become once their operands are in
// memory. nax-expand-kernels turns each into a call of an outlined function of
// f32 (matrices may be narrower), nax-gpu-kernels into launches, also of f16 and
// bf16. Sums are made in f32 at least; sizes of sequences and rows are known
// when called.
//
//===----------------------------------------------------------------------===//

#ifndef NAX_OPS_KERNEL
#define NAX_OPS_KERNEL

include "nax/Dialect/Nax/IR/NaxDialect.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/CommonAttrConstraints.td"

class Nax_KernelOp<string mnemonic, list<Trait> traits = []>
    : Op<Nax_Dialect, "kernel." # mnemonic, traits> {
  let cppNamespace = "::nax::kernel";
  let hasVerifier = 1;
}

class Kernel_Rows<int rank> : MemRefRankOf<[F32, F16, BF16], [rank]>;
def Kernel_Numbers : MemRefOf<[F32, F16, BF16]>;

/// As many bytes as `kernelScratchBytes(op)` or, for a dot, `dotScratchPerRow`
/// says; absent where that is 0.
def Kernel_Scratch
    : Arg<Optional<MemRefRankOf<[I8], [1]>>, "scratch", [MemRead, MemWrite]>;

/// What the epilogue of a dot reads beside the sum.
def Kernel_Extras
    : Arg<Variadic<MemRefRankOf<[AnyInteger, AnyFloat], [1, 2]>>,
          "operands of the epilogue", [MemRead]>;

def Kernel_DotOp : Nax_KernelOp<"dot", [AttrSizedOperandSegments]> {
  let summary = "Rows times a matrix that is packed in panels, or transposed";
  let description = [{
    `panels[j, k, n]` holds `B[k, j * NR + n]`, zero where `j * NR + n` is past
    N. NR is a multiple of 16. Panels of f16 or bf16 go with rows of f32 and are
    widened. Those of four dimensions are pairs of bf16: `panels[j, i, n, p]`
    holds `B[2 i + p, j * NR + n]`, zero where `2 i + p` is past K, as it is up
    to a multiple of 16 pairs; the rows, too, are rounded to bf16 there, to
    nearest even, into the scratch. A matrix
    of two dimensions is `B` transposed, `[n, k]`, as GPUs take it.

    With `stored = "q8_0"` (q4_0, q4_1, q6_k, q4_k) panels are bytes: number
    `[j, i]` is the record of K block i of panel j, as the runtime's
    model_desc.h has it. Blocks of 32 numbers of a row are rounded to integers of
    8 bits times a scale, into the scratch, or with `exact` taken as they are.

    **Requires**  `c` overlaps neither `a` nor `panels`; K, N and NR are static;
                  the columns of `c` and of each extra are adjacent. An extra is
                  `c` itself or does not overlap it. On a CPU `scratch` has
                  `dotScratchPerRow(op)` bytes for each row of `a`.
    **Ensures**   `c[m, n] = sum over k of a[m, k] B[k, n]`, added in an order
                  that does not depend on the number of rows (that of k for
                  panels), in f32; of pairs both products are added at once, as
                  `vdpbf16ps` and `tdpbf16ps` do, which take subnormal numbers for 0. With an
                  epilogue it is what this gives for the sum, not yet rounded,
                  and the element of each extra:
                  number n of one dimension, `[m, n]` of two. Each element of
                  `c` is written once, after those of extras in its place have
                  been read.

    ```mlir
    nax.kernel.dot %a, %panels into %c
        : memref<?x64xf32>, memref<3x64x48xf32>, memref<?x130xf32>
    nax.kernel.dot %a, %pairs into %c scratch %bytes : memref<?xi8>
        : memref<?x63xf32>, memref<5x32x32x2xbf16>, memref<?x130xf32>
    nax.kernel.dot %a, %records into %c scratch %bytes : memref<?xi8>
        {stored = "q8_0"}
        : memref<?x64xf32>, memref<3x2x1632xi8>, memref<?x130xf32>
    nax.kernel.dot %h, %transposed into %c
        : memref<?x64xbf16>, memref<130x64xbf16>, memref<?x130xf32>
    nax.kernel.dot %h, %transposed into %c epilogue(%bias : memref<130xbf16>) {
    ^bb0(%sum: f32, %b: bf16):
      %wide = arith.extf %b : bf16 to f32
      %y = arith.addf %sum, %wide : f32
      nax.yield %y : f32
    } : memref<?x64xbf16>, memref<130x64xbf16>, memref<?x130xf32>
    ```

    **Errors** (cases of `test/dialect/kernel-invalid.mlir`)

    - K, N or the number of panels disagree, or one of them is not static
    - NR is no multiple of 16, or panels of pairs are not dense or no pairs
    - the columns of `c` or of an extra are not adjacent
    - `a` and the matrix are of different types, but for panels of f16 and bf16
      with rows of f32; or `c` is neither of `a`'s type nor f32
    - pairs of another type than bf16
    - `stored` is no quantised type, or stands beside panels that are no bytes of
      its records; K is no multiple of its block; rows or result are not f32;
      `exact` without it
    - extras without an epilogue, or of other sizes than a row or all of `c`
    - the epilogue does not take the sum and an element of each extra, or does
      not yield an element of `c`
    - the epilogue does more than arithmetic on numbers of one element
  }];
  let arguments = (ins Arg<Kernel_Rows<2>, "rows", [MemRead]>:$a,
                       Arg<MemRefRankOf<[F32, F16, BF16, I8], [2, 3, 4]>,
                           "matrix", [MemRead]>:$panels,
                       Arg<Kernel_Rows<2>, "result", [MemWrite]>:$c,
                       Kernel_Extras:$extras, Kernel_Scratch:$scratch,
                       OptionalAttr<StrAttr>:$stored, UnitAttr:$exact);
  let regions = (region MaxSizedRegion<1>:$epilogue);
  let hasRegionVerifier = 1;
  let assemblyFormat = [{
    $a `,` $panels `into` $c (`scratch` $scratch^ `:` type($scratch))?
    (`epilogue` `(` ($extras^ `:` type($extras))? `)` $epilogue^)?
    attr-dict `:` type($a) `,` type($panels) `,` type($c)
  }];
}

def Nax_YieldOp : Op<Nax_Dialect, "yield",
                     [Pure, Terminator, HasParent<"kernel::DotOp">]> {
  let summary = "What the epilogue of a nax.kernel.dot gives for one element";
  let arguments = (ins AnyType:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def Kernel_NormOp : Nax_KernelOp<"norm", [AttrSizedOperandSegments]> {
  let summary = "Normalise rows";
  let description = [{
    **Requires**  `out` is `x` or does not overlap it; C is static; the columns
                  of `x` and `out` are adjacent.
    **Ensures**   "layer": `(x - mean) / sqrt(variance + eps) * gain + shift`
                  with the variance divided by C; "rms": `x / sqrt(mean of
                  squares + eps) * gain`. With `one_plus` the gain is
                  `1 + gain`. Sums are made in f64.

    ```mlir
    nax.kernel.norm "rms" %x, %gain into %out eps 1.0e-05
        : memref<?x576xf32>, memref<576xf32>, memref<?x576xf32>
    ```

    **Errors** (cases of `test/dialect/kernel-invalid.mlir`)

    - the kind is neither "rms" nor "layer", or "rms" has a shift
    - C disagrees or is not static
  }];
  let arguments = (ins Arg<Kernel_Rows<2>, "rows", [MemRead]>:$x,
                       Arg<Kernel_Rows<1>, "gain", [MemRead]>:$gain,
                       Arg<Optional<Kernel_Rows<1>>, "shift", [MemRead]>:$shift,
                       Arg<Kernel_Rows<2>, "result", [MemWrite]>:$out,
                       Kernel_Scratch:$scratch, StrAttr:$kind, F64Attr:$eps,
                       UnitAttr:$one_plus);
  let assemblyFormat = [{
    $kind $x `,` $gain (`shift` $shift^ `:` type($shift))? `into` $out
    (`scratch` $scratch^ `:` type($scratch))? `eps` $eps (`one_plus` $one_plus^)? attr-dict `:`
    type($x) `,` type($gain) `,` type($out)
  }];
}

/// What attention and its weights alone share.
class Nax_KernelAttention<string mnemonic, dag operands, dag maps>
    : Nax_KernelOp<mnemonic, [AttrSizedOperandSegments]> {
  let arguments = !con(operands,
    (ins Arg<Variadic<AnyMemRef>, "data of masks and biases",
             [MemRead]>:$extras,
         Kernel_Scratch:$scratch),
    maps,
    (ins AffineMapArrayAttr:$extra_maps, I64Attr:$num_batch, F64Attr:$scale,
         OptionalAttr<F64Attr>:$cap, UnitAttr:$causal,
         OptionalAttr<I64Attr>:$bias, OptionalAttr<I64Attr>:$alibi,
         OptionalAttr<ArrayAttr>:$mask));
  let skipDefaultBuilders = 1;
}

def Kernel_AttentionOp : Nax_KernelAttention<"attention",
    (ins Arg<Kernel_Numbers, "queries", [MemRead]>:$q,
         Arg<Kernel_Numbers, "keys", [MemRead]>:$k,
         Arg<Kernel_Numbers, "values", [MemRead]>:$v,
         Arg<Kernel_Numbers, "result", [MemWrite]>:$out,
         Arg<Optional<Kernel_Numbers>, "cached keys", [MemRead]>:$kc,
         Arg<Optional<Kernel_Numbers>, "cached values", [MemRead]>:$vc,
         Arg<Optional<MemRefOf<[I32]>>, "start and end of each row",
             [MemRead]>:$span,
         Arg<Optional<MemRefOf<[F32]>>, "cosines of each position",
             [MemRead]>:$cosines,
         Arg<Optional<MemRefOf<[F32]>>, "sines of each position",
             [MemRead]>:$sines),
    (ins AffineMapAttr:$q_map, AffineMapAttr:$k_map, AffineMapAttr:$v_map,
         AffineMapAttr:$out_map, OptionalAttr<AffineMapAttr>:$span_map,
         OptionalAttr<DenseI64ArrayAttr>:$extra_caches,
         OptionalAttr<AffineMapAttr>:$rope_map,
         OptionalAttr<StrAttr>:$pairing)> {
  let summary = "Fused attention: softmax of masked scores times values";
  let description = [{
    Maps go from (batch..., t, s, d, e) to the dimensions of a buffer: t is the
    query, s the key, d the component of both, e that of the values. Keys and
    values may lack batch dimensions; heads are grouped this way.

    **Requires**  `out` overlaps no operand; d and e are static; `scratch` has
                  `kernelScratchBytes(op)` bytes. Queries, keys and values are of
                  one type; the result is of it, too, or of f32, as scores are.
    **Ensures**   for each (batch..., t): scores `scale * (q . k)`, then
                  `cap * tanh(score / cap)`, then plus the bias or minus
                  `slope * |t - s|`, then softmax over the allowed s, then the
                  sum of the values so weighted. A query with nothing allowed
                  gives zeros. Nothing in a slot that a query may not read, NaN
                  included, changes its result by a bit. A result depends
                  neither on other rows nor on T, S, or the number of threads.

    `mask` is a tree: `["and", x, y]`, `["or", x, y]`, `["not", x]`,
    `["window", n]` (t - s < n), `["prefix", n]` (s < n), and with the number of
    an extra operand `["less_than", i]` (s < it), `["not_before", i]` (s >= it),
    `["same", i]` (equal at t and at s; the map names t), `["true", i]` and
    `["false", i]` (a byte per element). `causal` (s <= t) is and-ed on top.
    Keys that causal, window, prefix, less_than or not_before hide from all
    queries of a block are not loaded.

    **With a cache** (`cached(%kc, %vc, %span)`) the queries and keys are new
    positions after those that each row has already. `span_map` goes to the
    dimensions of `span` before its last one, of size 2: the row has `start`
    positions in the cache and ends at `end`. Its query t stands at position
    `start + t`; from `end - start` on results are zeros. Its keys stand at the
    positions below `end`: s < start is slot `s mod slots` of `kc`, another is
    number `s - start` of `k`, and so with `vc` and `v`. A cache has the
    dimensions of its new part, slots in the place of s. Masks, `causal` and
    alibi speak of positions, extras that name t are about new ones, and for
    each extra that is read at s `extra_caches` has the number of another one,
    which is its cache (-1 for others). No query may be allowed a position that
    a cache has no slot for any more; such a slot is not loaded, nor is one that
    no query of the row may read. A result depends on its row's keys, start and
    end, not on how many other rows or queries the call has.

    **With rotated queries** (`rotate("halves", %cosines, %sines)`, on a GPU)
    queries are rotated as `nax.rope` does, in f32 and rounded to their type,
    before anything else; keys have been. `rope_map` goes to the dimensions of
    both tables before the last one, which is of the pairs: component i rotates
    with i + pairs ("halves"), or 2i with 2i + 1 ("interleaved"). Components from
    twice the pairs on stay as they are.

    ```mlir
    nax.kernel.attention(%q, %k, %v) into %out
        scratch %scratch : memref<2097152xi8> {
        q_map = affine_map<(b, t, s, d, e) -> (b, t, d)>,
        k_map = affine_map<(b, t, s, d, e) -> (b, s, d)>,
        v_map = affine_map<(b, t, s, d, e) -> (b, s, e)>,
        out_map = affine_map<(b, t, s, d, e) -> (b, t, e)>,
        extra_maps = [], num_batch = 1 : i64, scale = 0.125 : f64, causal}
        : memref<?x?x64xf32>, memref<?x?x64xf32>, memref<?x?x64xf32>,
          memref<?x?x64xf32>
    nax.kernel.attention(%q, %k, %v)
        cached(%kc, %vc, %span : memref<?x?x64xf32>, memref<?x?x64xf32>, memref<?x2xi32>)
        into %out scratch %scratch : memref<?xi8> {
        ..., span_map = affine_map<(b, t, s, d, e) -> (b)>}
        : ...
    nax.kernel.attention(%q, %k, %v)
        rotate("halves", %cosines, %sines : memref<?x32xf32>, memref<?x32xf32>)
        into %out {..., rope_map = affine_map<(b, t, s, d, e) -> (t)>}
        : ...
    ```

    **Errors** (cases of `test/dialect/kernel-invalid.mlir`)

    - a map is no projected permutation, or names a dimension that is not its
    - d or e is not static
    - queries, keys, values and caches are not of one type
    - the mask is no such tree, or an extra has no operand, no map or the wrong
      element type
    - a cache without `span_map`, of other dimensions than its new part, or with
      a span that is not of two numbers for each row
    - an extra that is read at s without a cache of the same map and element
      type, or one that names both t and s beside a cache
    - only one of cosines, sines, `rope_map` and the pairing, or a pairing that is
      neither "halves" nor "interleaved"
    - tables that are not of one type, whose pairs are not static or are more than
      half of the components, or that stand on a dimension the queries lack
  }];
  let builders = [OpBuilder<(ins
      "::mlir::Value":$q, "::mlir::Value":$k, "::mlir::Value":$v,
      "::mlir::Value":$out, "::mlir::ValueRange":$extras,
      "::mlir::Value":$scratch, "::mlir::AffineMap":$q_map,
      "::mlir::AffineMap":$k_map, "::mlir::AffineMap":$v_map,
      "::mlir::AffineMap":$out_map, "::mlir::ArrayAttr":$extra_maps,
      "int64_t":$num_batch, "::mlir::FloatAttr":$scale,
      "::mlir::FloatAttr":$cap, "::mlir::UnitAttr":$causal,
      "::mlir::IntegerAttr":$bias, "::mlir::IntegerAttr":$alibi,
      "::mlir::Attribute":$mask, CArg<"::mlir::Value", "{}">:$kc,
      CArg<"::mlir::Value", "{}">:$vc, CArg<"::mlir::Value", "{}">:$span,
      CArg<"::mlir::AffineMap", "{}">:$span_map,
      CArg<"::llvm::ArrayRef<int64_t>", "{}">:$extra_caches)>];
  let assemblyFormat = [{
    `(` $q `,` $k `,` $v `)`
    (`rotate` `(` $pairing `,` $cosines^ `,` $sines `:` type($cosines) `,`
                  type($sines) `)`)?
    (`cached` `(` $kc^ `,` $vc `,` $span `:` type($kc) `,` type($vc) `,`
                  type($span) `)`)? `into` $out
    (`extras` `(` $extras^ `:` type($extras) `)`)?
    (`scratch` $scratch^ `:` type($scratch))? attr-dict `:`
    type($q) `,` type($k) `,` type($v) `,` type($out)
  }];
}

def Kernel_AttentionWeightsOp : Nax_KernelAttention<"attention_weights",
    (ins Arg<Kernel_Numbers, "queries", [MemRead]>:$q,
         Arg<Kernel_Numbers, "keys", [MemRead]>:$k,
         Arg<Kernel_Numbers, "result", [MemWrite]>:$out),
    (ins AffineMapAttr:$q_map, AffineMapAttr:$k_map, AffineMapAttr:$out_map)> {
  let summary = "The softmax weights of attention, as a result of their own";
  let description = [{
    As `nax.kernel.attention`, without values: `out` has the batch dimensions, t
    and s, and holds the weights; exactly 0 where a query may not read. Maps go
    from (batch..., t, s, d, e) here too.
  }];
  let builders = [OpBuilder<(ins
      "::mlir::Value":$q, "::mlir::Value":$k, "::mlir::Value":$out,
      "::mlir::ValueRange":$extras, "::mlir::Value":$scratch,
      "::mlir::AffineMap":$q_map, "::mlir::AffineMap":$k_map,
      "::mlir::AffineMap":$out_map, "::mlir::ArrayAttr":$extra_maps,
      "int64_t":$num_batch, "::mlir::FloatAttr":$scale,
      "::mlir::FloatAttr":$cap, "::mlir::UnitAttr":$causal,
      "::mlir::IntegerAttr":$bias, "::mlir::IntegerAttr":$alibi,
      "::mlir::Attribute":$mask)>];
  let assemblyFormat = [{
    `(` $q `,` $k `)` `into` $out
    (`extras` `(` $extras^ `:` type($extras) `)`)?
    (`scratch` $scratch^ `:` type($scratch))? attr-dict `:`
    type($q) `,` type($k) `,` type($out)
  }];
}

#endif // NAX_OPS_KERNEL
