# SPDX-License-Identifier: Apache-2.0
# needs: onnxruntime==1.32.0 onnx==1.23.2 numpy==2.4.6
"""ONNX Runtime on the CPU as a peer of `./nax bench`: graphs with its own fused operations, all of its optimisations,
weights as constants, which it packs; inputs and outputs bound once. `saved` is a prefill from a file that it wrote itself
after its optimisations, as a program has it that only wants to start."""
import os

import onnxruntime

import peer


def gemm(m, n, k, kind):
    import onnx_graph

    if kind != "f32":
        raise ValueError("only f32")
    graph = onnx_graph.Graph()
    x = graph.input("x", peer.draw(2, int(m), int(k)))
    return graph.session(graph.linear(x, graph.constant(peer.draw_weights(int(k), int(n)).T)))


def gemv(k, f, layers):
    import onnx_graph

    k, f, graph = int(k), int(f), onnx_graph.Graph()
    x = graph.input("x", peer.draw(2, 1, k))
    for layer in range(int(layers)):
        for size in ((k, f), (f, k)):
            weights = peer.draw_weights(*size)
            weights[0, 0] += layer / 1024  # equal ones would be kept once, and read from a cache
            x = graph.node("MatMul", x, graph.constant(weights))
    return graph.session(x)


def attention(t, h, kv, d):
    """Grouped heads or one for each query head; without rotation."""
    import onnx_graph

    t, h, kv, d = map(int, (t, h, kv, d))
    graph = onnx_graph.Graph()
    q, k, v = (graph.input(name, peer.draw(2 + i, 1, t, (kv if i else h) * d)) for i, name in enumerate("qkv"))
    if h == kv:
        return graph.session(graph.own("MultiHeadAttention", q, k, v, num_heads=h, unidirectional=1))
    return graph.session(onnx_graph.grouped(graph, q, k, v, h, kv, d, 0, t))


def minilm(folder, batch, length):
    import onnx_graph

    b, t = int(batch), int(length)
    tensors = peer.read_safetensors(os.path.join(folder, "model.safetensors"))
    return onnx_graph.model(onnx_graph.models.minilm, tensors, ids=peer.ids(b, t, 30522), types=peer.ids(b, t, 2))


def prefill(file, length):
    import onnx_graph

    return onnx_graph.model(onnx_graph.models.smollm2, peer.read_safetensors(file), ids=peer.ids(1, int(length), 49152))


def step(file, positions):
    import onnx_graph

    before = int(positions)
    return onnx_graph.model(onnx_graph.models.smollm2, peer.read_safetensors(file), before, ids=peer.ids(1, 1, 49152, before))


def saved(file, length):
    """Only the runtime is imported, once the file is there."""
    path = "%s-%s.onnx" % (os.path.splitext(file)[0], length)
    ids = peer.ids(1, int(length), 49152)
    if not os.path.exists(path):
        import onnx_graph

        onnx_graph.model(onnx_graph.models.smollm2, peer.read_safetensors(file), saved=path + ".part", ids=ids)
        os.rename(path + ".part", path)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = peer.THREADS
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    inputs = {"ids": ids}
    for value in session.get_inputs():
        if value.name != "ids":  # pasts of no positions
            inputs[value.name] = peer.draw(3, *value.shape)
    return lambda: session.run(None, inputs)[0]


peer.serve(peer.version("onnxruntime"), {"gemm": gemm, "gemv": gemv, "attention": attention, "minilm": minilm,
                                         "prefill": prefill, "step": step, "saved": saved})
