# SPDX-License-Identifier: Apache-2.0
"""Kernels of one function of f64 each against Python's own functions.

    wide_math.py PTX FOLDER
"""

import math
import subprocess
import sys

import numpy as np

ptx, folder = sys.argv[1:]


def safely(function):
    def of(x):
        try:
            return function(x)
        except OverflowError:
            return math.inf
        except ValueError:
            return -math.inf if x == 0 else math.nan

    return of


FUNCTIONS = {
    "exp": (math.exp, [0, -745.1, 709.7, 710, -800], 30, 4),
    "log": (math.log, [0.0, 1, 5e-324, 1e308, -1, 1 + 1e-15], 30, 4),
    "sin": (math.sin, [0, 1e-9, 2e9, -1e5], 40, 4),
    "cos": (math.cos, [0, 1e-9, 2e9, -1e5], 40, 4),
    "tanh": (math.tanh, [0, 1e-9, 400, -400, 1, -1], 4, 4),
    "erf": (math.erf, [0, 1e-9, 30, -30], 4, 16),
    "sqrt": (math.sqrt, [0, 2, 1e-310], 4, 0),
}

generator = np.random.default_rng(1)
for number, (name, (function, special, spread, bound)) in enumerate(FUNCTIONS.items()):
    x = generator.standard_normal(512) * spread
    special = special + [math.inf, -math.inf, math.nan]
    x[: len(special)] = special
    if name in ("sin", "cos"):
        x[np.isinf(x)] = 0
    np.save(f"{folder}/x.npy", x)
    kernel = "elementwise" + (f"_{number}" if number else "")
    command = ["nvemu", ptx, "--kernel", kernel, "--grid", "1", "--block", "256"]
    command += [f"f64[512]:@{folder}/x.npy", "i32:512", "f64[512]:uninit", "i32:512"]
    ran = subprocess.run(
        command + ["--out", f"2={folder}/y.npy"], capture_output=True, text=True
    )
    got = np.load(f"{folder}/y.npy")
    wanted = np.array([safely(function)(v) for v in x])
    same = (got == wanted) | (np.isnan(got) & np.isnan(wanted))
    with np.errstate(invalid="ignore"):
        ulps = np.where(same, 0, np.abs(got - wanted) / np.spacing(np.abs(wanted)))
    ok = not np.isnan(ulps).any() and ulps.max() <= bound
    worst = f"{ulps.max()} ulp at {x[np.argmax(ulps)]}"
    print(f"{name}: {f'within {bound} ulp' if ok else worst}, {ran.stderr.strip()}")
