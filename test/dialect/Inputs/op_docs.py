# SPDX-License-Identifier: Apache-2.0
"""What the documentation of nax's operations says, held against the tests.

    op_docs.py examples DOC           a module with each example as a function
    op_docs.py errors DOC FOLDER      lists operations whose documentation has
                                      another number of errors than there are
                                      expected-error lines in FOLDER

DOC is the output of mlir-tblgen -gen-op-doc.
"""

import pathlib
import re
import sys

# Axes that examples use without declaring them.
PRELUDE = """\
#B = #nax.axis<"B">
#C = #nax.axis<"C", 8>
#D = #nax.axis<"D", 4>
#F = #nax.axis<"F", 32>
#G = #nax.axis<"G", 3>
#K = #nax.axis<"K", 2>
#H = #nax.axis<"H" = #K * #G>
#QKV = #nax.axis<"QKV" = #H + #K>
#V = #nax.axis<"V", 16>
#P = #nax.axis<"P", positions>
#R = #nax.axis<"R", positions, ragged>
#T = #nax.axis<"T", causal>
#N = #nax.axis<"N", causal, continued>
#N_span = #nax.axis<"N.span", 2>
#N_cache = #nax.axis<"N.cache">
#ReadN = #nax.axis<read #N>
#Z = #nax.axis<"Z", causal, packed>
#ReadP = #nax.axis<read #P>
#ReadZ = #nax.axis<read #Z>
#ReadT = #nax.axis<read #T>
#NextT = #nax.axis<next #T>
#rope = #nax.rope<base = 1.0e+04, pairing = halves, scaling = 1.0, dims = 0>
"""


# On memrefs, with tests of their own.
KERNELS = re.compile(r"nax\.(kernel\..*|launch|parallel|phases|done|yield)")


def sections(doc):
    """Pairs of an operation's name and its text, without those on memrefs."""
    parts = re.split(r"^### `(nax\.[\w.]+)`.*$", doc, flags=re.M)
    for name, text in zip(parts[1::2], parts[2::2]):
        if not KERNELS.fullmatch(name):
            yield name, text


def split_types(text):
    """The types of a list, split at commas that no bracket holds."""
    types, depth, start = [], 0, 0
    for i, c in enumerate(text):
        if c in "<[(":
            depth += 1
        elif c in ">])" and text[i - 1 : i + 1] != "->":
            depth -= 1
        elif c == "," and depth == 0:
            types.append(text[start:i].strip())
            start = i + 1
    last = text[start:].strip()
    return types + [last] if last else types


def function(name, line):
    """A function around one line of an example, with its operands as arguments."""
    body, _, types = line.partition(" : ")
    operands = re.findall(r"%\w+", body.split("=", 1)[1])
    if types.startswith("("):
        given = split_types(types[1 : types.rindex(") ->")])
    else:
        given = [types] * len(operands)
    assert len(given) == len(operands), line
    arguments = ", ".join(f"{o}: {t}" for o, t in zip(operands, given))
    return f"func.func @{name}({arguments}) {{\n  {line}\n  return\n}}\n"


def examples(doc):
    yield PRELUDE
    for name, text in sections(doc):
        lines = [
            line
            for block in re.findall(r"```mlir\n(.*?)```", text, flags=re.S)
            for line in block.splitlines()
            if line.strip()
        ]
        if not lines:
            sys.exit(f"{name} has no example")
        for i, line in enumerate(lines):
            yield function(f"{name.replace('.', '_')}_{i}", line.strip())


def errors(doc, folder):
    tests = "".join(p.read_text() for p in sorted(folder.glob("*-invalid.mlir")))
    for name, text in sections(doc):
        listed = text.split("**Errors**", 1)[-1].split("Traits:")[0]
        said = len(re.findall(r"^- ", listed, flags=re.M))
        tested = tests.count("{{'" + name + "' op ")
        if said != tested or said == 0:
            yield f"{name}: {said} errors in the documentation, {tested} in tests\n"


if __name__ == "__main__":
    doc = pathlib.Path(sys.argv[2]).read_text()
    if sys.argv[1] == "examples":
        sys.stdout.writelines(examples(doc))
    else:
        lines = list(errors(doc, pathlib.Path(sys.argv[3])))
        sys.stdout.writelines(lines)
        sys.exit(bool(lines))
