# SPDX-License-Identifier: Apache-2.0
"""What must not change a result by a bit: keys after a query, other rows, the number
of queries, slots that no query may read, how many slots there are.

    attention_probes.py FOLDER
"""

import copy
import sys

import numpy as np

import attention


def same(name, x, y):
    verdict = "the same bits" if np.array_equal(x, y) else "changed"
    print(f"{name}: {verdict}")


def without_cache(element, folder):
    c = attention.case(element, [2, 1, 2, 130, 130, 64, 48], causal=True)
    kernel = attention.Kernel(c, f"{folder}/{element}")
    arrays = attention.inputs(c)
    before = kernel(arrays)

    later = copy.deepcopy(arrays)
    later["k"][:, 100:] *= -2
    later["v"][:, 100:] += 1
    after = kernel(later)
    same(f"{element} later keys", before[:, :100], after[:, :100])
    print("others", "differ" if (before[:, 100:] != after[:, 100:]).any() else "do not")
    later["k"][:, 100] = np.nan
    later["v"][:, 101] = np.inf
    later["v"][:, 102] = 3.4028e38  # infinite once it is rounded to fewer bits
    after = kernel(later)
    same(f"{element} NaN later", before[:, :100], after[:, :100])
    print("others", "have it" if np.isnan(after[:, 100:]).all() else "do not")

    row = copy.deepcopy(arrays)
    for name in "qkv":
        row[name][1] *= 3
    same(f"{element} another row", before[0], kernel(row)[0])

    short = attention.case(element, [2, 1, 2, 70, 70, 64, 48], causal=True)
    cut = {name: x[:, :70] for name, x in arrays.items()}
    fewer = attention.Kernel(short, f"{folder}/{element}-short")(cut)
    same(f"{element} fewer queries", before[:, :70], fewer)


def with_cache(element, folder):
    spans = [(90, 91), (20, 23), (5, 5)]
    c = attention.case(element, [3, 1, 4, 4, 4, 32, 32, 100], causal=True, span=spans)
    arrays = attention.inputs(c)
    before = attention.Kernel(c, f"{folder}/{element}-cache")(arrays)

    bad = copy.deepcopy(arrays)
    for row, (start, end) in enumerate(spans):
        for name in ("kc", "vc"):
            bad[name][row, start:] = np.nan
        for name in "qkv":
            bad[name][row, end - start :] = np.nan
    same(
        f"{element} NaN where no query reads",
        before,
        attention.Kernel(c, f"{folder}/{element}-cache")(bad),
    )
    more = attention.case(element, [3, 1, 4, 4, 4, 32, 32, 900], causal=True, span=spans)
    roomy = dict(arrays)
    for name in ("kc", "vc"):
        roomy[name] = np.concatenate([arrays[name]] * 9, axis=1)
    same(
        f"{element} more slots",
        before,
        attention.Kernel(more, f"{folder}/{element}-roomy")(roomy),
    )
    alone = attention.case(
        element, [1, 1, 4, 1, 1, 32, 32, 100], causal=True, span=spans[:1]
    )
    own = {name: x[:1] if name in ("kc", "vc") else x[:1, :1] for name, x in arrays.items()}
    same(
        f"{element} alone",
        before[:1, :1],
        attention.Kernel(alone, f"{folder}/{element}-alone")(own),
    )


for element in ("bf16", "f32", "tf32"):
    without_cache(element, sys.argv[1])
    with_cache(element, sys.argv[1])
