# SPDX-License-Identifier: Apache-2.0
"""small_model.py SOURCE FOLDER: writes model.cpp and model.gguf to FOLDER, example 07's model (SOURCE is the checkout)
with small axes, two layers and drawn weights, and the first 402 tokens of SmolLM2's vocabulary."""
import os
import struct
import sys

import numpy as np

source, folder = sys.argv[1:]
sys.path.insert(0, os.path.join(source, "test", "text", "Inputs"))
import make_vocabulary

V, C, H, K, D, F, LAYERS = 402, 32, 9, 3, 8, 64, 2
SMALLER = [('Axis<"V", 49152>', f'Axis<"V", {V}>'), ('Axis<"C", 576>', f'Axis<"C", {C}>'), ('Axis<"D", 64>', f'Axis<"D", {D}>'),
           ('Axis<"F", 1536>', f'Axis<"F", {F}>'), ("std::array<Block, 30>", f"std::array<Block, {LAYERS}>")]


def write_model(path):
    with open(os.path.join(source, "examples", "07-smollm2", "model.cpp"), encoding="utf-8") as file:
        text = file.read()
    for old, new in SMALLER:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def tensors():
    """name -> f32, as numpy has them. Attention outweighs what a position holds itself, so that words do not repeat."""
    draw = np.random.default_rng(8).standard_normal
    result = {"token_embd.weight": draw((V, C)), "output_norm.weight": np.ones(C)}
    result["token_embd.weight"][:3] = 0               # the tokens that end an answer: never the likeliest
    for layer in range(LAYERS):
        shapes = {"attn_q": (H * D, C), "attn_k": (K * D, C), "attn_v": (K * D, C), "attn_output": (C, H * D),
                  "ffn_gate": (F, C), "ffn_up": (F, C), "ffn_down": (C, F)}
        for name, (rows, columns) in shapes.items():
            result[f"blk.{layer}.{name}.weight"] = draw((rows, columns)) * 2 / columns**0.5
        for name in ("attn_norm", "ffn_norm"):
            result[f"blk.{layer}.{name}.weight"] = np.ones(C)
    return {name: value.astype("<f4") for name, value in result.items()}


def write_weights(path):
    make_vocabulary.write(path, make_vocabulary.CHANGES["small"])
    with open(path, "rb") as file:
        head = bytearray(file.read())                 # ends with the metadata: there are no tensors yet
    values = tensors()
    struct.pack_into("<Q", head, 8, len(values))
    offset = 0
    for name, value in values.items():
        head += make_vocabulary.string(name) + struct.pack("<I", value.ndim)
        head += struct.pack(f"<{value.ndim}Q", *reversed(value.shape)) + struct.pack("<IQ", 0, offset)
        offset += -(-value.nbytes // 32) * 32
    pad = lambda data: data + b"\0" * (-len(data) % 32)
    with open(path, "wb") as file:
        file.write(pad(bytes(head)) + b"".join(pad(value.tobytes()) for value in values.values()))


os.makedirs(folder, exist_ok=True)
write_model(os.path.join(folder, "model.cpp"))
write_weights(os.path.join(folder, "model.gguf"))
