# SPDX-License-Identifier: Apache-2.0
"""Measures single steps of llama.cpp behind a given number of positions: one line "POSITIONS TOKENS_PER_SECOND" each,
as decode.c prints for nax. llama.cpp comes as the PyPI package xllamacpp, which carries it ready built for the CPU.

  llama_cpp.py FILE.gguf THREADS STEPS POSITIONS...
  llama_cpp.py --widen FILE.gguf OUT.gguf      the same weights as f32, which is what nax computes with
"""
import json
import sys


def widen(source, target):
    import gguf
    import numpy

    reader = gguf.GGUFReader(source)
    writer = gguf.GGUFWriter(target, reader.get_field("general.architecture").contents())
    own = ("general.architecture", "general.file_type", "general.quantization_version")
    for key, field in reader.fields.items():
        if key.startswith("GGUF.") or key in own:
            continue
        item = field.types[1] if len(field.types) > 1 else None
        writer.add_key_value(key, field.contents(), field.types[0], item)
    writer.add_file_type(0)
    for tensor in reader.tensors:
        writer.add_tensor(tensor.name, gguf.dequantize(tensor.data, tensor.tensor_type).astype(numpy.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def measure(path, threads, steps, all_positions):
    import xllamacpp

    options = xllamacpp.CommonParams()
    options.model.path = path
    options.n_ctx = all_positions[-1] + steps + 256
    options.n_parallel = 1
    options.cpuparams.n_threads = options.cpuparams_batch.n_threads = threads
    server = xllamacpp.Server(options)
    for positions in all_positions:
        answer = server.handle_completions({
            "prompt": [i * 7919 % 40000 + 100 for i in range(positions)],
            "n_predict": steps, "temperature": 0, "ignore_eos": True, "cache_prompt": False})
        if not isinstance(answer, dict):
            answer = json.loads(answer)
        print(positions, "%.2f" % answer["timings"]["predicted_per_second"], flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "--widen":
        widen(*sys.argv[2:4])
    else:
        measure(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), [int(p) for p in sys.argv[4:]])
