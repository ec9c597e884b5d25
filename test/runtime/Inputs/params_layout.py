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


def pairs(bits, nr):
    """bf16 [N, K] as panels [ceil(N/nr)][16 ceil(K/32)][nr][2]."""
    bits = np.pad(bits, ((0, -len(bits) % nr), (0, -bits.shape[1] % 32)))
    return bits.reshape(-1, nr, bits.shape[1] // 2, 2).swapaxes(1, 2).tobytes()


def slot_contents(values, places, raw, kind, dtype, slot):
    """What a slot should have, and the values in it in the order of the parameter. `places` are those of the values in
    the file, where a block that is there in one piece stays what it is."""
    _, nr, n, k, what = slot
    order = n + k
    shape = [values.shape[i] for i in order]
    rows = int(np.prod([values.shape[i] for i in n], dtype=int))
    back = lambda matrix: np.asarray(matrix).reshape(shape).transpose(np.argsort(order)) if order else np.asarray(matrix).reshape(())
    if what in formats.BLOCKS:
        size = formats.BLOCKS[what][0]
        matrix = values.transpose(order).reshape(rows, -1, size)
        at = places.transpose(order).reshape(matrix.shape) if raw is not None else None
        if raw is not None and kind == what and np.all(at == at[:, :, :1] + np.arange(size)) and np.all(at[:, :, 0] % size == 0):
            blocks = np.frombuffer(raw, np.uint8).reshape(-1, formats.BLOCKS[what][1])[at[:, :, 0] // size]
        elif size == 256:
            return None, None
        else:
            blocks = formats.quantise(what, matrix.reshape(-1, size)).reshape(rows, matrix.shape[1], -1)
        return formats.records(what, blocks, nr), back(formats.block_values(what, blocks.reshape(-1, blocks.shape[2])))
    inner = {"": dtype, "f16": "f16"}.get(what, "bf16")
    held = stored(values, inner)
    matrix = held.transpose(order).reshape(rows, -1) if order else held.reshape(1, 1)
    raw = pairs(matrix, nr) if what == "bf16_pairs" else slot_bytes(held, nr, n, k)
    return raw, formats.bf16_values(held).reshape(values.shape) if inner == "bf16" else held


def random_slot(rng, number, param, kind, whole, values):
    """(param, nr, [position], [position], stored); `whole`: the positions with which the file's blocks are columns."""
    positions = whole if kind in formats.BLOCKS and rng.random() < 0.6 else list(rng.permutation(len(param[2])))
    positions = [int(i) for i in positions]
    nr = int(rng.choice([0, 1, 4, 16, 48]))
    cut = int(rng.integers(0, len(positions) + 1)) if nr else len(positions)
    forms = [""]
    if param[1] == "f32":
        forms += ["f16", "bf16"] + (["bf16_pairs"] if nr else [])
        columns = int(np.prod([values.shape[i] for i in positions[cut:]], dtype=int))
        if nr and columns % 32 == 0:
            forms = ["Q8_0", "Q4_0", "Q4_1"] + ([kind] * 3 if kind in formats.BLOCKS else [])
            forms = [f for f in forms if columns % formats.BLOCKS[f][0] == 0]
    return number, nr, positions[:cut], positions[cut:], str(rng.choice(forms))


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
        axes[axis] = int(rng.choice([1, 2, 3, 4, 6, 17, 32]))
    if kind.startswith("Q"):
        if not order or len(groups) > 4:
            kind = "F32"
        else:
            axes[own[order[-1]]] = int(rng.choice([256, 512] if kind.endswith("K") else [32, 64, 96]))
    shape = [int(np.prod([axes[own[i]] for i in g], dtype=int)) for g in groups]
    raw, values = formats.encode(rng, kind, shape)
    own_order = lambda x: x.reshape([axes[own[i]] for i in order]).transpose(np.argsort(order)) if own else x
    expected, places = own_order(values), own_order(np.arange(values.size).reshape(values.shape))
    pairing = None
    even = [i for i, axis in enumerate(own) if axes[axis] >= 3]
    if even and rng.random() < 0.5:
        axis = int(rng.choice(even))
        size = axes[own[axis]]
        part = size // 2 * 2 if size % 2 or rng.random() < 0.3 else None
        pairing = str(rng.choice(["interleaved_to_halves", "halves_to_interleaved"]))
        expected, places = (paired(x, axis, pairing, part or size) for x in (expected, places))
        pairing += f":{own[axis]}" + (f":{part}" if part else "")
    dtype = str(rng.choice(["f32"] * 5 + ["f16", "bf16", "f64"]))
    line = ("mine", f"p.{number}.w", f"blk.{number}.t", " ".join("*".join(own[i] for i in g) for g in groups), pairing)
    return (f"p.{number}.w", dtype, own), line, (f"blk.{number}.t", kind, shape, raw), expected, places, order


def main(library, folder, seed, count):
    runtime = naxrt.Runtime(library)
    for round_number in range(count):
        rng = np.random.default_rng([seed, round_number])
        gguf = rng.random() < 0.6
        axes, params, names, tensors, wanted, slots, expected, held = {}, [], [], [], [], [], [], {}
        for number in range(rng.integers(1, 6)):
            kinds = ["F32", "F16", "BF16"] + (list(formats.BLOCKS) if gguf else [])
            param, line, tensor, values, places, whole = random_param(rng, number, axes, kinds)
            params.append(param), names.append(line), tensors.append(tensor), wanted.append(values)
            for _ in range(rng.integers(1, 3)):
                slot = random_slot(rng, number, param, tensor[1], whole, values)
                right, inside = slot_contents(values, places, tensor[3], tensor[1], param[1], slot)
                if right is None:  # nothing else makes such blocks: params_errors.py
                    continue
                slots.append(slot), expected.append(right), held.setdefault(number, inside)
        model, offsets = naxrt.model("random", axes or {"B": 1}, params, slots, names)
        path = Path(folder) / "file"
        path.write_bytes(formats.gguf(tensors, version=int(rng.choice([2, 3]))) if gguf else
                         formats.safetensors(tensors))
        opened = runtime.open(model, path)
        block = runtime.block(opened)
        for slot, offset, right in zip(slots, offsets, expected):
            assert block[offset : offset + len(right)] == right, (seed, round_number, params[slot[0]], slot)
        for index, inside in held.items():
            back = runtime.read(opened, index, inside.shape)
            assert np.array_equal(back, inside.astype(np.float64)), (seed, round_number, params[index])
        packed = Path(folder) / "packed"
        runtime.pack(model, path, packed)
        again = runtime.open(model, packed)
        assert runtime.block(again) == block, (seed, round_number)
        runtime.close(again), runtime.close(opened)
        if any(slot[4].endswith("K") for slot in slots):
            continue
        again = runtime.from_memory(model, [np.ascontiguousarray(stored(v, p[1])) for v, p in zip(wanted, params)])
        copy = runtime.block(again)
        for slot, offset in zip(slots, offsets):
            right, _ = slot_contents(wanted[slot[0]], None, None, None, params[slot[0]][1], slot)
            assert copy[offset : offset + len(right)] == right, (seed, round_number, slot)
        runtime.close(again)
    print(f"{count} models agree")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
