# SPDX-License-Identifier: Apache-2.0
# needs: openvino==2026.4.1 numpy==2.4.6
"""OpenVINO on the CPU as a peer of `./nax bench`: graphs of its operations with weights as constants, which it packs;
f32 unless the row says bf16; inputs set once."""
import os
import sys

sys.modules["openvino_telemetry"] = None  # else it starts a process that wants to report what is done here

import numpy
import openvino
from openvino import opset13 as ops
from openvino import properties

import models
import peer


class Graph:
    def __init__(self, before=0):
        self.inputs, self.before = {}, before

    def input(self, name, array):
        self.inputs[name] = (ops.parameter(array.shape, array.dtype, name=name), array)
        return self.inputs[name][0]

    constant = staticmethod(lambda array: ops.constant(numpy.ascontiguousarray(array)))
    add, mul = staticmethod(ops.add), staticmethod(ops.multiply)
    embed = staticmethod(lambda table, ids: ops.gather(table, ids, ops.constant(0)))
    gelu = staticmethod(lambda x: ops.gelu(x, "erf"))
    silu = staticmethod(lambda x: ops.swish(x))
    mean = staticmethod(lambda x: ops.reduce_mean(x, ops.constant([1])))
    unit = staticmethod(lambda x: ops.normalize_l2(x, ops.constant([1]), 1e-24, "max"))
    last = staticmethod(lambda x: ops.gather(x, ops.constant(-1), ops.constant(1)))

    def linear(self, x, weight, bias=None):
        y = ops.matmul(x, weight, False, True)
        return y if bias is None else ops.add(y, bias)

    def layer_norm(self, x, gain, shift, eps):
        return ops.add(ops.multiply(ops.mvn(x, ops.constant([-1]), True, eps, "inside_sqrt"), gain), shift)

    def rms_norm(self, x, gain, eps):
        mean = ops.reduce_mean(ops.power(x, ops.constant(numpy.float32(2))), ops.constant([-1]), keep_dims=True)
        root = ops.sqrt(ops.add(mean, ops.constant(numpy.float32(eps))))
        return ops.multiply(ops.multiply(x, ops.divide(ops.constant(numpy.float32(1)), root)), gain)

    def first_rows(self, table, ids):
        return ops.constant(table.data[: ids.shape[1]])

    def split(self, x, n):
        shape = [0, 0, n, x.shape[2] // n]
        return ops.transpose(ops.reshape(x, ops.constant(shape), True), ops.constant([0, 2, 1, 3]))

    def merge(self, x):
        shape = [0, 0, x.shape[1] * x.shape[3]]
        return ops.reshape(ops.transpose(x, ops.constant([0, 2, 1, 3])), ops.constant(shape), True)

    def attention(self, q, k, v, n):
        q, k, v = (self.split(x, n) for x in (q, k, v))
        return self.merge(ops.scaled_dot_product_attention(q, k, v))

    def repeat(self, x, times):
        """[B,kv,S,D] to [B,kv*times,S,D], as OpenVINO's own conversions write it."""
        b, kv, s, d = x.shape
        wide = ops.broadcast(ops.unsqueeze(x, ops.constant(2)), ops.constant([b, kv, times, s, d]), "BIDIRECTIONAL")
        return ops.reshape(wide, ops.constant([b, kv * times, s, d]), False)

    def rotate(self, x):
        halves = ops.split(x, ops.constant(-1), 2).outputs()
        turned = ops.concat([ops.negative(halves[1]), halves[0]], -1)
        return ops.add(ops.multiply(x, self.cos), ops.multiply(turned, self.sin))

    def causal(self, q, k, v, n, groups, layer):
        if layer == 0:
            cos, sin = models.rotary_table(q.shape[1], self.before, numpy)
            self.cos = self.constant(numpy.concatenate([cos, cos], -1)[None, None])
            self.sin = self.constant(numpy.concatenate([sin, sin], -1)[None, None])
        q, k, v = self.rotate(self.split(q, n)), self.rotate(self.split(k, groups)), self.split(v, groups)
        if self.before:
            shape = (1, groups, self.before, k.shape[3])
            past = [self.input("%s%d" % (kind, layer), peer.draw(3 + i, *shape)) for i, kind in enumerate("kv")]
            k, v = ops.concat([past[0], k], 2), ops.concat([past[1], v], 2)
        k, v = self.repeat(k, n // groups), self.repeat(v, n // groups)
        return self.merge(ops.scaled_dot_product_attention(q, k, v, causal=not self.before))

    def call(self, result, kind="f32"):
        model = openvino.Model([result], [node for node, _ in self.inputs.values()])
        config = {properties.inference_num_threads(): peer.THREADS, properties.num_streams(): 1,
                  properties.hint.inference_precision(): {"f32": openvino.Type.f32, "bf16": openvino.Type.bf16}[kind]}
        request = openvino.Core().compile_model(model, "CPU", config).create_infer_request()
        for index, (_, array) in enumerate(self.inputs.values()):
            request.set_input_tensor(index, openvino.Tensor(numpy.ascontiguousarray(array)))

        def call():
            request.infer()
            return request.get_output_tensor(0).data

        return call


def gemm(m, n, k, kind):
    graph = Graph()
    x = graph.input("x", peer.draw(2, int(m), int(k)))
    return graph.call(graph.linear(x, graph.constant(peer.draw_weights(int(k), int(n)).T)), kind)


def gemv(k, f, layers):
    k, f, graph = int(k), int(f), Graph()
    x = graph.input("x", peer.draw(2, 1, k))
    for _ in range(int(layers)):
        for size in ((k, f), (f, k)):
            x = graph.linear(x, graph.constant(peer.draw_weights(*size).T))
    return graph.call(x)


def attention(t, h, kv, d):
    t, h, kv, d = map(int, (t, h, kv, d))
    graph = Graph()
    q, k, v = (graph.input(name, peer.draw(2 + i, 1, t, kv if i else h, d).transpose(0, 2, 1, 3))
               for i, name in enumerate("qkv"))
    if h != kv:
        k, v = graph.repeat(k, h // kv), graph.repeat(v, h // kv)
    return graph.call(ops.scaled_dot_product_attention(q, k, v, causal=True))


def model(build, tensors, kind="f32", before=0, **inputs):
    graph, constants = Graph(before), {}

    def parameter(name):
        if name not in constants:
            constants[name] = graph.constant(tensors[name])
        return constants[name]

    return graph.call(build(graph, parameter, *(graph.input(name, array) for name, array in inputs.items())), kind)


def minilm(folder, batch, length):
    b, t = int(batch), int(length)
    tensors = peer.read_safetensors(os.path.join(folder, "model.safetensors"))
    return model(models.minilm, tensors, ids=peer.ids(b, t, 30522), types=peer.ids(b, t, 2))


def prefill(file, length, kind):
    return model(models.smollm2, peer.read_safetensors(file), kind, ids=peer.ids(1, int(length), 49152))


def step(file, positions, kind):
    before = int(positions)
    return model(models.smollm2, peer.read_safetensors(file), kind, before, ids=peer.ids(1, 1, 49152, before))


peer.serve(peer.version("openvino"), {"gemm": gemm, "gemv": gemv, "attention": attention, "minilm": minilm,
                                      "prefill": prefill, "step": step})
