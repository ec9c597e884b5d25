# SPDX-License-Identifier: Apache-2.0
"""A function of launches with static sizes, run on the emulator.

Its operands are the function's arguments, or casts of these, and constants: what
nax-gpu-kernels and canonicalize make of kernels whose memrefs are casts of memrefs
of static sizes.
"""

import re
import subprocess

import numpy as np

LAUNCH = re.compile(
    r"nax\.launch @\w+::@(\w+) grid\((.*?)\) threads\((\d+)\) shared\((\d+)\) ?\((.*?) :"
)
TYPES = {"uint16": "u16", "float32": "f32", "int32": "i32", "uint8": "u8"}


def to_bits(x, element):
    """f32 as a type of 16 bits, rounded to nearest even; others as they are."""
    if element == "f16":
        return x.astype(np.float16).view(np.uint16)
    if element != "bf16":
        return np.ascontiguousarray(x)
    bits = np.ascontiguousarray(x, np.float32).view(np.uint32).astype(np.uint64)
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    return np.where(np.isnan(x), np.uint16(0x7FC0), rounded)


def from_bits(bits, element):
    if element == "f16":
        return bits.view(np.float16).astype(np.float32)
    if element != "bf16":
        return bits
    return (bits.astype(np.uint32) << 16).view(np.float32)


def stored(kind):
    """What memory has: tf32 is f32 whose products are those of tensor cores."""
    return "f32" if kind == "tf32" else kind


def kernels_pass(kind):
    return "--nax-gpu-kernels=tf32=true" if kind == "tf32" else "--nax-gpu-kernels"


def factors(x, kind):
    """f32 as products take it, in f64: of tf32 10 bits of the mantissa, ties away."""
    if kind == "tf32":
        bits = np.ascontiguousarray(x, np.float32).view(np.uint32)
        x = ((bits + 0x1000) & np.uint32(0xFFFFE000)).view(np.float32)
    return np.asarray(x, float)


def launches(host):
    """(kernel, grid, threads, shared, operands) of each launch; constants are
    numbers, memrefs are numbers of arguments in strings."""
    values = {}
    for name, value in re.findall(r"(%\w+) = arith\.constant (-?\d+) :", host):
        values[name] = int(value)
    arguments = re.findall(r"(%\w+): memref", host[host.index("func.func") :])
    for number, name in enumerate(arguments):
        values[name] = str(number)
    for name, source in re.findall(r"(%\w+) = memref\.cast (%\w+)", host):
        values[name] = values[source]
    for kernel, grid, threads, shared, operands in LAUNCH.findall(host):
        yield (
            kernel,
            [values[name] for name in grid.split(", ")],
            int(threads),
            int(shared),
            [values[name] for name in operands.split(", ")],
        )


def run(host, ptx, arrays, folder, options=()):
    """Changes `arrays`, the arguments, as the launches do; True without findings."""
    for kernel, grid, threads, shared, operands in launches(host):
        if 0 in grid:
            continue
        command = ["nvemu", ptx, "--kernel", kernel, "--block", str(threads)]
        command += ["--grid", ",".join(map(str, grid)), "--shared", str(shared)]
        command += options
        values, places = [], {}
        for place, operand in enumerate(operands):
            if isinstance(operand, int):
                values.append(f"i32:{operand}")
                continue
            number = int(operand)
            file = f"{folder}/{number}.npy"
            np.save(file, arrays[number].ravel())
            kind = TYPES[str(arrays[number].dtype)]
            values.append(f"{kind}[{arrays[number].size}]:@{file}")
            places.setdefault(number, place)
        for number, place in places.items():
            command += ["--out", f"{place}={folder}/{number}.out.npy"]
        ran = subprocess.run(command + values, capture_output=True, text=True)
        if ran.returncode:
            print(f"{kernel}: {ran.stderr.strip()[:2000]}")
            return False
        for number in places:
            out = np.load(f"{folder}/{number}.out.npy")
            arrays[number] = out.reshape(arrays[number].shape)
    return True
