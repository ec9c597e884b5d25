# SPDX-License-Identifier: Apache-2.0
"""Epilogues of a dot on the emulator: numbers, and a row's bits in each kernel.

    dot_epilogue.py FOLDER [CASE...]
"""

import math
import os
import subprocess
import sys

import numpy as np

import launches

WIDE = {"f32": "", "f16": "extf", "bf16": "extf", "i32": "sitofp", "i8": "uitofp"}
ERF = np.vectorize(math.erf)

# Of f32 %s into %y; the arguments and what is loaded beside, as f32, are %x0, %x1.
GELU = """
  %d = arith.extf %s : f32 to f64
  %root = arith.constant 0.70710678118654752 : f64
  %half = arith.constant 0.5 : f64
  %q = arith.mulf %d, %root : f64
  %e = math.erf %q : f64
  %h = arith.mulf %d, %half : f64
  %g = arith.mulf %h, %e : f64
  %t = arith.addf %g, %h : f64
  %y = arith.truncf %t : f64 to f32
"""
BIAS_GELU = "  %s = arith.addf %sum, %x0 : f32" + GELU
SILU = """
  %d = arith.extf %x0 : f32 to f64
  %one = arith.constant 1.0 : f64
  %n = arith.negf %d : f64
  %e = math.exp %n : f64
  %b = arith.addf %e, %one : f64
  %q = arith.divf %d, %b : f64
  %g = arith.truncf %q : f64 to f32
  %y = arith.mulf %g, %sum : f32
"""
ADD = "  %y = arith.addf %sum, %x0 : f32\n"
# Where a number is 0 the sum is left out.
MASKED = """
  %z = arith.constant 0.0 : f32
  %p = arith.cmpf une, %x0, %z : f32
  %k = arith.select %p, %sum, %z : f32
  %y = arith.addf %k, %x1 : f32
"""
ALL = BIAS_GELU.replace("%y", "%act") + """
  %m = arith.mulf %act, %x1 : f32
  %y = arith.addf %m, %x2 : f32
"""


def gelu(x):
    return 0.5 * x * (1 + ERF(x / math.sqrt(2)))


# Element, result, K, N, rows, extras (element and rank, or "c": the result itself),
# the body, the same of numpy; by how many elements rows of the result and of extras of
# rank 2 lie further apart than they are long. The last number of rows is compared with
# f64, the others are its first rows.
CASES = {
    "bias, bf16": ("bf16", "bf16", 64, 130, [1, 2, 15, 16, 17, 65], [("bf16", 1)], ADD, np.add, 0),
    "bias of f32, bf16": ("bf16", "bf16", 72, 192, [2, 63], [("f32", 1)], ADD, np.add, 0),
    "bias and gelu, f32": ("f32", "f32", 36, 192, [1, 15, 64, 129], [("f32", 1)], BIAS_GELU,
                           lambda s, b: gelu(s + b), 0),
    "bias and gelu, f16": ("f16", "f16", 40, 64, [16, 63], [("f16", 1)], BIAS_GELU,
                           lambda s, b: gelu(s + b), 0),
    "residual, f16, odd": ("f16", "f16", 67, 33, [2, 16, 63], [("f16", 2)], ADD, np.add, 0),
    "residual, f32, odd": ("f32", "f32", 300, 45, [3, 65], [("f32", 2)], ADD, np.add, 0),
    "residual in place, bf16": ("bf16", "bf16", 576, 576, [1, 16, 17, 65], ["c"], ADD, np.add, 0),
    "residual in place, f32": ("f32", "f32", 300, 192, [1, 17, 64], ["c"], ADD, np.add, 0),
    "residual in place, odd": ("bf16", "bf16", 72, 195, [15, 65], ["c"], ADD, np.add, 0),
    "gate, bf16": ("bf16", "bf16", 64, 576, [1, 17, 129], [("bf16", 2)], SILU,
                   lambda s, g: g / (1 + np.exp(-g)) * s, 0),
    "gate, tf32": ("tf32", "f32", 40, 130, [2, 65], [("f32", 2)], SILU,
                   lambda s, g: g / (1 + np.exp(-g)) * s, 0),
    "mask of bytes, residual of f32 in place": (
        "bf16", "f32", 64, 96, [16, 70], [("i8", 2), "c"], MASKED,
        lambda s, m, r: np.where(m != 0, s, 0) + r, 0),
    "all, large": ("bf16", "bf16", 64, 1024, [16, 64, 1025], [("f32", 1), ("bf16", 2), "c"], ALL,
                   lambda s, b, g, r: gelu(s + b) * g + r, 0),
    "rows of 8 more": ("bf16", "bf16", 72, 64, [1, 70], [("bf16", 1), ("bf16", 2), "c"], ALL,
                       lambda s, b, g, r: gelu(s + b) * g + r, 8),
    "rows of 2 more": ("bf16", "bf16", 72, 64, [1, 70], [("bf16", 1), ("bf16", 2), "c"], ALL,
                       lambda s, b, g, r: gelu(s + b) * g + r, 2),
    "without one, rows of 2 more": ("f16", "f32", 72, 64, [1, 70], [], None, lambda s: s, 2),
}


