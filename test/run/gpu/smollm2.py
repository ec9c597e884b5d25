# SPDX-License-Identifier: Apache-2.0
"""SmolLM2 on the emulated GPU against golden.txt, which numpy computed from the same weights: the shortest of its prompts
in one chunk, then steps. The likeliest token is numpy's, and so are its five largest logits, up to the type's rounding.

    python3 test/run/gpu/smollm2.py MODEL.cpp WEIGHTS golden.txt f32|bf16 STEPS [NAXC]
"""
import sys
import numpy as np
import gpu_call

# Of the largest |logit|; in bf16 the weights are rounded as well, which numpy's are not.
BARS = {"f32": 1e-5, "bf16": 2e-2}


def prompts(path):
    """[(ids of the prompt, [five (token, logit), the largest first], ...)]"""
    found = []
    with open(path) as f:
        for line in f:
            kind, *words = line.split()
            if kind == "ids":
                found.append(([int(word) for word in words], []))
            if kind == "step":
                found[-1][1].append([(int(token), float(logit)) for token, logit in zip(words[::2], words[1::2])])
    return found


def main():
    source, weights, golden, kind, steps = *sys.argv[1:5], int(sys.argv[5])
    ids, best = min(prompts(golden), key=lambda prompt: len(prompt[0]))
    with open(source) as f:
        model = gpu_call.compile(f.read(), "smollm2", *sys.argv[6:7], flags=[f"--gpu-type={kind}"])
    params, cache, worst = model.open(weights), model.cache("forward", B=1, T=len(ids) + steps), 0.0
    for number in range(1 + steps):
        logits = cache.step(params, ids=np.array([ids], np.int32))["logits"][0].astype(np.float64)
        tokens, want = zip(*best[number])
        worst = max(worst, float(np.abs(logits[list(tokens)] - want).max() / np.abs(logits).max()))
        print(f"{len(ids)} tokens, then {np.argmax(logits)}, as numpy: {tokens[0]}", flush=True)
        if np.argmax(logits) != tokens[0]:
            sys.exit("another token is the likeliest")
        ids = [tokens[0]]
    print(f"the five largest logits are within {worst:.1e}")
    if not worst <= BARS[kind]:
        sys.exit(f"more than {BARS[kind]}")


if __name__ == "__main__":
    main()
