# SPDX-License-Identifier: Apache-2.0
"""Writes the arrays that run.test and run-refuses.test give to the models of this folder."""
import sys
import numpy as np

out = sys.argv[1]


def save(name, array):
    np.save(f"{out}/{name}.npy", array)


rng = np.random.default_rng(3)
ids = rng.integers(0, 11, (2, 7)).astype(np.int32)
save("ids", ids)
save("tokens", rng.standard_normal((11, 8)).astype(np.float32))
save("positions", rng.standard_normal((12, 8)).astype(np.float32))
save("x", np.array([1, 2, 3], np.float32))
save("y", np.array([10, 20, 30], np.float32))

# What must be refused.
save("ids64", ids.astype(np.int64))
save("big", ids.astype(">i4"))
save("fortran", np.asfortranarray(ids))
save("flat", ids.reshape(-1))
save("outside", np.where(np.arange(7) == 3, 11, ids).astype(np.int32))
save("long", np.zeros((1, 13), np.int32))
save("x64", np.array([1, 2, 3], np.float64))
save("y4", np.array([1, 2, 3, 4], np.float32))
save("pickled", np.array([{}], dtype=object))
whole = open(f"{out}/x.npy", "rb").read()
for name, text in {
    "short": whole[:-3],
    "headless": whole[:40],
    "text": b"1 2 3\n",
    "huge": whole.replace(b"(3,)", b"(2305843009213693952,)").replace(b" " * 18, b"", 1),
}.items():
    open(f"{out}/{name}.npy", "wb").write(text)
