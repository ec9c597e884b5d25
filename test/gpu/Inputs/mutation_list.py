# SPDX-License-Identifier: Apache-2.0
"""What mutations.py changes in which kernel: (case, kernel, what, edit).

An edit is found by its anchor, a pattern of PTX without names of registers; an
anchor that is gone is an error, since then nothing would be tested.
"""

import re

R = r"%\w+"  # a register
INDENT = r"^\t"


def sub(pattern, new, at=0):
    """Replaces the match number `at`, counted from the end if negative; None: all."""

    def edit(text):
        text = re.sub(r"^\t\.loc.*\n|^\$L__tmp.*\n", "", text, flags=re.M)
        found = list(re.finditer(pattern, text, re.M))
        if not found or (at is not None and not -len(found) <= at < len(found)):
            raise LookupError(f"the anchor {pattern!r} is there {len(found)} times")
        for match in reversed(found if at is None else [found[at]]):
            changed = match.expand(new)
            if changed == match[0]:
                raise LookupError(f"{pattern!r} changes nothing")
            text = text[: match.start()] + changed + text[match.end() :]
        return text

    return edit


def drop(pattern, at=0):
    return sub(INDENT + pattern + r".*\n", "", at)


def drop_branch_before(pattern, at=0):
    """The branch that jumps over the next such instruction."""
    return sub(rf"^\t@{R} bra .*\n((?:\t[^@].*\n)*?\t{pattern})", r"\1", at)


BARRIER, COMMIT, WAIT = r"bar\.sync", r"cp\.async\.commit_group", r"cp\.async\.wait_group"
WARP_BARRIER = r"bar\.warp\.sync"
# The products of one mma.sync are left out: its sums stay as they were.
SUMS = rf"\{{({R}), ({R}), ({R}), ({R})\}}"
MMA = rf"^\tmma\.sync.*\n\t\t{SUMS},\n.*\n.*\n\t\t{SUMS};\n"
OPERANDS = rf"^(\tmma\.sync.*\n.*\n\t\t)\{{({R}), ({R}), ({R}), ({R})\}},\n\t\t\{{({R}), ({R})\}}"
TF32 = rf"^\tcvt\.rna\.tf32\.f32 \t({R}), ({R});"
NO_PRODUCT = "".join(f"\tmov.b32 \t\\{i}, \\{i + 4};\n" for i in range(1, 5))
# A copy's number of bytes by a predicate: with it, of zeros without.
ZERO_FILL = rf"^\tselp\.b32 \t({R}), (8|16), 0, {R};"
ALWAYS = r"\tmov.b32 \t\1, \2;"
SHUFFLE = rf"shfl\.sync\.bfly\.b32 \t({R}), ({R}),"
FACTOR = "0f3E8293EE"  # of D = 32: log2(e) / sqrt(32)
LOWEST, INFINITE = "0fFF7FFFFF", "0fFF800000"
# Where an extra is read: a row's first column, then the column of a chunk.
ADD_LOAD = r"\n\tadd\.s64 .*\n\tld\.global"
ROW_OF_EXTRA = rf"add\.s64 \t({R}), ({R}), {R};(?={ADD_LOAD})"
FIRST_ROW = r"mov.b64 \t\1, \2;"


def shared(bytes_):
    """Of the launch, which is no part of the PTX."""
    edit = sub(r"shared\(\d+\)", f"shared({bytes_})")
    edit.of_launch = True
    return edit


DOT, FEW, FDOT, FFEW = (
    r"dot_bf16_K1100_N72",
    r"dot_bf16_K1100_N72_few",
    r"dot_f32_K200_N36",
    r"dot_f32_K300_N36_few",
)
EDOT, EFEW = r"dot_bf16_K64_N72", r"dot_bf16_K576_N72_few"
TDOT, TTILES = r"dot_tf32_K300_N72", r"causal_attention_tf32_D32"
TILES, FTILES = r"causal_attention_bf16_D32", r"causal_attention_f32_D16"
UNITS, COMBINE = TILES + "_units", TILES + "_combine"
WINDOW, LENGTHS = r"causal_attention_bf16_D16", r"attention_bf16_D16"
ROPE, UNITS_ROPE = TILES + "_rope", r"causal_attention_f32_D32_rope_units"
NORM, RMS, ROWS, LOOPS = "layer_norm_C70", "rms_norm_C4096", "reduce_rows", "elementwise"

