# SPDX-License-Identifier: Apache-2.0
"""Kernels of each kind with operands of awkward sizes, for mutations.py.

A case has the launches of one function (`host`), their PTX, the operands, and what
they must give.
"""

import os
import re
import subprocess

import attention
import launches
import numpy as np

ENTRY = re.compile(r"^\.visible \.entry (\w+)\(.*?^\}$", re.M | re.S)
LINE = re.compile(r"^.*nax\.launch .*\n", re.M)


class Case:
    """`wanted` maps numbers of operands to what they must be afterwards; `bound` is
    of the largest of these."""

    def __init__(self, host, ptx, arrays, types, wanted, bound):
        self.ptx, self.types, self.wanted, self.bound = ptx, types, wanted, bound
        # Instances of the operands before each launch that does something.
        self.states = [arrays]
        self.hosts = []
        for line in LINE.findall(host):
            one = LINE.sub(lambda m, line=line: line if m[0] == line else "", host)
            if 0 not in next(launches.launches(one))[1]:
                self.hosts.append((launches.LAUNCH.search(line)[1], one))

    def number_of(self, kernel):
        """Which launch is of the kernel whose name matches."""
        found = [i for i, (name, _) in enumerate(self.hosts) if re.fullmatch(kernel, name)]
        if len(found) != 1:
            raise SystemExit(f"{kernel}: launched {len(found)} times")
        return found[0]

    def kernel(self, number):
        """The PTX of one launch: what all have, and its kernel alone."""
        name = self.hosts[number][0]
        return ENTRY.sub(lambda m: m[0] if m[1] == name else "", self.ptx)

    def run(self, folder, changed=None, ptx=None, host=None):
        """The findings, or the largest error as a part of the bound. Launches before
        the changed one are those of the run without a change."""
        begin = changed or 0
        arrays = [array.copy() for array in self.states[begin]]
        for number in range(begin, len(self.hosts)):
            mine = number == changed
            with open(f"{folder}/one.ptx", "w") as file:
                file.write(ptx if mine and ptx else self.kernel(number))
            text = host if mine and host else self.hosts[number][1]
            if not launches.run(text, f"{folder}/one.ptx", arrays, folder):
                return None
            if changed is None:
                self.states.append([array.copy() for array in arrays])
        return max(self.error(arrays, place) for place in self.wanted) / self.bound

    def error(self, arrays, place):
        made = launches.from_bits(arrays[place], self.types[place]).astype(float)
        wanted = self.wanted[place]
        error = np.abs(made - wanted).max() / max(np.abs(wanted).max(), 1e-30)
        return error if np.isfinite(error) else np.inf


def compiled(text, folder, kind=None):
    os.makedirs(folder, exist_ok=True)
    with open(f"{folder}/kernel.mlir", "w") as file:
        file.write(text)
    command = ["nax-opt", f"{folder}/kernel.mlir", launches.kernels_pass(kind)]
    command += [f"--nax-gpu-to-ptx=dir={folder}", "--canonicalize"]
    host = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    with open(f"{folder}/nax_kernels.ptx") as file:
        return host, file.read()


def normal(*shape):
    return np.random.default_rng(len(shape) + shape[0]).standard_normal(shape)


def function(folder, operands, body, reference, bound, prelude="", kind=None):
    """`operands`: name: (array, element, sizes as the kernel sees them); `body` has
    their types as {name}; `reference` gives {name: values} of the rounded ones."""
    arguments, casts, types, known, rounded = [], "", {}, [], {}
    for name, (array, element, sizes) in operands.items():
        static = "".join(f"{size}x" for size in array.shape)
        arguments.append(f"%{name}_: memref<{static}{element}>")
        types[name] = f"memref<{sizes}x{element}>"
        casts += f"  %{name} = memref.cast %{name}_ : memref<{static}{element}> to {types[name]}\n"
        number = {"i32": np.int32}.get(element, np.float32)
        known.append(launches.to_bits(array.astype(number), element))
        rounded[name] = launches.factors(launches.from_bits(known[-1], element), kind)
    text = f"{prelude}func.func @f({', '.join(arguments)}) {{\n{casts}"
    host, ptx = compiled(text + body.format(**types) + "  return\n}\n", folder, kind)
    names = list(operands)
    wanted = {names.index(name): values for name, values in reference(rounded).items()}
    elements = [element for _, element, _ in operands.values()]
    return Case(host, ptx, known, elements, wanted, bound)


def dot(folder, kind, rows, columns, depth):
    element = launches.stored(kind)
    return function(
        folder,
        {
            "a": (normal(rows, depth), element, f"?x{depth}"),
            "w": (normal(columns, depth), element, f"{columns}x{depth}"),
            "c": (np.full((rows, columns), np.nan), element, f"?x{columns}"),
        },
        "  nax.kernel.dot %a, %w into %c : {a}, {w}, {c}\n",
        lambda x: {"c": x["a"] @ x["w"].T},
        attention.TOLERANCE[element],
        kind=kind,
    )


