# SPDX-License-Identifier: Apache-2.0
# needs: gguf==0.19.0 numpy==2.4.6 tokenizers==0.23.3
"""200 greedy tokens of SmolLM2, computed without nax: test/peers/run smollm2_greedy.py MODEL.gguf

The model is smollm2_reference.py's, numpy in f32, with keys and values kept in lists of its own from one token to the
next. So that a mistake in keeping them can't pass, every 50th token is computed anew from the whole prefix.

Writes test/run/smollm2/greedy.txt. Its form, line by line:

    prompt TEXT                 \\n stands for a line feed
    ids ID ...                  the prompt's tokens
    greedy ID[:GAP:SECOND] ...  the 200 tokens after it; where the two best logits lie closer than 1e-2, how close, and the
                                second one. What follows is always the first
"""
import os
import sys

import numpy as np
from gguf import GGUFReader

import smollm2_reference
from smollm2_tokens import tokenizer_of

PROMPTS = smollm2_reference.PROMPTS + [
    "The three states of matter are",
    "<|im_start|>user\nWrite a short poem about the moon.<|im_end|>\n<|im_start|>assistant\n",
]
STEPS, CHECK_EVERY, NEAR = 200, 50, 1e-2


class Stepping(smollm2_reference.Model):
    """The same arithmetic, one position at a time."""

    def start(self):
        self.kept = [([], []) for _ in range(self.layers)]

    def rotate_at(self, x, position):                                            # x [heads,D], pairs (0,1), (2,3), ...
        half = np.arange(self.dim // 2)
        angle = position * self.base ** (-2.0 * half / self.dim)                 # f64 on purpose
        c, s = np.cos(angle).astype(self.number), np.sin(angle).astype(self.number)
        out = np.empty_like(x)
        out[:, 0::2], out[:, 1::2] = x[:, 0::2] * c - x[:, 1::2] * s, x[:, 1::2] * c + x[:, 0::2] * s
        return out

    def attend(self, x, i):                                                      # x [C]
        block, group = f"blk.{i}", self.q_heads // self.k_heads
        project = lambda what, heads: (self.w[f"{block}.attn_{what}.weight"] @ x).reshape(heads, self.dim)
        keys, values = self.kept[i]
        position = len(keys)
        q = self.rotate_at(project("q", self.q_heads), position).reshape(self.k_heads, group, self.dim)
        keys.append(self.rotate_at(project("k", self.k_heads), position))
        values.append(project("v", self.k_heads))
        k, v = np.stack(keys, 1), np.stack(values, 1)                            # [K,S,D]
        scores = q @ k.transpose(0, 2, 1) / self.number(self.dim ** 0.5)         # [K,G,S]
        e = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = (e / e.sum(-1, keepdims=True)) @ v                               # [K,G,D]
        return self.w[f"{block}.attn_output.weight"] @ mixed.reshape(-1)

    def step(self, token):
        """The logits after one more token."""
        x = self.w["token_embd.weight"][token]                                   # [C]
        for i in range(self.layers):
            block = f"blk.{i}"
            x = x + self.attend(self.norm(x, block + ".attn_norm"), i)
            x = x + self.feed_forward(self.norm(x, block + ".ffn_norm"), block)
        return self.w["token_embd.weight"] @ self.norm(x, "output_norm")         # [V]


def greedy(model, ids):
    model.start()
    for token in ids:
        logits = model.step(token)
    ids, out = list(ids), []
    for n in range(STEPS):
        if n % CHECK_EVERY == 0:
            apart = float(np.abs(model.last_logits(ids) - logits).max() / np.abs(logits).max())
            assert apart < 1e-5, f"token {n}: kept keys and values give logits {apart:.1e} from those of the whole prefix"
        first, second = np.argsort(-logits, kind="stable")[:2]
        gap = float(logits[first] - logits[second])
        out.append(f"{first}:{gap:.6f}:{second}" if gap < NEAR else str(first))
        ids.append(int(first))
        logits = model.step(int(first))
    return ids[-STEPS:], out


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: smollm2_greedy.py MODEL.gguf")
    reader = GGUFReader(sys.argv[1])
    tokenizer, model = tokenizer_of(reader), Stepping(reader, np.float32)
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../run/smollm2/greedy.txt")
    with open(path, "w", encoding="utf-8") as out:
        out.write("# Made by test/peers/smollm2_greedy.py from SmolLM2-135M-Instruct.Q4_1.gguf; its header explains the form.\n")
        for prompt in PROMPTS:
            ids = tokenizer.encode(prompt).ids
            tokens, words = greedy(model, ids)
            out.write("prompt " + prompt.replace("\n", "\\n") + "\n")
            out.write("ids " + " ".join(map(str, ids)) + "\n")
            out.write("greedy " + " ".join(words) + "\n")
            print(repr(prompt), "->", repr(tokenizer.decode(tokens, skip_special_tokens=False)), flush=True)


if __name__ == "__main__":
    main()
