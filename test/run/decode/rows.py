# SPDX-License-Identifier: Apache-2.0
"""Rows that differ: none of them, none of their positions, others at the end and at the beginning of a padded one, documents
of a packed one each for itself.

    python3 test/run/decode/rows.py [NAXC]
"""
import os, sys
import numpy as np
import steps
import nax_call

HERE = os.path.dirname(os.path.abspath(__file__))
ENTRIES = ["causal", "ragged", "left_padded", "packed"]
B, T, C, BAR = 3, 19, 24, 1e-5
g = np.random.default_rng(7)
x = g.standard_normal((B, T, C)).astype(np.float32)


def near(got, want, what):
    apart = max(steps.apart(row, want[b]) for b, row in enumerate(got))
    assert apart <= BAR, f"{what}: {apart:.1e} apart"


def empty(model, params):
    """Calls without rows, without positions, and rows without a position."""
    cache = model.cache("causal", B=0, T=5)
    assert cache.rows() == 0 and cache.step(params, x=np.zeros((0, 3, C)))["out"].shape == (0, 3, C)
    cache = model.cache("causal", B=B, T=T)
    assert cache.step(params, x=np.zeros((B, 0, C)))["out"].shape == (B, 0, C) and cache.lengths() == [0] * B
    before = [b.copy() for b in cache.buffers()]
    cache.step(params, counts=[0] * B, x=x)
    assert cache.lengths() == [0] * B and all(map(steps.same, before, cache.buffers())), "a call without positions writes"
    assert model.cache("causal", B=B, T=0).step(params, x=np.zeros((B, 0, C)))["out"].size == 0
    print("no rows, no positions, no capacity: fine")

    schedule = [(4, np.array([4, 0, 2])), (1, np.array([0, 1, 0])), (0, np.array([0, 0, 0])), (5, np.array([1, 5, 0]))]
    got = steps.run(model.cache("causal", B=B, T=T), params, {"x": x}, schedule)["out"]
    near(got, [w[:len(r)] for r, w in zip(got, model.call("causal", params, x=x)["out"])], "rows that wait")
    # A second run in the same cache, emptied.
    cache = model.cache("causal", B=B, T=T)
    for _ in range(2):
        assert steps.same(steps.run(cache, params, {"x": x}, schedule)["out"], got), "a second run differs"
        for row in range(B):
            cache.reset(row)
    print("rows that wait, a second run: as the whole sequence, the same bits")


def padded(model, params):
    """A row that begins later is the row itself."""
    starts, lengths = np.array([0, T - 1, 8]), np.array([T, 1, 11])
    left = model.call("left_padded", params, x=x, Tl_starts=starts)["out"]
    schedule = steps.ragged(T - starts, np.random.default_rng(1))
    got = steps.run(model.cache("left_padded", B=B, Tl=T), params, {"x": x}, schedule, firsts=starts)["out"]
    near(got, [left[b, starts[b]:] for b in range(B)], "left-padded rows")
    for b in range(B):
        own = x[b:b + 1, starts[b]:]
        unpadded = steps.run(model.cache("causal", B=1, T=T), params, {"x": own}, steps.alone(schedule, b))["out"]
        assert steps.same(unpadded[0], got[b]), f"left-padded row {b} differs from the row itself"
    right = model.call("ragged", params, x=x, Tr_lengths=lengths)["out"]
    schedule = steps.odd(lengths, [3, 5])
    got = steps.run(model.cache("ragged", B=B, Tr=T), params, {"x": x}, schedule)["out"]
    near(got, [right[b, :lengths[b]] for b in range(B)], "ragged rows")
    print("left-padded and ragged rows: as unpadded ones")


def packed(model, params):
    """Each document is what a row of its own would be."""
    documents = np.cumsum(g.random((B, T)) < 0.25, 1).astype(np.int32)
    inputs = {"x": x, "Tp_documents": documents}
    whole = model.call("packed", params, **inputs)["out"]
    for schedule in (steps.ones([T] * B), steps.odd([T] * B, [4, 1, 6]), steps.ragged([T] * B, np.random.default_rng(3))):
        got = steps.run(model.cache("packed", B=B, Tp=T), params, inputs, schedule)["out"]
        near(got, whole, "packed rows")
        for b in range(B):
            for document in np.unique(documents[b]):
                at = documents[b] == document
                own = model.call("causal", params, x=x[b:b + 1, at])["out"]
                near([got[b][at]], own, f"document {document} of row {b}")
    print("documents of a packed row: as rows of their own")


def main():
    with open(os.path.join(HERE, "Inputs", "attention.cpp")) as f:
        model = nax_call.compile(f.read(), "attention", *sys.argv[1:2], flags=["--decode=" + ",".join(ENTRIES)])
    params = model.params({n: g.standard_normal(shape) / np.sqrt(C) for n, shape in model.param_shapes().items()})
    empty(model, params)
    padded(model, params)
    packed(model, params)


if __name__ == "__main__":
    main()
