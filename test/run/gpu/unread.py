# SPDX-License-Identifier: Apache-2.0
"""What a position must not read leaves no trace in its output on the emulated GPU, bit for bit: later positions, padding,
other documents, other rows, masked slots, whatever they hold, NaN included. What it may read is noticed.

    python3 test/run/gpu/unread.py f32|bf16 [NAXC]
"""
import os, sys
import numpy as np
import gpu_call

# More positions than a tile has keys: tiles that are read in part, and not at all.
B, T, C = 2, 70, 32
g = np.random.default_rng(5)
t, s = np.arange(T)[:, None], np.arange(T)[None, :]
POISONS = {"other numbers": lambda n: g.standard_normal(n), "infinity": lambda n: np.full(n, np.inf),
           "NaN": lambda n: np.full(n, np.nan)}


def same(a, b):
    return np.array_equal(a.view(np.uint32), b.view(np.uint32))


def probe(run, x, may_read, queries):
    """may_read [B,T,S]: which s the output of t may depend on, itself aside."""
    before = run(x)
    assert np.isfinite(before).all(), "the output is not finite to begin with"
    for (b, at), (name, poison) in zip(queries, POISONS.items()):
        hidden = np.ones((B, T), bool)
        hidden[b] = ~may_read[b, at]
        hidden[b, at] = False
        changed = x.copy()
        changed[hidden] = poison((int(hidden.sum()), C))
        assert same(before[b, at], run(changed)[b, at]), f"row {b}, position {at} changes with {name} where it reads nothing"
    # Exactly the positions that may read one notice that it is NaN.
    b, at = queries[1]
    changed = x.copy()
    changed[b, at] = np.nan
    want = np.zeros((B, T), bool)
    want[b] = may_read[b, :, at]
    want[b, at] |= may_read[b, at].any()
    noticed = ~np.isfinite(run(changed)).all(-1)
    assert (noticed == want).all(), f"row {b}: position {at} is noticed at {np.argwhere(noticed != want).tolist()}"


def main():
    kind, naxc = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "naxc"
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "..", "Inputs", "probes.cpp")) as f:
        model = gpu_call.compile(f.read(), "probes", naxc, [f"--gpu-type={kind}"])
    params = model.params({name: g.standard_normal(shape) / np.sqrt(C) for name, shape in model.param_shapes().items()})
    x = g.standard_normal((B, T, C)).astype(np.float32)
    lengths, starts = np.array([T, 41], np.int32), np.array([0, 23], np.int32)
    documents = np.cumsum(g.random((B, T)) < 0.08, 1).astype(np.int32)
    allowed = g.random((B, T)) < 0.6
    allowed[:, 0] = True
    causal = np.ones((B, T, T), bool) & (s <= t)
    kinds = {
        "causal": ({}, causal),
        "windowed": ({}, causal & (t - s < 5)),
        "ragged": ({"Tr_lengths": lengths}, causal & (s < lengths[:, None, None])),
        "left_padded": ({"Tl_starts": starts}, causal & (s >= starts[:, None, None])),
        "packed": ({"Tp_documents": documents}, causal & (documents[:, :, None] == documents[:, None, :])),
        "unrotated": ({"allowed": allowed}, causal & allowed[:, None, :]),
    }
    for entry, (data, may_read) in kinds.items():
        probe(lambda x: model.call(entry, params, x=x, **data)["out"], x, may_read, [(0, T // 2), (1, 30), (0, T - 7)])
        print(f"{entry}: what may not be read leaves no trace", flush=True)


if __name__ == "__main__":
    main()
