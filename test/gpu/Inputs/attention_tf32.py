# SPDX-License-Identifier: Apache-2.0
"""Attention of f32 on tensor cores, on the emulator, against the definition in f64 of
factors that are rounded to tf32. Root mean squares: where a weight is as near to a tie
as f32 tells, it is rounded the other way now and then, a step of 2^-11 of it.

    attention_tf32.py FOLDER
"""

import sys

import attention
import numpy as np
from attention import case, fixed

CASES = {
    #                      b  k  g  t    s    d    e
    "plain": case("tf32", [1, 1, 1, 64, 100, 64, 64]),
    "window": case("tf32", [2, 2, 2, 130, 130, 64, 64], causal=True, mask=["window", 40]),
    "lengths": case(
        "tf32",
        [2, 2, 1, 33, 97, 80, 48],
        mask=["and", ["less_than", 0], ["not_before", 1]],
        extras=[("b", "i32", fixed([97, 20])), ("b", "i32", fixed([3, 0]))],
    ),
    "alibi": case(
        "tf32",
        [1, 2, 2, 37, 50, 20, 12],
        cap=2.0,
        alibi=0,
        extras=[("kg", "f32", fixed([0.5, 0.25, 0.125, 0.0625]))],
    ),
    "odd": case("tf32", [1, 1, 2, 19, 19, 7, 5], causal=True),
    "wide": case("tf32", [1, 1, 1, 40, 40, 256, 200], causal=True),
    "cache": case(
        "tf32",
        [4, 2, 3, 5, 5, 64, 64, 100],
        causal=True,
        span=[(10, 11), (0, 5), (70, 71), (6, 6)],
    ),
    "ring": case(
        "tf32",
        [4, 1, 4, 6, 6, 32, 32, 16],
        causal=True,
        mask=["window", 16],
        span=[(40, 41), (30, 36), (3, 4), (70, 74)],
    ),
    "rope": case(
        "tf32", [1, 2, 2, 70, 70, 64, 64], causal=True, rope=("halves", "t", range(70))
    ),
    "weights": case(
        "tf32", [1, 2, 1, 70, 70, 64, 16], weights=True, causal=True, mask=["window", 60]
    ),
}


BOUND = 3e-5  # f32 as it is and bf16 are 2e-4 and 2e-3 away


def size(x):
    return np.sqrt((x**2).mean())


def main():
    for name, c in CASES.items():
        arrays = attention.inputs(c)
        made = attention.Kernel(c, f"{sys.argv[1]}/{name}")(arrays)
        if made is None:
            continue
        wanted = attention.reference(c, arrays)
        error = size(made - wanted) / size(wanted)
        # What factors that are not rounded give.
        exact = attention.reference(dict(c, element="f32"), arrays)
        far = size(exact - wanted) > 5 * BOUND * size(wanted)
        print(
            f"{name}: {f'within {BOUND}' if error <= BOUND else f'off by {error:.3g}'},",
            f"f32 is {'further' if far else 'as near'}",
            flush=True,
        )


if __name__ == "__main__":
    main()
