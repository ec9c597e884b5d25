#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Says what a run of lit did, from the JSON that `lit --output` wrote.

Prints the time of each folder, what was skipped and why, and as the last line
`N passed, N failed` (and `, N skipped`). Exits with 1 if a test failed or none
ran.
"""

import collections
import json
import re
import sys

PASSED = {"PASS", "FLAKYPASS"}
SKIPPED = {"UNSUPPORTED", "SKIPPED", "EXCLUDED", "XFAIL"}

# What a missing lit feature means to a person.
MISSING = {
    "asan": "only for the preset asan",
    "cases": "the golden cases (../shared/cases, or NAX_CASES=DIR) are not there",
    "clang14": "clang++-14 is not installed, to see how it is refused",
    "clang22": "clang++-22 is not installed",
    "clangd": "clangd-22 is not installed",
    "cpu-v3": "this CPU has no AVX2 and FMA",
    "cpu-v4": "this CPU has no AVX-512",
    "cpu-v4+": "this CPU has no AVX-512 with VNNI and BF16",
    "cpu-amx": "this CPU has no AMX",
    "cuda-device": "needs a GPU (NAX_CUDA_DEVICE=1 where there is one)",
    "gxx12": "g++ 12 or newer is not installed",
    "libedit": "libedit-dev is not installed",
    "lowering": "this preset builds the language only",
    "minilm": "the weights of MiniLM are not in the cache (./nax demo --embeddings fetches them)",
    "nvcc": "nvcc of the CUDA toolkit is not installed",
    "numpy": "no python3 with numpy",
    "ptxas": "ptxas of the CUDA toolkit is not installed",
    "qemu-aarch64": "qemu-user or gcc-aarch64-linux-gnu is not installed",
    "qemu-x86_64": "qemu-user is not installed",
    "smollm2": "the weights of SmolLM2 are not in the cache (./nax demo fetches them)",
}


def reason(test):
    """Why a test does not count as passed or failed, in words."""
    if test["code"] == "XFAIL":
        return "known to fail (XFAIL)"
    missing = re.search(r"unavailable features: (.*)", test.get("output", ""))
    if missing:
        names = [name.strip() for name in missing.group(1).split(",")]
        return "; ".join(MISSING.get(name, f"needs {name}") for name in names)
    first_line = test.get("output", "").strip().split("\n")[0]
    return first_line or "left out by the command line"


def folder(name):
    """`nax :: passes/x.mlir` is of test/passes, `nax-examples :: 05-gpt/test/x` of examples/05-gpt."""
    suite, _, path = name.partition(" :: ")
    root = "examples" if suite == "nax-examples" else "test"
    return f"{root}/{path.split('/')[0]}" if "/" in path else root


def main(path):
    try:
        with open(path) as file:
            tests = json.load(file)["tests"]
    except (OSError, ValueError, KeyError) as error:
        print(f"lit left no result to count: {error}")
        tests = []

    by_folder = collections.defaultdict(collections.Counter)
    skipped = collections.defaultdict(list)
    failed = []
    for test in tests:
        name, code = test["name"], test["code"]
        row = by_folder[folder(name)]
        row["seconds"] += test.get("elapsed") or 0
        if code in SKIPPED:
            row["skipped"] += 1
            skipped[reason(test)].append(name)
        elif code in PASSED:
            row["passed"] += 1
        else:
            row["failed"] += 1
            failed.append((code, name))

    print("\nfolder                          passed  failed  skipped  seconds")
    for name, row in sorted(by_folder.items()):
        print(f"{name:30} {row['passed']:7} {row['failed']:7} {row['skipped']:8} {row['seconds']:8.1f}")
    for why, names in sorted(skipped.items()):
        print(f"\nskipped, {why}:")
        for name in sorted(names):
            print(f"  {name}")
    if failed:
        print("\nfailed:")
        for code, name in sorted(failed):
            print(f"  {code}: {name}")

    total = sum(by_folder.values(), collections.Counter())
    line = f"{total['passed']} passed, {total['failed']} failed"
    if total["skipped"]:
        line += f", {total['skipped']} skipped"
    print(f"\n{line}")
    return 1 if total["failed"] or not total["passed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
