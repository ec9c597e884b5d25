# SPDX-License-Identifier: Apache-2.0
"""An independent float64 reference for transformer models, in plain numpy.

`build(name, config, seed)` draws parameters and token ids, runs the model and returns everything; `write` puts it
in a folder: config.json, params.safetensors (f32), ids.npy (i32), logits.npy (f64), loss.npy where labels exist, and one
.npy for each named intermediate. Shapes are positional here on purpose: this is what named axes are checked against.
"""
import json, math, os, struct, sys
import numpy as np

# ---------------------------------------------------------------- pieces

def softmax(x, axis):
    x = x - np.max(x, axis=axis, keepdims=True)
    e = np.exp(x)
    return e / np.sum(e, axis=axis, keepdims=True)

def masked_softmax(scores, allowed):
    """Softmax over the last axis; a row with nothing allowed gives zeros."""
    s = np.where(allowed, scores, -np.inf)
    m = np.max(s, axis=-1, keepdims=True)
    m = np.where(np.isfinite(m), m, 0.0)
    e = np.where(allowed, np.exp(s - m), 0.0)
    z = e.sum(-1, keepdims=True)
    return np.where(z > 0, e / np.where(z > 0, z, 1.0), 0.0)

def layer_norm(x, w, b, eps):
    m = x.mean(-1, keepdims=True)
    v = ((x - m) ** 2).mean(-1, keepdims=True)
    y = (x - m) / np.sqrt(v + eps) * w
    return y if b is None else y + b

def rms_norm(x, w, eps):
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + eps) * w

_erf = np.vectorize(math.erf)
ACT = {
    "gelu": lambda x: 0.5 * x * (1 + _erf(x / math.sqrt(2))),
    "gelu_tanh": lambda x: 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3))),
    "silu": lambda x: x / (1 + np.exp(-x)),
    "relu": lambda x: np.maximum(x, 0),
}

def rope(x, positions, base, pairing, dims):
    """x: [B, T, H, D]; positions: [B, T]; rotates the first `dims` of D."""
    half = dims // 2
    freq = base ** (-np.arange(half) * 2.0 / dims)
    ang = positions[:, :, None, None] * freq                    # [B,T,1,half]
    c, s = np.cos(ang), np.sin(ang)
    r, rest = x[..., :dims], x[..., dims:]
    if pairing == "halves":
        a, b = r[..., :half], r[..., half:]
        out = np.concatenate([a * c - b * s, b * c + a * s], -1)
    else:
        a, b = r[..., 0::2], r[..., 1::2]
        out = np.empty_like(r)
        out[..., 0::2], out[..., 1::2] = a * c - b * s, b * c + a * s
    return np.concatenate([out, rest], -1)

def alibi_slopes(n):
    def pow2(k):
        start = 2.0 ** (-8.0 / k)
        return [start ** (i + 1) for i in range(k)]
    p = 2 ** int(math.floor(math.log2(n)))
    return np.array(pow2(p) + pow2(2 * p)[0::2][: n - p])

# ---------------------------------------------------------------- the model

