# SPDX-License-Identifier: Apache-2.0
# needs: gguf==0.19.0 numpy==2.4.6
"""The weights of a GGUF file in another type: test/peers/run bench/gguf_types.py IN.gguf F32|BF16|Q8_0|Q4_0|... OUT.gguf

Matrices get the type; what has one dimension stays f32. Under 4-bit types the table of tokens, which is the head of the
model too, gets Q8_0.
"""
import os
import sys

import gguf
import numpy


def main(source, kind, target):
    reader = gguf.GGUFReader(source)
    writer = gguf.GGUFWriter(target + ".part", reader.get_field("general.architecture").contents())
    own = ("general.architecture", "general.file_type", "general.quantization_version")
    for key, field in reader.fields.items():
        if not key.startswith("GGUF.") and key not in own:
            item = field.types[1] if len(field.types) > 1 else None
            writer.add_key_value(key, field.contents(), field.types[0], item)
    file_types = gguf.LlamaFileType
    writer.add_file_type(getattr(file_types, "ALL_F32" if kind == "F32" else "MOSTLY_" + kind))
    writer.add_quantization_version(gguf.GGML_QUANT_VERSION)
    for tensor in reader.tensors:
        values = gguf.dequantize(tensor.data, tensor.tensor_type).astype(numpy.float32)
        wanted = gguf.GGMLQuantizationType[kind if values.ndim > 1 else "F32"]
        if tensor.name == "token_embd.weight" and kind.startswith("Q4"):
            wanted = gguf.GGMLQuantizationType.Q8_0
        writer.add_tensor(tensor.name, gguf.quantize(values, wanted), raw_dtype=wanted)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    os.rename(target + ".part", target)


main(*sys.argv[1:4])
