# SPDX-License-Identifier: Apache-2.0
"""Small sound files of each kind, with most of what the kind can have: samples.py FOLDER"""

import sys
from pathlib import Path

import numpy as np

from formats import encode, gguf, npy_of, safetensors

RNG = np.random.default_rng(3)
TABLE = np.arange(15, dtype=np.float32)


def tensor(name, kind, shape):
    return name, kind, shape, encode(RNG, kind, shape)[0]


def main(folder):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    table = ("table", "F32", [5, 3], TABLE.tobytes())
    (folder / "sound.safetensors").write_bytes(safetensors(
        [table, tensor("half", "F16", [4]), tensor("brain.\u00e4\t", "BF16", [2, 2]),
         ("scalar", "I64", [], np.int64(5).tobytes()), ("none", "F32", [0, 3], b""), ("fp8", "F8_E4M3", [3], b"abc")],
        {"format": "pt", "a": "\U0001f600\\"}))
    values = [("u8", "u8", 200), ("i8", "i8", -3), ("u16", "u16", 60000), ("i16", "i16", -300),
              ("u32", "u32", 4000000000), ("i32", "i32", -70000), ("f32", "f32", 0.5), ("bool", "bool", True),
              ("string", "string", "text"), ("u64", "u64", 1 << 62), ("i64", "i64", -(1 << 62)), ("f64", "f64", 0.1),
              ("tokens", "array of string", ["a", "", "bc"]), ("scores", "array of f32", [0.5, -2]),
              ("types", "array of i32", [1, -6]), ("flags", "array of bool", [True, False]), ("none", "array of u8", []),
              ("general.alignment", "u32", 64)]
    for version in (2, 3):
        (folder / f"sound-{version}.gguf").write_bytes(gguf(
            [table, tensor("half", "F16", [4]), tensor("brain", "BF16", [2, 2]), tensor("q8", "Q8_0", [2, 32]),
             tensor("q4", "Q4_0", [3, 2, 32]), tensor("q41", "Q4_1", [64]), tensor("q4k", "Q4_K", [512]),
             tensor("q6k", "Q6_K", [1, 256]), ("k", "Q5_K", [256], b"k" * 176)],
            values, version=version, alignment=64))
    np.save(folder / "sound.npy", TABLE.reshape(5, 3))
    np.save(folder / "wide.npy", np.array([[1, 2**40]]))
    np.save(folder / "flag.npy", np.array(True))
    (folder / "version-3.npy").write_bytes(npy_of("{'descr': '|u1', 'fortran_order': False, 'shape': (1,)}", b"\7", 3))


if __name__ == "__main__":
    main(*sys.argv[1:])
