# SPDX-License-Identifier: Apache-2.0
"""Steps that are a little wrong do not pass: each fault is planted in the IR of a step, and a probe has to notice it.

    python3 test/run/decode/mutations.py [NAXC]

The IR is that of stage linalg, where a step's positions, what it appends to its caches and what attention reads stand side by
side. Only functions of steps are changed; the entry of the whole sequence stays right.
"""
import os, re, sys, tempfile
import numpy as np
import steps
import nax_call

HERE = os.path.dirname(os.path.abspath(__file__))
KINDS = ["causal", "windowed", "learned", "packed", "latest"]
B, T, C, BAR = 3, 23, 24, 1e-5
g = np.random.default_rng(4)
x = g.standard_normal((B, T, C)).astype(np.float32)
documents = np.cumsum(g.random((B, T)) < 0.15, 1).astype(np.int32)

POSITION = r"(%\w+) = arith\.addi (%\w+), (%\w+) : index\n(\s+)(%\w+) = arith\.index_cast \1 : index to i32"
SPAN = r"(%\w+ = memref\.load %\w+\[%\w+), %c0\](?= : memref<\?x2xi32>)"
SLOT = r"(%\w+) = arith\.remui (%\w+), (%arg\d+) : index(?=\n\s+(?:scf\.for|%\w+ = memref\.load %[a-z]))"
FIRST = r"(%\w+ = arith\.maxsi %\w+), %c0 : index(?=\n\s+scf\.for)"
STORE = r"(\n\s+)(memref\.store %\w+, %collapse\w*\[%\w+, %\w+), (%arg\d+)\]"
APPEND = r"(    nax\.kernel\.attention\([^\n]*\n)((?:    %collapse[^\n]*\n|    scf\.for (?:[^\n]*\n)(?:     [^\n]*\n)*    }\n)+)"
ATTENTION = r"(nax\.kernel\.attention[^\n]*)"


def on_attention(pattern, replacement):
    return lambda text: re.sub(ATTENTION, lambda m: re.sub(pattern, replacement, m.group(1)), text)


def first(pattern, replacement):
    return lambda text: re.sub(pattern, replacement, text, count=1)


def every(pattern, replacement):
    return lambda text: re.sub(pattern, replacement, text)


# (what is wrong, which entry, how)
FAULTS = [
    ("positions are one ahead", "learned", first(POSITION, r"%ahead = arith.addi \2, \3 : index\n\4\1 = arith.addi %ahead, %c1 : index\n"
                                                          r"\4\5 = arith.index_cast \1 : index to i32")),
    ("every chunk begins at position 0", "causal", first(POSITION, r"\1 = arith.addi %c0, \3 : index\n\4\5 = arith.index_cast \1 : index to i32")),
    ("positions grow twice", "causal", first(POSITION, r"%twice = arith.addi \2, \2 : index\n\4\1 = arith.addi %twice, \3 : index\n"
                                                       r"\4\5 = arith.index_cast \1 : index to i32")),
    ("positions count from the end", "causal", first(SPAN, r"\1, %c1]")),
    ("the window reads one more", "windowed", on_attention(r'\["window", 5\]', '["window", 6]')),
    ("the window reads one less", "windowed", on_attention(r'\["window", 5\]', '["window", 4]')),
    ("no window", "windowed", on_attention(r'mask = \["window", 5\], ', "")),
    ("the ring begins one slot further", "windowed", every(SLOT, r"%further = arith.addi \2, %c1 : index\n\1 = arith.remui %further, \3 : index")),
    ("appended before it is read", "windowed", every(APPEND, r"\2\1")),
    ("the first new position is not kept", "causal", every(FIRST, r"\1, %c1 : index")),
    ("heads of the cache lie the other way round", "causal",
     every(STORE, r"\1%eight = arith.constant 8 : index\1%near = arith.xori \3, %eight : index\1\2, %near]")),
    ("all rows are where the first one is", "causal", every(r"(memref\.load %\w+)\[%arg\d+, (%c[01])\](?= : memref<\?x2xi32>)", r"\1[%c0, \2]")),
    ("keys for values", "causal", on_attention(r"cached\((%\w+), (%\w+),", r"cached(\2, \1,")),
    ("new positions read later ones", "causal", on_attention(r"\{causal, ", "{")),
    ("all documents are one", "packed",
     on_attention(r' extras\([^)]*\)|: 1, -1(?=>)|(?<=extra_maps = \[)[^]]*|mask = \["same", 0\], ', "")),
    ("documents are not kept", "packed", every(FIRST, r"\1, %c1 : index")),
    ("the last place of the chunk, not of the row", "latest",
     first(r"(%\w+ = arith\.cmpi ugt, %\w+, %c0 : index\n\s+%\w+ = arith\.subi) %\w+, %c1", r"\1 %arg3, %c1")),
]