def dot_epilogue(folder, element, rows, columns, depth):
    """(a w + bias) * gate + c into c."""
    body = """  nax.kernel.dot %a, %w into %c epilogue(%bias, %gate, %c : {bias}, {gate}, {c}) {{
  ^bb0(%s: f32, %b0: ELEMENT, %g0: ELEMENT, %r0: ELEMENT):
    %b = arith.extf %b0 : ELEMENT to f32
    %g = arith.extf %g0 : ELEMENT to f32
    %r = arith.extf %r0 : ELEMENT to f32
    %x = arith.addf %s, %b : f32
    %y = arith.mulf %x, %g : f32
    %z = arith.addf %y, %r : f32
    %o = arith.truncf %z : f32 to ELEMENT
    nax.yield %o : ELEMENT
  }} : {a}, {w}, {c}
"""
    return function(
        folder,
        {
            "a": (normal(rows, depth), element, f"?x{depth}"),
            "w": (normal(columns, depth), element, f"{columns}x{depth}"),
            "c": (normal(rows, columns) * 4, element, f"?x{columns}"),
            "bias": (normal(columns) * 4, element, f"{columns}"),
            "gate": (normal(rows, columns), element, f"?x{columns}"),
        },
        body.replace("ELEMENT", element),
        lambda x: {"c": (x["a"] @ x["w"].T + x["bias"]) * x["gate"] + x["c"]},
        attention.TOLERANCE[element],
    )


def attend(folder, *arguments, **more):
    c = attention.case(*arguments, **more)
    kernel = attention.Kernel(c, folder)
    arrays = attention.inputs(c)
    operands = attention.operands(c)
    known = [launches.to_bits(arrays[name], kind) for name, _, kind in operands]
    types = [kind for _, _, kind in operands]
    if c["span"]:
        known.append(np.array(c["span"], np.int32))
        known.append(np.full(attention.scratch_bytes(c), 0xFF, np.uint8))
    with open(f"{folder}/nax_kernels.ptx") as file:
        ptx = file.read()
    wanted = {[name for name, _, _ in operands].index("o"): attention.reference(c, arrays)}
    return Case(kernel.host, ptx, known, types, wanted, attention.TOLERANCE[c["element"]])


def norm(folder, element, rows, width, kind):
    def reference(x):
        centred = x["x"] - (x["x"].mean(1, keepdims=True) if kind == "layer" else 0)
        size = np.sqrt((centred**2).mean(1, keepdims=True) + 1e-5)
        return {"y": centred / size * x["g"]}

    return function(
        folder,
        {
            "x": (normal(rows, width) + 1, element, f"?x{width}"),
            "g": (normal(width), element, f"{width}"),
            "y": (np.full((rows, width), np.nan), element, f"?x{width}"),
        },
        f'  nax.kernel.norm "{kind}" %x, %g into %y eps 1.0e-05 : {{x}}, {{g}}, {{y}}\n',
        reference,
        attention.TOLERANCE[element],
    )


MAPS = """
#all = affine_map<(t, c) -> (t, c)>
#row = affine_map<(t, c) -> (t)>
#column = affine_map<(t, c) -> (c)>
#turned = affine_map<(t, c) -> (c, t)>
"""


def loops(folder, operands, maps, kinds, ins, outs, block, reference, bound=2e-6):
    """One linalg.generic; `block` are its arguments and its lines."""
    names = lambda some: ", ".join(f"%{name}" for name in some)
    types = lambda some: ", ".join(f"{{{name}}}" for name in some)
    body = (
        f"  linalg.generic {{{{indexing_maps = [{maps}], iterator_types = [{kinds}]}}}}\n"
        f"      ins({names(ins)} : {types(ins)}) outs({names(outs)} : {types(outs)}) {{{{\n"
        f"  ^bb0({block[0]}):\n{block[1]}  }}}}\n"
    )
    return function(folder, operands, body, reference, bound, MAPS)


PARALLEL, REDUCTION = '"parallel", "parallel"', '"parallel", "reduction"'


def row_sums(folder, rows, width, sizes):
    return loops(
        folder,
        {
            "x": (normal(rows, width), "f32", sizes),
            "y": (np.arange(rows), "f32", "?"),
        },
        "#all, #row",
        REDUCTION,
        ["x"],
        ["y"],
        (
            "%v: f32, %o: f32",
            "    %r = arith.addf %o, %v : f32\n    linalg.yield %r : f32\n",
        ),
        lambda x: {"y": x["y"] + x["x"].sum(1)},
        1e-5,
    )


def largest(folder):
    return loops(
        folder,
        {
            "x": (normal(3, 4096), "f32", "?x4096"),
            "best": (np.full(3, -np.inf), "f32", "?"),
            "at": (np.zeros(3), "i32", "?"),
        },
        "#all, #row, #row",
        REDUCTION,
        ["x"],
        ["best", "at"],
        (
            "%v: f32, %b: f32, %p: i32",
            """    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i32
    %more = arith.cmpf ogt, %v, %b : f32
    %value = arith.select %more, %v, %b : f32
    %place = arith.select %more, %j, %p : i32
    linalg.yield %value, %place : f32, i32
""",
        ),
        lambda x: {"best": x["x"].max(1), "at": x["x"].argmax(1)},
    )


