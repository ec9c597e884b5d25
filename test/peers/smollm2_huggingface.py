# SPDX-License-Identifier: Apache-2.0
# needs: gguf==0.19.0 numpy==2.4.6
"""The weights of a GGUF file in Hugging Face's form: test/peers/run smollm2_huggingface.py MODEL.gguf OUT.safetensors

Same numbers (dequantised to f32, 540 MB), other names, and the rows of q and k back in the order that halves rotate. The
golden test's program must print the same for both files: OUT.safetensors is its third argument.
"""
import json
import struct
import sys

import numpy as np
from gguf import GGUFReader, dequantize

LAYER = {
    "attn_norm": "input_layernorm", "attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj", "ffn_norm": "post_attention_layernorm", "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
OTHER = {"token_embd.weight": "model.embed_tokens.weight", "output_norm.weight": "model.norm.weight"}


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: smollm2_huggingface.py MODEL.gguf OUT.safetensors")
    reader = GGUFReader(sys.argv[1])
    dim = reader.fields["llama.rope.dimension_count"].contents()
    tensors = {}
    for tensor in reader.tensors:
        values = dequantize(tensor.data, tensor.tensor_type).astype("<f4")
        if tensor.name in OTHER:
            name = OTHER[tensor.name]
        else:
            _, layer, kind, _ = tensor.name.split(".")
            name = f"model.layers.{layer}.{LAYER[kind]}.weight"
            if kind in ("attn_q", "attn_k"):                          # [heads*D,C]: pairs of neighbours to halves
                width = values.shape[1]
                values = values.reshape(-1, dim // 2, 2, width).swapaxes(1, 2).reshape(-1, width)
        tensors[name] = np.ascontiguousarray(values)
    head, at = {}, 0
    for name, values in tensors.items():
        head[name] = {"dtype": "F32", "shape": list(values.shape), "data_offsets": [at, at + values.nbytes]}
        at += values.nbytes
    text = json.dumps(head).encode()
    text += b" " * (-len(text) % 8)
    with open(sys.argv[2], "wb") as out:
        out.write(struct.pack("<Q", len(text)) + text)
        for values in tensors.values():
            out.write(values.tobytes())


if __name__ == "__main__":
    main()
