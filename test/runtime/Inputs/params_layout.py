# SPDX-License-Identifier: Apache-2.0
"""Random models, files and layouts: what the library puts into the block of parameters is what numpy computes.

params_layout.py LIBRARY FOLDER SEED COUNT"""

import sys
from pathlib import Path

import numpy as np

import formats
import naxrt

STORED = {"f32": np.float32, "f16": np.float16, "f64": np.float64}


def paired(values, axis, pairing, size):
    """What the file has, in the order the parameter wants, for the first `size` components of `axis`."""
    order = np.arange(values.shape[axis])
    half = size // 2
    for i in range(size):
        if pairing == "interleaved_to_halves":
            order[i] = 2 * i if i < half else 2 * (i - half) + 1
        else:
            order[i] = i // 2 if i % 2 == 0 else half + i // 2
    return np.take(values, order, axis=axis)


def stored(values, dtype):
    if dtype == "bf16":
        return formats.bf16_bits(values).reshape(values.shape)
    with np.errstate(over="ignore"):
        return values.astype(STORED[dtype])


def slot_bytes(values, nr, n, k):
    rows = int(np.prod([values.shape[i] for i in n], dtype=int))
    columns = int(np.prod([values.shape[i] for i in k], dtype=int))
    matrix = values.transpose(n + k).reshape(rows, columns)
    if nr:
        matrix = np.pad(matrix, ((0, -rows % nr), (0, 0))).reshape(-1, nr, columns).transpose(0, 2, 1)
    return np.ascontiguousarray(matrix).tobytes()


def random_param(rng, number, axes, kinds):
    """A parameter, the names table's line for it, its tensor in the file, and the values it should get."""
    own = [f"A{number}{i}" for i in range(rng.integers(0, 5))]
    order = list(rng.permutation(len(own)))
    groups = []  # the file's dimensions, each a list of positions
    for position in order:
        if groups and rng.random() < 0.4:
            groups[-1].append(position)
        else:
            groups.append([position])
    kind = rng.choice(kinds)
    for axis in own:
        axes[axis] = int(rng.choice([1, 2, 3, 4, 6, 17]))
    if kind.startswith("Q"):
        if not order or len(groups) > 4:
            kind = "F32"
        else:
            axes[own[order[-1]]] = int(rng.choice([32, 64, 96]))
    shape = [int(np.prod([axes[own[i]] for i in g], dtype=int)) for g in groups]
    raw, values = formats.encode(rng, kind, shape)
    expected = values.reshape([axes[own[i]] for i in order]).transpose(np.argsort(order)) if own else values
    pairing = None
    even = [i for i, axis in enumerate(own) if axes[axis] >= 2]
    if even and rng.random() < 0.5:
        axis = int(rng.choice(even))
        size = axes[own[axis]]
        part = size // 2 * 2 if size % 2 or rng.random() < 0.3 else None
        pairing = str(rng.choice(["interleaved_to_halves", "halves_to_interleaved"]))
        expected = paired(expected, axis, pairing, part or size)
        pairing += f":{own[axis]}" + (f":{part}" if part else "")
    dtype = str(rng.choice(["f32", "f32", "f16", "bf16", "f64"]))
    line = ("mine", f"p.{number}.w", f"blk.{number}.t", " ".join("*".join(own[i] for i in g) for g in groups), pairing)
    return (f"p.{number}.w", dtype, own), line, (f"blk.{number}.t", kind, shape, raw), expected


def main(library, folder, seed, count):
    runtime = naxrt.Runtime(library)
    for round_number in range(count):
        rng = np.random.default_rng([seed, round_number])
        gguf = rng.random() < 0.6
        axes, params, names, tensors, wanted, slots, expected = {}, [], [], [], [], [], []
        for number in range(rng.integers(1, 6)):
            kinds = ["F32", "F16", "BF16"] + (["Q8_0", "Q4_0", "Q4_1"] if gguf else [])
            param, line, tensor, values = random_param(rng, number, axes, kinds)
            params.append(param), names.append(line), tensors.append(tensor), wanted.append(values)
            for _ in range(rng.integers(1, 3)):
                positions = [int(i) for i in rng.permutation(len(param[2]))]
                nr = int(rng.choice([0, 1, 4, 16, 48]))
                cut = int(rng.integers(0, len(positions) + 1)) if nr else len(positions)
                slots.append((number, nr, positions[:cut], positions[cut:]))
                expected.append(slot_bytes(stored(values, param[1]), nr, positions[:cut], positions[cut:]))
        model, offsets = naxrt.model("random", axes or {"B": 1}, params, slots, names)
        path = Path(folder) / "file"
        path.write_bytes(formats.gguf(tensors, version=int(rng.choice([2, 3]))) if gguf else
                         formats.safetensors(tensors))
        opened = runtime.open(model, path)
        block = runtime.block(opened)
        for slot, offset, right in zip(slots, offsets, expected):
            assert block[offset : offset + len(right)] == right, (seed, round_number, params[slot[0]], slot)
        for index, (param, values) in enumerate(zip(params, wanted)):
            back = runtime.read(opened, index, values.shape)
            right = stored(values, param[1])
            right = formats.bf16_values(right).reshape(values.shape) if param[1] == "bf16" else right
            assert np.array_equal(back, right.astype(np.float64)), (seed, round_number, param)
        again = runtime.from_memory(model, [np.ascontiguousarray(stored(v, p[1])) for v, p in zip(wanted, params)])
        copy = runtime.block(again)
        for offset, right in zip(offsets, expected):
            assert copy[offset : offset + len(right)] == right, (seed, round_number)
        runtime.close(opened), runtime.close(again)
    print(f"{count} models agree")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
