# SPDX-License-Identifier: Apache-2.0
# needs: iree-base-compiler==3.13.0 iree-base-runtime==3.13.0 numpy==2.4.6
"""IREE on the CPU as a peer of `./nax bench`: a product with constant weights, which it packs when it compiles, and
attention by its own operation."""
import iree.compiler
import iree.runtime
import numpy

import peer

FLAGS = ["--iree-llvmcpu-target-cpu=host", "--iree-opt-level=O3", "--iree-opt-data-tiling=true"]

GEMM = """
func.func @main(%x: tensor<{m}x{k}xf32>) -> tensor<{m}x{n}xf32> {{
  %w = arith.constant dense<"0x{weights}"> : tensor<{k}x{n}xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<{m}x{n}xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  %y = linalg.matmul ins(%x, %w : tensor<{m}x{k}xf32>, tensor<{k}x{n}xf32>) outs(%start : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  return %y : tensor<{m}x{n}xf32>
}}
"""

# Causal by a mask, which is the way its attention has it.
ATTENTION = """
#q = affine_map<(h, t, d, s, e) -> (h, t, d)>
#k = affine_map<(h, t, d, s, e) -> (h, s, d)>
#v = affine_map<(h, t, d, s, e) -> (h, s, e)>
#scalar = affine_map<(h, t, d, s, e) -> ()>
#mask = affine_map<(h, t, d, s, e) -> (t, s)>
#o = affine_map<(h, t, d, s, e) -> (h, t, e)>
func.func @main(%q: tensor<{h}x{t}x{d}xf32>, %k: tensor<{h}x{t}x{d}xf32>, %v: tensor<{h}x{t}x{d}xf32>,
                %mask: tensor<{t}x{t}xi8>) -> tensor<{h}x{t}x{d}xf32> {{
  %scale = arith.constant {scale} : f32
  %allowed = arith.trunci %mask : tensor<{t}x{t}xi8> to tensor<{t}x{t}xi1>
  %empty = tensor.empty() : tensor<{h}x{t}x{d}xf32>
  %y = iree_linalg_ext.attention <{{indexing_maps = [#q, #k, #v, #scalar, #mask, #o]}}>
    ins(%q, %k, %v, %scale, %allowed : tensor<{h}x{t}x{d}xf32>, tensor<{h}x{t}x{d}xf32>, tensor<{h}x{t}x{d}xf32>, f32, tensor<{t}x{t}xi1>)
    outs(%empty : tensor<{h}x{t}x{d}xf32>) {{
  ^bb0(%score: f32):
    iree_linalg_ext.yield %score : f32
  }} -> tensor<{h}x{t}x{d}xf32>
  return %y : tensor<{h}x{t}x{d}xf32>
}}
"""


def call_of(text, *inputs):
    code = iree.compiler.compile_str(text, target_backends=["llvm-cpu"], extra_args=FLAGS)
    if peer.THREADS > 1:
        iree.runtime.flags.parse_flags("--task_topology_max_group_count=%d" % peer.THREADS)
    config = iree.runtime.Config("local-sync" if peer.THREADS == 1 else "local-task")
    module = iree.runtime.load_vm_module(iree.runtime.VmModule.copy_buffer(config.vm_instance, code), config)
    arrays = [iree.runtime.asdevicearray(config.device, array) for array in inputs]
    return lambda: module.main(*arrays)


def gemm(m, n, k, kind):
    if kind != "f32":
        raise ValueError("only f32")
    m, n, k = int(m), int(n), int(k)
    text = GEMM.format(m=m, n=n, k=k, weights=peer.draw_weights(k, n).tobytes().hex())
    return call_of(text, peer.draw(2, m, k))


def attention(t, h, kv, d):
    t, h, kv, d = map(int, (t, h, kv, d))
    if h != kv:
        raise ValueError("no grouped heads")
    if t > 1024:
        raise ValueError("seconds a call")  # T = 128 takes 16 ms, and that grows with T * T
    q, k, v = (numpy.ascontiguousarray(peer.draw(2 + i, t, h, d).transpose(1, 0, 2)) for i in range(3))
    return call_of(ATTENTION.format(t=t, h=h, d=d, scale=d**-0.5), q, k, v, numpy.tri(t, dtype=numpy.int8))


peer.serve(peer.version("iree-base-compiler"), {"gemm": gemm, "attention": attention})