def stage(naxc, entries):
    """The IR of a model that has each of these entries, a pair (name, what it is one more of)."""
    with open(os.path.join(HERE, "Inputs", "attention.cpp")) as f:
        source = f.read()
    # Behind the functions that they call, whose results are deduced.
    begin, end = source.index("NAX_MODEL"), source.index("  // What it reads of y")
    axis = {"packed": "Tp"}
    functions = "".join(f"  auto {name}(Tensor<f32, B, {axis.get(of, 'T')}, C> x) const {{ return {of}(x); }}\n"
                        for name, of in entries)
    source = source[:end] + functions + source[end:begin] + \
        f"NAX_MODEL(attention, Attention, {', '.join(f'({name}, (x), (out))' for name, _ in entries)});\n"
    with tempfile.NamedTemporaryFile("w", suffix=".cpp") as f:
        f.write(source)
        f.flush()
        return nax_call.run([naxc, f.name, "--decode=" + ",".join(name for name, _ in entries), "--emit=linalg", *nax_call.levels([])])


def planted(ir, entry, change):
    begin = ir.index(f"func.func @{entry}_step.body")
    end = ir.index("\n  }\n", begin)
    changed = change(ir[begin:end])
    if changed == ir[begin:end]:
        sys.exit("the fault has no place in the IR any more")
    return ir[:begin] + changed + ir[end:]


def noticed(model, params, entry, of):
    """Which probes the step of an entry does not pass."""
    inputs, axis = ({"x": x, "Tp_documents": documents}, "Tp") if of == "packed" else ({"x": x}, "T")
    lengths = [T] * B
    ragged = steps.ragged([T, 9, 17], np.random.default_rng(2))

    def run(schedule, before=None, rows=slice(None)):
        values = {n: v[rows] for n, v in inputs.items()}
        return steps.run(model.cache(entry, B=len(values["x"]), **{axis: T}), params, values, schedule, before=before)["out"]

    whole = {n: model.call(entry, params, **{k: v[:, :n] for k, v in inputs.items()})["out"] for n in range(1, T + 1)}
    found = []
    for name, schedule in {"whole": steps.whole(lengths), "steps": steps.ones(lengths), "chunks": steps.odd(lengths, [6, 1, 9, 2]),
                           "rows of their own": ragged}.items():
        got = run(schedule)
        worst = 0.0
        for b, row in enumerate(got):
            ends = np.cumsum([counts[b] for _, counts in schedule])
            real = np.array([counts[b] for _, counts in schedule]) > 0
            want = whole[T][b, :len(row)] if of != "latest" else np.stack([whole[max(1, n)][b] for n in ends])
            if of == "latest":
                row, want = row[real], want[real]
            worst = max(worst, steps.apart(row, want))
        found += [name] if not worst <= BAR else []
    right = run(ragged)
    if not steps.same(run(ragged, before=steps.poison(np.nan)), right):
        found.append("unused slots")
    if not all(steps.same(run(steps.alone(ragged, b), rows=slice(b, b + 1))[0][:9], right[b][:9]) for b in range(B)
               if of != "latest"):
        found.append("a row alone")
    return found


def main():
    naxc = nax_call.find_naxc((sys.argv[1:] or ["naxc"])[0])
    right = [(f"right_{of}", of) for of in KINDS]
    wrong = [(f"wrong_{n}", of) for n, (_, of, _) in enumerate(FAULTS)]
    ir = stage(naxc, right + wrong)
    for (name, _), (_, _, change) in zip(wrong, FAULTS):
        ir = planted(ir, name, change)
    model = nax_call.compile(ir, "attention", naxc, ending=".mlir")
    params = model.params({n: g.standard_normal(shape) / np.sqrt(C) for n, shape in model.param_shapes().items()})
    for name, of in right:
        found = noticed(model, params, name, of)
        assert not found, f"{of} without a fault: {found}"
    print("without a fault: nothing noticed", flush=True)
    missed = []
    for (name, of), (what, _, _) in zip(wrong, FAULTS):
        try:
            found = noticed(model, params, name, of)
        except nax_call.Error as error:
            found = [f"refused ({error})"]
        print(f"{what}: {', '.join(found) or 'NOT NOTICED'}", flush=True)
        missed += [] if found else [what]
    if missed:
        sys.exit(f"not noticed: {', '.join(missed)}")


if __name__ == "__main__":
    main()
