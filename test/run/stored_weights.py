# SPDX-License-Identifier: Apache-2.0
"""stored_weights.py TYPE[,TYPE...] OUT.gguf: parameters for stored-weights.cpp, matrices as blocks of the TYPEs in turn
where their rows allow it: what a product sums up comes last there, as in any file of such types."""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../runtime/Inputs"))
import formats

V, W, HD, C, F, E = 101, 7, 256, 256, 288, 12
LAYER = {"gain": (C,), "norm": (C,), "wq": (HD, C), "wk": (HD, C), "wv": (HD, C), "wo": (C, HD), "up": (F, C), "down": (C, F)}
SHAPES = {"tokens": (V, C), "kinds": (W, C), "marks": (W, E), "mark": (E, C), "gain": (C,)}
for layer in range(2):
    SHAPES |= {f"blocks.{layer}.{name}": shape for name, shape in LAYER.items()}


def encode(rng, kind, shape):
    """Blocks of numbers of about the size that weights have; vectors are gains."""
    if len(shape) == 1:
        return "F32", (1 + 0.1 * rng.standard_normal(shape)).astype(np.float32).tobytes()
    if shape[1] % 32 or shape == SHAPES["mark"]:
        return "F32", (0.1 * rng.standard_normal(shape)).astype(np.float32).tobytes()
    if kind == "F16":
        return kind, (0.06 * rng.standard_normal(shape)).astype(np.float16).tobytes()
    if shape[1] % 256 or kind == "Q8_0":
        blocks = formats.quantise("Q8_0", 0.06 * rng.standard_normal((shape[0] * shape[1] // 32, 32)))
        return "Q8_0", blocks.tobytes()
    raw = formats.random_blocks(rng, kind, shape[0] * shape[1] // 256)
    scale = rng.uniform(0.5, 1, len(raw)) * {"Q4_K": 2.5e-4, "Q6_K": 6e-5}[kind]
    if kind == "Q6_K":
        raw[:, 208:210] = formats.halves(scale)
    else:
        raw[:, 0:4] = formats.halves(scale, 7.5 * scale)
    return kind, raw.tobytes()


def main(kinds, out):
    rng, kinds = np.random.default_rng(1), kinds.split(",")
    tensors = [(name, shape, *encode(rng, kinds[i % len(kinds)], shape)) for i, (name, shape) in enumerate(SHAPES.items())]
    with open(out, "wb") as file:
        file.write(formats.gguf([("file." + name, of, shape, raw) for name, shape, of, raw in tensors]))


main(*sys.argv[1:])
