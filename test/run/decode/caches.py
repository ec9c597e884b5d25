# SPDX-License-Identifier: Apache-2.0
"""A cache as a value: full, taken back, copied, saved. What goes on from it is, bit for bit, what goes on from one that never
was otherwise.

    python3 test/run/decode/caches.py [NAXC]
"""
import os, sys, tempfile
import numpy as np
import steps
import nax_call

HERE = os.path.dirname(os.path.abspath(__file__))
ENTRIES = ["causal", "windowed", "sinks", "packed", "translating"]
B, T, C = 2, 20, 24
g = np.random.default_rng(9)
x, other = (g.standard_normal((B, T, C)).astype(np.float32) for _ in range(2))
documents = np.cumsum(g.random((B, T)) < 0.2, 1).astype(np.int32)
memory = g.standard_normal((B, 6, C)).astype(np.float32)


class Kind:
    def __init__(self, model, params, entry):
        self.model, self.params, self.entry = model, params, entry
        self.axis = "Tp" if entry == "packed" else "T"

    def cache(self, capacity=T, rows=B):
        cache = self.model.cache(self.entry, B=rows, P=6, **{self.axis: capacity})
        if self.entry == "translating":
            cache.begin(self.params, y=memory[:rows], P_lengths=np.array([6, 2], np.int32)[:rows])
        return cache

    def go(self, cache, schedule, x=x, from_=None):
        inputs = {"x": x} | ({"Tp_documents": documents} if self.entry == "packed" else {})
        inputs = {n: v[:len(schedule[0][1])] for n, v in inputs.items()}
        return steps.run(cache, self.params, inputs, schedule, from_=from_)["out"]


def refused(action, *words):
    try:
        action()
    except nax_call.Error as error:
        assert all(word in str(error) for word in words), str(error)
        return
    raise AssertionError(f"{words} was not refused")


def full(kind):
    """Capacity 8, 2 new ones at 7: an error, and nothing has changed."""
    cache = kind.cache(capacity=8)
    kind.go(cache, steps.odd([7, 4], [3]))
    before = [b.copy() for b in cache.buffers()]
    inputs = {"x": x[:, :2]} | ({"Tp_documents": documents[:, 7:9]} if kind.entry == "packed" else {})
    refused(lambda: cache.step(kind.params, **inputs), "row 0 of the cache: 7 positions and 2 new ones are more than its 8")
    assert cache.lengths() == [7, 4] and all(map(steps.same, before, cache.buffers())), "a full cache was written"
    # The other row has room, and the first one for one more.
    got = kind.go(cache, [(2, np.array([1, 2]))], from_=[7, 4])
    fresh = kind.go(kind.cache(), steps.odd([7, 4], [3]) + [(2, np.array([1, 2]))])
    assert steps.same([got[b][-1] for b in range(B)], [fresh[b][-1] for b in range(B)]), "after the refusal"


def taken_back(kind):
    """Seven positions, then others; back to seven; on with x: as if the others had not been."""
    ring = max(kind.cache().ring(i) for i in range(len(kind.cache().buffers())))
    head, tail = steps.odd([7, 7], [7]), steps.odd([6, 6], [1, 3])
    cache = kind.cache()
    kind.go(cache, head)
    kind.go(cache, steps.odd([1, 1] if ring > 0 else [5, 5], [2]), x=other, from_=[7, 7])
    for row in range(B):
        cache.truncate(row, 7)
    assert cache.lengths() == [7, 7]
    got = kind.go(cache, tail, from_=[7, 7])
    fresh = kind.go(kind.cache(), head + tail)
    assert steps.same(got, [row[7:] for row in fresh]), f"{kind.entry}: a cache taken back goes on differently"
    if ring > 0:
        refused(lambda: cache.truncate(0, 4), "row 0", "13")
        assert cache.length(0) == 13
    refused(lambda: cache.truncate(0, 14), "14")
    refused(lambda: cache.truncate(B, 0), f"row {B}")
    # All the way back.
    cache.truncate(0, 0)
    cache.reset(1)
    assert steps.same(kind.go(cache, head + tail), fresh), f"{kind.entry}: an emptied cache goes on differently"


def copied(kind):
    """One row's positions become the other's; both go on, each with its own."""
    cache = kind.cache()
    kind.go(cache, [(9, np.array([9, 2]))])
    cache.copy(1, cache, 0)
    assert cache.lengths() == [9, 9]
    x2 = np.stack([x[0], x[0]])
    x2[1, 9:] = other[1, 9:]
    tail = steps.odd([4, 4], [1, 2])
    got = on_one_row(kind, cache, x2, tail)
    for row in range(B):
        fresh = kind.cache()
        on_one_row(kind, fresh, x2[[row, row]], [(9, np.array([9, 9]))], [0, 0])
        want = on_one_row(kind, fresh, x2[[row, row]], tail)
        # What is read of other inputs came with the copy, too.
        assert steps.same(got[row], want[0]), f"{kind.entry}: row {row} after a copy"
    longer, shorter = kind.cache(capacity=T + 5), kind.cache(capacity=12)
    longer.copy(1, cache, 1)
    assert longer.lengths() == [0, 13]
    refused(lambda: shorter.copy(0, cache, 0), "13", "12")
    assert shorter.lengths() == [0, 0]


def on_one_row(kind, cache, x, schedule, from_=(9, 9)):
    """Both rows have the first row's documents."""
    inputs = {"x": x} | ({"Tp_documents": documents[[0, 0]]} if kind.entry == "packed" else {})
    return steps.run(cache, kind.params, inputs, schedule, from_=np.array(from_))["out"]


def saved(kind, folder):
    path = os.path.join(folder, kind.entry)
    head, tail = [(9, np.array([9, 5]))], [(1, np.array([1, 0]))] * 4
    cache = kind.cache()
    kind.go(cache, head)
    cache.save(0, path)
    want = kind.go(cache, tail, from_=[9, 5])[0]
    again = kind.cache(capacity=T + 3)
    again.restore(0, path)
    assert again.lengths() == [9, 0]
    assert steps.same(kind.go(again, tail, from_=[9, 0])[0], want), f"{kind.entry}: a restored row goes on differently"
    with open(path, "rb") as f:
        data = bytearray(f.read())
    data[len(data) // 2] ^= 1
    with open(path, "wb") as f:
        f.write(data)
    before = [b.copy() for b in again.buffers()]
    refused(lambda: again.restore(0, path), path)
    assert again.lengths() == [13, 0] and all(map(steps.same, before, again.buffers())), "a damaged file changed the cache"


def main():
    with open(os.path.join(HERE, "Inputs", "attention.cpp")) as f:
        model = nax_call.compile(f.read(), "attention", *sys.argv[1:2], flags=["--decode=" + ",".join(ENTRIES)])
    params = model.params({n: g.standard_normal(shape) / np.sqrt(C) for n, shape in model.param_shapes().items()})
    with tempfile.TemporaryDirectory() as folder:
        for entry in ENTRIES:
            kind = Kind(model, params, entry)
            full(kind)
            taken_back(kind)
            copied(kind)
            saved(kind, folder)
            print(f"{entry}: full, taken back, copied, saved", flush=True)


if __name__ == "__main__":
    main()
