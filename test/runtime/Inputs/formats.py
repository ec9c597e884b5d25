# SPDX-License-Identifier: Apache-2.0
"""Writers of safetensors, GGUF and npy files for the tests of the runtime, and what the values in them are. Written
from the formats' descriptions with numpy alone, so that the readers are compared with something else."""

import json
import struct

import numpy as np


def bf16_bits(values):
    """float32 to the upper half of its bits, to nearest, ties to even."""
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    rounded = bits + 0x7FFF + ((bits >> 16) & 1)
    return (rounded >> 16).astype(np.uint16)


def bf16_values(bits):
    return (np.atleast_1d(bits).astype(np.uint32) << 16).view(np.float32)


BLOCKS = {"Q8_0": (32, 34), "Q4_0": (32, 18), "Q4_1": (32, 20), "Q4_K": (256, 144), "Q6_K": (256, 210)}


def halves(*columns):
    return np.concatenate([np.asarray(c, np.float16).reshape(-1, 1) for c in columns], axis=1).view(np.uint8)


def random_blocks(rng, kind, count):
    """uint8 [count, bytes of a block] with any contents, scales of ordinary size."""
    elements, size = BLOCKS[kind]
    raw = rng.integers(0, 256, (count, size)).astype(np.uint8)
    at = 208 if kind == "Q6_K" else 0
    for place in ([at, at + 2] if kind in ("Q4_1", "Q4_K") else [at]):
        raw[:, place : place + 2] = halves(rng.standard_normal(count))
    return raw


