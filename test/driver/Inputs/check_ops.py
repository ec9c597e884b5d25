# SPDX-License-Identifier: Apache-2.0
"""The entries of ops.cpp in numpy, on what `naxc check --save` wrote; compares with the float64 results."""
import math
import sys
import numpy as np

root = sys.argv[1]


class Entry:
    """The arrays of one entry by name; `is_` compares a result."""

    def __init__(self, name):
        self.name = name

    def __getattr__(self, array):
        a = np.load(f"{root}/{self.name}/{array}.npy")
        return a.astype(np.float64) if a.dtype.kind == "f" else a

    def is_(self, result, want, where=...):
        got = np.load(f"{root}/{self.name}/{result}.reference.npy")
        want = np.asarray(want)
        assert got.shape == want.shape, (self.name, result, got.shape, want.shape)
        apart = np.abs(got - want)[where].max() / max(np.abs(want).max(), 1e-300)
        assert apart <= 1e-12, f"{self.name}: {result} is {apart} apart"
        Entry.compared += 1


Entry.compared = 0


def param(name):
    return np.load(f"{root}/params/{name}.npy").astype(np.float64)


def softmax(s, allowed=None):
    s = s if allowed is None else np.where(allowed, s, -np.inf)
    top = s.max(-1, keepdims=True)
    w = np.exp(s - np.where(np.isfinite(top), top, 0))
    total = w.sum(-1, keepdims=True)
    return np.divide(w, total, out=np.zeros_like(w), where=total > 0)


table, positions, gain = param("table"), param("positions"), param("gain")

e = Entry("reduce")
rows = [row[:length] for row, length in zip(e.x, e.Tr_lengths)]
assert min(map(len, rows)) == 0 < max(map(len, rows)), "an empty row is among them"
zero = np.zeros(e.x.shape[-1])
for result, of in (("total", lambda r: r.sum(0)), ("average", lambda r: r.mean(0)), ("largest", lambda r: r.max(0)),
                   ("end", lambda r: r[-1])):
    e.is_(result, [of(r) if len(r) else zero for r in rows])
e.is_("begin", e.x[:, 0], e.Tr_lengths > 0)
e.is_("all", np.concatenate(rows).mean())

e = Entry("padded")
places = np.maximum(np.arange(e.x.shape[1])[None] - e.Tl_starts[:, None], 0)
e.is_("placed", e.x + positions[places])
e.is_("average", [row[start:].mean(0) for row, start in zip(e.x, e.Tl_starts)])
e.is_("begin", [row[start] for row, start in zip(e.x, e.Tl_starts)])
e.is_("end", e.x[:, -1])

e = Entry("packed")
documents = e.Tp_documents
places = np.array([[t - list(row).index(row[t]) for t in range(len(row))] for row in documents])
e.is_("placed", e.x + positions[places])
logits = e.x @ table.T
log_p = np.log(softmax(logits))
has_label = np.pad(documents[:, 1:] == documents[:, :-1], ((0, 0), (0, 1)))
assert 0 < has_label.sum() < has_label.size
labels = np.pad(e.ids[:, 1:], ((0, 0), (0, 1)))
losses = np.where(has_label, -np.take_along_axis(log_p, labels[..., None], -1)[..., 0], 0)
e.is_("losses", losses)
e.is_("loss", losses.sum() / has_label.sum())
e.is_("total", losses.sum())

e = Entry("shapes")
e.is_("parts", e.h.reshape(-1, 2, 3))
e.is_("doubled", e.h * 2)
first, second = e.z[:, :4], e.z[:, 4:]
e.is_("x", first)
e.is_("y", second)
e.is_("joined", np.concatenate([-first, second], 1))
e.is_("wide", np.repeat(second[..., None], 4, -1))

e = Entry("picks")
e.is_("best", e.x.argmax(-1))
e.is_("two", np.argsort(-e.x, -1, kind="stable")[:, :2])
e.is_("weights", softmax(e.x))

e = Entry("functions")
x = e.x
e.is_("a", x / (1 + np.exp(-x)))
e.is_("b", 0.5 * x * (1 + np.vectorize(math.erf)(x / math.sqrt(2))))
e.is_("c", 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))))
for result, want in zip("defghijk", (np.maximum(x, 0), np.exp(x), np.tanh(x), 1 / (1 + np.exp(-x)), np.sqrt(x * x + 1),
                                    1 - x, x / 8, x / (x * x + 1))):
    e.is_(result, want)

e = Entry("norms")
x = e.x
e.is_("rms", x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-6) * (1 + gain))
e.is_("layer", (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-3) * gain)

e = Entry("casts")
e.is_("half", e.x)
e.is_("brain", e.x)
e.is_("wide", e.x * 3)
e.is_("whole", np.trunc(e.x * 10))

e = Entry("drops")
mask64 = (1 << 64) - 1
seed = int(np.load(f"{root}/drops/seed.npy"))


def keeps(site, index, p):
    z = (seed + 0x9E3779B97F4A7C15 * (1 + site) + 0xBF58476D1CE4E5B9 * (index + 1)) & mask64
    z ^= z >> 30
    z = z * 0xBF58476D1CE4E5B9 & mask64
    z ^= z >> 27
    z = z * 0x94D049BB133111EB & mask64
    z ^= z >> 31
    return (z >> 40) * 2.0**-24 >= p


for site, (result, p) in enumerate((("some", 0.25), ("half", 0.5))):
    kept = np.array([keeps(site, i, p) for i in range(e.x.size)]).reshape(e.x.shape)
    e.is_(result, np.where(kept, e.x / (1 - p), 0))

e = Entry("masked")
t = np.arange(e.x.shape[1])
near = (t[:, None] - t[None] < 3)[None]
same = e.documents[:, :, None] == e.documents[:, None]
longer = ~(t[None, None] < e.lengths[:, None, None])
inside = e.P_documents[:, :, None] == e.P_documents[:, None]
assert 0 < inside.sum() < inside.size
w = softmax(e.x @ e.x.transpose(0, 2, 1) / 2, ((near & same) | longer) & inside)
e.is_("out", w @ e.x)

e = Entry("biased")
t = np.arange(e.x.shape[1])
s = e.x @ e.x.transpose(0, 2, 1) / 2
s = 2 * np.tanh(s / 2) + e.b
w = softmax(s, (~e.blocked[:, None].astype(bool) | (t < 2)) & (t[None] <= t[:, None]))
e.is_("out", w @ e.x)

print(f"{Entry.compared} results")
