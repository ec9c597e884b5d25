#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""dsl_compile_time.py [COMPILER...]: what the language costs a host compiler, beside what it may cost.

Times are user + system, the least of several runs, to be taken on a quiet machine; all but the first with -c -O0. An
operation is counted once for each set of types: every block of the generated program has its own axes, so that no two
of its 100 operations share an instantiation. Declarations are part of their cost. Exits with 1 if a budget is missed.
"""
import os
import sys
import tempfile

RUNS = 7
HEADER_SECONDS = 0.5
# Of 100 operations over the header; of another compiler as of g++.
OPERATIONS_SECONDS = {"clang++": 0.6, "g++": 1.0}
MEMORY_MB = 600
# 30 layers over 1, of the time of 1: what runs of one program differ by.
LAYERS_PART = 0.05

here = os.path.dirname(os.path.abspath(__file__))
includes = [os.path.join(here, "../..", folder, "include") for folder in ("build", "dsl")]
include = next(i for i in includes if os.path.exists(os.path.join(i, "nax/nax.h")))

header = "#include <nax/nax.h>\n"
shared = """#include <array>
using namespace nax;
struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
using S = Read<T>;
"""
axes = """struct C# : Axis<"C#", 64> {};
struct H# : Axis<"H#", 4> {};
struct D# : Axis<"D#", 16> {};
struct F# : Axis<"F#", 256> {};
"""
parameters = """(Param<f32, C#>, gain), (Param<f32, C#, H#, D#>, wq), (Param<f32, C#, H#, D#>, wk),
 (Param<f32, H#, D#, C#>, wo), (Param<f32, C#, F#>, up), (Param<f32, F#, C#>, down)"""
# 20 operations, each on types of its own (the dots of y with wq and wk share theirs): rms_norm dot rope read scores
# softcap causal_mask softmax read dot dot + layer_norm dot gelu dot * mean - silu.
body = """  auto y = rms_norm<C#>(x, gain, Eps{1e-5});
  auto q = rope<T, D#>(dot<C#>(y, wq));
  auto w = softmax<S>(causal_mask(softcap(scores<D#>(q, read<T>(q)), 50.0)));
  auto z = x + dot<H#, D#>(dot<S>(w, read<T>(dot<C#>(y, wk))), wo);
  auto v = dot<F#>(gelu(dot<C#>(layer_norm<C#>(z, gain, Eps{1e-5}), up)), down) * 0.5;
  return silu(v - mean<C#>(z));
"""
arguments = parameters.replace("(", "").replace(">,", ">").replace(")", "")  # "(Param<f32, C#>, gain)": Param<f32, C#> gain
block = axes + "auto block#(Tensor<f32, B, T, C#> x, " + arguments + ") {\n" + body + "}\n"
BLOCKS = 5
model = (axes + "struct Layer {\n  BOOST_HANA_DEFINE_STRUCT(Layer, " + parameters + ");\n"
         "  Tensor<f32, B, T, C#> operator()(Tensor<f32, B, T, C#> x) const {\n" + body + "  }\n};\n"
         "struct Model {\n  using Layers = std::array<Layer, COUNT>;\n  BOOST_HANA_DEFINE_STRUCT(Model, (Layers, layers));\n"
         "  auto forward(Tensor<f32, B, T, C#> x) const { return repeat(layers, x); }\n};\n"
         "NAX_MODEL(model, Model, (forward, (x), (y)));\n").replace("#", "")
programs = {
    "header": header,
    "operations": header + shared + "".join(block.replace("#", str(i)) for i in range(BLOCKS)),
    "1 layer": header + shared + model.replace("COUNT", "1"),
    "30 layers": header + shared + model.replace("COUNT", "30"),
}


def cost(command):
    """Seconds of user and system time, and MB, of one run."""
    child = os.posix_spawnp(command[0], command, os.environ)
    _, status, usage = os.wait4(child, 0)
    if status:
        sys.exit(f"{' '.join(command)} failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def least(commands):
    """The least time of each command and the most memory of any; they take turns, so that noise meets them all."""
    runs = [[cost(command) for command in commands] for _ in range(RUNS)]
    return [min(times) for times in zip(*([t for t, _ in run] for run in runs))], max(m for run in runs for _, m in run)


def show(what, value, unit, budget=None):
    global missed
    over = budget is not None and value > budget
    missed |= over
    print(f"  {what:32} {value:7.2f} {unit}" + (f" of {budget:.2f}" if budget else "") + "  MISSED" * over)


missed = False
with tempfile.TemporaryDirectory() as folder:
    for name, text in programs.items():
        with open(os.path.join(folder, name + ".cpp"), "w", encoding="utf-8") as f:
            f.write(text)
    for compiler in sys.argv[1:] or ["clang++-22", "g++"]:
        start = [compiler, "-std=c++20", "-I", include]
        to_object = ["-c", "-O0", "-o", os.path.join(folder, "program.o")]
        commands = [[*start, "-fsyntax-only", os.path.join(folder, "header.cpp")]]
        commands += [[*start, *to_object, os.path.join(folder, name + ".cpp")] for name in programs]
        (checked, alone, operations, one, thirty), memory = least(commands)
        allowed = OPERATIONS_SECONDS["clang++" if "clang" in compiler else "g++"]
        print(compiler)
        show("the header, -fsyntax-only", checked, "s", HEADER_SECONDS)
        show("the header", alone, "s", HEADER_SECONDS)
        show("100 operations over the header", operations - alone, "s", allowed)
        show("a model of 1 layer", one, "s")
        show("a model of 30 layers", thirty, "s", one * (1 + LAYERS_PART))
        show("the most memory", memory, "MB", MEMORY_MB)
sys.exit(missed)
