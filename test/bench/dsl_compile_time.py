#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""dsl_compile_time.py [COMPILER...]: what the language costs a host compiler, in user + system time and memory.

Times are the least of several runs, to be taken on a quiet machine. An operation is counted once for each set of types:
every layer of the generated model has its own axes, so no two of its operations share an instantiation. Its cost is what
the model takes over the header alone, divided by the number of operations; declarations are part of it.
"""
import os
import sys
import tempfile

RUNS = 7
LAYERS = 20
include = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../dsl/include")

header = "#include <nax/nax.h>\n"
shared = """using namespace nax;
struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
using S = Read<T>;
"""
layer = """struct C# : Axis<"C#", 64> {};
struct H# : Axis<"H#", 4> {};
struct D# : Axis<"D#", 16> {};
struct F# : Axis<"F#", 256> {};
auto layer#(Tensor<f32, B, T, C#> x, Param<f32, C#> gain, Param<f32, C#, H#, D#> wq, Param<f32, C#, H#, D#> wk,
            Param<f32, H#, D#, C#> wo, Param<f32, C#, F#> up, Param<f32, F#, C#> down) {
  auto y = rms_norm<C#>(x, gain, Eps{1e-5});
  auto q = rope<T, D#>(dot<C#>(y, wq));
  auto k = read<T>(q);
  auto w = softmax<S>(causal_mask(scores<D#>(q, k)));
  auto z = x + dot<H#, D#>(dot<S>(w, read<T>(dot<C#>(y, wk))), wo);
  return dot<F#>(silu(dot<C#>(z, up)), down) * 0.5;
}
"""
# rms_norm dot rope read scores causal_mask softmax read dot dot + dot silu dot *; the two dots of y share their types.
OPERATIONS = 15


def cost(compiler, flags, source):
    """Seconds of user and system time, and MB, of one run."""
    command = [compiler, "-std=c++20", *flags, "-I", include, source]
    child = os.posix_spawnp(compiler, command, os.environ)
    _, status, usage = os.wait4(child, 0)
    if status:
        sys.exit(f"{' '.join(command)} failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def best(compiler, flags, source):
    runs = [cost(compiler, flags, source) for _ in range(RUNS)]
    return min(t for t, _ in runs), max(m for _, m in runs)


with tempfile.TemporaryDirectory() as folder:
    alone, model = (os.path.join(folder, name) for name in ("header.cpp", "model.cpp"))
    with open(alone, "w", encoding="utf-8") as f:
        f.write(header)
    with open(model, "w", encoding="utf-8") as f:
        f.write(header + shared + "".join(layer.replace("#", str(i)) for i in range(LAYERS)))
    count = LAYERS * OPERATIONS
    print(f"{count} operations on types of their own; the least of {RUNS} runs, user + system")
    print(f"{'':12} {'':14} {'header':>8} {'operation':>10} {'memory':>8}")
    for compiler in sys.argv[1:] or ["clang++-22", "g++"]:
        for what, flags in (("-fsyntax-only", ["-fsyntax-only"]), ("-c -O0", ["-c", "-O0", "-o", os.devnull])):
            header_time, _ = best(compiler, flags, alone)
            model_time, memory = best(compiler, flags, model)
            each = (model_time - header_time) / count
            print(f"{os.path.basename(compiler):12} {what:14} {header_time:6.2f} s {each * 1000:7.1f} ms {memory:5.0f} MB")
