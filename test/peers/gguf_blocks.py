# SPDX-License-Identifier: Apache-2.0
# needs: gguf==0.19.0 numpy==2.4.6
"""Whether blocks of every quantised type are read to the values of the PyPI package gguf, put into panels as they are, and
made of f32 to the bytes that the package makes:

    cc -shared -o naxrt.so -Wl,--whole-archive build/lib/libnaxrt.a -Wl,--no-whole-archive -pthread -ldl
    test/peers/run gguf_blocks.py ./naxrt.so FOLDER
"""

import sys
from pathlib import Path

import numpy as np
from gguf import GGMLQuantizationType, GGUFWriter
from gguf.quants import dequantize, quantize

sys.path.insert(0, str(Path(__file__).parents[1] / "runtime" / "Inputs"))
import formats  # noqa: E402
import naxrt  # noqa: E402

N, K, NR = 50, 1024, 16


def write(path, tensors):
    writer = GGUFWriter(str(path), "none")
    for name, data, kind in tensors:
        writer.add_tensor(name, data, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main(library, folder):
    rng = np.random.default_rng(9)
    runtime = naxrt.Runtime(library)
    axes, slots = {"N": N, "K": K}, lambda kind: [(0, 0, [0, 1], []), (0, NR, [0], [1], kind)]
    wrong = 0
    for kind in ("Q8_0", "Q4_0", "Q4_1", "Q4_K", "Q6_K"):
        number = GGMLQuantizationType[kind]
        path = Path(folder) / f"{kind}.gguf"
        model, offsets = naxrt.model("any", axes, [("w", "f32", ["N", "K"])], slots(kind))
        raw = formats.random_blocks(rng, kind, N * K // formats.BLOCKS[kind][0]).reshape(N, -1)
        write(path, [("w", raw, number)])
        opened = runtime.open(model, path)
        read = np.array_equal(runtime.read(opened, 0, (N, K)), dequantize(raw, number).astype(np.float64))
        blocks = raw.reshape(N, -1, formats.BLOCKS[kind][1])
        moved = runtime.block(opened)[offsets[1] :].startswith(formats.records(kind, blocks, NR))
        print(f"{kind}: values {'agree' if read else 'DIFFER'}, panels {'agree' if moved else 'DIFFER'}", end="")
        wrong += (not read) + (not moved)
        if not kind.endswith("K"):
            scales = 10.0 ** rng.integers(-34, 4, (N, K // 32)).repeat(32, axis=1)
            values = (rng.standard_normal((N, K)) * scales).astype(np.float32)
            values[rng.random((N, K)) < 0.1] = 0
            values[0, :512] = rng.integers(-8, 8, 512) / 2  # ties
            values[1, :32] = 0
            write(path, [("w", values, GGMLQuantizationType.F32)])
            opened = runtime.open(model, path)
            right = formats.records(kind, quantize(values, number).reshape(N, -1, formats.BLOCKS[kind][1]), NR)
            made = runtime.block(opened)[offsets[1] :].startswith(right)
            print(f", quantised {'agree' if made else 'DIFFER'}", end="")
            wrong += not made
        print()
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
