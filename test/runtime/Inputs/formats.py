# SPDX-License-Identifier: Apache-2.0
"""Writers of safetensors, GGUF and npy files for the tests of the runtime, and what the values in them are. Written
from the formats' descriptions with numpy alone, so that the readers are compared with something else."""

import json
import struct

import numpy as np

BLOCK = 32


def bf16_bits(values):
    """float32 to the upper half of its bits, to nearest, ties to even."""
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    rounded = bits + 0x7FFF + ((bits >> 16) & 1)
    return (rounded >> 16).astype(np.uint16)


def bf16_values(bits):
    return (np.atleast_1d(bits).astype(np.uint32) << 16).view(np.float32)


def q8_0(rng, shape):
    """Random blocks: (bytes, values)."""
    count = int(np.prod(shape)) // BLOCK
    step = rng.standard_normal(count).astype(np.float16)
    numbers = rng.integers(-128, 128, (count, BLOCK)).astype(np.int8)
    raw = b"".join(s.tobytes() + n.tobytes() for s, n in zip(step, numbers))
    return raw, (numbers * step.astype(np.float32)[:, None]).astype(np.float32).reshape(shape)


def nibbles(numbers):
    """32 numbers of four bits: element i and element i + 16 share byte i."""
    return (numbers[: BLOCK // 2] | numbers[BLOCK // 2 :] << 4).astype(np.uint8).tobytes()


def q4_0(rng, shape):
    count = int(np.prod(shape)) // BLOCK
    step = rng.standard_normal(count).astype(np.float16)
    numbers = rng.integers(0, 16, (count, BLOCK))
    raw = b"".join(s.tobytes() + nibbles(n) for s, n in zip(step, numbers))
    values = (numbers - 8).astype(np.float32) * step.astype(np.float32)[:, None]
    return raw, values.astype(np.float32).reshape(shape)


def q4_1(rng, shape):
    count = int(np.prod(shape)) // BLOCK
    step, least = (rng.standard_normal(count).astype(np.float16) for _ in range(2))
    numbers = rng.integers(0, 16, (count, BLOCK))
    raw = b"".join(s.tobytes() + m.tobytes() + nibbles(n) for s, m, n in zip(step, least, numbers))
    values = numbers.astype(np.float32) * step.astype(np.float32)[:, None] + least.astype(np.float32)[:, None]
    return raw, values.astype(np.float32).reshape(shape)


def encode(rng, kind, shape):
    """Random contents of one tensor: (bytes, values as float32)."""
    if kind in ("Q8_0", "Q4_0", "Q4_1"):
        return {"Q8_0": q8_0, "Q4_0": q4_0, "Q4_1": q4_1}[kind](rng, shape)
    values = rng.standard_normal(shape).astype(np.float32)
    if kind == "F32":
        return values.tobytes(), values
    if kind == "F16":
        return values.astype(np.float16).tobytes(), values.astype(np.float16).astype(np.float32)
    bits = bf16_bits(values)
    return bits.tobytes(), bf16_values(bits).reshape(shape)


# --- safetensors -------------------------------------------------------------------------------------------------


def safetensors(tensors, metadata=None):
    """tensors: [(name, dtype, shape, bytes)]"""
    header, at = {}, 0
    if metadata:
        header["__metadata__"] = metadata
    for name, dtype, shape, raw in tensors:
        header[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": [at, at + len(raw)]}
        at += len(raw)
    return safetensors_of(json.dumps(header), b"".join(raw for *_, raw in tensors))


def safetensors_of(header, data=b"", length=None):
    header = header.encode() if isinstance(header, str) else header
    return struct.pack("<Q", len(header) if length is None else length) + header + data


# --- GGUF --------------------------------------------------------------------------------------------------------

GGUF_TYPES = {"F32": 0, "F16": 1, "Q4_0": 2, "Q4_1": 3, "Q8_0": 8, "Q4_K": 12, "BF16": 30}
VALUES = {"u8": (0, "<B"), "i8": (1, "<b"), "u16": (2, "<H"), "i16": (3, "<h"), "u32": (4, "<I"), "i32": (5, "<i"),
          "f32": (6, "<f"), "bool": (7, "<?"), "u64": (10, "<Q"), "i64": (11, "<q"), "f64": (12, "<d")}


def gguf_string(text):
    raw = text.encode() if isinstance(text, str) else text
    return struct.pack("<Q", len(raw)) + raw


def gguf_value(kind, value):
    """("u32", 5), ("string", "text"), ("array of i32", [1, 2])"""
    if kind.startswith("array of "):
        item = kind[len("array of ") :]
        number = 8 if item == "string" else VALUES[item][0]
        return struct.pack("<IIQ", 9, number, len(value)) + b"".join(gguf_item(item, v) for v in value)
    return struct.pack("<I", 8 if kind == "string" else VALUES[kind][0]) + gguf_item(kind, value)


def gguf_item(kind, value):
    return gguf_string(value) if kind == "string" else struct.pack(VALUES[kind][1], value)


def gguf(tensors, values=(), version=3, alignment=32, tensor_count=None, value_count=None, offsets=None):
    """tensors: [(name, kind, shape, bytes)], values: [(key, kind, value)]. The counts and offsets can lie."""
    head = b"GGUF" + struct.pack("<IQQ", version, len(tensors) if tensor_count is None else tensor_count,
                                 len(values) if value_count is None else value_count)
    for key, kind, value in values:
        head += gguf_string(key) + gguf_value(kind, value)
    data = b""
    for index, (name, kind, shape, raw) in enumerate(tensors):
        data += b"\0" * (-len(data) % alignment)
        offset = len(data) if offsets is None else offsets[index]
        number = GGUF_TYPES.get(kind, kind)
        head += gguf_string(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *reversed(shape), number, offset)
        data += raw
    return head + b"\0" * (-len(head) % alignment) + data


# --- npy ---------------------------------------------------------------------------------------------------------


def npy_of(header, data=b"", version=1, length=None):
    header = header.encode()
    size = len(header) if length is None else length
    prefix = b"\x93NUMPY" + bytes([version, 0])
    return prefix + struct.pack("<H" if version == 1 else "<I", size) + header + data
