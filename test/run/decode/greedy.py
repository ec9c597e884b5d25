# SPDX-License-Identifier: Apache-2.0
"""200 greedy tokens of small models with random weights: by steps, and by the whole sequence computed anew for each token.

    python3 test/run/decode/greedy.py [NAXC]
"""
import sys
import numpy as np
import steps
import model_text, nax_call, reference

TOKENS, PROMPT = 200, 7
MODELS = {
    "llama": dict(reference.LLAMA, B=2, T=8, V=97, C=36, H=4, K=2, D=10, F=60, layers=2, max_T=512),
    "gpt": dict(reference.GPT, B=2, T=8, V=101, C=40, H=4, D=10, F=80, layers=2, max_T=512),
    "window": dict(reference.LLAMA, B=2, T=8, V=89, C=32, H=4, K=4, D=8, F=50, layers=2, max_T=512, window=24, softcap=20.0),
}


def main():
    for name, cfg in MODELS.items():
        text = model_text.Writer(cfg, loss=False).text("greedy")
        model = nax_call.compile(text, "greedy", *sys.argv[1:2], flags=["--decode=forward"])
        g = np.random.default_rng(11)
        values = {n: 1 + 0.1 * g.standard_normal(s) if n.endswith("gain") else g.standard_normal(s) / np.sqrt(s[-1])
                  for n, s in model.param_shapes().items()}
        # A head that is not flat, so that no two tokens are near each other.
        values["tokens"] = values["tokens"] * 3
        params = model.params(values)
        prompt = g.integers(0, cfg["V"], (2, PROMPT)).astype(np.int32)

        recomputed = prompt
        nearest = np.inf
        for _ in range(TOKENS):
            logits = model.call("forward", params, ids=recomputed)["logits"][:, -1]
            two = np.sort(logits, -1)[:, -2:]
            nearest = min(nearest, float(((two[:, 1] - two[:, 0]) / np.abs(logits).max()).min()))
            recomputed = np.concatenate([recomputed, logits.argmax(-1)[:, None].astype(np.int32)], 1)

        cache, ids, new = model.cache("forward", B=2, T=PROMPT + TOKENS), prompt, prompt
        for _ in range(TOKENS):
            new = cache.step(params, ids=new)["logits"][:, -1].argmax(-1)[:, None].astype(np.int32)
            ids = np.concatenate([ids, new], 1)
        different = np.argwhere(ids != recomputed)
        assert not len(different), f"{name}: token {different[0][1] - PROMPT} of row {different[0][0]} differs"
        kinds = len(np.unique(ids[:, PROMPT:]))
        assert kinds > 10, f"{name}: only {kinds} tokens ever appear"
        print(f"{name}: {TOKENS} tokens the same, {kinds} different ones, the two best never nearer than {nearest:.1e}", flush=True)


if __name__ == "__main__":
    main()
