# SPDX-License-Identifier: Apache-2.0
"""nax/sample.h's rules a second time, in numpy.

sampler_model.py cases SEED   writes cases for Inputs/sampler_tokens.c, three lines each: the options and the number of
                              draws, the tokens seen before, the logits (float.hex).
sampler_model.py tokens       reads cases and writes what must be drawn, a line each.

Every draw of a case has the same logits; what changes is the number of the draw and what was seen.
"""
import random
import sys

import numpy as np

MASK = (1 << 64) - 1
# Seeds whose first number is 0, and the largest there is.
FIRST_ZERO, FIRST_LARGEST = 0x61C8864680B583EB, 0x31628AF67B2131AB


def uniform(seed, n):
    """The n-th number of splitmix64, n = 1, 2, ..., as one of [0, 1)."""
    r = (seed + n * 0x9E3779B97F4A7C15) & MASK
    r = ((r ^ r >> 30) * 0xBF58476D1CE4E5B9) & MASK
    r = ((r ^ r >> 27) * 0x94D049BB133111EB) & MASK
    return ((r ^ r >> 31) >> 11) / 2**53


def total(weights):
    return np.cumsum(weights)[-1]  # one after the other; np.sum would add in pairs


def next_token(logits, options, seen, n):
    """logits [V] f32; `seen`: all tokens so far, the last one last; this is the n-th draw."""
    window = options["window"]
    counted = set(seen[-window:] if window else seen)
    scores = logits.astype(np.float64)
    for v in counted:
        scores[v] = scores[v] / options["penalty"] if scores[v] > 0 else scores[v] * options["penalty"]
    if options["temperature"] == 0:
        return int(np.argmax(scores))  # the first of equals
    weights = np.exp((scores - scores.max()) / options["temperature"])
    order = np.lexsort((np.arange(len(scores)), -scores))
    kept = order[: options["top_k"]] if options["top_k"] else order
    if options["top_p"] < 1:
        whole = total(weights[np.sort(kept)])
        reached = np.cumsum(weights[kept]) >= options["top_p"] * whole
        if reached.any():
            kept = kept[: int(np.argmax(reached)) + 1]
    kept = np.sort(kept[weights[kept] >= options["min_p"]])
    sums = np.cumsum(weights[kept])
    return int(kept[int(np.argmax(sums > uniform(options["seed"], n) * sums[-1]))])


def draw_case(rng):
    size = rng.choice([1, 2, 3, 7, 50, 300, 1000])
    spread = rng.choice([0.0, 0.1, 1.0, 5.0, 40.0])
    logits = [rng.gauss(0, spread) for _ in range(size)]
    if rng.random() < 0.3:  # ties
        logits = [float(round(x)) for x in logits]
    if rng.random() < 0.3:
        logits = [x if i == size - 1 or rng.random() < 0.7 else -np.inf for i, x in enumerate(logits)]
    options = {
        "temperature": rng.choice([0, 0.05, 0.7, 1, 1, 1.5, 30]),
        "top_k": rng.choice([0, 0, 1, 2, 5, size, size + 1]),
        "top_p": rng.choice([1, 1, 0.01, 0.5, 0.9, 0.999999, 1 - 2**-53]),
        "min_p": rng.choice([0, 0, 0.01, 0.1, 0.9, 1]),
        "penalty": rng.choice([1, 1, 1.1, 1.3, 0.8, 1000]),
        "window": rng.choice([0, 1, 3, 64]),
        "seed": rng.choice([0, 1, MASK, FIRST_ZERO, FIRST_LARGEST, rng.getrandbits(64)]),
        "draws": 30,
    }
    seen = [rng.randrange(size) for _ in range(rng.choice([0, 0, 5, 100]))]
    return options, seen, np.array(logits, dtype=np.float32)


def write_cases(seed):
    rng = random.Random(seed)
    for _ in range(400):
        options, seen, logits = draw_case(rng)
        print(*(float(v).hex() if isinstance(v, float) else v for v in options.values()))
        print(len(seen), *seen)
        print(len(logits), *(float(x).hex() for x in logits))


def write_tokens():
    names = ["temperature", "top_k", "top_p", "min_p", "penalty", "window", "seed", "draws"]
    lines = sys.stdin.read().split("\n")
    for option_line, seen_line, logit_line in zip(lines[0::3], lines[1::3], lines[2::3]):
        numbers = [float.fromhex(x) if "p" in x else int(x) for x in option_line.split()]
        options = dict(zip(names, numbers))
        seen = [int(x) for x in seen_line.split()[1:]]
        logits = np.array([float.fromhex(x) for x in logit_line.split()[1:]], dtype=np.float32)
        drawn = []
        for n in range(1, options["draws"] + 1):
            drawn.append(next_token(logits, options, seen + drawn, n))
        print(*drawn)


if __name__ == "__main__":
    if sys.argv[1] == "cases":
        write_cases(int(sys.argv[2]))
    else:
        write_tokens()
