# SPDX-License-Identifier: Apache-2.0
"""What train_gpt.py and train_encoder.py share: the pieces of a transformer in numpy, each with its backward pass.

A forward function gives its result and what its backward function needs; that one gives the gradient of the input and
those of the parameters, in the order the forward function takes them. Everything computes in the type of its input.
"""
import json, math, struct, time
import numpy as np


def norm(x, gain, shift, eps):
    centred = x - x.mean(-1, keepdims=True)
    r = 1 / np.sqrt((centred * centred).mean(-1, keepdims=True) + x.dtype.type(eps))
    y = centred * r
    return y * gain + shift, (y, r, gain)


def norm_back(dout, kept):
    y, r, gain = kept
    dy = dout * gain
    axes = tuple(range(dout.ndim - 1))
    dx = r * (dy - dy.mean(-1, keepdims=True) - y * (dy * y).mean(-1, keepdims=True))
    return dx, (dout * y).sum(axes), dout.sum(axes)


def gelu_tanh(x):
    t = np.tanh(x.dtype.type(math.sqrt(2 / math.pi)) * (x + x.dtype.type(0.044715) * x * x * x))
    slope = x.dtype.type(math.sqrt(2 / math.pi)) * (1 + x.dtype.type(3 * 0.044715) * x * x)
    return (1 + t) * x / 2, (1 + t) / 2 + x * (1 - t * t) * slope / 2


def gelu(x):
    """With erf, as Abramowitz and Stegun 7.1.26 has it: off by 1.5e-7, which training does not feel."""
    z = np.abs(x) * x.dtype.type(math.sqrt(0.5))
    t = 1 / (1 + x.dtype.type(0.3275911) * z)
    poly = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t
    bell = np.exp(-z * z)
    phi = ((1 + np.copysign(1 - poly * bell, x)) / 2).astype(x.dtype)
    return x * phi, phi + x * bell * x.dtype.type(1 / math.sqrt(2 * math.pi))


def outer(x, y):                                                # over every position: [.., X], [.., Y] -> [X,Y]
    return x.reshape(-1, x.shape[-1]).T @ y.reshape(-1, y.shape[-1])


def feed_forward(x, up, up_bias, down, down_bias, act):
    a, slope = act(x @ up + up_bias)
    return a @ down + down_bias, (x, a, slope, up, down)


def feed_forward_back(dout, kept):
    x, a, slope, up, down = kept
    du = (dout @ down.T) * slope
    axes = tuple(range(dout.ndim - 1))
    return du @ up.T, outer(x, du), du.sum(axes), outer(a, dout), dout.sum(axes)


def attention(x, wq, wk, wv, wo, hidden):
    """wq, wk, wv [C,H,D], wo [H,D,C]; `hidden` is added to scores [B,H,T,S]: 0, or very negative where s is not read."""
    C, H, D = wq.shape

    def heads(y):                                               # [B,T,H*D] -> [B,H,T,D]
        return np.ascontiguousarray(y.reshape(*y.shape[:2], H, D).transpose(0, 2, 1, 3))
    q, k, v = (heads(x @ w.reshape(C, H * D)) for w in (wq, wk, wv))
    s = q @ k.transpose(0, 1, 3, 2) * x.dtype.type(D ** -0.5) + hidden
    w = np.exp(s - s.max(-1, keepdims=True))
    w /= w.sum(-1, keepdims=True)
    o = unheads(w @ v)
    return o @ wo.reshape(H * D, C), (x, q, k, v, w, o, wq, wk, wv, wo, heads)


def unheads(y):                                                 # [B,H,T,D] -> [B,T,H*D]
    return np.ascontiguousarray(y.transpose(0, 2, 1, 3)).reshape(y.shape[0], y.shape[2], -1)


def attention_back(dout, kept):
    x, q, k, v, w, o, wq, wk, wv, wo, heads = kept
    C, H, D = wq.shape
    do = heads(dout @ wo.reshape(H * D, C).T)
    dw = do @ v.transpose(0, 1, 3, 2)
    ds = w * (dw - (dw * w).sum(-1, keepdims=True)) * x.dtype.type(D ** -0.5)
    back = [unheads(ds @ k), unheads(ds.transpose(0, 1, 3, 2) @ q), unheads(w.transpose(0, 1, 3, 2) @ do)]
    dx = sum(d @ m.reshape(C, H * D).T for d, m in zip(back, (wq, wk, wv)))
    return dx, *(outer(x, d).reshape(C, H, D) for d in back), outer(o, dout).reshape(H, D, C)


