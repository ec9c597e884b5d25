# SPDX-License-Identifier: Apache-2.0
# needs: numpy==2.4.6
"""The model of examples/05-gpt in plain numpy and float64: forward only, no code of nax's.

    test/peers/run gpt_numpy.py examples/05-gpt/gpt.safetensors "8+7="

prints the greedy continuation up to the end of the line and the next-token loss, as the example does; the smallest gap
between a chosen token's logit and the next one's goes to standard error. Without a line it takes the example's own: that
is what examples/05-gpt/expected.txt holds.
"""
import json, math, struct, sys
import numpy as np

EPS = 1e-5
OWN = ["monday tuesday ", "march april may ", "eleven twelve thirteen ", "a b c d ", "37 38 39 ", "8+7=", "16+9=",
                "twinkle twinkle little star "]


def load(path):
    with open(path, "rb") as f:
        size, = struct.unpack("<Q", f.read(8))
        head = json.loads(f.read(size))
        data = f.read()
    kinds = {"F32": "<f4", "F16": "<f2"}
    P = {}
    for name, t in head.items():
        if name == "__metadata__":
            continue
        a, b = t["data_offsets"]
        P[name] = np.frombuffer(data[a:b], kinds[t["dtype"]]).reshape(t["shape"]).astype(np.float64)
    return P


def layer_norm(x, gain, shift):
    m = x.mean(-1, keepdims=True)
    return (x - m) / np.sqrt(((x - m) ** 2).mean(-1, keepdims=True) + EPS) * gain + shift


def gelu_tanh(x):
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))


def logits(P, ids):
    """ids [T] -> logits [T,V]"""
    T = len(ids)
    x = P["tokens"][ids] + P["positions"][:T]                                   # [T,C]
    block = 0
    while f"blocks.{block}.attention.wq" in P:
        b = f"blocks.{block}."
        y = layer_norm(x, P[b + "norm1.gain"], P[b + "norm1.shift"])
        q, k, v = (np.einsum("tc,chd->thd", y, P[b + "attention." + w]) for w in ("wq", "wk", "wv"))
        s = np.einsum("thd,shd->hts", q, k) / math.sqrt(q.shape[-1])            # [H,T,S]
        s[:, np.triu(np.ones((T, T), bool), 1)] = -np.inf
        w = np.exp(s - s.max(-1, keepdims=True))
        w /= w.sum(-1, keepdims=True)
        x = x + np.einsum("hts,shd,hdc->tc", w, v, P[b + "attention.wo"], optimize=True)
        y = layer_norm(x, P[b + "norm2.gain"], P[b + "norm2.shift"])
        h = gelu_tanh(y @ P[b + "mlp.up"] + P[b + "mlp.up_bias"])               # [T,F]
        x = x + h @ P[b + "mlp.down"] + P[b + "mlp.down_bias"]
        block += 1
    return layer_norm(x, P["norm.gain"], P["norm.shift"]) @ P["tokens"].T       # [T,V]


def loss(P, ids):
    z = logits(P, ids)[:-1]
    z = z - z.max(-1, keepdims=True)
    z = z - np.log(np.exp(z).sum(-1, keepdims=True))
    return float(-z[np.arange(len(ids) - 1), ids[1:]].mean())


def greedy(P, prompt):
    """All the ids, and the smallest gap between the best and the second best logit on the way."""
    ids, gap = list(prompt.encode("ascii")), math.inf
    while len(ids) < len(P["positions"]):
        z = logits(P, np.array(ids))[-1]
        second, best = np.sort(z)[-2:]
        gap = min(gap, best - second)
        ids.append(int(np.argmax(z)))
        if ids[-1] == ord("\n"):
            break
    return np.array(ids), gap


if __name__ == "__main__":
    P = load(sys.argv[1])
    for prompt in sys.argv[2:] or OWN:
        ids, gap = greedy(P, prompt)
        more = bytes(ids[len(prompt):].tolist()).decode("ascii").rstrip("\n")
        print(f"{prompt}|{more}   (loss {loss(P, ids):.3f})")
        print(f"{gap:.3f}", file=sys.stderr)
