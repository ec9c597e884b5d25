# SPDX-License-Identifier: Apache-2.0
# needs: gguf==0.19.0 numpy==2.4.6
"""Whether libnaxrt reads the tensors of a GGUF file to the values, bit for bit, that the PyPI package gguf gives:

    cc -shared -o naxrt.so -Wl,--whole-archive build/lib/libnaxrt.a -Wl,--no-whole-archive -pthread
    test/peers/run gguf_values.py ./naxrt.so FILE.gguf
"""

import sys
from pathlib import Path

import numpy as np
from gguf import GGUFReader
from gguf.quants import dequantize

sys.path.insert(0, str(Path(__file__).parents[1] / "runtime" / "Inputs"))
import naxrt  # noqa: E402


def main(library, path):
    tensors = GGUFReader(path).tensors
    axes, params, slots = {}, [], []
    for i, tensor in enumerate(tensors):
        own = [f"A{i}_{j}" for j in range(len(tensor.shape))]
        axes.update(zip(own, (int(size) for size in reversed(tensor.shape))))
        params.append((tensor.name, "f32", own))
        slots.append((i, 0, list(range(len(own))), []))
    runtime = naxrt.Runtime(library)
    model, _ = naxrt.model("any", axes, params, slots)
    opened = runtime.open(model, path)
    differ = 0
    for i, tensor in enumerate(tensors):
        expected = dequantize(tensor.data, tensor.tensor_type)
        if not np.array_equal(runtime.read(opened, i, expected.shape), expected.astype(np.float64)):
            differ += 1
            print(f"{tensor.name} differs")
    print(f"{len(tensors)} tensors, {differ} differ")
    return differ != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