def cross_entropy(z, labels, counts):
    """The mean loss where counts is 1, and the gradient of the logits z [B,T,V]."""
    z = z - z.max(-1, keepdims=True)
    p = np.exp(z)
    total = p.sum(-1, keepdims=True)
    at = np.take_along_axis(z, labels[..., None], -1) - np.log(total)
    n = counts.sum()
    p /= total
    np.put_along_axis(p, labels[..., None], np.take_along_axis(p, labels[..., None], -1) - 1, -1)
    return -float((at[..., 0] * counts).sum() / n), p * (counts[..., None] / n).astype(z.dtype)


def names(prefix, *parts):
    return [prefix + part for part in parts]


NORM, ATTENTION, MLP = ("gain", "shift"), ("wq", "wk", "wv", "wo"), ("up", "up_bias", "down", "down_bias")


def draw_block(g, W, prefix, C, H, D, F, layers):
    def normal(*shape, scale):
        return (g.standard_normal(shape) * scale).astype(np.float32)
    for n in ("norm1.", "norm2."):
        W[prefix + n + "gain"], W[prefix + n + "shift"] = np.ones(C, np.float32), np.zeros(C, np.float32)
    for n in ATTENTION[:3]:
        W[f"{prefix}attention.{n}"] = normal(C, H, D, scale=C ** -0.5)
    W[prefix + "attention.wo"] = normal(H, D, C, scale=C ** -0.5 / layers)
    W[prefix + "mlp.up"], W[prefix + "mlp.up_bias"] = normal(C, F, scale=C ** -0.5), np.zeros(F, np.float32)
    W[prefix + "mlp.down"], W[prefix + "mlp.down_bias"] = normal(F, C, scale=F ** -0.5 / layers), np.zeros(C, np.float32)


def check_gradient(draw, batch, step, g):
    """Each parameter's gradient against a difference in float64 along a random direction: shows any slip in a backward pass."""
    W, data, h = {n: w.astype(np.float64) for n, w in draw().items()}, batch(), 1e-5
    _, G = step(W, data)
    for name in W:
        d = g.standard_normal(W[name].shape)
        up, _ = step({**W, name: W[name] + h * d}, data)
        down, _ = step({**W, name: W[name] - h * d}, data)
        want, got = (up - down) / (2 * h), float((G[name] * d).sum())
        assert abs(want - got) <= 1e-6 * max(1, abs(want)), (name, want, got)
    print("gradient agrees with differences")


def adam(W, batch, step, steps, peak, decay):
    """AdamW with a warm-up, a cosine and gradients clipped to length one."""
    f32 = np.float32
    M, S = {n: np.zeros_like(w) for n, w in W.items()}, {n: np.zeros_like(w) for n, w in W.items()}
    began, mean = time.time(), None
    for i in range(1, steps + 1):
        rate = peak * min(1, i / 200) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * i / steps)))
        loss, G = step(W, batch())
        size = math.sqrt(sum(float((d * d).sum()) for d in G.values()))
        for n, w in W.items():
            d = G[n] * f32(min(1, 1 / size))
            M[n] = f32(0.9) * M[n] + f32(0.1) * d
            S[n] = f32(0.98) * S[n] + f32(0.02) * d * d
            step_size = M[n] / f32(1 - 0.9 ** i) / (np.sqrt(S[n] / f32(1 - 0.98 ** i)) + f32(1e-8))
            w -= f32(rate) * (step_size + f32(decay if w.ndim > 1 else 0) * w)
        mean = loss if mean is None else 0.98 * mean + 0.02 * loss
        if i % 200 == 0 or i == steps:
            print(f"{i:6} loss {mean:.4f}  {time.time() - began:.0f} s", flush=True)


def write(path, W):
    """As safetensors, rounded to f16."""
    head, blobs, at = {}, [], 0
    for name, w in W.items():
        blob = np.ascontiguousarray(w, "<f2").tobytes()
        head[name] = {"dtype": "F16", "shape": list(w.shape), "data_offsets": [at, at + len(blob)]}
        blobs.append(blob)
        at += len(blob)
    text = json.dumps(head, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text + b"".join(blobs))
