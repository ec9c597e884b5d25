# SPDX-License-Identifier: Apache-2.0
"""Queries that an attention kernel rotates: against the definition, and against the
same kernel without a rope that is given queries which are rotated already. Both must
give the same bits.

    attention_rope.py FOLDER CASE...
"""

import sys

import numpy as np

import attention
from attention import case, fixed


def documents(lengths):
    """(number of the document, position in it) of each position of a row."""
    numbers = np.repeat(np.arange(len(lengths)), lengths)
    return numbers, np.concatenate([np.arange(length) for length in lengths])


ROWS = [documents([100, 1, 99]), documents([30, 170])]
PADDING = [0, 37]
SPAN = [(90, 91), (0, 17), (5, 5), (63, 65)]
CASES = {
    #              b  k  g  t    s    d    e
    "one": case("bf16", [1, 1, 1, 1, 9, 64, 64], rope=("halves", "t", [5])),
    "17": case("f32", [2, 2, 2, 17, 17, 64, 64], causal=True, rope=("halves", "t", range(17))),
    "64": case(
        "f16", [1, 2, 3, 64, 64, 128, 64], causal=True, rope=("interleaved", "t", range(64))
    ),
    "65": case("bf16", [1, 1, 2, 65, 40, 64, 64], rope=("halves", "t", range(3, 68))),
    "65-f32": case("f32", [1, 1, 2, 65, 90, 64, 48], rope=("interleaved", "t", range(65))),
    "65-tf32": case("tf32", [1, 1, 2, 65, 90, 64, 48], rope=("interleaved", "t", range(65))),
    "packed": case(
        "bf16",
        [2, 1, 3, 200, 200, 64, 64],
        causal=True,
        mask=["same", 0],
        extras=[("bt", "i32", fixed([row[0] for row in ROWS]))],
        rope=("halves", "bt", [row[1] for row in ROWS]),
    ),
    "padded": case(
        "f16",
        [2, 2, 1, 65, 65, 32, 32],
        causal=True,
        mask=["not_before", 0],
        extras=[("b", "i32", fixed(PADDING))],
        rope=("interleaved", "bt", [np.arange(65) - first for first in PADDING]),
    ),
    # Some of the components: whole chunks, parts of chunks, odd numbers of pairs.
    "partial": case(
        "bf16", [1, 1, 2, 70, 70, 64, 64, 1, 8], causal=True, rope=("halves", "t", range(70))
    ),
    "partial-f32": case(
        "f32", [1, 1, 2, 17, 17, 20, 20, 1, 5], causal=True, rope=("halves", "t", range(17))
    ),
    "partial-odd": case(
        "bf16", [1, 1, 2, 17, 17, 7, 7, 1, 3], causal=True, rope=("halves", "t", range(17))
    ),
    "partial-f16": case(
        "f16", [1, 1, 2, 17, 17, 30, 30, 1, 6], rope=("interleaved", "t", range(17))
    ),
    "partial-pairs": case(
        "bf16", [1, 1, 2, 17, 17, 30, 30, 1, 5], rope=("interleaved", "t", range(17))
    ),
    # More components than registers hold.
    "wide": case("bf16", [1, 1, 1, 70, 70, 256, 64], rope=("halves", "t", range(70))),
    "wide-f32": case("f32", [1, 1, 1, 33, 33, 256, 64], rope=("halves", "t", range(33))),
    # Each head has tables of its own.
    "heads": case(
        "bf16", [1, 1, 3, 17, 17, 32, 32], rope=("halves", "tg", np.arange(51).reshape(17, 3))
    ),
    **{
        f"cache-{element}": case(
            element,
            [4, 2, 3, 17, 17, 64, 64, 100],
            causal=True,
            span=SPAN,
            rope=(pairing, "bt", [start + np.arange(17) for start, _ in SPAN]),
        )
        for element, pairing in (
            ("bf16", "halves"),
            ("f32", "interleaved"),
            ("f16", "halves"),
            ("tf32", "halves"),
        )
    },
    "cache-heads": case(
        "bf16",
        [2, 1, 20, 1, 1, 32, 32, 200],
        causal=True,
        span=[(150, 151), (3, 4)],
        rope=("interleaved", "bt", [150, 3]),
    ),
}


def main():
    folder, *names = sys.argv[1:]
    for name in names or CASES:
        c = CASES[name]
        arrays = attention.inputs(c)
        made = attention.Kernel(c, f"{folder}/{name}")(arrays)
        plain = dict(c, rope=None)
        apart = attention.Kernel(plain, f"{folder}/{name}-apart")(
            dict(arrays, q=attention.rotated(c, arrays))
        )
        if made is None or apart is None:
            continue
        wanted = attention.reference(c, arrays)
        error = np.abs(made - wanted).max() / np.abs(wanted).max()
        bound = attention.TOLERANCE[c["element"]]
        same = np.array_equal(made.view(np.uint32), apart.view(np.uint32))
        turned = np.abs(wanted - attention.reference(plain, arrays)).max()
        print(
            f"{name}: {'the same bits' if same else 'other bits'}"
            f", {f'within {bound}' if error <= bound else f'off by {error:.3g}'}"
            f"{'' if turned > 10 * bound * np.abs(wanted).max() else ', hardly rotated'}",
            flush=True,
        )


if __name__ == "__main__":
    main()
