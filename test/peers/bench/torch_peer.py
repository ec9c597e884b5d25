# SPDX-License-Identifier: Apache-2.0
# needs: torch==2.15.0 numpy==2.4.6
"""PyTorch on the CPU as a peer of `./nax bench`. The last word of a row is the way: eager, compiled (torch.compile with
frozen, packed weights), onednn (its matrix product on packed weights), flex (FlexAttention, compiled)."""
import os
import re

import numpy
import torch
import torch.nn.functional as F

import models
import peer

torch.set_num_threads(peer.THREADS)
torch.set_grad_enabled(False)
torch._inductor.config.freezing = True

tensor = lambda array: torch.from_numpy(numpy.ascontiguousarray(array))


class Result:
    """In f32 only when numpy asks for it: that is not timed."""

    def __init__(self, result):
        self.result = result

    def __array__(self, dtype=None, copy=None):
        return self.result.float().numpy().astype(dtype)


def packed_linear(weight, rows):
    packed = torch.ops.mkldnn._reorder_linear_weight(weight, rows)
    return lambda x: torch.ops.mkldnn._linear_pointwise(x, packed, None, "none", [], "")


def gemm(m, n, k, kind, way):
    dtype = {"f32": torch.float32, "bf16": torch.bfloat16}[kind]
    x = tensor(peer.draw(2, int(m), int(k))).to(dtype)
    weight = tensor(peer.draw_weights(int(k), int(n)).T).to(dtype)
    linear = packed_linear(weight, int(m)) if way == "onednn" else lambda x: F.linear(x, weight)
    return lambda: Result(linear(x))


class Chain(torch.nn.Module):
    def __init__(self, k, f, layers):
        super().__init__()
        one = lambda k, n: torch.nn.Parameter(tensor(peer.draw_weights(k, n).T), requires_grad=False)
        self.weights = torch.nn.ParameterList([one(*size) for _ in range(layers) for size in ((k, f), (f, k))])

    def forward(self, x):
        for weight in self.weights:
            x = F.linear(x, weight)
        return x


def gemv(k, f, layers, way):
    chain = Chain(int(k), int(f), int(layers)).eval()
    chain = torch.compile(chain) if way == "compiled" else chain
    x = tensor(peer.draw(2, 1, int(k)))
    return lambda: chain(x)


def heads(number, t, h, d):
    return tensor(peer.draw(number, 1, t, h, d)).transpose(1, 2).contiguous()


def attention(t, h, kv, d, way):
    t, h, kv, d = map(int, (t, h, kv, d))
    q, k, v = heads(2, t, h, d), heads(3, t, kv, d), heads(4, t, kv, d)
    if way == "flex":
        from torch.nn.attention.flex_attention import create_block_mask, flex_attention

        mask = create_block_mask(lambda b, h, i, j: i >= j, None, None, t, t, device="cpu")
        compiled = torch.compile(flex_attention)
        return lambda: compiled(q, k, v, block_mask=mask, enable_gqa=h != kv)
    return lambda: F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=h != kv)


def decode(s, h, kv, d, copies, way):
    s, h, kv, d = map(int, (s, h, kv, d))
    q = heads(2, 1, h, d)
    caches = [(heads(3, s, kv, d), heads(4, s, kv, d)) for _ in range(int(copies))]
    turn = 0

    def call():
        nonlocal turn
        k, v = caches[turn % len(caches)]
        turn += 1
        return F.scaled_dot_product_attention(q, k, v, enable_gqa=h != kv)

    return call


