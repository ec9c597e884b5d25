# SPDX-License-Identifier: Apache-2.0
"""Writes a small safetensors file of drawn parameters, for examples whose point is not what was learned.

    python3 test/peers/draw_params.py examples/03-heads/heads.safetensors wq=8,2,4 wk=8,2,4 wv=8,2,4 wo=2,4,8
    python3 test/peers/draw_params.py examples/04-decoder-block/decoder_block.safetensors \
        norm1.gain=16 norm1.shift=16 attention.wq=16,2,8 attention.wk=16,2,8 attention.wv=16,2,8 attention.wo=2,8,16 \
        norm2.gain=16 norm2.shift=16 mlp.up=16,64 mlp.up_bias=64 mlp.down=64,16 mlp.down_bias=16

Nothing but Python is needed, and the same arguments give the same file.
"""
import array, json, math, random, struct, sys


def main():
    path, draw = sys.argv[1], random.Random(1)
    head, data = {}, array.array("f")
    for word in sys.argv[2:]:
        name, extents = word.split("=")
        shape = [int(n) for n in extents.split(",")]
        count = math.prod(shape)
        # A gain stays near one; a matrix keeps the size of what goes through it.
        middle, spread = (1, 0.1) if name.endswith("gain") else (0, 0.1 if len(shape) == 1 else shape[0] ** -0.5)
        head[name] = {"dtype": "F32", "shape": shape, "data_offsets": [4 * len(data), 4 * (len(data) + count)]}
        data.extend(draw.gauss(middle, spread) for _ in range(count))
    if sys.byteorder == "big":
        data.byteswap()
    text = json.dumps(head, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text + data.tobytes())


if __name__ == "__main__":
    main()
