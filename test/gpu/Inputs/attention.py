# SPDX-License-Identifier: Apache-2.0
"""Attention kernels on the emulator against the definition in f64.

    attention.py FOLDER CASE...
"""

import os
import subprocess
import sys

import numpy as np

import launches

# Of the largest result. tf32 is f32 whose factors are rounded here as they are there,
# but for weights so near to a tie that the last bits of f32 decide.
TOLERANCE = {"f32": 2e-6, "tf32": 1.5e-4, "f16": 3e-3, "bf16": 2e-2}


def case(element, sizes, **more):
    names = "b k g t s d e c r".split()
    known = {
        "element": element,
        "sizes": dict(zip(names, sizes)),
        "causal": False,
        "mask": None,
        "cap": None,
        "bias": None,
        "alibi": None,
        "extras": [],  # (dimensions, element, values of a generator and a shape)
        "span": None,  # start and end of each row, of a case with a cache
        "weights": False,
        "rope": None,  # pairing, dimensions and positions of the tables
    }
    known.update(more)
    if known["rope"]:
        known["sizes"].setdefault("r", known["sizes"]["d"] // 2)
    return known


def normal(generator, shape):
    return generator.standard_normal(shape)


def fixed(values):
    return lambda generator, shape: np.array(values).reshape(shape)


def documents(generator, shape):
    return np.sort(generator.integers(0, 5, shape), 1)


def truths(generator, shape):
    values = generator.integers(0, 2, shape)
    values[7 % shape[0]] = 0  # a query that may read nothing
    return values


CASES = {
    #            b  k  g  t    s    d    e
    "window": case("f16", [2, 2, 3, 130, 130, 64, 64], causal=True, mask=["window", 40]),
    "lengths": case(
        "bf16",
        [2, 2, 1, 33, 97, 80, 48],
        mask=["and", ["less_than", 0], ["not_before", 1]],
        extras=[("b", "i32", fixed([97, 20])), ("b", "i32", fixed([3, 0]))],
    ),
    "alibi": case(
        "f32",
        [1, 2, 2, 37, 50, 20, 12],
        cap=2.0,
        alibi=0,
        extras=[("kg", "f32", fixed([0.5, 0.25, 0.125, 0.0625]))],
    ),
    "bias": case(
        "bf16",
        [1, 2, 2, 70, 70, 64, 64],
        cap=5.0,
        bias=0,
        causal=True,
        extras=[("kgts", "f32", normal)],
    ),
    "documents": case(
        "f16",
        [2, 1, 2, 150, 150, 128, 128],
        causal=True,
        mask=["same", 0],
        extras=[("bt", "i32", documents)],
    ),
    "boolean": case(
        "bf16",
        [1, 2, 1, 70, 90, 32, 32],
        mask=["or", ["true", 0], ["and", ["window", 3], ["not", ["prefix", 9]]]],
        extras=[("ts", "i1", truths)],
    ),
    "wide": case("bf16", [1, 1, 1, 70, 70, 256, 256], causal=True),
    "wide-f32": case("f32", [1, 1, 1, 40, 40, 256, 200], causal=True),
    "odd": case("f32", [1, 1, 2, 19, 19, 7, 5], causal=True),
    "odd-bf16": case("bf16", [1, 1, 2, 19, 19, 7, 5], causal=True),
    "panels": case("bf16", [1, 1, 2, 70, 70, 32, 140], causal=True),
    "panels-f32": case("f32", [1, 1, 1, 19, 19, 16, 76], causal=True),
    "all": case("bf16", [1, 1, 1, 64, 100, 64, 64]),
    "cache": case(
        "bf16",
        [4, 2, 3, 5, 5, 64, 64, 100],
        causal=True,
        span=[(10, 11), (0, 5), (70, 71), (6, 6)],
    ),
    "ring": case(
        "f32",
        [4, 1, 4, 6, 6, 32, 32, 16],
        causal=True,
        mask=["window", 16],
        span=[(40, 41), (30, 36), (3, 4), (70, 74)],
    ),
    "long": case("f16", [1, 1, 20, 1, 1, 64, 64, 5000], causal=True, span=[(4650, 4651)]),
    "weights": case(
        "bf16", [1, 2, 1, 70, 70, 64, 16], weights=True, causal=True, mask=["window", 60]
    ),
}

LAYOUTS = {"q": "btkgd", "k": "bskd", "v": "bske", "o": "btkge", "kc": "bckd", "vc": "bcke"}


def operands(c):
    """(name, dimensions, element) of each, in the order of the kernel's."""
    element = launches.stored(c["element"])
    found = [("q", LAYOUTS["q"], element), ("k", LAYOUTS["k"], element)]
    if c["weights"]:
        found.append(("o", "btkgs", "f32"))
    else:
        found += [("v", LAYOUTS["v"], element), ("o", LAYOUTS["o"], element)]
    found += [(f"x{i}", dims, kind) for i, (dims, kind, _) in enumerate(c["extras"])]
    if c["rope"]:
        found += [(name, c["rope"][1] + "r", "f32") for name in ("cosines", "sines")]
    if c["span"]:
        found += [(name, LAYOUTS[name], element) for name in ("kc", "vc")]
    return found


def shape_of(c, dims):
    return [c["sizes"][dim] for dim in dims]


def scratch_bytes(c):
    z = c["sizes"]
    return z["b"] * z["k"] * z["g"] * 64 * (2 + z["e"]) * 4


def as_attribute(tree):
    if isinstance(tree, str):
        return f'"{tree}"'
    if isinstance(tree, int):
        return f"{tree} : i64"
    return f"[{', '.join(map(as_attribute, tree))}]"


def module_of(c):
    def map_of(dims):
        results = ", ".join(dims.replace("c", "s"))
        return f"affine_map<(b, k, g, t, s, d, e) -> ({results})>"

    arguments, casts, types = [], [], {}

    def add(name, static, dynamic):
        arguments.append(f"%{name}_: {static}")
        casts.append(f"  %{name} = memref.cast %{name}_ : {static} to {dynamic}\n")
        types[name] = dynamic

    for name, dims, kind in operands(c):
        sizes = "".join(f"{size}x" for size in shape_of(c, dims))
        open_sizes = "".join(
            "?x" if dim in "btsc" else f"{c['sizes'][dim]}x" for dim in dims
        )
        add(name, f"memref<{sizes}{kind}>", f"memref<{open_sizes}{kind}>")
    text = "%q, %k" if c["weights"] else "%q, %k, %v"
    text = f"({text})"
    if c["rope"]:
        tables = ", ".join(types[name] for name in ("cosines", "sines"))
        text += f' rotate("{c["rope"][0]}", %cosines, %sines : {tables})'
    if c["span"]:
        add("span", f"memref<{len(c['span'])}x2xi32>", "memref<?x2xi32>")
        add("scratch", f"memref<{scratch_bytes(c)}xi8>", "memref<?xi8>")
        cached = ", ".join(types[name] for name in ("kc", "vc", "span"))
        text += f" cached(%kc, %vc, %span : {cached})"
    text += " into %o"
    extras = [f"x{i}" for i in range(len(c["extras"]))]
    if extras:
        names = ", ".join(f"%{name}" for name in extras)
        text += f" extras({names} : {', '.join(types[name] for name in extras)})"
    if c["span"]:
        text += " scratch %scratch : memref<?xi8>"

    layouts = {name: dims for name, dims, _ in operands(c)}
    scale = c["sizes"]["d"] ** -0.5
    attributes = [
        f"q_map = {map_of(layouts['q'])}",
        f"k_map = {map_of(layouts['k'])}",
        f"out_map = {map_of(layouts['o'])}",
        f"extra_maps = [{', '.join(map_of(dims) for dims, _, _ in c['extras'])}]",
        f"num_batch = 3 : i64, scale = {scale:.17e} : f64",
    ]
    if not c["weights"]:
        attributes.append(f"v_map = {map_of(layouts['v'])}")
    if c["causal"]:
        attributes.append("causal")
    if c["cap"]:
        attributes.append(f"cap = {c['cap']} : f64")
    for name in ("bias", "alibi"):
        if c[name] is not None:
            attributes.append(f"{name} = {c[name]} : i64")
    if c["mask"]:
        attributes.append(f"mask = {as_attribute(c['mask'])}")
    if c["span"]:
        attributes.append("span_map = affine_map<(b, k, g, t, s, d, e) -> (b)>")
    if c["rope"]:
        attributes.append(f"rope_map = {map_of(c['rope'][1])}")
    kind = "attention_weights" if c["weights"] else "attention"
    names = ["q", "k", "o"] if c["weights"] else ["q", "k", "v", "o"]
    return (
        f"func.func @f({', '.join(arguments)}) {{\n{''.join(casts)}"
        f"  nax.kernel.{kind}{text} {{{', '.join(attributes)}}}\n"
        f"      : {', '.join(types[name] for name in names)}\n  return\n}}\n"
    )


def part_of(array, dims, index):
    return array[tuple(index.get(dim, slice(None)) for dim in dims)]


def open_pairs(c, tree, at, t, s, extra):
    """Which pairs a mask allows."""
    name = tree[0]
    if name in ("and", "or", "not"):
        sides = [open_pairs(c, side, at, t, s, extra) for side in tree[1:]]
        if name == "not":
            return ~sides[0]
        return sides[0] & sides[1] if name == "and" else sides[0] | sides[1]
    everywhere = (t - s) == (t - s)
    if name == "window":
        return t - s < tree[1]
    if name == "prefix":
        return (s < tree[1]) & everywhere
    value = extra(tree[1])
    if name == "less_than":
        return (s < value) & everywhere
    if name == "not_before":
        return (s >= value) & everywhere
    if name == "same":
        return value[:, None] == value[None, :]
    return (value != 0) if name == "true" else (value == 0)


def rotated(c, arrays):
    """The queries as the loop of a rope leaves them: in f32, without a fused
    multiplication, rounded to their type."""
    q, dims = arrays["q"], LAYOUTS["q"]
    table = c["rope"][1] + "r"
    tables = []
    for name in ("cosines", "sines"):
        x = arrays[name]
        for place, dim in enumerate(dims[:-1]):
            if dim not in table:
                x = np.expand_dims(x, place)
        tables.append(x)
    cosines, sines = tables
    pairs = c["sizes"]["r"]
    if c["rope"][0] == "halves":
        first, second = slice(0, pairs), slice(pairs, 2 * pairs)
    else:
        first, second = slice(0, 2 * pairs, 2), slice(1, 2 * pairs, 2)
    out = q.copy()
    out[..., first] = q[..., first] * cosines - q[..., second] * sines
    out[..., second] = q[..., second] * cosines + q[..., first] * sines
    return launches.from_bits(launches.to_bits(out, c["element"]), c["element"])


def tf32_weights(c, x, top, alone):
    """Weights as products take them: rounded while they are relative to the largest
    score so far of a tile of keys or, of a query of its own, of the tile alone."""
    width = 32 if max(c["sizes"]["d"], c["sizes"]["e"]) <= 128 else 16
    weights, seen = np.zeros_like(x), np.full((len(x), 1), -np.inf)
    for first in range(0, x.shape[1], width):
        part = x[:, first : first + width]
        seen = np.maximum(part.max(1, keepdims=True), -np.inf if alone else seen)
        base = np.where(np.isfinite(seen), seen, 0)
        made = launches.factors(np.exp(part - base).astype(np.float32), "tf32")
        weights[:, first : first + width] = made * np.exp(base - top)
    return weights


def reference(c, arrays):
    if c["rope"]:
        arrays = dict(arrays, q=rotated(c, arrays))
    layouts = {name: dims for name, dims, _ in operands(c)}
    out = np.zeros(shape_of(c, layouts["o"]))
    for number in np.ndindex(*shape_of(c, "bkg")):
        at = dict(zip("bkg", number))

        def get(name):
            return part_of(launches.factors(arrays[name], c["element"]), layouts[name], at)

        def extra(i):
            return part_of(arrays[f"x{i}"], layouts[f"x{i}"], at)

        q, k = get("q"), get("k")
        v = np.eye(len(k)) if c["weights"] else get("v")
        start, queries = 0, len(q)
        if c["span"]:
            start, end = c["span"][at["b"]]
            queries = end - start
            slots = np.arange(start) % c["sizes"]["c"]
            k = np.concatenate([get("kc")[slots], k[:queries]])
            v = np.concatenate([get("vc")[slots], v[:queries]])
        x = q @ k.T * c["sizes"]["d"] ** -0.5
        t, s = start + np.arange(len(q))[:, None], np.arange(len(k))[None, :]
        if c["cap"]:
            x = c["cap"] * np.tanh(x / c["cap"])
        if c["bias"] is not None:
            x = x + extra(c["bias"])
        if c["alibi"] is not None:
            x = x - float(extra(c["alibi"])) * abs(t - s)
        allowed = s <= t if c["causal"] else (t - s) == (t - s)
        if c["mask"]:
            allowed = allowed & open_pairs(c, c["mask"], at, t, s, extra)
        x = np.where(allowed, x, -np.inf)
        top = np.where(allowed.any(1), x.max(1), 0)
        weights = np.exp(x - top[:, None])
        sums = np.maximum(weights.sum(1), 1e-300)[:, None]
        if c["element"] == "tf32" and not c["weights"]:
            weights = tf32_weights(c, x, top[:, None], c["span"] and queries == 1)
        result = weights / sums @ v
        result[queries:] = 0
        out[tuple(at.get(dim, slice(None)) for dim in layouts["o"])] = result
    return out


def inputs(c):
    generator = np.random.default_rng(3)
    arrays = {}
    for name, dims, kind in operands(c):
        shape = shape_of(c, dims)
        if name == "o":
            arrays[name] = np.full(shape, np.nan, np.float32)
        elif name in ("cosines", "sines"):
            positions = np.array(c["rope"][2], float).reshape(shape[:-1] + [1])
            angles = positions * 100.0 ** (-np.arange(shape[-1]) / shape[-1])
            table = np.cos(angles) if name == "cosines" else np.sin(angles)
            arrays[name] = table.astype(np.float32)
        elif name.startswith("x"):
            values = np.asarray(c["extras"][int(name[1:])][2](generator, shape))
            stored = {"i1": np.uint8, "i32": np.int32, "f32": np.float32}[kind]
            arrays[name] = values.astype(stored)
        else:
            values = generator.standard_normal(shape).astype(np.float32)
            arrays[name] = launches.from_bits(launches.to_bits(values, kind), kind)
    return arrays


class Kernel:
    def __init__(self, c, folder):
        os.makedirs(folder, exist_ok=True)
        self.c, self.folder = c, folder
        with open(f"{folder}/kernel.mlir", "w") as file:
            file.write(module_of(c))
        command = ["nax-opt", f"{folder}/kernel.mlir", launches.kernels_pass(c["element"])]
        command += [f"--nax-gpu-to-ptx=dir={folder}", "--canonicalize"]
        self.host = subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def __call__(self, arrays, options=()):
        """The results, or None if there were findings."""
        known = [launches.to_bits(arrays[name], kind) for name, _, kind in operands(self.c)]
        if self.c["span"]:
            known.append(np.array(self.c["span"], np.int32))
            known.append(np.full(scratch_bytes(self.c), 0xFF, np.uint8))
        if not launches.run(
            self.host, f"{self.folder}/nax_kernels.ptx", known, self.folder, options
        ):
            return None
        names = [name for name, _, _ in operands(self.c)]
        place = names.index("o")
        return launches.from_bits(known[place], operands(self.c)[place][2])


def main():
    folder, *names = sys.argv[1:]
    for name in names:
        c = CASES[name]
        arrays = inputs(c)
        made = Kernel(c, f"{folder}/{name}")(arrays)
        if made is None:
            continue
        wanted = reference(c, arrays)
        error = np.abs(made - wanted).max() / np.abs(wanted).max()
        bound = TOLERANCE[c["element"]]
        print(f"{name}: {f'within {bound}' if error <= bound else error}")


if __name__ == "__main__":
    main()
