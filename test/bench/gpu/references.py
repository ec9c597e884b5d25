# SPDX-License-Identifier: Apache-2.0
"""What numbers.c compares with: inputs, and results in float64 by naxc's reference evaluator.

    references.py FOLDER MODEL.cpp ENTRY SIZE... -- [OPTION of naxc...]

SIZE is BxT, or T for a model without B. Parameters and inputs are drawn, and rounded to bf16, so that models of any
type compute with the same numbers. Writes FOLDER/params/NAME and FOLDER/SIZE/NAME.in and .out without headers: bf16,
i32 for ids, and f32 for results, which are rounded once, by 6e-8.
"""
import os
import shutil
import subprocess
import sys

import numpy as np


def bf16(array):
    """f32 rounded to bf16, as u2; what else there is (ids, and bf16, which an .npy file has as u2) as it is."""
    if array.dtype != np.float32:
        return array
    bits = array.view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def evaluate(model, entry, size, options, to, params=None):
    """Has naxc draw inputs and save them with their results in `to`."""
    batch, time = size.split("x")
    sizes = ["--size", "T=" + time] + (["--size", "B=" + batch] if "struct B" in open(model).read() else [])
    given = ["--params", params] if params else []
    command = ["naxc", "check", model, "--entry", entry, "--save", to] + sizes + given + options
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit("%s failed:\n%s%s" % (" ".join(command), done.stdout, done.stderr))


def round_params(folder):
    """What naxc reads again: f32 that is bf16."""
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        array = np.load(path)
        if array.dtype in (np.float32, np.uint16):
            np.save(path, (bf16(array).astype(np.uint32) << 16).view(np.float32).reshape(array.shape))


def convert(source, target):
    os.makedirs(target, exist_ok=True)
    names = set(os.listdir(source))
    for name in sorted(names):
        stem = name[: -len(".npy")]
        if stem.endswith(".reference"):
            np.load(os.path.join(source, name)).astype("<f4").tofile(
                os.path.join(target, stem[: -len(".reference")] + ".out"))
        elif stem + ".reference.npy" not in names:
            bf16(np.load(os.path.join(source, name))).tofile(os.path.join(target, stem + ".in"))


def main(arguments):
    split = arguments.index("--")
    folder, model, entry = arguments[:3]
    sizes, options = arguments[3:split], arguments[split + 1 :]
    work = os.path.join(folder, "work")
    params = os.path.join(work, "params")
    evaluate(model, entry, sizes[0], options, work)
    if os.path.isdir(params):  # drawn by that call, and rounded for all that follow
        round_params(params)
        os.makedirs(os.path.join(folder, "params"), exist_ok=True)
        for name in os.listdir(params):
            bf16(np.load(os.path.join(params, name))).tofile(os.path.join(folder, "params", name[: -len(".npy")]))
    else:
        convert(os.path.join(work, entry), os.path.join(folder, sizes.pop(0)))
        params = None
    for size in sizes:
        each = os.path.join(folder, "each")
        evaluate(model, entry, size, options, each, params)
        convert(os.path.join(each, entry), os.path.join(folder, size))
        shutil.rmtree(each)
    shutil.rmtree(work)


main(sys.argv[1:])
