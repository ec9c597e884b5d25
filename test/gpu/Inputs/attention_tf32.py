# SPDX-License-Identifier: Apache-2.0
"""Attention of f32 on tensor cores, on the emulator, against the definition in f64 of
factors that are rounded to tf32. Root mean squares: where a weight is as near to a tie
as f32 tells, it is rounded the other way now and then, a step of 2^-11 of it.

    attention_tf32.py FOLDER
"""

import sys

import attention
import numpy as np
from attention import case

CASES = {
    name: dict(attention.CASES[name], element="tf32")
    for name in "all window lengths alibi odd wide-f32 cache ring weights".split()
}
CASES["rope"] = case(
    #        b  k  g  t   s   d   e
    "tf32", [1, 2, 2, 70, 70, 64, 64], causal=True, rope=("halves", "t", range(70))
)

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
