# SPDX-License-Identifier: Apache-2.0
"""A causal model with grouped heads on the emulated GPU at lengths around those of tiles: the whole sequence, and all but
the last position followed by a step, against float64.

    python3 test/run/gpu/sizes.py [NAXC]
"""
import os, sys, tempfile
import numpy as np
import gpu_call
import model_text, reference

LENGTHS, BARS = (1, 2, 17, 63, 64, 65, 127, 128, 129, 200), {"f32": 1e-5, "tf32": 3e-3, "f16": 3e-3, "bf16": 2e-2}
CFG = dict(reference.LLAMA, B=2, T=1, V=40, C=40, H=6, K=2, D=12, F=72, layers=1)


def apart(got, want):
    return float(np.abs(got - want).max() / np.abs(want).max()) if np.isfinite(got).all() else np.inf


def main():
    naxc = sys.argv[1] if len(sys.argv) > 1 else "naxc"
    drawn, _, g = reference.draw(CFG, 17)
    text, failed = model_text.Writer(CFG, loss=False).text("sized"), []
    with tempfile.TemporaryDirectory() as work:
        reference.write_safetensors(f"{work}/params.safetensors", drawn)
        for kind, bar in BARS.items():
            model = gpu_call.compile(text, "sized", naxc, ["--decode=forward", f"--gpu-type={kind}"])
            params = model.open(f"{work}/params.safetensors")
            values, found = {name: gpu_call.rounded(value, kind) for name, value in drawn.items()}, {}
            for T in LENGTHS:
                ids = g.integers(0, CFG["V"], (CFG["B"], T)).astype(np.int32)
                want = reference.forward(CFG, values, ids)[0]
                whole = model.call("forward", params, ids=ids)["logits"]
                cache = model.cache("forward", B=CFG["B"], T=T)
                if T > 1:
                    cache.step(params, ids=ids[:, :-1])
                step = cache.step(params, ids=ids[:, -1:])["logits"]
                found[T] = apart(whole, want), apart(step, want[:, -1:])
                if max(found[T]) > bar:
                    failed.append(f"{kind} T={T}: {found[T][0]:.1e}, step {found[T][1]:.1e}")
                # One key fewer, even of 200, is further away than that, so nothing is missed.
                if kind == "f32" and T > 1:
                    assert apart(reference.forward(CFG, values, ids[:, 1:])[0][:, -1:], want[:, -1:]) > 10 * bar
            most = [max(values) for values in zip(*found.values())]
            print(f"{kind}: {len(found)} lengths, at most {most[0]:.1e} from the right answer; steps {most[1]:.1e}", flush=True)
    if failed:
        sys.exit("\n".join(failed))


if __name__ == "__main__":
    main()