class Case:
    def __init__(self, name, folder):
        self.kind, self.result, k, n, *others = CASES[name]
        self.rows, self.extras, self.body, self.formula, self.more = others
        self.element, self.n, self.folder = launches.stored(self.kind), n, folder
        generator = np.random.default_rng(len(name))

        def made(element, *shape):
            if element == "i8":
                return generator.integers(0, 3, shape).astype(np.uint8)
            return launches.to_bits(generator.standard_normal(shape).astype(np.float32), element)

        most = self.rows[-1]
        self.a, self.w = made(self.element, most, k), made(self.element, n, k)
        self.c = made(self.result, most, n + self.more)
        self.data = [
            made(e[0], *([n] if e[1] == 1 else [most, n + self.more]))
            for e in self.extras
            if e != "c"
        ]

    def typed(self, element, rows, columns, more=0, is_open=False):
        """A memref; its rows lie `more` elements further apart."""
        sizes = f"{'?' if is_open else rows}x{columns}x" if rows else f"{columns}x"
        layout = f", strided<[{columns + more}, 1]>" if more and rows else ""
        return f"memref<{sizes}{element}{layout}>"

    def text(self, m):
        operands = [
            ("a", self.element, m, self.a.shape[1], 0),
            ("w", self.element, self.n, self.a.shape[1], 0),
            ("c", self.result, m, self.n, self.more),
        ]
        named, inside = [], ["%sum: f32"]
        for i, extra in enumerate(self.extras):
            name = "c" if extra == "c" else f"e{i}"
            if extra != "c":
                operands.append((name, extra[0], m if extra[1] == 2 else 0, self.n, self.more))
            element = self.result if extra == "c" else extra[0]
            named.append((f"%{name}", name))
            inside.append(f"%v{i}: {element}")
        types, casts, arguments = {}, "", []
        for name, element, rows, columns, more in operands:
            fixed = self.typed(element, rows, columns, more)
            types[name] = self.typed(element, rows, columns, more, name != "w")
            arguments.append(f"%{name}_: {fixed}")
            casts += f"  %{name} = memref.cast %{name}_ : {fixed} to {types[name]}\n"
        epilogue = self.epilogue(inside) if self.body else ""
        if epilogue:
            names = ", ".join(name for name, _ in named)
            kinds = ", ".join(types[name] for _, name in named)
            epilogue = f"epilogue({names} : {kinds}) {{\n{epilogue}}}"
        return (
            f"func.func @f({', '.join(arguments)}) {{\n{casts}"
            f"  nax.kernel.dot %a, %w into %c {epilogue}"
            f" : {types['a']}, {types['w']}, {types['c']}\n  return\n}}\n"
        )

    def epilogue(self, inside):
        lines = f"^bb0({', '.join(inside)}):\n"
        body = self.body
        for i, argument in enumerate(inside[1:]):
            value, element = argument.split(": ")
            if WIDE[element]:
                lines += f"  %x{i} = arith.{WIDE[element]} {value} : {element} to f32\n"
            else:
                body = body.replace(f"%x{i}", value)
        if self.result == "f32":
            return lines + body + "  nax.yield %y : f32\n"
        return lines + body + (
            f"  %o = arith.truncf %y : f32 to {self.result}\n  nax.yield %o : {self.result}\n"
        )

    def run(self, m):
        """The bits of the first `m` rows."""
        with open(f"{self.folder}/dot.mlir", "w") as file:
            file.write(self.text(m))
        command = ["nax-opt", f"{self.folder}/dot.mlir", launches.kernels_pass(self.kind)]
        command += [f"--nax-gpu-to-ptx=dir={self.folder}", "--canonicalize"]
        host = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        arrays = [self.a[:m], self.w, self.c[:m].copy()]
        arrays += [x if x.ndim == 1 else x[:m] for x in self.data]
        if not launches.run(host, f"{self.folder}/nax_kernels.ptx", arrays, self.folder):
            sys.exit(1)
        if not np.array_equal(arrays[2][:, self.n :], self.c[:m, self.n :]):
            sys.exit("elements between rows are written")
        return arrays[2][:, : self.n]

    def wanted(self):
        numbers = lambda bits, element: launches.from_bits(bits, element).astype(float)
        a, w = (
            launches.factors(launches.from_bits(x, self.element), self.kind)
            for x in (self.a, self.w)
        )
        data, operands = iter(self.data), []
        for extra in self.extras:
            bits = self.c if extra == "c" else next(data)
            operands.append(numbers(bits, self.result if extra == "c" else extra[0])[..., : self.n])
        return self.formula(a @ w.T, *operands)


def main():
    folder, *chosen = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    for name in chosen or CASES:
        case = Case(name, folder)
        bits = case.run(case.rows[-1])
        wanted = case.wanted()
        error = np.abs(launches.from_bits(bits, case.result) - wanted).max() / np.abs(wanted).max()
        bound = {"f32": 1e-6, "f16": 1e-3, "bf16": 5e-3}[case.result]
        same = all(np.array_equal(case.run(m), bits[:m]) for m in case.rows[:-1])
        print(
            f"{name}:",
            f"within {bound}," if error <= bound else f"{error},",
            f"{'the same bits' if same else 'other bits'} with other rows",
            flush=True,
        )


if __name__ == "__main__":
    main()