class Operations:
    def __init__(self, before=0, new=1):
        self.before, self.new = before, new
        self.caches = {}
        if before or new:
            cos, sin = (tensor(t) for t in models.rotary_table(new, before, numpy))
            self.cos, self.sin = torch.cat([cos, cos], -1), torch.cat([sin, sin], -1)

    add, mul = staticmethod(torch.add), staticmethod(torch.mul)
    embed = staticmethod(lambda table, ids: F.embedding(ids, table))
    linear = staticmethod(F.linear)
    gelu, silu = staticmethod(F.gelu), staticmethod(F.silu)
    layer_norm = staticmethod(lambda x, gain, shift, eps: F.layer_norm(x, gain.shape, gain, shift, eps))
    rms_norm = staticmethod(lambda x, gain, eps: F.rms_norm(x, gain.shape, gain, eps))
    first_rows = staticmethod(lambda table, ids: table[: ids.shape[1]])
    last = staticmethod(lambda x: x[:, -1])
    mean = staticmethod(lambda x: x.mean(1))
    unit = staticmethod(lambda x: F.normalize(x, dim=-1))
    split = staticmethod(lambda x, n: x.view(*x.shape[:2], n, -1).transpose(1, 2))
    merge = staticmethod(lambda x: x.transpose(1, 2).reshape(x.shape[0], x.shape[2], -1))

    def attention(self, q, k, v, n):
        return self.merge(F.scaled_dot_product_attention(self.split(q, n), self.split(k, n), self.split(v, n)))

    def rotate(self, x):
        low, high = x.chunk(2, -1)
        return x * self.cos.to(x.dtype) + torch.cat([-high, low], -1) * self.sin.to(x.dtype)

    def causal(self, q, k, v, n, groups, layer):
        q, k, v = self.rotate(self.split(q, n)), self.rotate(self.split(k, groups)), self.split(v, groups)
        if not self.before:
            return self.merge(F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True))
        keys, values = self.caches[layer]
        keys[:, :, self.before:] = k
        values[:, :, self.before:] = v
        return self.merge(F.scaled_dot_product_attention(q, keys, values, enable_gqa=True))


class Net(torch.nn.Module):
    def __init__(self, model, operations, tensors, dtype=torch.float32):
        super().__init__()
        self.model, self.operations = model, operations
        for name, array in tensors.items():
            if array.dtype == numpy.float32:
                self.register_parameter(name.replace(".", "_"), torch.nn.Parameter(tensor(array.copy()).to(dtype), False))

    def forward(self, *inputs):
        return self.model(self.operations, lambda name: getattr(self, name.replace(".", "_")), *inputs)


def network(net, way, *inputs):
    net = net.eval()
    net = torch.compile(net) if way == "compiled" else net
    return lambda: Result(net(*inputs))


def minilm(folder, batch, length, way):
    b, t = int(batch), int(length)
    net = Net(models.minilm, Operations(), peer.read_safetensors(os.path.join(folder, "model.safetensors")))
    return network(net, way, tensor(peer.ids(b, t, 30522)), tensor(peer.ids(b, t, 2)))


def prefill(file, length, kind, way):
    t = int(length)
    dtype = {"f32": torch.float32, "bf16": torch.bfloat16}[kind]
    net = Net(models.smollm2, Operations(0, t), peer.read_safetensors(file), dtype)
    return network(net, way, tensor(peer.ids(1, t, 49152)))


def step(file, positions, kind, way):
    """The cache is drawn: its numbers make no difference to the time, only to the logits."""
    before = int(positions)
    dtype = {"f32": torch.float32, "bf16": torch.bfloat16}[kind]
    operations = Operations(before, 1)
    for layer in range(30):
        operations.caches[layer] = tuple(heads(n, before + 1, 3, 64).to(dtype) for n in (3, 4))
    net = Net(models.smollm2, operations, peer.read_safetensors(file), dtype)
    return network(net, way, tensor(peer.ids(1, 1, 49152, before)))


built = re.search(r"MKL-DNN v([\d.]+)", torch.__config__.show())
peer.serve("PyTorch %s, oneDNN %s" % (torch.__version__, built[1] if built else "unknown"), {
    "gemm": gemm, "gemv": gemv, "attention": attention, "decode": decode, "minilm": minilm, "prefill": prefill, "step": step})
