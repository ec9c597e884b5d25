# SPDX-License-Identifier: Apache-2.0
"""only-what-is-there.py FOLDER: the saved results against numpy, in which what a row has not is cut off."""
import sys

import numpy as np

folder = sys.argv[1]
failed = False


def load(entry, name):
    return np.load(f"{folder}/{entry}/{name}.npy").astype(np.float64)


def expect(entry, name, wanted, tolerance=1e-5):
    global failed
    got = load(entry, name)
    if not np.allclose(got, wanted, rtol=tolerance, atol=tolerance):
        failed = True
        print(f"{entry}: {name} is\n{got}\nbut should be\n{wanted}")


def softmax(row, there):
    weights = np.zeros_like(row)
    if there.any():
        e = np.exp(row[there] - row[there].max())
        weights[there] = e / e.sum()
    return weights


def rows(x, counts, right):
    """Which positions of each row are there: before its length, or from its start on."""
    t = np.arange(x.shape[1])
    return np.array([(t < n) if right else (t >= n) for n in counts.astype(int)])


x, y = load("ragged", "x"), load("ragged", "y")
there = rows(x, load("ragged", "P_lengths"), True)
if there.all() or not there.any():
    sys.exit("the drawn lengths hide nothing, or all: draw others")
w = np.array([softmax(r, m) for r, m in zip(x, there)])
expect("ragged", "w", w)
expect("ragged", "mixed", np.einsum("bp,bpc->bc", w, y))
expect("ragged", "product", np.einsum("bp,bp,bpc->bc", there, x, y))
expect("ragged", "square", np.einsum("bp,bpc,bpc->b", there, y, y))

x, y = load("left", "x"), load("left", "y")
there = rows(x, load("left", "L_starts"), False)
if there.all() or not there.any():
    sys.exit("the drawn starts hide nothing, or all: draw others")
expect("left", "w", np.array([softmax(r, m) for r, m in zip(x, there)]))
expect("left", "square", np.einsum("bl,blc,blc->bc", there, y, y), 2e-3)

x, y = load("causal", "x"), load("causal", "y")
there = rows(x, load("causal", "T_lengths"), True)
if there.all() or not there.any():
    sys.exit("the drawn lengths hide nothing, or all: draw others")
expect("causal", "product", np.einsum("bt,bt,btc->bc", there, x, y))
sys.exit(failed)
