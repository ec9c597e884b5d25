# SPDX-License-Identifier: Apache-2.0
"""check_cases.py MODELS CASES OUT: naxc check of each model on its case's input and parameters; compares what the float64
evaluation gave with the case's own results."""
import os
import subprocess
import sys
import numpy as np

models, cases, out = sys.argv[1:]
wrong = seen = 0
for name in sorted(f[: -len(".cpp")] for f in os.listdir(models) if f.endswith(".cpp")):
    case = f"{cases}/{name}"
    command = ["naxc", "check", f"{models}/{name}.cpp", "--save", f"{out}/{name}"]
    command += ["--params", f"{case}/params.safetensors", "--in", f"ids={case}/ids.npy"]
    for data, file in (("T_documents", "doc"), ("T_lengths", "lengths")):
        if os.path.exists(f"{case}/{file}.npy"):
            command += ["--in", f"{data}={case}/{file}.npy"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    bad = done.returncode != 0
    for result in ("logits", "loss"):
        file = f"{out}/{name}/forward/{result}.reference.npy"
        if bad or not os.path.exists(f"{case}/{result}.npy"):
            continue
        want, got = np.load(f"{case}/{result}.npy"), np.load(file)
        apart = abs(got - want).max() / abs(want).max()
        print(f"{name} {result} {apart:.1e}")
        bad |= not apart <= 1e-9
    if bad:
        print(" ".join(command), done.stdout, done.stderr, sep="\n")
    wrong += bad
    seen += 1
print(f"{seen} cases, {wrong} wrong")
