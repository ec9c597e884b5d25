# SPDX-License-Identifier: Apache-2.0
# needs: numpy==2.4.6
"""The model of examples/06-encoder in plain numpy and float64, row by row: no code of nax's, and no padding.

    test/peers/run encoder_numpy.py examples/06-encoder/encoder.safetensors "w_dn_sday" "j_ne"

fills in the letters written as _; with --golden, the words of examples/06-encoder/test.
"""
import math, sys
import numpy as np
from gpt_numpy import load

EPS = 1e-12
GOLDEN = ["w_dn_sday", "j_ne", "sep_em_er", "_l_phant", "ten", "or_h_stra", "s_v_nt__n", "g_r_ffe"]
erf = np.vectorize(math.erf)


def norm(x, P, name):
    m = x.mean(-1, keepdims=True)
    return (x - m) / np.sqrt(((x - m) ** 2).mean(-1, keepdims=True) + EPS) * P[name + ".gain"] + P[name + ".shift"]


def hidden(P, ids):
    """ids [T] -> [T,C]; every position reads every other."""
    x = norm(P["tokens"][ids] + P["positions"][:len(ids)], P, "embed_norm")
    block = 0
    while f"blocks.{block}.attention.wq" in P:
        b = f"blocks.{block}."
        q, k, v = (np.einsum("tc,chd->thd", x, P[b + "attention." + w]) for w in ("wq", "wk", "wv"))
        s = np.einsum("thd,shd->hts", q, k) / math.sqrt(q.shape[-1])
        w = np.exp(s - s.max(-1, keepdims=True))
        w /= w.sum(-1, keepdims=True)
        x = norm(x + np.einsum("hts,shd,hdc->tc", w, v, P[b + "attention.wo"], optimize=True), P, b + "norm1")
        u = x @ P[b + "mlp.up"] + P[b + "mlp.up_bias"]
        u = 0.5 * u * (1 + erf(u / math.sqrt(2)))
        x = norm(x + u @ P[b + "mlp.down"] + P[b + "mlp.down_bias"], P, b + "norm2")
        block += 1
    return x


def fill(P, word):
    ids = np.array([0 if c == "_" else ord(c) - ord("a") + 1 for c in word])
    x = hidden(P, ids)
    letters = np.argmax(x @ P["tokens"].T, -1)
    return "".join(c if c != "_" else chr(ord("a") + n - 1) if n else "_" for c, n in zip(word, letters)), x.mean(0)


if __name__ == "__main__":
    P = load(sys.argv[1])
    for word in GOLDEN if sys.argv[2] == "--golden" else sys.argv[2:]:
        filled, vector = fill(P, word)
        print(f"{word:12} {filled:12} {np.linalg.norm(vector):.4f}")
