# SPDX-License-Identifier: Apache-2.0
"""Rows without a position, choices among infinite and missing numbers, vocabularies of run-time size, sizes no memory has.

    python3 test/run/edges.py [NAXC]
"""
import ctypes, sys
import numpy as np
import nax_call

MODEL = """#include <nax/nax.h>
using namespace nax;
struct B : Axis<"B"> {};
struct P : Positions<"P", Ragged> {};
struct L : Causal<"L", LeftPadded> {};
struct T : Causal<"T"> {};
struct N : Axis<"N"> {};
struct D : Axis<"D", 4> {};
struct V : Axis<"V", 6> {};
struct K : Axis<"K", 3> {};
struct C : Axis<"C", 8> {};
inline constexpr Rope rotary{.base = 10000};
struct Model {
  auto ragged(Tensor<f32, B, P, D> x) const { return std::tuple(first<P>(x), last<P>(x)); }
  auto padded(Tensor<f32, B, L, D> x) const { return std::tuple(first<L>(x), last<L>(x)); }
  auto choose(Tensor<f32, B, V> x) const { return std::tuple(argmax<V>(x), top_k<V, K>(x)); }
  auto look_up(Tensor<f32, N, D> table, Tensor<Ids<N>, B> ids) const {
    return std::tuple(embed<N>(ids, table), embed<N>(argmax<N>(table), spread<C>(sum<D>(table))), top_k<N, K>(table));
  }
  auto turned(Tensor<f32, B, T, C> x) const {
    auto y = rope<T, C, rotary>(x);
    return dot<Read<T>>(softmax<Read<T>>(causal_mask(scores<C>(y, read<T>(y)))), read<T>(x));
  }
  auto casts(Tensor<f64, B> a, Tensor<i32, B> b, Tensor<i64, B> c, Tensor<boolean, B> d, Tensor<f16, B> e) const {
    return std::tuple(to<f16>(a), to<bf16>(a), to<bf16>(b), to<bf16>(c), to<bf16>(d), to<f16>(c), to<bf16>(e));
  }
};
NAX_MODEL(edges, Model, (ragged, (x), (first, last)), (padded, (x), (first, last)), (choose, (x), (best, few)),
          (look_up, (table, ids), (rows, most, few)), (turned, (x), (y)),
          (casts, (a, b, c, d, e), (a16, a_b, b_b, c_b, d_b, c16, e_b)));
"""


def same(got, want, what):
    assert np.array_equal(np.asarray(got), np.asarray(want)), f"{what}: {got}, not {want}"


def refused(model, words, entry, **inputs):
    try:
        model.call(entry, **inputs)
    except nax_call.Error as e:
        assert words in str(e), f"{entry}: {e}"
    else:
        raise AssertionError(f"{entry} took {inputs}")


def bf16(x):
    """The nearest bf16, ties to even, as bits."""
    bits = np.asarray(x, np.float32).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def ends(model):
    x = np.full((3, 5, 4), np.nan, np.float32)
    x[0, :3], x[1] = np.arange(3)[:, None], 7
    out = model.call("ragged", x=x, P_lengths=np.array([3, 5, 0]))
    same(out["first"][:, 0], [0, 7, 0], "first of ragged rows")
    same(out["last"][:, 0], [2, 7, 0], "last of ragged rows")
    x[0] = np.arange(5)[:, None]
    out = model.call("padded", x=x, L_starts=np.array([2, 0, 5]))
    same(out["first"][:, 0], [2, 7, 0], "first of left-padded rows")
    same(out["last"][:, 0], [4, 7, 0], "last of left-padded rows")


def choices(model):
    inf, nan = np.inf, np.nan
    x = np.array([[-inf] * 6, [nan] * 6, [-inf, nan, 2, -inf, 1, nan], [inf, 3, inf, nan, -inf, inf], [5, 5, 5, 6, 6, 5]],
                 np.float32)
    out = model.call("choose", x=x)
    same(out["best"], [0, 0, 2, 0, 3], "argmax")
    same(out["few"], [[0, 1, 2], [0, 1, 2], [2, 4, 0], [0, 2, 5], [3, 4, 0]], "top_k")


def vocabularies(model):
    table = np.arange(20, dtype=np.float32).reshape(5, 4)
    out = model.call("look_up", table=table, ids=[4, 0])
    same(out["rows"], table[[4, 0]], "rows of a table")
    same(out["most"], np.full((4, 8), table[4].sum()), "the largest row")
    refused(model, "ids[1] is 5, N has 5", "look_up", table=table, ids=[4, 5])
    refused(model, "ids[0] is -1, N has 5", "look_up", table=table, ids=[-1, 0])
    refused(model, "ids[0] is 0, N has 0", "look_up", table=table[:0], ids=[0])
    same(model.call("look_up", table=table[:0], ids=[])["most"], np.zeros((4, 8)), "the largest row of none")
    same(model.call("look_up", table=table[:2], ids=[])["few"], [[1, 0, 0]] * 4, "three of two rows")


def sizes(model):
    """No element anywhere, but a table of sines that no memory has."""
    status = model.lib.edges_turned(model.context, ctypes.c_int64(0), ctypes.c_int64(2**63 - 1), None, None, None,
                                    ctypes.c_size_t(0))
    text = model.lib.nax_last_error(model.context).decode()
    assert status and "no memory for the workspace" in text, (status, text)


def casts(model):
    a = np.array([1.5, -2**-20, 65519.9, 3e38, np.inf, 1.00390625])
    b = np.array([2**31 - 1, -2**31, 257, 259, 0, -1], np.int32)
    c = np.array([2**63 - 1, -2**63, 257, 65520, 0, -1])
    d = np.array([1, 0, 1, 0, 0, 1], bool)
    e = np.array([1.5, -2**-20, 65504, 0, np.inf, 1.0009765625], np.float16)
    out = model.call("casts", a=a, b=b, c=c, d=d, e=e.view(np.uint16), fill=0)
    with np.errstate(over="ignore"):
        half = lambda x: x.astype(np.float32).astype(np.float16).view(np.uint16)
        for name, want in dict(a16=half(a), a_b=bf16(a), b_b=bf16(b), c_b=bf16(c), d_b=bf16(d), c16=half(c), e_b=bf16(e)).items():
            same(out[name], want, name)


def main():
    model = nax_call.compile(MODEL, "edges", sys.argv[1] if len(sys.argv) > 1 else "naxc")
    for check in (ends, choices, vocabularies, sizes, casts):
        check(model)
    print("edges hold")


if __name__ == "__main__":
    main()
