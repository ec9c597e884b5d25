# SPDX-License-Identifier: Apache-2.0
"""bench_check.py PEERS RESULTS.json: whether the results have a time for each repetition, and the sums that float64 gives."""
import json
import sys

sys.path.insert(0, sys.argv.pop(1))
results, sys.argv = sys.argv[1], sys.argv[:1]
import numpy
import peer


def gemm():
    return peer.draw(2, 128, 768).astype(float) @ peer.draw_weights(768, 768)


def decode(h, kv, s=128):
    """The cache has positions 0 to s - 2; the new one is drawn as the first."""
    q = peer.draw(2, h, 64).astype(float)
    k, v = (numpy.concatenate([peer.draw(n, s - 1, kv, 64), peer.draw(n, 1, kv, 64)]).astype(float) for n in (3, 4))
    k, v = (numpy.repeat(x, h // kv, axis=1) for x in (k, v))
    weights = numpy.exp(numpy.einsum("hd,shd->hs", q, k) / 8)
    return numpy.einsum("hs,shd->hd", weights / weights.sum(1, keepdims=True), v)


expected = {"gemm 128x768x768": gemm(), "decode-attention 12/12": decode(12, 12), "decode-attention 9/3": decode(9, 3)}
with open(results) as file:
    rows = json.load(file)["rows"]
for row in rows:
    name = "%s %s" % (row["group"], row["name"])
    nax = next((s for s in row["series"] if s["name"] == "nax"), None)
    if name not in expected or not nax:
        continue
    good = all(t > 0 for t in nax["seconds"] + row["limit"]["rates"])
    sums = [expected[name].sum(), abs(expected[name]).sum()]
    right = good and all(abs(a - b) < 1e-5 * sums[1] for a, b in zip(nax["check"], sums))
    print("%s: %d times, limit %d times, sums %s" % (name, len(nax["seconds"]), len(row["limit"]["rates"]),
                                                      "right" if right else "wrong: %s, not %s" % (nax["check"], sums)))
