# SPDX-License-Identifier: Apache-2.0
# needs: numpy==2.4.6
"""Trains the weights of examples/05-gpt: a GPT of about 160 thousand parameters that continues lines it can know.

    test/peers/run train_gpt.py examples/05-gpt/gpt.safetensors [STEPS]

Plain numpy with the backward pass written by hand, seeded, a quarter of an hour on one core. Another BLAS sums in another
order, so a second run gives weights that behave the same, not the same bits.
The text is drawn here too (weekdays, months, numbers, letters, sums and an old rhyme); a token is a byte.
"""
import sys
import numpy as np
import train_parts as parts

V, C, H, D, F, P, LAYERS = 128, 64, 4, 16, 256, 96, 3
BATCH, EPS = 24, 1e-5
g = np.random.default_rng(20)

# ---------------------------------------------------------------- the text

DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
MONTHS = "january february march april may june july august september october november december".split()
UNITS = ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
         "eighteen nineteen").split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
WORDS = UNITS + [t if not u else f"{t}-{UNITS[u]}" for t in TENS for u in range(10)] + ["one hundred"]
RHYME = ["twinkle twinkle little star how i wonder what you are", "up above the world so high like a diamond in the sky"]
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def line():
    kind = g.integers(0, 10)
    if kind == 0:
        at, n = g.integers(0, 7), g.integers(3, 10)
        return " ".join(DAYS[(at + i) % 7] for i in range(n))
    if kind == 1:
        at, n = g.integers(0, 12), g.integers(3, 9)
        return " ".join(MONTHS[(at + i) % 12] for i in range(n))
    if kind == 2:
        at, n = g.integers(0, 98), g.integers(3, 9)
        return " ".join(WORDS[at:at + n])
    if kind == 3:
        at, n = g.integers(0, 22), g.integers(5, 27)
        return " ".join(LETTERS[at:at + n])
    if kind in (4, 5):
        at, n = g.integers(0, 98), g.integers(4, 14)
        return " ".join(str(i) for i in range(at, min(at + n, 100)))
    if kind == 6:
        return RHYME[g.integers(0, len(RHYME))]
    a, b = g.integers(0, 21, 2)
    return f"{a}+{b}={a + b}"


def batch():
    """[BATCH,P+1]: lines one after another; a row begins where a line begins, as a prompt does."""
    rows = np.empty((BATCH, P + 1), np.int64)
    for row in rows:
        text = ""
        while len(text) <= P:
            text += line() + "\n"
        row[:] = np.frombuffer(text[:P + 1].encode("ascii"), np.uint8)
    return rows

# ---------------------------------------------------------------- the model

def draw():
    W = {"tokens": (g.standard_normal((V, C)) * 0.1).astype(np.float32),
         "positions": (g.standard_normal((P, C)) * 0.05).astype(np.float32)}
    for i in range(LAYERS):
        parts.draw_block(g, W, f"blocks.{i}.", C, H, D, F, LAYERS)
    W["norm.gain"], W["norm.shift"] = np.ones(C, np.float32), np.zeros(C, np.float32)
    return W


FUTURE = np.triu(np.full((P, P), -1e9, np.float32), 1)


def step(W, rows):
    """The mean loss of the rows and the gradient of every parameter."""
    ids, labels, G, kept = rows[:, :-1], rows[:, 1:], {}, []
    x = W["tokens"][ids] + W["positions"]                       # [B,T,C]

    def take(prefix, members):
        return [W[n] for n in parts.names(prefix, *members)]

    def put(prefix, members, gradients):
        G.update(zip(parts.names(prefix, *members), gradients))

    for i in range(LAYERS):
        b = f"blocks.{i}."
        y, norm1 = parts.norm(x, *take(b + "norm1.", parts.NORM), EPS)
        y, attention = parts.attention(y, *take(b + "attention.", parts.ATTENTION), FUTURE)
        x = x + y
        y, norm2 = parts.norm(x, *take(b + "norm2.", parts.NORM), EPS)
        y, mlp = parts.feed_forward(y, *take(b + "mlp.", parts.MLP), parts.gelu_tanh)
        x = x + y
        kept.append((norm1, attention, norm2, mlp))
    y, norm = parts.norm(x, *take("norm.", parts.NORM), EPS)
    loss, dz = parts.cross_entropy(y @ W["tokens"].T, labels, np.ones(labels.shape))

    G["tokens"] = parts.outer(dz, y)
    dx, *rest = parts.norm_back(dz @ W["tokens"], norm)
    put("norm.", parts.NORM, rest)
    for i in reversed(range(LAYERS)):
        b, (norm1, attention, norm2, mlp) = f"blocks.{i}.", kept[i]
        dy, *rest = parts.feed_forward_back(dx, mlp)
        put(b + "mlp.", parts.MLP, rest)
        dy, *rest = parts.norm_back(dy, norm2)
        put(b + "norm2.", parts.NORM, rest)
        dx = dx + dy
        dy, *rest = parts.attention_back(dx, attention)
        put(b + "attention.", parts.ATTENTION, rest)
        dy, *rest = parts.norm_back(dy, norm1)
        put(b + "norm1.", parts.NORM, rest)
        dx = dx + dy
    G["positions"] = dx.sum(0)
    np.add.at(G["tokens"], ids.reshape(-1), dx.reshape(-1, C))
    return loss, G


if __name__ == "__main__":
    parts.check_gradient(draw, lambda: batch()[:2], step, g)
    weights = draw()
    parts.adam(weights, batch, step, int(sys.argv[2]) if len(sys.argv) > 2 else 6000, peak=3e-3, decay=0.05)
    parts.write(sys.argv[1], weights)
