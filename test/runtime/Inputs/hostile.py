# SPDX-License-Identifier: Apache-2.0
"""Damaged and hostile files, one a case, each named after what is wrong: hostile.py FOLDER KIND"""

import json
import struct
import sys
from pathlib import Path

import numpy as np

from formats import gguf, gguf_string, npy_of, safetensors, safetensors_of

F = np.arange(4, dtype=np.float32).tobytes()
GOOD_ST = safetensors([("a", "F32", [4], F), ("b", "F32", [2, 2], F)])
GOOD_GGUF = gguf([("a", "F32", [4], F), ("b", "F32", [2, 2], F)], [("k", "u32", 7), ("s", "string", "text")])
NPY_HEADER = "{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }\n"


def tensor(dtype="F32", shape=(4,), offsets=(0, 16), **more):
    return {"dtype": dtype, "shape": list(shape), "data_offsets": list(offsets), **more}


def st(tensors, data=F):
    return safetensors_of(json.dumps(tensors), data)


def safetensors_cases():
    big = 1 << 62
    yield "length-beyond", safetensors_of("{}", length=1000)
    yield "length-overflows", safetensors_of("{}", length=(1 << 64) - 1)
    yield "cut-in-header", GOOD_ST[:40]
    yield "cut-in-data", GOOD_ST[:-1]
    yield "longer", GOOD_ST + b"x"
    yield "hole", st({"a": tensor(offsets=(4, 20))}, F + F[:4])
    yield "overlap", st({"a": tensor(), "b": tensor(offsets=(8, 24))}, F + F[:8])
    yield "same-bytes", st({"a": tensor(), "b": tensor()})
    yield "offset-outside", st({"a": tensor(offsets=(0, 1 << 40))})
    yield "offset-backwards", st({"a": tensor(offsets=(16, 0))})
    yield "offset-negative", safetensors_of('{"a":{"dtype":"F32","shape":[4],"data_offsets":[-4,12]}}', F)
    yield "offset-too-large", safetensors_of('{"a":{"dtype":"F32","shape":[4],"data_offsets":[0,99999999999999999999]}}')
    yield "product-overflows", st({"a": tensor(shape=(big, big))})
    yield "bytes-overflow", st({"a": tensor(shape=(big,))})
    yield "shape-too-small", st({"a": tensor(shape=(3,))})
    yield "shape-fraction", safetensors_of('{"a":{"dtype":"F32","shape":[4.0],"data_offsets":[0,16]}}', F)
    yield "nine-dimensions", st({"a": tensor(shape=(1,) * 8 + (4,))})
    yield "same-name", safetensors_of('{"a":%s,"a":%s}' % (json.dumps(tensor()), json.dumps(tensor(offsets=(16, 32)))), F + F)
    yield "same-name-escaped", safetensors_of('{"a":%s,"\\u0061":%s}' % (json.dumps(tensor()), json.dumps(tensor(offsets=(16, 32)))), F + F)
    yield "same-key", safetensors_of('{"a":{"dtype":"F32","dtype":"F32"}}')
    yield "unknown-key", st({"a": tensor(stride=[1])})
    yield "no-shape", safetensors_of('{"a":{"dtype":"F32","data_offsets":[0,0]}}')
    yield "empty-tensor-object", safetensors_of('{"a":{}}')
    yield "metadata-number", safetensors_of('{"__metadata__":{"a":1}}')
    yield "deep", safetensors_of('{"a":' + "[" * 100000)
    yield "deep-objects", safetensors_of('{"a":' * 100000)
    yield "no-end", safetensors_of('{"a":{"dtype":"F32')
    yield "escape-at-end", safetensors_of('{"a\\')
    yield "bad-escape", safetensors_of('{"a\\x"')
    yield "lone-surrogate", safetensors_of('{"\\ud800":1}')
    yield "zero-in-name", safetensors_of('{"a\\u0000b":1}')
    yield "not-utf8", safetensors_of(b'{"\xc3\x28":1}')
    yield "control", safetensors_of('{"a\nb":1}')
    yield "trailing", safetensors_of("{} x")
    yield "trailing-comma", safetensors_of('{"a":%s,}' % json.dumps(tensor()), F)
    yield "terminal-commands", st({"a\x1b[31m\u009b2J": tensor(shape=(3,))})
    yield "empty", b""
    yield "eight-bytes", b"\x02" + b"\0" * 7
    yield "zip", b"PK\x03\x04" + b"\0" * 40
    yield "index", b'{"metadata": {"total_size": 1}, "weight_map": {}}'
    yield "text", b"this is a readme, not a file of parameters\n"


