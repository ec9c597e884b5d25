# SPDX-License-Identifier: Apache-2.0
# needs: gguf==0.19.0 numpy==2.4.6 tokenizers==0.23.3
"""What SmolLM2 answers, computed without nax: test/peers/run smollm2_reference.py MODEL.gguf

The weights are those of the file, dequantised by the package `gguf`; the arithmetic is numpy's, in f32, one plain
forward pass over the whole prefix for each token. Text becomes tokens by the package `tokenizers`. The rows of q and k
are left as the file has them, in adjacent rope pairs, so the permutation that nax makes of them is not repeated here.

Writes test/run/smollm2/golden.txt. Its form, line by line:

    prompt TEXT          \\n stands for a line feed
    ids ID ...           the prompt's tokens
    step ID LOGIT ...    the greedy choice and the runners-up after it, five pairs, best first; then the prefix grows by the choice
    error X              how far f32 and f64 lie apart at the first step, in the logits' own unit
"""
import os
import sys

import numpy as np
from gguf import GGUFReader, dequantize

from smollm2_tokens import tokenizer_of

PROMPTS = [
    "<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>\n"
    "<|im_start|>user\nWhat is the capital of France?<|im_end|>\n<|im_start|>assistant\n",
    "Once upon a time, in a village by the sea,",
    "def fibonacci(n):\n",
]
STEPS = 24
BEST = 5


class Model:
    def __init__(self, reader, number):
        field = lambda key: reader.fields["llama." + key].contents()
        self.layers = field("block_count")
        self.q_heads, self.k_heads = field("attention.head_count"), field("attention.head_count_kv")
        self.dim = field("rope.dimension_count")
        self.base = float(field("rope.freq_base"))
        # The file keeps eps as f32; the model means 1e-5.
        self.eps = number(round(float(field("attention.layer_norm_rms_epsilon")), 12))
        self.number = number
        self.w = {t.name: dequantize(t.data, t.tensor_type).astype(number) for t in reader.tensors}

    def norm(self, x, name):                                                     # x [T,C]
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + self.eps) * self.w[name + ".weight"]

    def rotate(self, x):                                                         # x [T,heads,D], pairs (0,1), (2,3), ...
        positions, half = np.arange(x.shape[0]), np.arange(self.dim // 2)
        angle = positions[:, None, None] * self.base ** (-2.0 * half / self.dim)   # f64 on purpose
        c, s = np.cos(angle).astype(self.number), np.sin(angle).astype(self.number)
        a, b = x[..., 0::2], x[..., 1::2]
        out = np.empty_like(x)
        out[..., 0::2], out[..., 1::2] = a * c - b * s, b * c + a * s
        return out

    def attention(self, x, block):                                               # x [T,C]
        T, group = x.shape[0], self.q_heads // self.k_heads
        project = lambda what, heads: (x @ self.w[f"{block}.attn_{what}.weight"].T).reshape(T, heads, self.dim)
        q, k = self.rotate(project("q", self.q_heads)), self.rotate(project("k", self.k_heads))
        v = project("v", self.k_heads)
        k, v = np.repeat(k, group, 1), np.repeat(v, group, 1)                    # [T,H,D]
        scores = np.einsum("thd,shd->hts", q, k) / self.number(self.dim ** 0.5)  # [H,T,S]
        scores[:, np.triu(np.ones((T, T), bool), 1)] = -np.inf
        e = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = np.einsum("hts,shd->thd", e / e.sum(-1, keepdims=True), v)       # [T,H,D]
        return mixed.reshape(T, -1) @ self.w[f"{block}.attn_output.weight"].T

    def feed_forward(self, x, block):
        gate, up, down = (self.w[f"{block}.ffn_{n}.weight"] for n in ("gate", "up", "down"))
        g = x @ gate.T
        return (g / (1 + np.exp(-g)) * (x @ up.T)) @ down.T

    def last_logits(self, ids):
        x = self.w["token_embd.weight"][ids]                                     # [T,C]
        for i in range(self.layers):
            block = f"blk.{i}"
            x = x + self.attention(self.norm(x, block + ".attn_norm"), block)
            x = x + self.feed_forward(self.norm(x, block + ".ffn_norm"), block)
        return self.norm(x[-1:], "output_norm")[0] @ self.w["token_embd.weight"].T   # [V]


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: smollm2_reference.py MODEL.gguf")
    reader = GGUFReader(sys.argv[1])
    tokenizer = tokenizer_of(reader)
    single, double = Model(reader, np.float32), Model(reader, np.float64)
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../run/smollm2/golden.txt")
    with open(path, "w", encoding="utf-8") as out:
        out.write("# Made by test/peers/smollm2_reference.py from SmolLM2-135M-Instruct.Q4_1.gguf; its header explains the form.\n")
        for prompt in PROMPTS:
            ids = tokenizer.encode(prompt).ids
            out.write("prompt " + prompt.replace("\n", "\\n") + "\n")
            out.write("ids " + " ".join(map(str, ids)) + "\n")
            begin = len(ids)
            error = 0.0
            for step in range(STEPS):
                logits = single.last_logits(ids)
                best = np.argsort(-logits, kind="stable")[:BEST]
                out.write("step " + " ".join(f"{i} {logits[i]:.6f}" for i in best) + "\n")
                if step in (0, STEPS - 1):
                    error = max(error, float(np.abs(double.last_logits(ids) - logits).max()))
                ids.append(int(best[0]))
            out.write(f"error {error:.1e}\n")
            print(repr(prompt), "->", repr(tokenizer.decode(ids[begin:], skip_special_tokens=False)), f"(f32 against f64: {error:.1e})")


if __name__ == "__main__":
    main()
