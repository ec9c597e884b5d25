# SPDX-License-Identifier: Apache-2.0
"""Packed parameters: what opens, from where it is read, and what is refused: packed.py LIBRARY FOLDER"""

import ctypes
import os
import shutil
import sys
from pathlib import Path

import numpy as np

import formats
import naxrt

ANY, V2 = 0, 2
AXES = {"N": 40, "K": 512, "H": 3, "D": 5}
PARAMS = [("q8", "f32", ["N", "K"]), ("q4", "f32", ["N", "K"]), ("q41", "f32", ["N", "K"]), ("q4k", "f32", ["N", "K"]),
          ("q6k", "f32", ["N", "K"]), ("tied", "f32", ["N", "K"]), ("odd", "f32", ["H", "D"]), ("half", "f16", ["H", "D"]),
          ("wide", "f64", ["D"])]
KINDS = ["Q8_0", "Q4_0", "Q4_1", "Q4_K", "Q6_K", "F32", "BF16", "F16", "F32"]


def slots(nr, odd):
    """Panels of nr columns; the last but one slot holds `odd`."""
    panels = [(i, nr, [0], [1], kind) for i, kind in enumerate(KINDS[:5])]
    return panels + [(5, 0, [0, 1], [], "f16"), (5, nr, [0], [1], "Q8_0"), (7, nr, [1], [0]), (6, nr, [0], [1], odd), (8, 0, [0], [])]


def levels(odd="bf16", params=PARAMS, axes=AXES):
    here, there = (naxrt.model("tiny", axes, params, slots(nr, o))[0] for nr, o in ((16, odd), (32, "bf16_pairs")))
    return naxrt.join_levels((ANY, here), (V2, there))


def runtime_of(library, level):
    os.environ["NAX_LEVEL"] = level  # read when the context is made
    return naxrt.Runtime(library)


def is_mapped(runtime, params, path):
    """Whether the parameters' memory is the file's."""
    at = params.contents.block
    for line in open("/proc/self/maps"):
        begin, end = (int(x, 16) for x in line.split()[0].split("-"))
        if begin <= at < end:
            return line.rstrip().endswith(str(path)) and line.split()[1] == "r--p"
    return False


def attempt(label, runtime, model, path, verify=False):
    runtime.log.clear()
    try:
        opened = runtime.open(model, path)
        text = "opened; " + "; ".join(runtime.log)
        if verify:
            runtime.verify(opened)
        runtime.close(opened)
    except naxrt.Failed as failed:
        text = str(failed)
    print(f"{label}: {text}".replace(str(path), "FILE").replace("\n", "\n  "))


def main(library, folder):
    folder = Path(folder)
    rng = np.random.default_rng(1)
    here, there, model = runtime_of(library, "v3"), runtime_of(library, "v2"), levels()
    original, packed, other = folder / "file", folder / "packed", folder / "other"
    tensors = []
    for (name, dtype, axes), kind in zip(PARAMS, KINDS):
        shape = [AXES[a] for a in axes]
        tensors.append((name, kind, shape, formats.encode(rng, kind, shape)[0]))
    original.write_bytes(formats.gguf(tensors))

    here.pack(model, original, packed)
    there.pack(model, original, other)
    blocks = [r.block(r.open(model, original)) for r in (here, there)]
    for runtime, path, block in ((here, packed, blocks[0]), (there, other, blocks[1])):
        opened = runtime.open(model, path)
        runtime.verify(opened)
        same, mapped = runtime.block(opened) == block, is_mapped(runtime, opened, path)
        begin = opened.contents.block % 4096
        runtime.close(opened)
        print(f"the same {same}, mapped {mapped}, page {begin}, unmapped {str(path) not in Path('/proc/self/maps').read_text()}")
    for runtime, path, block in ((here, other, blocks[1 - 1]), (there, packed, blocks[1])):
        runtime.log.clear()
        opened = runtime.open(model, path)
        print(f"laid out anew {runtime.block(opened) == block}, {'; '.join(runtime.log).replace(str(path), 'FILE')}")
        runtime.close(opened)
    here.pack(model, packed, folder / "again")
    print("packed again", (folder / "again").read_bytes() == packed.read_bytes())

    attempt("other slots", here, levels(odd="f16"), packed)
    attempt("other axis", here, levels(axes=AXES | {"N": 41}), packed)
    attempt("other name", here, levels(params=[("other", *PARAMS[0][1:])] + PARAMS[1:]), packed)
    try:
        here.pack(model, folder / "none", packed)
    except naxrt.Failed as failed:
        print(str(failed).replace(str(folder / "none"), "NONE"))
    try:
        here.pack(model, original, folder / "no" / "packed")
    except naxrt.Failed as failed:
        print(str(failed).replace(str(folder / "no"), "NO"))
    before, link = [p.read_bytes() for p in (original, packed)], folder / "link"
    link.symlink_to(original)
    for source, to in ((original, folder / "." / "file"), (original, link), (packed, packed)):
        try:
            here.pack(model, source, to)
        except naxrt.Failed as failed:
            print(str(failed).replace(str(folder), "FOLDER"))
    array, one = folder / "npy" / "w.npy", naxrt.model("one", {"N": 4}, [("w", "f32", ["N"])], [(0, 0, [0], [])])[0]
    array.parent.mkdir()
    np.save(array, np.ones(4, np.float32))
    for to in (array, array.with_name("w.nax"), array.with_name("w.nax")):
        try:
            here.pack(one, array.parent, to)
            print("packed into the folder")
        except naxrt.Failed as failed:
            print(str(failed).replace(str(folder), "FOLDER"))
    shutil.rmtree(array.parent)
    print("as they were", link.is_symlink() and before == [p.read_bytes() for p in (original, packed)])
    link.unlink()
    print("what is there:", " ".join(sorted(p.name for p in folder.iterdir())))

    sound = packed.read_bytes()
    for size in (0, 4, 8, 100, 4095, 4096, len(sound) - 1, len(sound) + 1):
        other.write_bytes(sound[:size] + b"\0" * (size - len(sound)))
        attempt(f"{size if size <= 4096 else size - len(sound)} bytes", here, model, other)
    refused = 0
    for at in (*range(136), 136, 4095):  # the head, and the zeros behind it
        other.write_bytes(sound[:at] + bytes([sound[at] ^ 1 << at % 8]) + sound[at + 1 :])
        try:
            here.close(here.open(model, other))
        except naxrt.Failed as failed:
            refused += str(failed).startswith("NAX_E_FORMAT")
    print(f"{refused} of 138 damaged beginnings are refused")
    other.write_bytes(sound[:5000] + bytes([sound[5000] ^ 1]) + sound[5001:])
    attempt("damaged", here, model, other)
    attempt("damaged, verified", here, model, other, verify=True)
    attempt("damaged, laid out anew", there, model, other)
    attempt("unpacked, verified", here, model, original, verify=True)
    file = ctypes.c_void_p()
    here.lib.nax_file_open(here.context, str(packed).encode(), ctypes.byref(file))
    print(here.lib.nax_last_error(here.context).decode().replace(str(packed), "FILE"))


if __name__ == "__main__":
    main(*sys.argv[1:])
