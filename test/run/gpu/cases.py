# SPDX-License-Identifier: Apache-2.0
"""Cases of reference.py on the emulated GPU, by `naxc run`, against float64 of the parameters as the GPU has them.

    python3 test/run/gpu/cases.py --cases FOLDER --type bf16              # all of them
    python3 test/run/gpu/cases.py --cases FOLDER --type bf16 gpt-odd
    python3 test/run/gpu/cases.py --mutate eps=*10 gpt-odd                # the model changed: must fail
"""
import argparse, json, os, sys, tempfile
import numpy as np
import gpu_call
import model_text, reference, run_case

# numpy that rounds the factors of products to tf32 is off by 4e-4 to 1.6e-3, f16 has as many bits; llama-mqa by 2.7e-3.
BARS = {"f32": 1e-5, "tf32": 2e-3, "f16": 3e-3, "bf16": 2e-2}
# Numbers between operations are rounded to bf16, and numpy that rounds them so is off by 1.3e-2 to 2.3e-2 in forty draws
# (each with noise of 1e-4 before a rounding): of 8320 logits, those of a position whose states are small are the furthest.
# Here it is 2.5e-2, at the position where the CPU's bf16 is the furthest as well (1.7e-2); the root of the mean square is
# that of numpy, 2.9e-3.
WIDER = {("llama-mqa", "bf16"): 3e-2, ("llama-mqa", "tf32"): 4e-3}


def parameters(path):
    with open(path, "rb") as f:
        size = int.from_bytes(f.read(8), "little")
        head, blob = json.loads(f.read(size)), f.read()
    return {name: np.frombuffer(blob[slice(*at["data_offsets"])], "<f4").reshape(at["shape"]) for name, at in head.items()}


def right(cfg, folder, kind):
    """Logits, and the loss where there is one, of the rounded parameters."""
    optional = lambda name: np.load(f"{folder}/{name}.npy") if os.path.exists(f"{folder}/{name}.npy") else None
    params = {name: gpu_call.rounded(value, kind) for name, value in parameters(f"{folder}/params.safetensors").items()}
    ids, documents = optional("ids"), optional("doc")
    want = {"logits": reference.forward(cfg, params, ids, documents, optional("lengths"))[0]}
    if os.path.exists(f"{folder}/loss.npy"):
        want["loss"] = np.array(reference.next_token_loss(want["logits"], ids, documents))
    return want


def check(name, folder, args, work):
    with open(f"{folder}/config.json") as f:
        cfg = text_cfg = json.load(f)
    for change in args.mutate:
        text_cfg = run_case.mutated(text_cfg, change)
    model = os.path.join(work, "model.cpp")
    with open(model, "w") as f:
        f.write(model_text.write(model_text.c_name(name), text_cfg))
    got = run_case.run_naxc(args.naxc, model, folder, model_text.Writer(cfg), work,
                            [f"--device={args.device}", f"--gpu-type={args.type}"])
    bar = WIDER.get((name, args.type), BARS[args.type])
    rows = [run_case.difference(out, got[out], value, bar) for out, value in right(cfg, folder, args.type).items()]
    print(f"{name}{''.join(' ' + m for m in args.mutate)} in {args.type}: {', '.join(text for text, _ in rows)}", flush=True)
    return all(ok for _, ok in rows)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--naxc", default="naxc")
    parser.add_argument("--cases", default="", help="the folder that holds the cases")
    parser.add_argument("--type", default="f32", choices=BARS)
    parser.add_argument("--device", default="emulated", choices=["emulated", "cuda"])
    parser.add_argument("--mutate", action="append", default=[])
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    names, failed = args.names or sorted(reference.CASES), []
    with tempfile.TemporaryDirectory() as work:
        for name in names:
            folder = os.path.join(args.cases, name)
            if not os.path.isdir(folder):
                folder = os.path.join(work, name)
                reference.write(folder, *reference.CASES[name])
            if not check(name, folder, args, work):
                failed.append(name)
    if failed:
        sys.exit(f"too far from the right answer: {', '.join(failed)}")
    print(f"{len(names)} cases")


if __name__ == "__main__":
    main()
