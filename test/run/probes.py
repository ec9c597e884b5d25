# SPDX-License-Identifier: Apache-2.0
"""What a position must not see leaves no trace in its output, bit for bit.

    python3 test/run/probes.py [NAXC [FLAG...]]

Each probe says which positions s an output t may read, changes every other one, to other numbers, huge ones, infinities
and NaN, and compares the bits. It also changes one that may be read and wants to see that.
"""
import os, sys
import numpy as np
import nax_call

HERE = os.path.dirname(os.path.abspath(__file__))
B, T, C, K, G, H, D = 3, 70, 32, 2, 3, 6, 8
g = np.random.default_rng(5)
t, s = np.arange(T)[:, None], np.arange(T)[None, :]
POISONS = {"other numbers": lambda n: g.standard_normal(n), "1e30": lambda n: np.full(n, 1e30), "-0": lambda n: np.full(n, -0.0),
           "infinity": lambda n: np.full(n, np.inf), "NaN": lambda n: np.full(n, np.nan)}


def same(a, b):
    return np.array_equal(a.view(np.uint32), b.view(np.uint32))


def probe(run, x, may_read):
    """may_read [B,T,S]: which s the output of t may depend on, itself aside."""
    before = run(x)
    assert np.isfinite(before).all(), "the output is not finite to begin with"
    for b in range(B):
        # A few queries, and for each all that it may not read at once; that includes every other row of the batch.
        for at in sorted({0, 1, T // 2, T - 1, *g.integers(0, T, 3).tolist()}):
            hidden = np.ones((B, T), bool)
            hidden[b] = ~may_read[b, at]
            hidden[b, at] = False
            for name, poison in POISONS.items():
                changed = x.copy()
                changed[hidden] = poison((int(hidden.sum()), C))
                after = run(changed)
                assert same(before[b, at], after[b, at]), f"row {b}, position {at} changes with {name} where it reads nothing"
        # One change at a time: exactly the positions that may read it notice.
        for at in g.integers(0, T, 3):
            changed = x.copy()
            changed[b, at] += 1
            noticed = (run(changed) != before).any(-1)
            want = np.zeros((B, T), bool)
            want[b] = may_read[b, :, at]
            # Its own query matters too, unless there is nothing to choose among.
            want[b, at] |= may_read[b, at].sum() > 1
            assert (noticed == want).all(), f"row {b}: position {at} is noticed at {np.argwhere(noticed != want).tolist()}"


def main():
    naxc, *flags = sys.argv[1:] or ["naxc"]
    with open(os.path.join(HERE, "Inputs", "probes.cpp")) as f:
        model = nax_call.compile(f.read(), "probes", naxc, [nax_call.EVERY_LEVEL, *flags])
    values = {n: g.standard_normal(shape) / np.sqrt(C) for n, shape in model.param_shapes().items()}
    x = g.standard_normal((B, T, C)).astype(np.float32)
    # Two sums that differ in their last bit may round to neighbours of bf16.
    bar = 2e-3 if "--weights=bf16" in flags else 1e-5
    for level in nax_call.each_level(model):
        try_level(model, model.params(values), x, level, bar)


def try_level(model, params, x, level, bar):
    lengths, starts = np.array([T, 1, 41], np.int32), np.array([0, T - 1, 23], np.int32)
    documents = np.cumsum(g.random((B, T)) < 0.08, 1).astype(np.int32)
    allowed = g.random((B, T)) < 0.6
    allowed[:, 0] = True
    every = np.ones((B, T, T), bool)
    causal = every & (s <= t)
    row = (lambda v: v[:, None, None])
    to_all = (lambda v: np.repeat(v[:, None], v.shape[1], 1))

    kinds = {
        "causal": ({}, causal),
        "windowed": ({}, causal & (t - s < 5)),
        "prefixed": ({}, every & (s < 6)),
        "ragged": ({"Tr_lengths": lengths}, causal & (s < row(lengths))),
        "ragged_positions": ({"Pr_lengths": lengths}, every & (s < row(lengths))),
        "left_padded": ({"Tl_starts": starts}, causal & (s >= row(starts))),
        "packed": ({"Tp_documents": documents}, causal & (documents[:, :, None] == documents[:, None, :])),
        "readable": ({"allowed": to_all(allowed)}, causal & allowed[:, None, :]),
        "unrotated": ({"allowed": allowed}, causal & allowed[:, None, :]),
    }
    for entry, (data, may_read) in kinds.items():
        probe(lambda x: model.call(entry, params, x=x, **data)["out"], x, may_read)
    print(f"{level}: {', '.join(kinds)}: what may not be read leaves no trace")

    first = {entry: model.call(entry, params, x=x, **data)["out"] for entry, (data, _) in kinds.items()}
    for threads in (1, 2, 3, 5):
        context = model.new_context(threads)
        for entry, (data, _) in kinds.items():
            for _ in range(2):
                again = model.call(entry, params, context=context, x=x, **data)["out"]
                assert same(first[entry], again), f"{entry} gives other bits with {threads} threads"
    print("1, 2, 3 and 5 threads, twice each: the same bits")

    nothing = model.call("readable", params, x=x, allowed=np.zeros((B, T, T), bool))["out"]
    assert (nothing == 0).all(), "a position that may read nothing gives more than 0"
    empty = model.call("ragged", params, x=x, Tr_lengths=np.zeros(B, np.int32))["out"]
    assert (empty == 0).all(), "a row of length 0 gives more than 0"
    print("nothing to read: exactly 0")

    # Rope turns q and k by their positions, and only the difference counts: the same tokens further along the sequence, after
    # others that may not be read, attend alike. Without the mask they don't, so the comparison can fail.
    n, by = 30, 40
    moved = np.concatenate([g.standard_normal((B, by, C)), x[:, :n]], 1).astype(np.float32)
    visible = np.arange(by + n) >= by
    here = model.call("causal", params, x=x[:, :n])["out"]
    there = model.call("readable", params, x=moved, allowed=to_all(np.broadcast_to(visible, (B, by + n))))["out"][:, by:]
    apart = np.abs(here - there).max() / np.abs(here).max()
    assert 0 < apart < bar, f"shifting all positions moves attention by {apart}"
    unhidden = model.call("causal", params, x=moved)["out"][:, by:]
    assert np.abs(here - unhidden).max() > 1e-2
    print("shifting all positions leaves attention unchanged")


if __name__ == "__main__":
    main()
