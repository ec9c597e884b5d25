# SPDX-License-Identifier: Apache-2.0
"""Rows times a matrix on the emulator: numbers, and a row's bits in each kernel.

    dot.py FOLDER
"""

import os
import subprocess
import sys

import numpy as np

import launches

# Element (tf32: f32 whose products are those of tensor cores), that of the result, K, N, numbers of rows: the last one is compared with f64,
# the others are its first rows.
CASES = [
    ("bf16", "bf16", 128, 96, [1, 16, 17, 70]),
    ("f16", "f16", 67, 33, [1, 17, 40]),  # rows that are aligned to 2 bytes
    ("bf16", "f32", 516, 130, [3, 20]),  # in slices of K, rows aligned to 8 bytes
    ("f32", "f32", 300, 130, [1, 16, 70]),
    ("bf16", "bf16", 64, 1024, [5, 64, 1025]),  # large tiles
    ("tf32", "f32", 67, 33, [1, 17, 40]),  # rows that are aligned to 4 bytes
    ("tf32", "f32", 300, 130, [1, 16, 70]),  # in slices of K
    ("tf32", "f32", 36, 1024, [5, 64, 1025]),  # large tiles
]


def multiply(kind, result, a, w, folder):
    element = launches.stored(kind)
    m, k, n = len(a), a.shape[1], len(w)
    a_type, c_type = f"{m}x{k}x{element}", f"{m}x{n}x{result}"
    a_open, c_open = f"?x{k}x{element}", f"?x{n}x{result}"
    w_type = f"{n}x{k}x{element}"
    text = f"""
func.func @f(%a_: memref<{a_type}>, %w: memref<{w_type}>, %c_: memref<{c_type}>) {{
  %a = memref.cast %a_ : memref<{a_type}> to memref<{a_open}>
  %c = memref.cast %c_ : memref<{c_type}> to memref<{c_open}>
  nax.kernel.dot %a, %w into %c : memref<{a_open}>, memref<{w_type}>, memref<{c_open}>
  return
}}
"""
    with open(f"{folder}/dot.mlir", "w") as file:
        file.write(text)
    command = ["nax-opt", f"{folder}/dot.mlir", launches.kernels_pass(kind)]
    command += [f"--nax-gpu-to-ptx=dir={folder}", "--canonicalize"]
    host = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    c = launches.to_bits(np.full((m, n), np.nan, np.float32), result)
    arrays = [launches.to_bits(a, element), launches.to_bits(w, element), c]
    if not launches.run(host, f"{folder}/nax_kernels.ptx", arrays, folder):
        sys.exit(1)
    return launches.from_bits(arrays[2], result)


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    generator = np.random.default_rng(1)
    for kind, result, k, n, rows in CASES:
        element = launches.stored(kind)
        a, w = (
            launches.from_bits(
                launches.to_bits(generator.standard_normal(shape).astype(np.float32), element),
                element,
            )
            for shape in ((rows[-1], k), (n, k))
        )
        whole = multiply(kind, result, a, w, folder)
        wanted = launches.factors(a, kind) @ launches.factors(w, kind).T
        error = np.abs(whole - wanted).max() / np.abs(wanted).max()
        bound = {"f32": 1e-6, "f16": 1e-3, "bf16": 5e-3}[result]
        same = all(
            np.array_equal(multiply(kind, result, a[:m], w, folder), whole[:m])
            for m in rows[:-1]
        )
        print(
            f"{kind} to {result}, K = {k}, N = {n}:",
            f"within {bound}," if error <= bound else f"{error},",
            f"{'the same bits' if same else 'other bits'} with other rows",
        )


if __name__ == "__main__":
    main()
