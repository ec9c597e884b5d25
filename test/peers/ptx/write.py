# SPDX-License-Identifier: Apache-2.0
"""Writes test/nvemu/arithmetic/*.ptx: `write.py [--check] [FOLDER]`.

Each test is a kernel of many instructions, one thread a column of inputs, and beside each instruction what it must
give. The numbers are computed here, from the formulas of the PTX ISA on integers and exact fractions, and by nothing of
nvemu. --check writes nothing and says which files would differ.
"""
import os
import re
import sys

import families_convert
import families_float
import families_half
import families_integer
import families_bits
import numbers_of_ptx as numbers

HERE = os.path.dirname(os.path.abspath(__file__))
REGISTERS = {8: "%r", 16: "%h", 32: "%r", 64: "%x"}


def bits_of(kind):
    return numbers.FORMATS[kind][2] if kind in numbers.FORMATS else 1 if kind == "pred" else int(kind[1:])


def show(kind, value):
    """A number as `nvemu --print` shows it."""
    if kind in numbers.FORMATS:
        if value != value:
            return "nan"
        return f"{value:.17g}" if kind == "f64" else f"{value:.9g}"
    if kind[0] == "f" or kind == "pred":
        raise ValueError(kind)
    value &= (1 << bits_of(kind)) - 1
    if kind[0] == "b":
        return f"0x{value:0{bits_of(kind) // 4}x}"
    return str(value - (1 << bits_of(kind)) if kind[0] == "s" and value >> (bits_of(kind) - 1) else value)


def given(kind, value):
    """An input as the command line takes it, and as the formulas take it."""
    if kind in numbers.FORMATS:
        value = float(value)
        text = repr(value).removesuffix(".0")
        if value == value and abs(value) != float("inf"):
            value = numbers.rounded(kind, numbers.Fraction(value), "n", str(value).startswith("-"))
        return text, value
    if kind[0] == "b":
        return f"0x{value & (1 << bits_of(kind)) - 1:x}", value & (1 << bits_of(kind)) - 1
    return str(value), value


def word(kind):
    """A type of the command line."""
    return "u32" if kind == "pred" else kind.replace("s", "i") if kind[0] == "s" else kind


class Family:
    def __init__(self, name, title, inputs, rows, target="sm_80", version="8.0"):
        self.name, self.title, self.rows = name, title, rows
        self.target, self.version = target, version
        self.inputs = [(letter, kind, [given(kind, v) for v in values]) for letter, kind, values in inputs]
        self.columns = len(self.inputs[0][2])
        assert all(len(values) == self.columns for _, _, values in self.inputs), name

    def names(self):
        """A parameter for each instruction, called like it."""
        seen = {}
        for _, text, _ in self.rows:
            name = re.sub(r"[^\w]+", "_", text.split(";")[-2 if text.endswith(";") else -1].split()[0])
            seen[name] = seen.get(name, 0) + 1
            yield name if seen[name] == 1 else f"{name}_{seen[name]}"

    def expected(self, kind, formula):
        columns = zip(*[[value for _, value in values] for _, _, values in self.inputs])
        show_kind = "u32" if kind == "pred" else kind
        return " ".join(show(show_kind, formula(*column)) for column in columns)

    def head(self, names):
        outputs = range(len(self.inputs), len(self.inputs) + len(self.rows))
        words = [f"{word(kind)}[{self.columns}]:{','.join(text for text, _ in values)}" for _, kind, values in self.inputs]
        words += [f"{word(kind)}[{self.columns}]:uninit" for kind, _, _ in self.rows]
        words = [f"--print {n}" for n in outputs] + words
        lines = [f"nvemu %s --block {self.columns}"]
        for each in words:
            if len(lines[-1]) + len(each) > 105:
                lines.append(" ")
            lines[-1] += " " + each
        lines.append("  | FileCheck --match-full-lines %s")
        yield f"// {self.title}"
        yield "// Numbers by test/peers/ptx/write.py."
        for at, line in enumerate(lines):
            yield f"// RUN: {line}" + (" \\" if at + 1 < len(lines) else "")
        yield ""
        yield from (f".version {self.version}", f".target {self.target}", ".address_size 64", "")
        parameters = [letter for letter, _, _ in self.inputs] + names
        yield f".visible .entry k("
        for at, name in enumerate(parameters):
            yield f"\t.param .u64 {name}" + ("," if at + 1 < len(parameters) else "")
        yield ")"

    def text(self):
        names = list(self.names())
        yield from self.head(names)
        yield "{"
        yield "\t.reg .pred %p, %q, %s;"
        yield "\t.reg .b16 %h, %i, %j;"
        yield "\t.reg .b32 %r, %t, %u, %v, %w, %n;"
        yield "\t.reg .b64 %x, %y, %z, %at, %off<9>;"
        for letter, kind, _ in self.inputs:
            yield f"\t.reg .b{bits_of(kind)} %{letter};"
        yield ""
        yield "\tmov.u32 %n, %tid.x;"
        sizes = {max(bits_of(kind), 8) // 8 if kind != "pred" else 4 for kind in self.kinds()}
        for size in sorted(sizes):
            yield f"\tmul.wide.u32 %off{size}, %n, {size};"
        for letter, kind, _ in self.inputs:
            yield from self.address(letter, bits_of(kind) // 8)
            yield f"\tld.global.b{bits_of(kind)} %{letter}, [%at];"
        for at, ((kind, text, formula), name) in enumerate(zip(self.rows, names)):
            yield ""
            check = "CHECK:     " if at == 0 else "CHECK-NEXT:"
            yield f"\t// {check} arg{len(self.inputs) + at}: {self.expected(kind, formula)}"
            bits = 32 if kind == "pred" else bits_of(kind)
            register = REGISTERS[bits]
            for line in text.replace("{d}", "%p" if kind == "pred" else register).split(";"):
                if line.strip():
                    yield f"\t{line.strip()};"
            if kind == "pred":
                yield f"\tselp.u32 {register}, 1, 0, %p;"
            yield from self.address(name, bits // 8)
            yield f"\tst.global.b{bits} [%at], {register};"
        yield ""
        yield "\tret;"
        yield "}"

    def kinds(self):
        return [kind for _, kind, _ in self.inputs] + [kind for kind, _, _ in self.rows]

    def address(self, name, size):
        yield f"\tld.param.u64 %at, [{name}];"
        yield f"\tadd.s64 %at, %at, %off{size};"


def main(arguments):
    check = "--check" in arguments
    folders = [each for each in arguments if each != "--check"]
    folder = folders[0] if folders else os.path.join(HERE, "../../nvemu/arithmetic")
    os.makedirs(folder, exist_ok=True)
    different = []
    for module in (families_integer, families_bits, families_float, families_half, families_convert):
        for arguments in module.FAMILIES:
            family = Family(**arguments)
            text = "\n".join(family.text()) + "\n"
            path = os.path.join(folder, family.name + ".ptx")
            old = open(path).read() if os.path.exists(path) else ""
            if check and old != text:
                different.append(family.name)
            elif not check:
                with open(path, "w") as file:
                    file.write(text)
    print("\n".join(f"{name}.ptx differs" for name in different) or "as written")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