MUTATIONS = [
    # Products of many rows: three stages in a ring, eight warps or four.
    ("dot-bf16", DOT, "no barrier between the stages", drop(BARRIER)),
    ("dot-bf16", DOT, "no wait for a stage", drop(WAIT)),
    ("dot-bf16", DOT, "a wait for one stage less", sub(r"(wait_group \t)1", r"\g<1>2")),
    ("dot-bf16", DOT, "first stages in one group", drop(COMMIT)),
    ("dot-bf16", DOT, "stages of the loop in no group", drop(COMMIT, -1)),
    ("dot-bf16", DOT, "ldmatrix one chunk further", sub(r"(ldmatrix.*)\+8192\]", r"\1+8208]")),
    ("dot-bf16", DOT, "ldmatrix eight bytes further", sub(r"(ldmatrix.*)\+8192\]", r"\1+8200]")),
    ("dot-bf16", DOT, "a step of k left out of two tiles", sub(MMA, NO_PRODUCT, 3)),
    ("dot-bf16", DOT, "two columns exchanged",
     sub(rf"(bf16x2\.f32 \t{R}), ({R}), ({R})", r"\1, \3, \2")),
    ("dot-bf16", DOT, "the last slice left out", sub(r"(setp\.ne\.b32.*), 4;", r"\1, 3;")),
    ("dot-bf16", DOT, "the second stage one chunk early", sub(r"\+16384\], \[", "+16368], [")),
    ("dot-bf16", DOT, "a ring of two, filled as one of three", sub(r"-49152", "-32768")),
    ("dot-bf16", DOT, "rows behind the last one copied", sub(ZERO_FILL, ALWAYS, 3)),
    ("dot-bf16", DOT, "columns behind the last one copied", sub(ZERO_FILL, ALWAYS, 7)),
    ("dot-bf16", DOT, "the end of k not cut off",
     sub(rf"(setp\.lt\.u32.*), 1100;", r"\1, 1152;", None)),
    ("dot-bf16", DOT, "columns behind the last one stored",
     sub(r"(setp\.gt\.u32.*), 71;", r"\1, 72;", None)),
    ("dot-bf16", DOT, "rows behind the last one stored",
     sub(rf"min\.s32 \t({R}), {R}, 64;", r"mov.b32 \t\1, 64;", -1)),
    ("dot-bf16", DOT, "sums read before they are there", drop(BARRIER, -1)),
    ("dot-bf16", DOT, "rows of sums written too close", sub(r"(mad\.lo\.s32 .*), 288,", r"\1, 256,")),
    ("dot-bf16", DOT, "rows of sums read too close", sub(r"(mad\.lo\.s32 .*), 288,", r"\1, 272,", 1)),
    ("dot-bf16", DOT, "four columns written over others",
     sub(rf"(and\.b32 \t{R}, {R}), 144;(?=\n\tmad)", r"\1, 128;")),
    ("dot-bf16", DOT, "four columns of a chunk of the chunk before",
     sub(r"(ld\.shared\.v4.*)\+144\]", r"\1+128]")),
    ("dot-bf16", DOT, "results' rows too close",
     sub(r"(mad\.lo\.s64 .*), 144,((?:.*\n)*?.*st\.global)", r"\1, 128,\2", -1)),
    ("dot-bf16", DOT, "a third of the shared memory too little", shared(32768)),
    ("dot-f32", FDOT, "no barrier between the stages", drop(BARRIER)),
    ("dot-f32", FDOT, "one product left out", drop(r"fma\.rn\.f32", 300)),
    ("dot-f32", FDOT, "sums begin at one", sub(r"(mov\.b32 .*) 0f00000000", r"\1 0f3F800000")),
    ("dot-f32", FDOT, "slots of a ring of two", sub(rf"(mul\.lo\.s16 .*), 3;", r"\1, 2;")),
    ("dot-f32", FDOT, "sixteen bytes at a multiple of eight",
     sub(r"(ld\.shared\.v4.*)\+16\]", r"\1+24]")),
    ("dot-f32", FDOT, "two rows' results at one place",
     sub(r"(mul\.wide\.s32 .*), 144;", r"\1, 72;", None)),
    # Products of few rows: a warp for each slice of k.
    ("dot-bf16-few", FEW, "no barrier of the warp", drop(WARP_BARRIER)),
    ("dot-bf16-few", FEW, "a wait for one stage less", sub(r"(wait_group \t)2", r"\g<1>3")),
    ("dot-bf16-few", FEW, "slices added before they are there", drop(BARRIER, -1)),
    ("dot-bf16-few", FEW, "two warps' stages at one place",
     sub(rf"(shl\.b32 \t{R}, {R}), 14;", r"\1, 13;")),
    ("dot-bf16-few", FEW, "the first slice in place of the last", sub(r"\+49152\]", "]")),
    ("dot-f32-few", FFEW, "one stage of each slice left out",
     sub(rf"(add\.s32 \t{R}, {R}), 3;", r"\1, 2;")),
    ("dot-bf16-few", FEW, "sums written where a stage is still read", drop(WARP_BARRIER, -1)),
    ("dot-bf16-few", FEW, "rows of sums too close", sub(r"(mad\.lo\.s32 .*), 96,", r"\1, 80,")),
    ("dot-bf16-few", FEW, "half a chunk of one slice",
     sub(r"(ld\.shared\.v4.*)\+16432\]", r"\1+16384]")),
    ("dot-f32-few", FFEW, "rows of sums too close", sub(r"(mad\.lo\.s32 .*), 320,", r"\1, 288,")),
    ("dot-f32-few", FFEW, "a slice left out of one sum",
     sub(rf"add\.rn\.f32 \t({R}), ({R}), {R};", r"mov.b32 \t\1, \2;", -1)),
    # Epilogues: bias, gate, and what is in the result's place before.
    ("dot-epilogue", EDOT, "bias of the first columns",
     sub(rf"mul\.wide\.u32 \t({R}), {R}, 2;(?={ADD_LOAD})", r"mov.b64 \t\1, 0;")),
    ("dot-epilogue", EDOT, "a gate of the first row", sub(ROW_OF_EXTRA, FIRST_ROW)),
    ("dot-epilogue", EDOT, "a residual of the first row", sub(ROW_OF_EXTRA, FIRST_ROW, 1)),
    ("dot-epilogue", EDOT, "bias behind the last column", drop_branch_before(r"ld\.global")),
    ("dot-epilogue", EDOT, "gates behind the last row", drop_branch_before(r"ld\.global", 7)),
    ("dot-epilogue", EDOT, "residuals behind the last row", drop_branch_before(r"ld\.global", 8)),
    ("dot-epilogue", EDOT, "two columns of bias exchanged",
     sub(rf"mov\.b32 \t\{{({R}), ({R})\}}", r"mov.b32 \t{\2, \1}")),
    ("dot-epilogue", EDOT, "eight of the bias at a multiple of eight bytes",
     sub(r"(ld\.global\.v4.*)\]", r"\1+8]")),
    ("dot-epilogue", EDOT, "no gate of one element",
     sub(rf"mul\.rn\.f32 \t({R}), ({R}), {R};", r"mov.b32 \t\1, \2;")),
    ("dot-epilogue", EDOT, "sums written where a stage is still read", drop(BARRIER, -2)),
    ("dot-epilogue", EDOT, "sums read before they are there", drop(BARRIER, -1)),
    ("dot-epilogue", EDOT, "rows behind the last one",
     sub(rf"min\.s32 \t({R}), {R}, 64;", r"mov.b32 \t\1, 64;", -1)),
    ("dot-epilogue-few", EFEW, "bias behind the last column", drop_branch_before(r"ld\.global")),
    ("dot-epilogue-few", EFEW, "gates behind the last row", drop_branch_before(r"ld\.global", 1)),
    ("dot-epilogue-few", EFEW, "residuals of the first row", sub(ROW_OF_EXTRA, FIRST_ROW, 1)),
    ("dot-epilogue-few", EFEW, "no residual in one element",
     sub(rf"add\.rn\.f32 \t({R}), ({R}), {R};", r"mov.b32 \t\1, \2;", -1)),
    ("dot-epilogue-few", EFEW, "slices added before they are there", drop(BARRIER, -1)),
    # f32 on tensor cores. Half a step of tf32 is seen, an operand in another order, too.
    ("dot-tf32", TDOT, "factors cut off in place of rounded", sub(TF32, r"\tmov.b32 \t\1, \2;", None)),
    ("dot-tf32", TDOT, "one factor cut off", sub(TF32, r"\tmov.b32 \t\1, \2;", 5)),
    ("dot-tf32", TDOT, "halves of k exchanged in rows", sub(OPERANDS, r"\1{\4, \5, \2, \3},\n\t\t{\6, \7}", 2)),
    ("dot-tf32", TDOT, "halves of a step's rows exchanged", sub(OPERANDS, r"\1{\3, \2, \5, \4},\n\t\t{\6, \7}", 2)),
    ("dot-tf32", TDOT, "halves of k exchanged in the matrix", sub(OPERANDS, r"\1{\2, \3, \4, \5},\n\t\t{\7, \6}", 2)),
    ("tiles-tf32", TTILES, "a key's values for its neighbour's", sub(OPERANDS, r"\1{\2, \3, \4, \5},\n\t\t{\7, \6}", 20)),
    ("tiles-tf32", TTILES, "weights of two rows exchanged", sub(OPERANDS, r"\1{\3, \2, \5, \4},\n\t\t{\6, \7}", 20)),
    ("tiles-tf32", TTILES, "no barrier between the tiles", drop(BARRIER, 1)),
    ("tiles-tf32", TTILES, "no wait for the next tile", drop(WAIT, 1)),
    ("tiles-tf32", TTILES, "closed keys at zero", sub(INFINITE, "0f00000000", None)),
    ("tiles-tf32", TTILES, "a sixth of the shared memory too little", shared(20480)),
    # Attention: tiles of 64 queries and keys.
    ("tiles", TILES, "no barrier between the tiles", drop(BARRIER, 1)),
    ("tiles", TILES, "no wait for the next tile", drop(WAIT, 1)),
    ("tiles", TILES, "the next tile in no group", drop(COMMIT, 1)),
    ("tiles", TILES, "no wait for the queries", drop(WAIT + r".*\n\t" + BARRIER)),
    ("tiles", TILES, "values not transposed", sub(r"\.trans", "")),
    ("tiles", TILES, "keys transposed", sub(r"(m8n8\.x4)(\.shared.*\+8192)", r"\1.trans\2")),
    ("tiles", TILES, "keys of the tile before", sub(r"(ldmatrix.*)\+10240\]", r"\1+8192]")),
    ("tiles", TILES, "a maximum of other lanes", sub(rf"({SHUFFLE}) 2, 31", r"\1 4, 31")),
    ("tiles", TILES, "a shuffle without the upper lanes",
     sub(rf"({SHUFFLE} 1, 31), -1", r"\1, 65535")),
    ("tiles", TILES, "one key of the future open",
     sub(rf"selp\.f32 \t({R}), ({R}), {INFINITE}, {R};", r"mov.b32 \t\1, \2;", 1)),
    ("tiles", TILES, "a query does not see itself",
     sub(rf"setp\.ge\.s32(.*\n\tselp\.f32 .*\n\tselp\.f32)", r"setp.gt.s32\1")),
    ("tiles", TILES, "closed keys at zero", sub(INFINITE, "0f00000000", None)),
    ("tiles", TILES, "no scale", sub(FACTOR, "0f3FB8AA3B", None)),
    ("tiles", TILES, "sums of values keep their scale",
     sub(rf"mul\.rn\.f32 \t({R}), ({R}), ({R});(?=\n\tmul\.rn\.f32 \t{R}, {R}, \3;)", r"mov.b32 \t\1, \2;", None)),
    ("tiles", TILES, "the sum of weights keeps its scale",
     sub(rf"fma\.rn\.f32 \t({R}), \1, {R}, ({R});(?=(?:\n\tfma.*)*\n\tsetp)", r"add.rn.f32 \t\1, \1, \2;", None)),
    ("tiles", TILES, "no division by the sum",
     sub(rf"selp\.f32 \t({R}), 0f00000000, {R}, {R};", r"mov.b32 \t\1, 0f3F800000;")),
    ("tiles", TILES, "the last tile of keys left out",
     sub(rf"(setp\.gt\.s32 \t({R}), {R}, {R};\n(?:\t[^@].*\n)*)\t@\2 bra .*\n(?=\tbra\.uni)", r"\1")),
    ("tiles", TILES, "keys behind the last one copied", sub(ZERO_FILL, ALWAYS, -1)),
    ("tiles", TILES, "queries behind the last one stored",
     drop_branch_before(r"st\.global\.v4", 1)),
    ("tiles", TILES, "a row stored at its neighbour's place",
     sub(rf"mul\.wide\.s32 \t({R}), {R}, 128;((?:.*\n)*?.*st\.global)", r"cvt.s64.s32 \t\1, 128;\2", -1)),
    ("tiles", TILES, "results read before they are there", drop(WARP_BARRIER, -1)),
    ("tiles", TILES, "results of rows eight further up",
     sub(rf"(or\.b32 \t{R}, {R}), 1024;", r"\1, 0;", -1)),
    ("tiles", TILES, "rows of results written at another distance",
     sub(rf"(mul\.lo\.s32 \t{R}, {R}), 144;", r"\1, 128;", -1)),
    ("tiles", TILES, "a head's values of another head",
     sub(rf"and\.b32 \t({R}), {R}, 32;", r"mov.b32 \t\1, 0;")),
    ("tiles-f32", FTILES, "weights read before they are there", drop(WARP_BARRIER, 1)),
    ("tiles-f32", FTILES, "two weights at their neighbours' place",
     sub(r"(st\.shared\.v2.*)\+24576\]", r"\1+24584]")),
    ("tiles-f32", FTILES, "weights and values share memory",
     sub(r"\+(24576|25600)\]", "+12288]", None)),
    ("tiles-f32", FTILES, "results read before they are there", drop(WARP_BARRIER, -1)),
    ("tiles-f32", FTILES, "rows of results read too close",
     sub(rf"(shl\.b32 \t{R}, {R}), 7;", r"\1, 6;", -1)),
    ("panels", WINDOW, "results written where others are still read", drop(WARP_BARRIER, -2)),
    ("tiles-f32", FTILES, "a quarter of the shared memory too little", shared(24576)),
    ("window", WINDOW, "a window of eight", sub(rf"(or\.b32 \t{R}, {R}), 9;", r"\1, 8;")),
    ("window", WINDOW, "no softcap of one score",
     sub(r"0fC0000000, 0f3F800000", "0f00000000, 0f3F800000")),
    ("lengths", LENGTHS, "a row's length ignored",
     sub(rf"min\.s32 \t({R}), {R}, ({R});(?=\n\tmax\.s32)", r"mov.b32 \t\1, \2;")),
    ("lengths", LENGTHS, "all rows as long as the first",
     sub(rf"mul\.wide\.u32 \t({R}), {R}, 4;(?=(?:\n.*)\n\tld\.global)", r"mov.b64 \t\1, 0;")),
    # Queries that are rotated when they are there.
    ("rope", ROPE, "one sine's sign", sub(r"sub\.rn\.f32", "add.rn.f32")),
    ("rope", ROPE, "all sines' signs",
     sub(r"sub(\.rn\.f32 .*\n\tmul.*\n\tmul.*\n\t)add", r"add\1sub", None)),
    ("rope", ROPE, "second components of another pair",
     sub(rf"(or\.b32 \t{R}, {R}), 2;(?=(?:\n.*){{3}}\n\tld\.shared\.v4)", r"\1, 3;")),
    ("rope", ROPE, "cosines of the next pair",
     sub(rf"(ld\.global\.v4\.b32 \t\{{)({R}), ({R})", r"\1\3, \2")),
    ("rope", ROPE, "rows of the tables of half their length",
     sub(rf"(mul\.wide\.s32 \t{R}, {R}), 64;(?=\n\tmul\.wide\.u32.*\n\tor)", r"\1, 32;")),
    ("rope", ROPE, "all positions as the first one",
     sub(rf"mul\.wide\.s32 \t({R}), {R}, 64;(?=\n\tmul\.wide\.u32.*\n\tor)", r"mov.b64 \t\1, 0;")),
    ("rope", ROPE, "rotated twice",
     sub(r"(wait_group \t1;\n\tbar\.sync.*\n)((?:.*\n)*?)(?=\tcp\.async\.wait_group)", r"\1\2\2")),
    ("rope", ROPE, "second components not stored", drop(r"st\.shared\.v4", 1)),
    ("rope", ROPE, "no wait for the queries", drop(WAIT)),
    ("rope", ROPE, "queries and keys in one group", drop(COMMIT)),
    ("rope", ROPE, "rotated before all are there", drop(BARRIER)),
    ("rope", ROPE, "read before they are rotated", drop(WAIT + r" \t0;\n\t" + BARRIER)),
    ("rope-units", UNITS_ROPE, "one sine's sign", sub(r"sub\.rn\.f32", "add.rn.f32")),
    ("rope-units", UNITS_ROPE, "rotated twice",
     sub(r"(wait_group \t1;\n\tbar\.sync.*\n)((?:.*\n)*?)(?=\tcp\.async\.wait_group)", r"\1\2\2")),
    ("rope-units", UNITS_ROPE, "a row's pairs exchanged",
     sub(rf"(ld\.shared\.v4\.b32 \t\{{)({R}), ({R}), ({R}), ({R})", r"\1\4, \5, \2, \3")),
    ("rope-units", UNITS_ROPE, "tables of the position before",
     sub(rf"(ld\.global\.v2\.b32 .*\[{R})\]", r"\1+-64]", None)),
    # Rows with one query: units of keys, then their combination.
    ("cached", UNITS, "the new key from the cache",
     sub(rf"setp\.lt\.s32(.*\n\tsub\.s32 .*)", r"setp.le.s32\1", None)),
    ("cached", UNITS, "all units at one place",
     sub(rf"shl\.b32 \t({R}), {R}, 5;(?=\n\tor.*\n\tmul\.wide)", r"mov.b32 \t\1, 0;", -1)),
    ("cached", UNITS, "no wait for the keys", drop(WAIT)),
    ("cached", UNITS, "units of half a tile",
     sub(rf"(shl\.b32 \t{R}, {R}), 6;(?=\n\tand)", r"\1, 5;")),
    ("cached", COMBINE, "one unit left out",
     sub(rf"selp\.b32 \t({R}), ({R}), 0, {R};(?=\n\tsetp)", r"add.s32 \t\1, \2, -1;")),
    ("cached", COMBINE, "one unit too many",
     sub(rf"selp\.b32 \t({R}), ({R}), 0, {R};(?=\n\tsetp)", r"add.s32 \t\1, \2, 1;")),
    ("cached", COMBINE, "units keep their own maxima",
     sub(rf"sub\.rn\.f32 \t({R}), {R}, {R};", r"mov.b32 \t\1, 0f00000000;", None)),
    ("cached", COMBINE, "units at half their distance", 
     sub(rf"(shl\.b32 \t{R}, {R}), 5;(?=\n\tadd\.s32 .*, 128;)", r"\1, 4;")),
    ("cached", COMBINE, "a unit's first four values twice",
     sub(r"(ld\.global\.v4.*)\+16\]", r"\1]", -1)),
    ("cached", COMBINE, "no sum of weights",
     sub(rf"fma\.rn\.f32 \t({R}), {R}, {R}, \1;(?=\n\tshl)", r"mov.b32 \t\1, 0f3F800000;", -1)),
    ("cached", TILES, "results without a query not cleared", drop(r"st\.global\.v4")),
    ("cached", COMBINE, "results without a query not cleared", drop(r"st\.global\.v4", -1)),
    ("ring", UNITS, "slots counted from the ring's first",
     sub(rf"rem\.u32 \t({R}), {R}, {R};(?=\n\tsub)", r"mov.b32 \t\1, 0;", None)),
    ("ring", UNITS, "slots of the turn before not found",
     sub(rf"sub\.s32 \t({R}), ({R}), {R};(?=\n(?:.*\n){{,40}}?\tselp\.b32 \t{R}, \1, \2,)",
         r"mov.b32 \t\1, \2;", None)),
    # Norms.
    ("layer-norm", NORM, "no mean",
     sub(rf"sub\.rn\.f64 \t({R}), ({R}), {R};", r"mov.b64 \t\1, \2;", None)),
    ("layer-norm", NORM, "half of the lanes left out of a sum",
     sub(rf"{SHUFFLE} 16, 31, -1", r"shfl.sync.bfly.b32 \t\1, \2, 8, 31, -1", None)),
    ("layer-norm", NORM, "the last columns left out", sub(r"(setp\.lt\.u32.*), 6;", r"\1, 0;", -1)),
    ("layer-norm", NORM, "columns behind the last one stored",
     sub(r"(setp\.lt\.u32.*), 6;", r"\1, 10;", -1)),
    ("layer-norm", NORM, "rows behind the last one", drop_branch_before(r"cvt\.u64\.u32")),
    ("rms-norm", RMS, "warps' sums read before they are there", drop(BARRIER, -1)),
    ("rms-norm", RMS, "all lanes write a warp's sum", drop_branch_before(r"st\.shared")),
    ("rms-norm", RMS, "half of the shared memory", shared(32)),
    ("rms-norm", RMS, "no gain",
     sub(rf"mul\.rn\.f32 \t({R}), ({R}), ({R});(?=\n\tmul\.rn\.f32 \t{R}, {R}, {R};\n\tmul)", r"mov.b32 \t\1, \2;", 1)),
    # Reductions.
    ("sum-warp", ROWS, "a shuffle of a lane's own value",
     sub(rf"{SHUFFLE} 4, 31", r"shfl.sync.bfly.b32 \t\1, \2, 0, 31")),
    ("sum-warp", ROWS, "all lanes write the sum", drop(rf"@{R} bra", -1)),
    ("sum-warp", ROWS, "rows behind the last one", drop(rf"@{R} bra")),
    ("sum-warp", ROWS, "sixteen bytes at a multiple of four",
     sub(r"(ld\.global\.v4.*)\]", r"\1+4]")),
    ("sum-warp", ROWS, "rows of 92 numbers", sub(r"(mad\.lo\.s64.*), 384,", r"\1, 368,")),
    ("sum-block", ROWS, "warps' sums read before they are there", drop(BARRIER, 1)),
    ("sum-block", ROWS, "every number twice", sub(r"(add\.s32.*), 256;", r"\1, 128;")),
    ("sum-block", ROWS, "a number behind the row's last one",
     sub(rf"setp\.lt\.s32", "setp.le.s32", -1)),
    ("argmax", ROWS, "a place off by one", sub(r"(add\.s32.*), 2;", r"\1, 3;")),
    ("argmax", ROWS, "warps' choices read before they are there", drop(BARRIER, -1)),
    ("argmax", ROWS, "the least", sub(r"setp\.gt\.f32", "setp.lt.f32", 0)),
    # Loops without a reduction.
    ("bias", LOOPS, "elements behind the last one", drop(rf"@{R} bra")),
    ("bias", LOOPS, "the first half of a row for both",
     sub(rf"and\.b64 \t({R}), {R}, 4;", r"mov.b64 \t\1, 0;")),
    ("bias", LOOPS, "sixteen bytes at a multiple of eight",
     sub(r"(st\.global\.v4.*) \[(%\w+)\]|(st\.global\.v4.*)\[(%\w+)\]", r"\3[\4+8]")),
    ("turn", LOOPS, "the operand not turned", sub(r"(mad\.lo\.s64.*), 6,", r"\1, 2,")),
    ("turn", LOOPS, "two results at one place",
     sub(rf"(shl\.b64 \t{R}, {R}), 2;(?=\n.*\n\tst\.global)", r"\1, 1;")),
    ("gather", LOOPS, "rows of the table of 19", sub(r"(mul\.wide\.s32 .*), 80;", r"\1, 76;")),
    ("gather", LOOPS, "the id of the row before",
     sub(rf"(ld\.global\.b32 \t{R}, \[{R})\]", r"\1+-4]")),
]
