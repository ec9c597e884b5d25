# SPDX-License-Identifier: Apache-2.0
"""Runs cases that reference.py has no name for: options combined as no case combines them, at drawn sizes.

    python3 test/run/unseen.py 1 2 3                # which combinations; without a number, all
    python3 test/run/unseen.py --seed 7 4           # other sizes and parameters
"""
import os, subprocess, sys, tempfile
import numpy as np
import reference

HERE = os.path.dirname(os.path.abspath(__file__))
GPT, LLAMA = reference.GPT, reference.LLAMA
COMBINATIONS = [
    ("grouped heads, biases, packed rows and a window", dict(LLAMA, bias=True, K=2, G=3, documents=0.1, restart_positions=True, window=9)),
    ("alibi over grouped heads, untied", dict(GPT, positions="alibi", K=3, G=2, tied=False, norm_bias=False)),
    ("rope on adjacent pairs of a part, softcap, one key head", dict(LLAMA, rope_pairing="interleaved", part=0.5, K=1, G=5, softcap=8.0)),
    ("an encoder with a gated feed-forward before the residual", dict(GPT, causal=False, mlp="gated", act="silu", ragged=True)),
    ("learned positions that restart", dict(GPT, documents=0.15, restart_positions=True, act="relu", bias=False)),
    ("documents in a mask, positions going on", dict(GPT, documents=0.1, act="gelu", scale=0.3)),
    ("norm after the residual, rope of a small base", dict(LLAMA, norm_at="post", rope_base=150.0, K=4, G=2, eps=1e-3)),
]


def drawn(options, g):
    cfg = {k: v for k, v in options.items() if k not in ("G", "part")}
    heads = int(g.integers(1, 7))
    K, G = options.get("K", heads), options.get("G", 1)
    cfg.update(B=int(g.integers(1, 4)), T=int(g.integers(2, 61)), V=int(g.integers(3, 120)), C=int(g.integers(5, 70)), H=K * G, K=K,
               D=2 * int(g.integers(2, 14)), F=int(g.integers(3, 150)), layers=int(g.integers(1, 4)), max_T=64)
    if "part" in options:
        cfg["rope_dims"] = max(2, int(cfg["D"] * options["part"]) // 2 * 2)
    return cfg


def main():
    words, seed = sys.argv[1:], 0
    if words[:1] == ["--seed"]:
        seed, words = int(words[1]), words[2:]
    for n in [int(w) for w in words] or range(1, len(COMBINATIONS) + 1):
        about, options = COMBINATIONS[n - 1]
        cfg = drawn(options, np.random.default_rng(100 * seed + n))
        with tempfile.TemporaryDirectory() as work:
            folder = os.path.join(work, f"unseen{n}")
            reference.write(folder, cfg, seed + n)
            print(f"{about}: " + " ".join(f"{k}={cfg[k]}" for k in "B T V C H K D F layers".split()), flush=True)
            done = subprocess.run([sys.executable, os.path.join(HERE, "run_case.py"), folder])
            if done.returncode:
                sys.exit(done.returncode)


if __name__ == "__main__":
    main()
