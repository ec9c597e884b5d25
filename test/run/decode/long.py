# SPDX-License-Identifier: Apache-2.0
"""Caches longer than any tile or segment of a kernel, chunks above and below one, heads as wide as in a real model.

    python3 test/run/decode/long.py [NAXC [OPTION...]]
"""
import sys
import numpy as np
import steps
import nax_call

B, T, C, BAR = 3, 700, 12, 1e-5
TEXT = """#include <nax/nax.h>
using namespace nax;
struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct Tp : Causal<"Tp", Packed> {};
struct C : Axis<"C", 12> {};
struct K : Axis<"K", 2> {};
struct G : Axis<"G", 3> {};
struct H : Product<"H", K, G> {};
struct D : Axis<"D", 64> {};
struct E : Axis<"E", 20> {};
inline constexpr Rope rotary{.base = 10000, .pairing = Rope::halves};
struct Long {
  BOOST_HANA_DEFINE_STRUCT(Long,
    (Param<f32, C, H, D>, wq), (Param<f32, C, K, D>, wk), (Param<f32, C, K, E>, wv), (Param<f32, H, E, C>, wo));
  template <class A>
  auto attend(Tensor<f32, B, A, C> x, auto hide) const {
    auto q = rope<A, D, rotary>(split<H>(dot<C>(x, wq)));
    auto k = rope<A, D, rotary>(dot<C>(x, wk));
    auto w = softmax<Read<A>>(causal_mask(hide(scores<D>(q, read<A>(k)))));
    return dot<H, E>(merge<H>(dot<Read<A>>(w, read<A>(dot<C>(x, wv)))), wo);
  }
  auto causal(Tensor<f32, B, T, C> x) const { return attend<T>(x, [](auto s) { return s; }); }
  auto windowed(Tensor<f32, B, T, C> x) const { return attend<T>(x, [](auto s) { return mask(s, window<T>(150)); }); }
  auto packed(Tensor<f32, B, Tp, C> x) const { return attend<Tp>(x, [](auto s) { return s; }); }
};
NAX_MODEL(long_, Long, (causal, (x), (out)), (windowed, (x), (out)), (packed, (x), (out)));
"""


def main():
    g = np.random.default_rng(8)
    model = nax_call.compile(TEXT, "long_", *sys.argv[1:2], flags=["--decode=causal,windowed,packed", *sys.argv[2:]])
    params = model.params({n: g.standard_normal(shape) / np.sqrt(shape[0]) for n, shape in model.param_shapes().items()})
    x = g.standard_normal((B, T, C)).astype(np.float32)
    documents = np.cumsum(g.random((B, T)) < 0.01, 1).astype(np.int32)
    contexts = [model.new_context(threads) for threads in (1, 3)]
    lengths = [T, 400, 1]
    # A prompt, then tokens one by one; chunks around the powers of two; rows of their own.
    prompt = [(300, np.array([300, 299, 0])), *[(1, np.array([1, 1, 0]))] * 40]
    schedules = {"prompt and steps": prompt, "chunks": steps.odd(lengths, [64, 1, 130, 17, 15, 33, 128, 2]),
                 "one chunk": steps.whole(lengths), "ragged": steps.ragged(lengths, np.random.default_rng(1), most=70)}
    for entry in ("causal", "windowed", "packed"):
        inputs, axis = ({"x": x, "Tp_documents": documents}, "Tp") if entry == "packed" else ({"x": x}, "T")
        want, worst = model.call(entry, params, **inputs)["out"], 0.0

        def run(schedule, rows=slice(None), before=None, context=None):
            values = {n: v[rows] for n, v in inputs.items()}
            cache = model.cache(entry, B=len(values["x"]), **{axis: T})
            return steps.run(cache, params, values, schedule, before=before, context=context)["out"]

        for name, schedule in schedules.items():
            got = run(schedule)
            worst = max([worst] + [steps.apart(row, want[b, :len(row)]) for b, row in enumerate(got)])
            assert worst <= BAR, f"{entry}, {name}: {worst:.1e} from the whole sequence"
            for before, context in ((steps.poison(np.nan), None), (None, contexts[0]), (None, contexts[1])):
                assert steps.same(run(schedule, before=before, context=context), got), f"{entry}, {name}: other bits"
            for b in range(B):
                assert steps.same(run(steps.alone(schedule, b), slice(b, b + 1))[0], got[b]), f"{entry}, {name}: row {b} alone"
        print(f"{entry}: at most {worst:.1e} from the whole sequence; the same bits alone, poisoned, with 1 and 3 threads", flush=True)


if __name__ == "__main__":
    main()