def forward(cfg, P, ids, doc=None, lengths=None):
    B, T = ids.shape
    C, H, K, D = cfg["C"], cfg["H"], cfg.get("K", cfg["H"]), cfg["D"]
    seen = {}
    pos = np.broadcast_to(np.arange(T), (B, T)).astype(float).copy()
    if doc is not None and cfg.get("restart_positions"):
        for b in range(B):
            start = 0
            for t in range(T):
                if t and doc[b, t] != doc[b, t - 1]:
                    start = t
                pos[b, t] = t - start
    x = P["embed"][ids]
    if cfg["positions"] == "learned":
        x = x + P["positions"][pos.astype(int)]
    seen["embedded"] = x

    t = np.arange(T)[:, None]; s = np.arange(T)[None, :]
    allowed = np.ones((B, 1, T, T), bool)
    if cfg["causal"]:
        allowed &= (s <= t)
    if cfg.get("window"):
        allowed &= (t - s < cfg["window"])
    if doc is not None:
        allowed &= (doc[:, None, :, None] == doc[:, None, None, :])
    if lengths is not None:
        allowed &= (s[None, None] < lengths[:, None, None, None])

    def norm(x, name):
        if cfg["norm"] == "rms":
            return rms_norm(x, P[name + ".weight"], cfg["eps"])
        return layer_norm(x, P[name + ".weight"], P.get(name + ".bias"), cfg["eps"])

    def linear(x, name):                                         # weights stored [out, in]
        y = x @ P[name + ".weight"].T
        return y + P[name + ".bias"] if name + ".bias" in P else y

    def attention(x, l):
        q = linear(x, l + "q").reshape(B, T, H, D)
        k = linear(x, l + "k").reshape(B, T, K, D)
        v = linear(x, l + "v").reshape(B, T, K, D)
        if cfg["positions"] == "rope":
            dims = cfg.get("rope_dims", D)
            q = rope(q, pos, cfg["rope_base"], cfg["rope_pairing"], dims)
            k = rope(k, pos, cfg["rope_base"], cfg["rope_pairing"], dims)
        G = H // K                                               # query head h reads key head h // G
        k, v = np.repeat(k, G, 2), np.repeat(v, G, 2)
        sc = np.einsum("bthd,bshd->bhts", q, k) * cfg.get("scale", 1 / math.sqrt(D))
        if cfg.get("softcap"):
            sc = cfg["softcap"] * np.tanh(sc / cfg["softcap"])
        if cfg["positions"] == "alibi":
            sc = sc - alibi_slopes(H)[None, :, None, None] * np.abs(t - s)
        w = masked_softmax(sc, allowed)
        o = np.einsum("bhts,bshd->bthd", w, v).reshape(B, T, H * D)
        if l == "layers.0.":
            seen.update({"layers.0.q": q, "layers.0.weights": w, "layers.0.mixed": o})
        return linear(o, l + "o")

    def mlp(x, l):
        if cfg["mlp"] == "gated":
            return linear(ACT[cfg["act"]](linear(x, l + "gate")) * linear(x, l + "up"), l + "down")
        return linear(ACT[cfg["act"]](linear(x, l + "up")), l + "down")

    if cfg["norm_at"] == "post":
        x = norm(x, "embed_norm") if "embed_norm.weight" in P else x
    for i in range(cfg["layers"]):
        l = f"layers.{i}."
        if cfg["norm_at"] == "pre":
            x = x + attention(norm(x, l + "norm1"), l)
            x = x + mlp(norm(x, l + "norm2"), l)
        else:
            x = norm(x + attention(x, l), l + "norm1")
            x = norm(x + mlp(x, l), l + "norm2")
        seen[f"layers.{i}.out"] = x
    if cfg["norm_at"] == "pre":
        x = norm(x, "norm")
    seen["hidden"] = x
    head = P["embed"] if cfg.get("tied", True) else P["head"]
    return x @ head.T, seen

def next_token_loss(logits, ids, doc=None):
    """Mean over every position that has a next token (of the same document)."""
    B, T, V = logits.shape
    z = logits[:, :-1]
    logp = z - z.max(-1, keepdims=True)
    logp = logp - np.log(np.exp(logp).sum(-1, keepdims=True))
    label = ids[:, 1:]
    nll = -np.take_along_axis(logp, label[..., None], -1)[..., 0]
    keep = np.ones_like(nll, bool) if doc is None else doc[:, 1:] == doc[:, :-1]
    return float(nll[keep].mean())

# ---------------------------------------------------------------- drawing and writing

def draw(cfg, seed):
    g = np.random.default_rng(seed)
    C, H, K, D, F, V = cfg["C"], cfg["H"], cfg.get("K", cfg["H"]), cfg["D"], cfg["F"], cfg["V"]
    def w(*shape, scale=None):
        return (g.standard_normal(shape) * (scale or 1 / math.sqrt(shape[-1]))).astype(np.float32).astype(np.float64)
    P = {"embed": w(V, C, scale=cfg.get("embed_scale", 0.15))}
    if cfg["positions"] == "learned":
        P["positions"] = w(cfg["max_T"], C, scale=cfg.get("position_scale", 0.3))
    def norm(name):
        P[name + ".weight"] = (1 + 0.2 * w(C, scale=1.0)).astype(np.float32).astype(np.float64)
        if cfg["norm"] == "layer" and cfg.get("norm_bias", True):
            P[name + ".bias"] = w(C, scale=0.1)
    def linear(name, out, inp):
        P[name + ".weight"] = w(out, inp)
        if cfg.get("bias"):
            P[name + ".bias"] = w(out, scale=0.1)
    if cfg["norm_at"] == "post":
        norm("embed_norm")
    for i in range(cfg["layers"]):
        l = f"layers.{i}."
        norm(l + "norm1"); norm(l + "norm2")
        linear(l + "q", H * D, C); linear(l + "k", K * D, C); linear(l + "v", K * D, C); linear(l + "o", C, H * D)
        if cfg["mlp"] == "gated":
            linear(l + "gate", F, C)
        linear(l + "up", F, C); linear(l + "down", C, F)
    if cfg["norm_at"] == "pre":
        norm("norm")
    if not cfg.get("tied", True):
        P["head"] = w(V, C)
    ids = g.integers(0, V, (cfg["B"], cfg["T"])).astype(np.int32)
    return P, ids, g

