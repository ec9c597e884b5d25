# SPDX-License-Identifier: Apache-2.0
"""What a query of a step may not read leaves no trace, bit for bit: unused and overwritten slots of the cache, the future
within a chunk, other rows, other documents, positions before a window.

    python3 test/run/decode/probes.py [NAXC]

What may be read is changed, too, one position at a time, and has to be noticed: a probe that sees nothing proves nothing.
"""
import os, sys
import numpy as np
import steps
import nax_call

HERE = os.path.dirname(os.path.abspath(__file__))
B, T, C, P = 3, 23, 24, 6
POISONS = {"other numbers": 0.7, "1e30": 1e30, "-0": -0.0, "infinity": np.inf, "NaN": np.nan}
g = np.random.default_rng(5)
x = g.standard_normal((B, T, C)).astype(np.float32)
memory = g.standard_normal((B, P, C)).astype(np.float32)
documents = np.cumsum(g.random((B, T)) < 0.2, 1).astype(np.int32)
s, t = np.arange(T)[None, :], np.arange(T)[:, None]
causal = np.repeat((s <= t)[None], B, 0)
same_document = documents[:, :, None] == documents[:, None, :]

# What one layer reads; `both` of Inputs/attention.cpp reads that of what was read.
KINDS = {
    "causal": ({}, causal), "windowed": ({}, causal & (t - s < 5)), "narrow": ({}, causal & (t == s)),
    "sinks": ({}, causal & ((t - s < 4) | (s < 2))), "biased": ({}, causal), "learned": ({}, causal), "ragged": ({}, causal), "left_padded": ({}, causal),
    "packed": ({"Tp_documents": documents}, causal & same_document),
    "packed_windowed": ({"Tp_documents": documents}, causal & same_document & (t - s < 4)),
    "translating": ({}, causal),
}


class Probe:
    def __init__(self, model, params, entry):
        self.model, self.params, self.entry = model, params, entry
        self.data, once = KINDS[entry]
        # Positions that an output depends on through two layers.
        self.reach = np.einsum("bts,bsr->btr", once.astype(int), once.astype(int)) > 0
        if entry == "translating":
            self.reach = once

    def run(self, schedule, x=x, before=None, rows=slice(None), capacity=T, context=None):
        values = {"x": x[rows], **{n: v[rows] for n, v in self.data.items()}}
        # The kinds that differ in what their axis is called.
        cache = self.model.cache(self.entry, B=len(values["x"]), P=P, **{self.axis(): capacity})
        if self.entry == "translating":
            cache.begin(self.params, y=memory[rows], P_lengths=np.array([P, 0, 3], np.int32)[rows])
        return steps.run(cache, self.params, values, schedule, before=before, context=context)["out"]

    def axis(self):
        return {"ragged": "Tr", "left_padded": "Tl", "packed": "Tp", "packed_windowed": "Tp"}.get(self.entry, "T")

    def unused_slots(self, schedule, right):
        for name, poison in POISONS.items():
            got = self.run(schedule, before=steps.poison(poison))
            assert steps.same(got, right), f"{self.entry}: {name} in slots that nothing reads changes the output"

    def hidden_positions(self, schedule, right):
        """For some queries: all that they may not read is changed at once, other rows included."""
        for b in range(B):
            for at in sorted({0, T // 2, T - 1, int(g.integers(0, T))}):
                hidden = np.ones((B, T), bool)
                hidden[b] = ~self.reach[b, at]
                for name, poison in POISONS.items():
                    changed = x.copy()
                    changed[hidden] = poison
                    got = self.run(schedule, x=changed)
                    assert steps.same(got[b][at], right[b][at]), f"{self.entry}: row {b}, position {at} changes with {name}"

    def noticed(self, schedule, right):
        for at in (0, 3, T // 2):
            changed = x.copy()
            changed[1, at] += 1
            got = self.run(schedule, x=changed)
            seen = (got[1] != right[1]).any(-1)
            assert (seen == self.reach[1, :, at]).all(), \
                f"{self.entry}: position {at} is noticed at {np.flatnonzero(seen)}, not at {np.flatnonzero(self.reach[1, :, at])}"

    def other_rows(self, schedule, right):
        for b in range(B):
            got = self.run(steps.alone(schedule, b), rows=slice(b, b + 1))
            assert steps.same(got[0], right[b]), f"{self.entry}: row {b} alone has other bits"
        if self.entry != "translating":
            order = [2, 0, 1]
            turned = [(size, np.array(counts)[order]) for size, counts in schedule]
            got = self.run(turned, rows=order)
            assert steps.same(got, [right[b] for b in order]), f"{self.entry}: rows in another order have other bits"
        got = self.run(schedule, capacity=T + 9)
        assert steps.same(got, right), f"{self.entry}: a longer cache gives other bits"

    def threads(self, schedule, right):
        for threads in (1, 2, 3):
            context = self.model.new_context(threads)
            for _ in range(2):
                assert steps.same(self.run(schedule, context=context), right), f"{self.entry}: other bits with {threads} threads"


def main():
    with open(os.path.join(HERE, "Inputs", "attention.cpp")) as f:
        flags = ["--decode=" + ",".join(KINDS), nax_call.EVERY_LEVEL]
        model = nax_call.compile(f.read(), "attention", *sys.argv[1:2], flags=flags)
    values = {n: g.standard_normal(shape) / np.sqrt(C) for n, shape in model.param_shapes().items()}
    for level in nax_call.each_level(model):
        params = model.params(values)
        for entry in KINDS:
            try_entry(Probe(model, params, entry))
        print(f"{level}: {', '.join(KINDS)}: what may not be read leaves no trace", flush=True)


def try_entry(probe):
    lengths, uneven = [T] * B, steps.ragged([T, 9, 17], np.random.default_rng(2))
    for schedule in (steps.ones(lengths), steps.odd(lengths, [6, 1, 9]), steps.ragged(lengths, np.random.default_rng(1))):
        right = probe.run(schedule)
        assert all(np.isfinite(row).all() for row in right)
        probe.unused_slots(schedule, right)
        probe.hidden_positions(schedule, right)
        probe.noticed(schedule, right)
        probe.other_rows(schedule, right)
    right = probe.run(uneven)
    probe.unused_slots(uneven, right)
    probe.other_rows(uneven, right)
    probe.threads(uneven, right)


if __name__ == "__main__":
    main()
