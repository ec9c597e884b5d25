# SPDX-License-Identifier: Apache-2.0
"""Documents that share a row are as if each had a row of its own: logits, losses, and what a changed token reaches.

    python3 test/run/packed_documents.py [NAXC]
"""
import os, sys
import numpy as np
import nax_call

HERE = os.path.dirname(os.path.abspath(__file__))
LENGTHS = [[7, 1, 60, 5, 130, 2, 13, 1, 37], [255, 1], [40, 1, 1, 214], [256]]  # of the documents of each row
B, T, V = len(LENGTHS), 256, 50
g = np.random.default_rng(11)


def places():
    """(row, positions) of every document."""
    for b, lengths in enumerate(LENGTHS):
        ends = np.cumsum(lengths)
        for length, end in zip(lengths, ends):
            yield b, slice(end - length, end)


def same(a, b):
    return np.array_equal(a.view(np.uint32), b.view(np.uint32))


class Packed:
    def __init__(self, naxc):
        with open(os.path.join(HERE, "Inputs", "packed_documents.cpp")) as f:
            self.model = nax_call.compile(f.read(), "packed", naxc)
        self.params = self.model.params({n: g.standard_normal(shape) / 4 for n, shape in self.model.param_shapes().items()})

    def run(self, ids, documents):
        """Logits [B,T,V], losses [B,T], their mean."""
        loss = self.model.call("loss", self.params, ids=ids, T_documents=documents)
        return self.model.call("logits", self.params, ids=ids, T_documents=documents)["logits"], loss["each"], loss["mean"]

    def scored(self, ids, labels, documents):
        out = self.model.call("scored", self.params, ids=ids, labels=labels, T_documents=documents)
        return out["each"], out["mean"]


def check_alone(packed, ids, documents):
    """How far a document is at most from itself in a row of its own, relatively: logits, losses, mean loss."""
    logits, each, mean = packed.run(ids, documents)
    apart, losses, pairs = np.zeros(3), [], 0
    for b, at in places():
        alone_logits, alone_each, alone_mean = packed.run(ids[b:b + 1, at], np.zeros((1, at.stop - at.start), np.int32))
        count = at.stop - at.start - 1
        own_mean = each[b, at].sum(dtype=np.float64) / max(count, 1)
        apart = np.maximum(apart, [np.abs(logits[b, at] - alone_logits[0]).max() / np.abs(logits).max(),
                                   np.abs(each[b, at] - alone_each[0]).max() / each.max(), abs(own_mean - alone_mean) / mean])
        losses.append(own_mean * count)
        pairs += count
        assert each[b, at.stop - 1] == 0, "the end of a document predicts nothing"
    total = sum(losses) / pairs
    assert abs(mean - total) < 1e-6 * total, f"the mean is {mean}, that of all positions with a next token is {total}"
    return apart


def check_probe(packed, ids, documents):
    """How often a document notices a change in another."""
    before = packed.run(ids, documents)
    leaks = 0
    for b, at in places():
        for position in {at.start, at.stop - 1, int(g.integers(at.start, at.stop))}:
            changed = ids.copy()
            changed[b, position] = (changed[b, position] + 1 + g.integers(V - 1)) % V
            after = packed.run(changed, documents)
            for c, other in places():
                if (c, other) == (b, at):
                    noticed = np.flatnonzero((after[0][c, other] != before[0][c, other]).any(-1)) + other.start
                    assert noticed.size and noticed.min() == position, "a document does not notice its own change, or too early"
                    if position > at.start:
                        assert after[1][b, position - 1] != before[1][b, position - 1], "its label has changed, its loss has not"
                else:
                    leaks += not same(after[0][c, other], before[0][c, other]) or not same(after[1][c, other], before[1][c, other])
    return leaks


def check_labels(packed, ids, documents):
    """Labels that the caller has shifted give the same losses, and the one at the end of a document is not looked at."""
    each, mean = packed.run(ids, documents)[1:]
    ends = np.ones((B, T), bool)
    ends[:, :-1] = documents[:, 1:] != documents[:, :-1]
    for filling in (0, V - 1):
        labels = np.concatenate([ids[:, 1:], ids[:, :1]], 1)
        labels[ends] = filling
        scored = packed.scored(ids, labels, documents)
        assert same(scored[0], each) and scored[1] == mean, "shifted labels give other losses"


def main():
    packed = Packed(sys.argv[1] if len(sys.argv) > 1 else "naxc")
    ids = g.integers(0, V, (B, T)).astype(np.int32)
    # Any numbers, in any order; a number says only which positions belong together.
    documents = np.array([np.repeat(g.permutation(len(n)) * 7 - 3, n) for n in LENGTHS], np.int32)

    logits, losses, means = check_alone(packed, ids, documents)
    print(f"{sum(map(len, LENGTHS))} documents against each alone: logits {logits:.1e}, losses {losses:.1e}, mean loss {means:.1e}")
    assert max(logits, losses, means) < 1e-6
    assert check_probe(packed, ids, documents) == 0, "a change in one document is noticed in another"
    print("a changed token of one document: the same bits in all others, logits and losses")
    check_labels(packed, ids, documents)
    print("shifted labels: the same losses; the label at the end of a document is not looked at")

    # The same rows as one document each: now everything above must fail.
    one = np.zeros((B, T), np.int32)
    assert np.abs(packed.run(ids, one)[0] - packed.run(ids, documents)[0]).max() > 1e-2
    assert check_probe(packed, ids, one) > 0
    print("all of a row as one document: other logits, and a change is noticed")


if __name__ == "__main__":
    main()