def build(cfg, seed):
    P, ids, g = draw(cfg, seed)
    doc = lengths = None
    if cfg.get("documents"):
        cuts = g.random((cfg["B"], cfg["T"])) < cfg["documents"]
        cuts[:, 0] = False
        doc = np.cumsum(cuts, 1).astype(np.int32)
    if cfg.get("ragged"):
        lengths = g.integers(1, cfg["T"] + 1, cfg["B"]).astype(np.int32)
    logits, seen = forward(cfg, P, ids, doc, lengths)
    out = {"ids": ids, "logits": logits, **seen}
    if doc is not None:
        out["doc"] = doc
    if lengths is not None:
        out["lengths"] = lengths
    if cfg["causal"] and cfg["T"] > 1 and lengths is None:
        out["loss"] = np.array(next_token_loss(logits, ids, doc))
    return P, out

def write_safetensors(path, P):
    head, blob, at = {}, [], 0
    for k, v in P.items():
        b = np.ascontiguousarray(v, dtype="<f4").tobytes()
        head[k] = {"dtype": "F32", "shape": list(v.shape), "data_offsets": [at, at + len(b)]}
        blob.append(b); at += len(b)
    h = json.dumps(head, separators=(",", ":")).encode()
    h += b" " * (-len(h) % 8)
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(h)) + h + b"".join(blob))

def write(folder, cfg, seed):
    os.makedirs(folder, exist_ok=True)
    P, out = build(cfg, seed)
    with open(os.path.join(folder, "config.json"), "w") as f:
        json.dump(cfg, f, indent=1)
    write_safetensors(os.path.join(folder, "params.safetensors"), P)
    for k, v in out.items():
        np.save(os.path.join(folder, k + ".npy"), v)

GPT = dict(norm="layer", norm_at="pre", eps=1e-5, positions="learned", act="gelu_tanh", mlp="plain", bias=True, causal=True)
LLAMA = dict(norm="rms", norm_at="pre", eps=1e-5, positions="rope", rope_base=10000.0, rope_pairing="halves",
             act="silu", mlp="gated", bias=False, causal=True)
CASES = {
    # the sizes of the teaching example: B=2 T=4 V=16 C=8 H=2 D=4
    "gpt-small":    (dict(GPT, B=2, T=4, V=16, C=8, H=2, D=4, F=32, layers=2, max_T=8), 1),
    "gpt-odd":      (dict(GPT, B=3, T=37, V=101, C=60, H=5, D=12, F=130, layers=2, max_T=64), 2),
    "llama-gqa":    (dict(LLAMA, B=2, T=33, V=97, C=96, H=6, K=2, D=16, F=160, layers=3), 3),
    "llama-mqa":    (dict(LLAMA, B=1, T=130, V=64, C=64, H=4, K=1, D=16, F=96, layers=2, tied=False), 4),
    "gptj-rotary":  (dict(GPT, positions="rope", rope_base=10000.0, rope_pairing="interleaved", rope_dims=8, B=2, T=17, V=50, C=64, H=4, D=16, F=128, layers=2, max_T=17), 5),
    "bert":         (dict(GPT, causal=False, norm_at="post", eps=1e-12, act="gelu", B=4, T=19, V=80, C=48, H=4, D=12, F=96, layers=2, max_T=32, ragged=True), 6),
    "packed":       (dict(LLAMA, B=2, T=48, V=64, C=64, H=4, K=2, D=16, F=96, layers=2, documents=0.12, restart_positions=True), 7),
    "window-softcap": (dict(LLAMA, B=1, T=70, V=64, C=64, H=4, K=2, D=16, F=96, layers=2, window=16, softcap=20.0), 8),
    "alibi-6":      (dict(GPT, positions="alibi", B=2, T=29, V=64, C=96, H=6, D=16, F=192, layers=2, max_T=29, norm_bias=False, bias=False), 9),
    "low-variance": (dict(GPT, B=1, T=12, V=40, C=32, H=2, D=16, F=64, layers=1, max_T=12, embed_scale=0.004, position_scale=0.003), 11),
    "one-token":    (dict(LLAMA, B=1, T=1, V=32, C=32, H=2, K=1, D=16, F=48, layers=1), 10),
}

if __name__ == "__main__":
    here = os.path.dirname(os.path.abspath(__file__))
    for name in sys.argv[1:] or CASES:
        write(os.path.join(here, name), *CASES[name])
        print(name)
