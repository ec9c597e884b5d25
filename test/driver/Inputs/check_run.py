# SPDX-License-Identifier: Apache-2.0
"""Compares what run.test computed with the same in numpy."""
import sys
import numpy as np

folder = sys.argv[1]


def load(name):
    return np.load(f"{folder}/{name}.npy")


out = load("out")
assert out.dtype == np.float32 and (out == [11, 22, 33]).all(), out

ids, tokens, positions = load("ids"), load("params/tokens").astype(float), load("params/positions").astype(float)
x = tokens[ids] + positions[: ids.shape[1]]
scores = np.einsum("btc,bsc->bts", x, x) / np.sqrt(8)
scores = np.where(np.tril(np.ones(scores.shape[1:], bool)), scores, -np.inf)
w = np.exp(scores - scores.max(-1, keepdims=True))
want = np.einsum("bts,bsc->btc", w / w.sum(-1, keepdims=True), x) @ tokens.T
logits = load("logits")
assert logits.dtype == np.float32 and logits.shape == want.shape
assert abs(logits - want).max() <= 1e-5 * abs(want).max()

p = want[:, :-1] - np.log(np.exp(want[:, :-1]).sum(-1, keepdims=True))
loss = -np.take_along_axis(p, ids[:, 1:, None], -1).mean()
assert load("loss").shape == () and abs(load("loss") - loss) <= 1e-5 * loss
