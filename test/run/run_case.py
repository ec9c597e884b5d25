# SPDX-License-Identifier: Apache-2.0
"""Runs one case of reference.py as a nax model, by `naxc run`, and compares with the right answer.

    python3 test/run/run_case.py FOLDER                      # config.json, params.safetensors, ids.npy, logits.npy, ...
    python3 test/run/run_case.py --cases FOLDER gpt-odd      # FOLDER/gpt-odd; drawn here when there is no such folder
    python3 test/run/run_case.py --mutate eps=*10 gpt-odd    # the same with the model changed: must fail

The model text is written from config.json, so a case with other sizes, options or seed needs nothing new; --model FILE
runs that text instead. The bar is 1e-5 of the largest |logit| and of the loss.
"""
import argparse, json, os, subprocess, sys, tempfile
import numpy as np
import model_text, reference

BAR = 1e-5


def mutated(cfg, change):
    """eps=*10, window=+1, softcap=none, act=gelu: one field of the configuration changed."""
    key, value = change.split("=")
    cfg = dict(cfg)
    if value == "none":
        del cfg[key]
    elif value[0] in "*/+-":
        by = float(value[1:])
        old = cfg[key]
        cfg[key] = type(old)({"*": old * by, "/": old / by, "+": old + by, "-": old - by}[value[0]])
    else:
        cfg[key] = value
    return cfg


def difference(name, got, want, bar=BAR):
    if got.shape != want.shape:
        return f"{name} is {got.shape} in place of {want.shape}", False
    if not np.isfinite(got).all():
        return f"{name} is not finite", False
    apart = float(np.abs(got - want).max() / np.abs(want).max())
    return f"{name} {apart:.1e}", apart <= bar


def run_naxc(naxc, model, folder, writer, work, options=()):
    """The results of the model's one entry."""
    inputs = {"ids": "ids"}
    if writer.data:
        inputs |= {"T_documents": "doc"} if writer.data == "Packed" else {"T_lengths": "lengths"}
    if writer.same_document:
        documents = np.load(f"{folder}/doc.npy")
        np.save(f"{work}/same.npy", documents[:, :, None] == documents[:, None, :])
        inputs["same"] = "same"
    command = [naxc, "run", model, "--params", f"{folder}/params.safetensors", *options]
    for name, file in inputs.items():
        command += ["--in", f"{name}={work if file == 'same' else folder}/{file}.npy"]
    for result in writer.results():
        command += ["--out", f"{result}={work}/{result}.npy"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}")
    return {result: np.load(f"{work}/{result}.npy").astype(np.float64) for result in writer.results()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--naxc", default="naxc")
    parser.add_argument("--model", help="a model text to run in place of the one written from config.json")
    parser.add_argument("--mutate", action="append", default=[], help="change the model: the case must then fail")
    parser.add_argument("--cases", default=None, help="the folder that holds the cases")
    parser.add_argument("--seed", type=int, help="draw the case anew from this seed")
    parser.add_argument("case")
    args = parser.parse_args()

    with tempfile.TemporaryDirectory() as work:
        folder = os.path.join(args.cases, args.case) if args.cases else args.case
        if args.seed is not None or not os.path.isdir(folder):
            if args.case not in reference.CASES:
                sys.exit(f"there is no folder {folder}, and reference.py has no case {args.case}")
            cfg, seed = reference.CASES[args.case]
            folder = os.path.join(work, args.case)
            reference.write(folder, cfg, seed if args.seed is None else args.seed)
        name = os.path.basename(os.path.normpath(folder))
        with open(f"{folder}/config.json") as f:
            cfg = json.load(f)
        model = args.model
        if not model:
            text_cfg = cfg
            for change in args.mutate:
                text_cfg = mutated(text_cfg, change)
            model = os.path.join(work, "model.cpp")
            with open(model, "w") as f:
                f.write(model_text.write(model_text.c_name(name), text_cfg))

        got = run_naxc(args.naxc, model, folder, model_text.Writer(cfg), work)
        rows = [difference(out, value, np.load(f"{folder}/{out}.npy")) for out, value in got.items()
                if os.path.exists(f"{folder}/{out}.npy")]
        passed = all(ok for _, ok in rows)
        print(f"{name}{''.join(' ' + m for m in args.mutate)}: {', '.join(text for text, _ in rows)}")
        if args.mutate:
            if passed:
                sys.exit(f"the changed model passes: no case notices {', '.join(args.mutate)}")
        elif not passed:
            sys.exit(f"more than {BAR} from the right answer")


if __name__ == "__main__":
    main()