def bias(folder):
    return loops(
        folder,
        {
            "add": (normal(8), "f32", "8"),
            "x": (normal(133, 8), "f32", "?x8"),
        },
        "#column, #all",
        PARALLEL,
        ["add"],
        ["x"],
        (
            "%b: f32, %o: f32",
            "    %s = arith.addf %b, %o : f32\n    linalg.yield %s : f32\n",
        ),
        lambda x: {"x": x["x"] + x["add"]},
    )


def turn(folder):
    return loops(
        folder,
        {
            "x": (normal(101, 3), "bf16", "?x3"),
            "y": (np.full((3, 101), np.nan), "f32", "3x?"),
        },
        "#turned, #all",
        PARALLEL,
        ["x"],
        ["y"],
        (
            "%a: bf16, %o: f32",
            "    %s = arith.extf %a : bf16 to f32\n    linalg.yield %s : f32\n",
        ),
        lambda x: {"y": x["x"].T},
    )


def gather(folder):
    ids = np.array([4, 0, 2, 2, 1, 3, 4])
    return loops(
        folder,
        {
            "ids": (ids, "i32", "?"),
            "y": (np.full((7, 20), np.nan), "f32", "?x20"),
            "table": (normal(5, 20), "f32", "5x20"),
        },
        "#row, #all",
        PARALLEL,
        ["ids"],
        ["y"],
        (
            "%id: i32, %o: f32",
            """    %i = arith.index_cast %id : i32 to index
    %c = linalg.index 1 : index
    %v = memref.load %table[%i, %c] : memref<5x20xf32>
    linalg.yield %v : f32
""",
        ),
        lambda x: {"y": x["table"][ids]},
    )


SPAN = [(150, 151), (20, 22)]
SHORT = [(40, 41), (21, 24)]
CASES = {
    "dot-bf16": lambda at: dot(at, "bf16", 70, 72, 1100),
    "dot-bf16-few": lambda at: dot(at, "bf16", 5, 72, 1100),
    "dot-f32": lambda at: dot(at, "f32", 70, 36, 200),
    "dot-f32-few": lambda at: dot(at, "f32", 5, 36, 300),
    "dot-tf32": lambda at: dot(at, "tf32", 70, 72, 300),
    "dot-epilogue": lambda at: dot_epilogue(at, "bf16", 70, 72, 64),
    "dot-epilogue-few": lambda at: dot_epilogue(at, "bf16", 5, 72, 576),
    "tiles": lambda at: attend(at, "bf16", [1, 1, 2, 100, 100, 32, 32], causal=True),
    "tiles-f32": lambda at: attend(at, "f32", [1, 1, 2, 40, 40, 16, 16], causal=True),
    "tiles-tf32": lambda at: attend(at, "tf32", [1, 1, 2, 100, 100, 32, 32], causal=True),
    "panels": lambda at: attend(at, "bf16", [1, 1, 1, 20, 20, 16, 72], causal=True),
    "window": lambda at: attend(
        at, "bf16", [1, 1, 1, 70, 70, 16, 16], causal=True, mask=["window", 9], cap=2.0
    ),
    "lengths": lambda at: attend(
        at,
        "bf16",
        [2, 1, 1, 9, 40, 16, 16],
        mask=["less_than", 0],
        extras=[("b", "i32", attention.fixed([33, 5]))],
    ),
    "cached": lambda at: attend(
        at, "bf16", [2, 1, 2, 3, 3, 32, 32, 200], causal=True, span=SPAN
    ),
    "ring": lambda at: attend(
        at,
        "bf16",
        [2, 1, 2, 3, 3, 32, 32, 16],
        causal=True,
        mask=["window", 16],
        span=SHORT,
    ),
    "rope": lambda at: attend(
        at,
        "bf16",
        [1, 1, 2, 70, 70, 32, 32],
        causal=True,
        rope=("halves", "t", range(70)),
    ),
    "rope-units": lambda at: attend(
        at,
        "f32",
        [2, 1, 4, 3, 3, 32, 32, 200],
        causal=True,
        span=SPAN,
        rope=("interleaved", "bt", [start + np.arange(3) for start, _ in SPAN]),
    ),
    "layer-norm": lambda at: norm(at, "f32", 5, 70, "layer"),
    "rms-norm": lambda at: norm(at, "bf16", 2, 4096, "rms"),
    "sum-warp": lambda at: row_sums(at, 5, 96, "?x96"),
    "sum-block": lambda at: row_sums(at, 3, 501, "?x?"),
    "argmax": largest,
    "bias": bias,
    "turn": turn,
    "gather": gather,
}
