# SPDX-License-Identifier: Apache-2.0
# needs: numpy==2.4.6
"""Trains the weights of examples/06-encoder: a small BERT that fills in the letters that are missing from a word.

    test/peers/run train_encoder.py examples/06-encoder/encoder.safetensors [STEPS]

As train_gpt.py: numpy, seeded, a few minutes on one core. Row b of a batch is one word, so rows have different lengths and
no position reads past its own. Token 0 is a missing letter, 1 to 26 are a to z.
"""
import sys
import numpy as np
import train_parts as parts

V, C, H, D, F, P, LAYERS = 27, 48, 4, 12, 192, 12, 2
BATCH, EPS = 64, 1e-12
g = np.random.default_rng(6)

WORDS = """monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
october november december one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand red orange yellow green blue
indigo violet purple brown black white silver golden spring summer autumn winter north south east west morning evening midnight
apple banana cherry lemon peach pear plum grape melon strawberry carrot potato tomato onion pepper bread butter cheese coffee
sugar water horse rabbit elephant giraffe monkey tiger lion eagle penguin dolphin whale turtle spider butterfly mother father
sister brother daughter teacher doctor farmer sailor mountain river ocean island forest desert garden window kitchen ladder
hammer pencil letter paper orchestra violin trumpet guitar piano language grammar sentence attention encoder compiler tensor
matrix vector memory network""".split()


def batch():
    """ids with some letters missing, the letters, where they miss, and what may be read: 0 or -1e9 [B,1,1,S]."""
    words = [WORDS[i] for i in g.integers(0, len(WORDS), BATCH)]
    letters, real = np.zeros((BATCH, P), np.int64), np.zeros((BATCH, P), bool)
    for row, word in enumerate(words):
        letters[row, :len(word)] = [ord(c) - ord("a") + 1 for c in word]
        real[row, :len(word)] = True
    missing = (g.random((BATCH, P)) < g.uniform(0.1, 0.45, (BATCH, 1))) & real
    missing[:, 0] |= ~missing.any(1)
    return np.where(missing, 0, letters), letters, missing, np.where(real, 0, -1e9)[:, None, None, :].astype(np.float32)


def draw():
    W = {"tokens": (g.standard_normal((V, C)) * 0.15).astype(np.float32),
         "positions": (g.standard_normal((P, C)) * 0.1).astype(np.float32),
         "embed_norm.gain": np.ones(C, np.float32), "embed_norm.shift": np.zeros(C, np.float32)}
    for i in range(LAYERS):
        parts.draw_block(g, W, f"blocks.{i}.", C, H, D, F, LAYERS)
    return W


def step(W, data):
    ids, letters, missing, hidden = data
    G, kept = {}, []

    def take(prefix, members):
        return [W[n] for n in parts.names(prefix, *members)]

    def put(prefix, members, gradients):
        G.update(zip(parts.names(prefix, *members), gradients))

    x, embed_norm = parts.norm(W["tokens"][ids] + W["positions"], *take("embed_norm.", parts.NORM), EPS)
    for i in range(LAYERS):
        b = f"blocks.{i}."
        y, attention = parts.attention(x, *take(b + "attention.", parts.ATTENTION), hidden.astype(x.dtype))
        x, norm1 = parts.norm(x + y, *take(b + "norm1.", parts.NORM), EPS)
        y, mlp = parts.feed_forward(x, *take(b + "mlp.", parts.MLP), parts.gelu)
        x, norm2 = parts.norm(x + y, *take(b + "norm2.", parts.NORM), EPS)
        kept.append((attention, norm1, mlp, norm2))
    loss, dz = parts.cross_entropy(x @ W["tokens"].T, letters, missing.astype(float))

    G["tokens"], dx = parts.outer(dz, x), dz @ W["tokens"]
    for i in reversed(range(LAYERS)):
        b, (attention, norm1, mlp, norm2) = f"blocks.{i}.", kept[i]
        dx, *rest = parts.norm_back(dx, norm2)
        put(b + "norm2.", parts.NORM, rest)
        dy, *rest = parts.feed_forward_back(dx, mlp)
        put(b + "mlp.", parts.MLP, rest)
        dx, *rest = parts.norm_back(dx + dy, norm1)
        put(b + "norm1.", parts.NORM, rest)
        dy, *rest = parts.attention_back(dx, attention)
        put(b + "attention.", parts.ATTENTION, rest)
        dx = dx + dy
    dx, *rest = parts.norm_back(dx, embed_norm)
    put("embed_norm.", parts.NORM, rest)
    G["positions"] = dx.sum(0)
    np.add.at(G["tokens"], ids.reshape(-1), dx.reshape(-1, C))
    return loss, G


if __name__ == "__main__":
    parts.check_gradient(draw, lambda: [d[:4] for d in batch()], step, g)
    weights = draw()
    parts.adam(weights, batch, step, int(sys.argv[2]) if len(sys.argv) > 2 else 6000, peak=3e-3, decay=0.02)
    parts.write(sys.argv[1], weights)