def fields(kind, raw):
    """The numbers of blocks [count, bytes]: d and m as float32 [count], scale, least, q [count, ...] as integers."""
    half = lambda at: np.ascontiguousarray(raw[:, at : at + 2]).view(np.float16)[:, 0]
    two = lambda x: np.stack([x & 15, x >> 4], axis=-2)  # low halves, then high ones
    if kind == "Q8_0":
        return {"d": half(0), "q": raw[:, 2:].view(np.int8).astype(int) + 128}
    if kind in ("Q4_0", "Q4_1"):
        out = {"d": half(0), "q": two(raw[:, BLOCKS[kind][1] - 16 :]).reshape(-1, 32)}
        return out | ({"m": half(2)} if kind == "Q4_1" else {})
    if kind == "Q4_K":
        packed, scale, least = raw[:, 4:16].astype(int), [], []
        for s in range(8):
            if s < 4:
                scale.append(packed[:, s] % 64), least.append(packed[:, s + 4] % 64)
            else:
                scale.append(packed[:, s + 4] % 16 + packed[:, s - 4] // 64 * 16)
                least.append(packed[:, s + 4] // 16 + packed[:, s] // 64 * 16)
        q = two(raw[:, 16:].reshape(-1, 4, 32)).reshape(-1, 256)
        return {"d": half(0), "m": half(2), "scale": np.stack(scale, 1), "least": np.stack(least, 1), "q": q}
    low = two(raw[:, :128].reshape(-1, 2, 64)).reshape(-1, 2, 2, 64).reshape(-1, 256)
    high = np.stack([raw[:, 128:192].reshape(-1, 2, 32) // 4**i % 4 for i in range(4)], axis=2).reshape(-1, 256)
    return {"d": half(208), "scale": raw[:, 192:208].view(np.int8).astype(int), "q": low.astype(int) + 16 * high}


def block_values(kind, raw):
    """float32 [count, elements of a block]"""
    f = fields(kind, raw)
    d, q = f["d"].astype(np.float32)[:, None], f["q"].astype(np.float32)
    m = f["m"].astype(np.float32)[:, None] if "m" in f else None
    if kind in ("Q8_0", "Q4_0"):
        return d * (q - np.float32(128 if kind == "Q8_0" else 8))
    if kind == "Q4_1":
        return d * q + m
    each = lambda x: np.repeat(x.astype(np.float32), 256 // x.shape[1], axis=1)
    if kind == "Q4_K":
        return d * each(f["scale"]) * q - m * each(f["least"])
    return d * each(f["scale"]) * (q - np.float32(32))


def quantise(kind, values):
    """float32 [count, 32] to blocks by the reference rule of ggml."""
    x = np.ascontiguousarray(values, np.float32)
    one_by = lambda d: np.where(d == 0, np.float32(0), np.float32(1) / np.where(d == 0, np.float32(1), d))[:, None]
    if kind == "Q8_0":
        d = np.abs(x).max(axis=1) / np.float32(127)
        v = (x * one_by(d)).astype(np.float64)
        return np.concatenate([halves(d), (np.sign(v) * np.floor(np.abs(v) + 0.5)).astype(np.int8).view(np.uint8)], axis=1)
    if kind == "Q4_0":
        d = x[np.arange(len(x)), np.abs(x).argmax(axis=1)] / np.float32(-8)
        head, q = halves(d), np.floor(x * one_by(d) + np.float32(8.5))
    else:
        least = x.min(axis=1)
        d = (x.max(axis=1) - least) / np.float32(15)
        head, q = halves(d, least), np.floor((x - least[:, None]) * one_by(d) + np.float32(0.5))
    q = np.minimum(q, 15).astype(np.uint8)
    return np.concatenate([head, q[:, :16] | q[:, 16:] << 4], axis=1)


def records(kind, raw, nr):
    """Blocks [N, K/B, bytes] as panels of records, columns that are missing as zeros."""
    n, count, _ = raw.shape
    f, wide = fields(kind, raw.reshape(n * count, -1)), -(-n // nr) * nr

    def field(x, bits):
        """[N * count, ...] to [panels, count, nr, ...]"""
        x = x.view(np.uint16) if x.dtype == np.float16 else x
        x = np.pad(x.reshape(n, count, *x.shape[1:]), [(0, wide - n)] + [(0, 0)] * x.ndim)
        x = x.reshape(wide // nr, nr, count, *x.shape[2:]).swapaxes(1, 2)
        return x.astype(f"<u{bits // 8}") if x.min(initial=0) >= 0 else x.astype(f"<i{bits // 8}")

    parts = [field(f["d"], 16)] + ([field(f["m"], 16)] if "m" in f else [])
    q = field(f["q"], 8)
    head = q.shape[:3]  # panels, count, nr
    subs = q.reshape(*head, -1, 32)
    if "scale" in f:
        parts += [np.moveaxis(field(f[x], 8), 2, -1) for x in ("scale", "least") if x in f]
    if kind == "Q8_0":
        parts.append(q.reshape(*head, 8, 4).swapaxes(2, 3))
    else:
        nibbles = (subs[..., :16] % 16 | subs[..., 16:] % 16 << 4).reshape(*head, -1, 4)
        parts.append(nibbles.swapaxes(2, 3))
    if kind == "Q6_K":
        high = (subs // 16).reshape(*head, 8, 4, 8)
        bits = high[..., 0, :] | high[..., 1, :] << 2 | high[..., 2, :] << 4 | high[..., 3, :] << 6
        parts.append(bits.reshape(*head, 16, 4).swapaxes(2, 3))
    flat = [np.ascontiguousarray(p).reshape(*head[:2], -1).view(np.uint8) for p in parts]
    return np.concatenate(flat, axis=2).tobytes()


def encode(rng, kind, shape):
    """Random contents of one tensor: (bytes, values as float32)."""
    if kind in BLOCKS:
        raw = random_blocks(rng, kind, int(np.prod(shape)) // BLOCKS[kind][0])
        return raw.tobytes(), block_values(kind, raw).reshape(shape)
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

GGUF_TYPES = {"F32": 0, "F16": 1, "Q4_0": 2, "Q4_1": 3, "Q8_0": 8, "Q4_K": 12, "Q5_K": 13, "Q6_K": 14, "BF16": 30}
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
