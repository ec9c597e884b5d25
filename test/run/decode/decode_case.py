# SPDX-License-Identifier: Apache-2.0
"""Cases of reference.py by the derived step: their own parameters and ids, in one chunk, one by one, in odd chunks, and with
rows that go on by different numbers; each within 1e-5 of the largest |logit| of the right answer.

    python3 decode_case.py --cases FOLDER gpt-odd packed    # FOLDER/gpt-odd; drawn here when there is no such folder
    python3 decode_case.py --cases FOLDER --part 1/3        # a third of all causal cases, those only in FOLDER too
"""
import argparse, json, os, sys, tempfile
import numpy as np
import steps
import model_text, nax_call, reference

BAR = 1e-5


def causal_cases(folder):
    names = {name for name, (cfg, _) in reference.CASES.items() if cfg["causal"]}
    for name in os.listdir(folder) if os.path.isdir(folder) else []:
        path = os.path.join(folder, name, "config.json")
        if os.path.exists(path) and json.load(open(path))["causal"]:
            names.add(name)
    return sorted(names)


def check(name, folder, naxc):
    with open(f"{folder}/config.json") as f:
        cfg = json.load(f)
    writer = model_text.Writer(cfg, loss=False)
    # Documents are contiguous where the axis knows them; the model of the other kind takes a mask of all pairs.
    if writer.same_document:
        print(f"{name}: no step, since its mask is a buffer of all pairs of positions")
        return True
    model = nax_call.compile(writer.text("decoded"), "decoded", naxc, ["--decode=forward"])
    params, ids, want = model.open(f"{folder}/params.safetensors"), np.load(f"{folder}/ids.npy"), np.load(f"{folder}/logits.npy")
    inputs, lengths = {"ids": ids}, [ids.shape[1]] * ids.shape[0]
    if writer.data == "Packed":
        inputs["T_documents"] = np.load(f"{folder}/doc.npy")
    if writer.data == "Ragged":
        lengths = np.load(f"{folder}/lengths.npy").tolist()
    schedules = {"whole": steps.whole(lengths), "steps": steps.ones(lengths), "chunks": steps.odd(lengths, [3, 1, 7, 2, 16]),
                 "ragged": steps.ragged(lengths, np.random.default_rng(1))}
    found = {}
    for kind, schedule in schedules.items():
        got = steps.run(model.cache("forward", B=len(lengths), T=max(lengths)), params, inputs, schedule)["logits"]
        largest = np.abs(want).max()
        found[kind] = max(float(np.abs(row - want[b, :lengths[b]]).max()) / largest if np.isfinite(row).all() else np.inf
                          for b, row in enumerate(got))
    print(f"{name}: " + ", ".join(f"{kind} {value:.1e}" for kind, value in found.items()), flush=True)
    return max(found.values()) <= BAR


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--naxc", default="naxc")
    parser.add_argument("--cases", default="")
    parser.add_argument("--part", help="N/M: every Mth of all causal cases")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    names = args.names
    if args.part:
        part, parts = map(int, args.part.split("/"))
        names = causal_cases(args.cases)[part - 1::parts]
    passed = True
    with tempfile.TemporaryDirectory() as work:
        for name in names:
            folder = os.path.join(args.cases, name)
            if not os.path.isdir(folder):
                folder = os.path.join(work, name)
                reference.write(folder, *reference.CASES[name])
            passed &= check(name, folder, args.naxc)
    if not passed or not names:
        sys.exit(f"more than {BAR} from the right answer" if names else "there is no case")


if __name__ == "__main__":
    main()
