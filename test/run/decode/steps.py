# SPDX-License-Identifier: Apache-2.0
"""What the tests of derived steps share: a sequence, row by row, dealt out to calls of a step.

    got = steps.run(cache, params, {"ids": ids}, steps.odd(lengths, [3, 1, 5]))    # {"logits": [row 0's, row 1's, ...]}

Inputs are [B,T,...]. A schedule is a list of (size, counts): arrays of `size` new positions, of which row b has counts[b].
"""
import os, sys
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import nax_call  # noqa: E402  (what the other tests call models with)


def odd(lengths, sizes):
    """Chunks of these sizes, over and over; rows that have no position left wait."""
    left, out = np.array(lengths), []
    while left.max(initial=0) > 0:
        size = min(sizes[len(out) % len(sizes)], int(left.max()))
        counts = np.minimum(left, size)
        out.append((size, counts))
        left = left - counts
    return out


def ones(lengths):
    return odd(lengths, [1])


def whole(lengths):
    return odd(lengths, [max(1, max(lengths, default=1))])


def ragged(lengths, g, most=5):
    """Every row goes on by a number of its own, 0 to `most`; now and then there is padding in all of them."""
    left, out = np.array(lengths), []
    while left.max(initial=0) > 0:
        counts = np.minimum(left, g.integers(0, most + 1, len(left)))
        out.append((int(counts.max()) + int(g.integers(0, 2)), counts))
        left = left - counts
    return out


def alone(schedule, row):
    """What one row of a schedule does, in arrays as long as that takes."""
    return [(int(counts[row]), counts[row:row + 1]) for _, counts in schedule]


def chunk_of(value, firsts, done, size, counts, repeat):
    out = np.zeros(value.shape[:1] + (size,) + value.shape[2:], value.dtype)
    for b, n in enumerate(counts):
        at = firsts[b] + done[b]
        out[b, :n] = value[b, at:at + n]
        if repeat and at + n > firsts[b]:
            out[b, n:] = value[b, at + n - 1]
    return out


def run(cache, params, inputs, schedule, firsts=None, before=None, context=None, from_=None):
    """Each result as a list of rows: [t,...] of one that has positions, else what each call gave, [call,...].
    `before(cache, done, counts)` is called before each call; `from_` are the positions that rows have already."""
    rows = len(schedule[0][1]) if schedule else 0
    firsts = np.zeros(rows, int) if firsts is None else firsts
    done = np.zeros(rows, int) if from_ is None else np.array(from_)
    out = {}
    for size, counts in schedule:
        chunk = {n: chunk_of(v, firsts, done, size, counts, n.endswith("_documents")) for n, v in inputs.items()}
        if before:
            before(cache, done, counts)
        every = (np.array(counts) == size).all()
        got = cache.step(params, counts=None if every else counts, context=context, **chunk)
        for name, value in got.items():
            along = positions_along(cache, name)
            pieces = out.setdefault(name, [[] for _ in range(rows)])
            for b in range(rows):
                pieces[b].append(value[b, :counts[b]] if along else value[b:b + 1])
        done = done + counts
        assert cache.lengths() == done.tolist(), f"rows have {cache.lengths()} positions, not {done.tolist()}"
    return {name: [np.concatenate(p) for p in pieces] for name, pieces in out.items()}


def positions_along(cache, name):
    e = cache.model.entries[cache.entry + "_step"][1]
    b = next(e.buffers[i] for i in range(e.buffer_count) if e.buffers[i].name.decode() == name)
    return cache.counts.data_axis in [b.axes[j] for j in range(b.rank)]


def apart(got, want):
    """The largest difference over the largest value; infinity where something is no number."""
    if not np.isfinite(got).all():
        return np.inf
    return float(np.abs(got.astype(np.float64) - want).max(initial=0) / max(np.abs(want).max(initial=0), 1e-300))


def same(a, b):
    """Whether two arrays, or two lists of rows, have the same bits."""
    if isinstance(a, list):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    return a.shape == b.shape and a.tobytes() == b.tobytes()


def poison(value):
    """A `before` that fills every slot which neither this call nor a later one reads. Documents stay apart: their cache
    is whole numbers, whose unused slots get one that no document has."""
    def fill(cache, done, counts):
        for number, memory in enumerate(cache.buffers()):
            ring = cache.ring(number)
            if ring < 0 or not memory.size:
                continue
            slots = memory.shape[1]
            for b in range(memory.shape[0]):
                first = max(0, done[b] - (ring - 1)) if ring else 0
                kept = np.isin(np.arange(slots), np.arange(first, done[b]) % slots)
                memory[b, ~kept] = value if memory.dtype.kind == "f" else -7
    return fill
