# SPDX-License-Identifier: Apache-2.0
"""Attention with its projections over batch sizes, lengths, head counts and head widths, against numpy.

    python3 test/run/sweep.py 1,2,3 [NAXC [OPTION...]]     # the head widths; all of a call are entries of one model

Every size is one the tiles of a kernel do not divide, or a border: nothing at all, one, one less and one more than a tile.
"""
import sys
import numpy as np
import nax_call, reference

BATCHES, LENGTHS, HEADS, C, BAR = (0, 1, 3), (0, 1, 2, 17, 33, 129), ((1, 1), (4, 4), (4, 2), (6, 2), (7, 1)), 10, 1e-5


def attention_text(H, K, D):
    """One module: H query heads, K key heads, width D."""
    d, h, name = f"D{D}", f"H{H}" if H == K or K == 1 else f"H{H}of{K}", f"Attend{H}_{K}_{D}"
    key = {H: [h], 1: []}.get(K, [f"K{K}"])
    q, mixed = "dot<C>(x, wq)", "dot<S>(w, read<T>(dot<C>(x, wv)))"
    if 1 < K < H:
        q, mixed = f"split<{h}>({q})", f"merge<{h}>({mixed})"
    kd = ", ".join(["C"] + key + [d])
    return f"""struct {name} {{
  BOOST_HANA_DEFINE_STRUCT({name},
    (Param<f32, C, {h}, {d}>, wq), (Param<f32, {kd}>, wk), (Param<f32, {kd}>, wv), (Param<f32, {h}, {d}, C>, wo));
  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> x) const {{
    auto w = softmax<S>(causal_mask(scores<{d}>({q}, read<T>(dot<C>(x, wk)))));
    return dot<{h}, {d}>({mixed}, wo);
  }}
}};
"""


def text(widths):
    sizes = [(H, K, D) for D in widths for H, K in HEADS]
    axes = {f'struct D{D} : Axis<"D{D}", {D}> {{}};' for D in widths}
    for H, K in HEADS:
        if 1 < K < H:
            axes |= {f'struct K{K} : Axis<"K{K}", {K}> {{}};', f'struct G{H // K}of{H} : Axis<"G{H // K}of{H}", {H // K}> {{}};'}
        else:
            axes |= {f'struct H{H} : Axis<"H{H}", {H}> {{}};'}
    products = [f'struct H{H}of{K} : Product<"H{H}of{K}", K{K}, G{H // K}of{H}> {{}};' for H, K in HEADS if 1 < K < H]
    names = [f"attend{H}_{K}_{D}" for H, K, D in sizes]
    members = ",\n    ".join(f"(Attend{n[6:]}, {n}_)" for n in names)
    functions = "\n".join(f"  auto {n}(Tensor<f32, B, T, C> x) const {{ return {n}_(x); }}" for n in names)
    return "\n".join([
        "#include <nax/nax.h>", "using namespace nax;", 'struct B : Axis<"B"> {};', 'struct T : Causal<"T"> {};',
        f'struct C : Axis<"C", {C}> {{}};', "using S = Read<T>;", *sorted(axes), *products,
        *(attention_text(*size) for size in sizes),
        f"struct Sweep {{\n  BOOST_HANA_DEFINE_STRUCT(Sweep,\n    {members});", functions, "};",
        f"NAX_MODEL(sweep, Sweep, {', '.join(f'({n}, (x), (out))' for n in names)});"]) + "\n"


def right(P, H, K, x):
    """[B,T,C] -> [B,T,C] in float64."""
    def heads(w, n):
        return w.reshape(C, n, -1)
    q, k, v = (np.einsum("btc,chd->bthd", x, heads(w, n)) for w, n in ((P["wq"], H), (P["wk"], K), (P["wv"], K)))
    k, v = np.repeat(k, H // K, 2), np.repeat(v, H // K, 2)
    scores = np.einsum("bthd,bshd->bhts", q, k) / np.sqrt(q.shape[-1])
    w = reference.masked_softmax(scores, np.tri(x.shape[1], dtype=bool)) if x.size else scores
    return np.einsum("bhts,bshd,hdc->btc", w, v, P["wo"], optimize=True)


def main():
    widths = [int(n) for n in sys.argv[1].split(",")]
    model = nax_call.compile(text(widths), "sweep", (sys.argv[2:] or ["naxc"])[0], sys.argv[3:])
    g = np.random.default_rng(1)
    values = {n: (g.standard_normal(shape) / np.sqrt(shape[0])).astype(np.float32)
              for n, shape in model.param_shapes().items()}
    params, worst, calls, failed = model.params(values), 0.0, 0, []
    for D in widths:
        for H, K in HEADS:
            name = f"attend{H}_{K}_{D}"
            P = {n: values[f"{name}_.{n}"].astype(np.float64) for n in ("wq", "wk", "wv", "wo")}
            for B in BATCHES:
                for T in LENGTHS:
                    x = g.standard_normal((B, T, C)).astype(np.float32)
                    got, want = model.call(name, params, x=x)["out"], right(P, H, K, x.astype(np.float64))
                    apart = np.abs(got - want).max() / np.abs(want).max() if want.size else 0.0
                    worst, calls = max(worst, apart), calls + 1
                    if got.shape != want.shape or not apart <= BAR:
                        failed.append(f"B={B} T={T} heads {H} of {K} D={D}: {apart:.1e}")
    print(f"{calls} calls, at most {worst:.1e} from the right answer")
    if failed:
        sys.exit("\n".join(failed))


if __name__ == "__main__":
    main()