def gguf_cases():
    yield "cut-in-counts", GOOD_GGUF[:15]
    yield "cut-in-values", GOOD_GGUF[:45]
    yield "cut-in-tensors", GOOD_GGUF[:90]
    yield "cut-in-data", GOOD_GGUF[:-1]
    yield "version-1", gguf([], version=1)
    yield "version-4", gguf([], version=4)
    yield "big-endian", b"GGUF" + struct.pack(">IQQ", 3, 0, 0)
    yield "million-tensors", gguf([("a", "F32", [4], F)], tensor_count=1000000)
    yield "tensors-overflow", gguf([], tensor_count=(1 << 64) - 1)
    yield "values-overflow", gguf([], value_count=1 << 63)
    yield "long-key", b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 1 << 62) + b"k" * 40
    yield "long-string", b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + gguf_string("k") + struct.pack("<IQ", 8, 1 << 63) + b"x" * 40
    yield "long-array", b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + gguf_string("k") + struct.pack("<IIQ", 9, 4, 1 << 62) + b"x" * 40
    yield "long-strings", b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + gguf_string("k") + struct.pack("<IIQ", 9, 8, 1 << 60) + b"x" * 40
    yield "nested-arrays", b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + gguf_string("k") + struct.pack("<IIQ", 9, 9, 1) * 50
    yield "unknown-value", b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + gguf_string("k") + struct.pack("<IQ", 13, 0)
    yield "bad-bool", gguf([], [("k", "u8", 2)]).replace(struct.pack("<IB", 0, 2), struct.pack("<IB", 7, 2))
    yield "huge-u64", gguf([], [("k", "u64", 1 << 63)])
    yield "same-key", gguf([], [("k", "u32", 1), ("k", "u32", 2)])
    yield "same-name", gguf([("a", "F32", [4], F), ("a", "F32", [4], F)])
    yield "empty-name", gguf([("", "F32", [4], F)])
    yield "zero-in-name", gguf([("a\0b", "F32", [4], F)])
    yield "five-dimensions", gguf([("a", "F32", [1, 1, 1, 1, 4], F)])
    yield "four-thousand-million-dimensions", b"GGUF" + struct.pack("<IQQ", 3, 1, 0) + gguf_string("a") + b"\xff" * 40
    yield "product-overflows", gguf([("a", "F32", [1 << 40, 1 << 40], F)])
    yield "negative-size", gguf([("a", "F32", [(1 << 64) - 4], F)])
    yield "no-whole-blocks", gguf([("a", "Q4_1", [2, 16], b"\0" * 20)])
    yield "no-whole-blocks-k", gguf([("a", "Q6_K", [2, 128], b"\0" * 210)])
    yield "offset-outside", gguf([("a", "F32", [4], F)], offsets=[1 << 20])
    yield "offset-overflows", gguf([("a", "F32", [4], F)], offsets=[(1 << 64) - 32])
    yield "offset-odd", gguf([("a", "F32", [2], F)], offsets=[4])
    yield "overlap", gguf([("a", "F32", [16], F * 4), ("b", "F32", [16], F * 4)], offsets=[0, 32])
    yield "alignment-zero", gguf([("a", "F32", [4], F)], [("general.alignment", "u32", 0)])
    yield "alignment-odd", gguf([("a", "F32", [4], F)], [("general.alignment", "u32", 48)])
    yield "alignment-huge", gguf([("a", "F32", [4], F)], [("general.alignment", "u32", 1 << 31)])
    yield "alignment-text", gguf([("a", "F32", [4], F)], [("general.alignment", "string", "32")])
    yield "only-magic", b"GGUF"


def npy_cases():
    for name, dtype in ("big-endian", ">f4"), ("big-endian-id", ">i8"):
        yield name, npy_of(NPY_HEADER.replace("<f4", dtype), F)
    yield "fortran", npy_of(NPY_HEADER.replace("False", "True").replace("(4,)", "(2, 2)"), F)
    yield "records", npy_of("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (4,), }", F)
    yield "object-dtype", npy_of(NPY_HEADER.replace("<f4", "|O"), F)
    yield "cut-short", npy_of(NPY_HEADER, F[:-1])
    yield "longer", npy_of(NPY_HEADER, F + b"x")
    yield "cut-in-header", npy_of(NPY_HEADER)[:40]
    yield "length-beyond", npy_of(NPY_HEADER, F, length=60000)
    yield "length-overflows", npy_of(NPY_HEADER, F, version=2, length=(1 << 32) - 1)
    yield "version-9", npy_of(NPY_HEADER, F, version=9)
    yield "no-shape", npy_of("{'descr': '<f4', 'fortran_order': False, }", F)
    yield "same-key", npy_of("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (4,)}", F)
    yield "unknown-key", npy_of(NPY_HEADER.replace("descr", "dtype"), F)
    yield "negative", npy_of(NPY_HEADER.replace("(4,)", "(-4,)"), F)
    yield "product-overflows", npy_of(NPY_HEADER.replace("(4,)", "(4611686018427387904, 4611686018427387904)"), F)
    yield "number-overflows", npy_of(NPY_HEADER.replace("(4,)", "(99999999999999999999,)"), F)
    yield "nine-dimensions", npy_of(NPY_HEADER.replace("(4,)", "(1, 1, 1, 1, 1, 1, 1, 1, 4)"), F)
    yield "code", npy_of("__import__('os').system('true')", F)
    yield "long-key", npy_of("{'" + "d" * 5000 + "': 1}", F)
    yield "only-magic", b"\x93NUMPY"


def main(folder, kind):
    Path(folder).mkdir(parents=True, exist_ok=True)
    suffix = ".npy" if kind == "npy" else ""
    for name, raw in {"safetensors": safetensors_cases, "gguf": gguf_cases, "npy": npy_cases}[kind]():
        (Path(folder) / (name + suffix)).write_bytes(raw)


if __name__ == "__main__":
    main(*sys.argv[1:])
