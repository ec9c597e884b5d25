# SPDX-License-Identifier: Apache-2.0
"""Graphs for ONNX Runtime with its own fused operations (com.microsoft); onnxruntime_peer.py has its needs."""
import numpy
import onnx
import onnxruntime
from onnx import TensorProto, helper

import models
import peer

KINDS = {numpy.dtype(numpy.float32): TensorProto.FLOAT, numpy.dtype(numpy.int64): TensorProto.INT64,
         numpy.dtype(numpy.int32): TensorProto.INT32}
SMALL = 1024  # bytes of a constant that is in the model itself, where shape inference can see it


def options_of(threads):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    return options


class Graph:
    """Operations that add nodes; values are names. Constants stay outside of the model, which may be more than 2 GiB."""

    def __init__(self, before=0):
        self.nodes, self.constants, self.inputs, self.outputs, self.before = [], {}, {}, [], before

    def node(self, kind, *inputs, domain="", outputs=1, **attributes):
        names = ["v%d_%d" % (len(self.nodes), i) for i in range(outputs)]
        self.nodes.append(helper.make_node(kind, list(inputs), names, domain=domain, **attributes))
        return names[0] if outputs == 1 else names

    def own(self, kind, *inputs, **attributes):
        return self.node(kind, *inputs, domain="com.microsoft", **attributes)

    def constant(self, array, name=None):
        name = name or "c%d" % len(self.constants)
        self.constants[name] = numpy.ascontiguousarray(array)
        return name

    def input(self, name, array):
        self.inputs[name] = array
        return name

    def linear(self, x, weight, bias=None):
        turned = weight + ".t"
        if turned not in self.constants:
            self.constant(self.constants[weight].T, turned)
        y = self.node("MatMul", x, turned)
        return y if bias is None else self.add(y, bias)

    def add(self, x, y):
        return self.node("Add", x, y)

    def mul(self, x, y):
        return self.node("Mul", x, y)

    def embed(self, table, ids):
        return self.node("Gather", table, ids)

    def gelu(self, x):
        return self.own("Gelu", x)

    def silu(self, x):
        return self.own("QuickGelu", x, alpha=1.0)

    def layer_norm(self, x, gain, shift, eps):
        return self.node("LayerNormalization", x, gain, shift, epsilon=eps)

    def rms_norm(self, x, gain, eps):
        return self.node("SimplifiedLayerNormalization", x, gain, epsilon=eps, axis=-1, stash_type=1)

    def first_rows(self, table, ids):
        return self.constant(self.constants[table][: self.inputs[ids].shape[1]])

    def last(self, x):
        return self.node("Gather", x, self.constant(numpy.int64(-1)), axis=1)

    def mean(self, x):
        return self.node("ReduceMean", x, self.constant(numpy.array([1])), keepdims=0)

    def unit(self, x):
        return self.node("LpNormalization", x, axis=-1, p=2)

    def attention(self, q, k, v, n):
        return self.own("MultiHeadAttention", q, k, v, num_heads=n)

    def causal(self, q, k, v, n, groups, layer, width=64):
        if layer == 0:
            cos, sin = models.rotary_table(self.before + self.inputs["ids"].shape[1] + 1, 0, numpy)
            self.constant(cos, "cos"), self.constant(sin, "sin")
            total = self.before + self.inputs["ids"].shape[1]
            self.constant(numpy.array([total - 1], numpy.int32), "seqlens")
            self.constant(numpy.array(total, numpy.int32), "total")
        past = [self.input("past_%s%d" % (kind, layer), peer.draw(3 + i, 1, groups, self.before, width))
                for i, kind in enumerate("kv")]
        outputs = self.own("GroupQueryAttention", q, k, v, *past, "seqlens", "total", "cos", "sin", outputs=3,
                           num_heads=n, kv_num_heads=groups, do_rotary=1)
        self.outputs += outputs[1:]
        return outputs[0]

    def session(self, result, saved=""):
        """What calls a session of this graph, which is also saved where a name is given."""
        info = lambda name, array: helper.make_tensor_value_info(name, KINDS[array.dtype], array.shape)
        inputs = [info(name, array) for name, array in self.inputs.items()]
        outputs = [helper.make_empty_tensor_value_info(name) for name in [result, *self.outputs]]
        options = options_of(peer.THREADS)
        options.optimized_model_filepath = saved
        used = {name for node in self.nodes for name in node.input}
        constants = {name: array for name, array in self.constants.items() if name in used}
        tensors = [initializer(name, array) for name, array in constants.items()]
        values = {name: onnxruntime.OrtValue.ortvalue_from_numpy(array) for name, array in constants.items()
                  if array.nbytes > SMALL}
        graph = helper.make_graph(self.nodes, "row", inputs, outputs, tensors)
        domains = [helper.make_opsetid("", 20), helper.make_opsetid("com.microsoft", 1)]
        model = helper.make_model(graph, opset_imports=domains, ir_version=10)
        options.add_external_initializers(list(values), list(values.values()))
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        return call_of(session, self.inputs, values)


def initializer(name, array):
    if array.nbytes <= SMALL:
        return onnx.numpy_helper.from_array(array, name)
    tensor = TensorProto(name=name, data_type=KINDS[array.dtype], dims=array.shape)
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in (("location", "memory"), ("offset", "0"), ("length", str(array.nbytes))):
        tensor.external_data.add(key=key, value=value)
    return tensor


def call_of(session, inputs, kept):
    binding = session.io_binding()
    bound = [onnxruntime.OrtValue.ortvalue_from_numpy(array) for array in inputs.values()]
    for name, value in zip(inputs, bound):
        binding.bind_ortvalue_input(name, value)
    for output in session.get_outputs():
        binding.bind_output(output.name, "cpu")

    def call():
        session.run_with_iobinding(binding)
        return Result(binding, (bound, kept))

    return call


class Result:
    """The first output, copied only when numpy asks for it."""

    def __init__(self, binding, kept):
        self.binding, self.kept = binding, kept

    def __array__(self, dtype=None, copy=None):
        return self.binding.get_outputs()[0].numpy().astype(dtype)


def grouped(graph, q, k, v, h, kv, d, before, t):
    past = [graph.input("past" + kind, peer.draw(3 + i, 1, kv, before, d)) for i, kind in enumerate("kv")]
    seqlens = graph.constant(numpy.array([before + t - 1], numpy.int32))
    total = graph.constant(numpy.array(before + t, numpy.int32))
    outputs = graph.own("GroupQueryAttention", q, k, v, *past, seqlens, total, outputs=3, num_heads=h, kv_num_heads=kv)
    graph.outputs += outputs[1:]
    return outputs[0]


def model(build, tensors, before=0, saved="", **inputs):
    graph = Graph(before)
    names = [graph.input(name, array) for name, array in inputs.items()]
    parameter = lambda name: name if name in graph.constants else graph.constant(tensors[name], name)
    return graph.session(build(graph, parameter, *names), saved)
