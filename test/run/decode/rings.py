# SPDX-License-Identifier: Apache-2.0
"""Sliding windows: a ring of as many slots as the window reads, at all lengths around one and several times round.

    python3 test/run/decode/rings.py [NAXC]

The whole sequence's entry, which is compared with float64 elsewhere, says what is right. A window of one more or one less
gives something else at each of these lengths but those that no window cuts; that is tried, too.
"""
import sys
import numpy as np
import steps
import nax_call

WINDOWS, C, BAR = (1, 2, 5, 16), 8, 1e-5
ENTRIES = WINDOWS + (4, 6)  # one less and one more than 5


def text():
    functions = "\n".join(
        f"  auto w{w}(Tensor<f32, B, T, C> x) const {{ return attend(x, window<T>({w})); }}" for w in ENTRIES)
    return f"""#include <nax/nax.h>
using namespace nax;
struct B : Axis<"B"> {{}};
struct T : Causal<"T"> {{}};
struct C : Axis<"C", {C}> {{}};
inline constexpr Rope rotary{{.base = 100, .pairing = Rope::halves}};
struct Rings {{
  BOOST_HANA_DEFINE_STRUCT(Rings, (Param<f32, C>, gain));
  auto attend(auto x, auto hide) const {{
    auto k = rope<T, C, rotary>(x * gain);
    return dot<Read<T>>(softmax<Read<T>>(causal_mask(mask(scores<C>(k, read<T>(k)), hide))), read<T>(x));
  }}
{functions}
}};
NAX_MODEL(rings, Rings, {", ".join(f"(w{w}, (x), (out))" for w in ENTRIES)});
"""


def main():
    flags = ["--decode=" + ",".join(f"w{w}" for w in ENTRIES)]
    model = nax_call.compile(text(), "rings", *sys.argv[1:2], flags=flags)
    g = np.random.default_rng(3)
    params = model.params({"gain": 1 + 0.2 * g.standard_normal(C)})
    runs, worst = 0, 0.0
    for w in WINDOWS:
        for length in sorted({max(1, w - 1), w, w + 1, 2 * w + 1, 5 * w + 3}):
            x = g.standard_normal((2, length, C)).astype(np.float32)
            want = model.call(f"w{w}", params, x=x)["out"]
            for sizes in ([1], [2], [max(1, w - 1)], [w], [w + 1], [2 * w + 3], [3, 1, w, 2], [length]):
                # A ring is never longer than the capacity.
                for capacity in (length, length + 20):
                    cache = model.cache(f"w{w}", B=2, T=capacity)
                    assert cache.buffers()[0].shape[1] == min(w, capacity), "the ring's slots"
                    got = steps.run(cache, params, {"x": x}, steps.odd([length, length], sizes))["out"]
                    apart = max(steps.apart(row, want[b]) for b, row in enumerate(got))
                    assert apart <= BAR, f"window {w}, {length} positions in chunks of {sizes}: {apart:.1e}"
                    runs, worst = runs + 1, max(worst, apart)
    print(f"{runs} runs, at most {worst:.1e} from the whole sequence")

    for length in (4, 5, 6, 11, 28):
        x = g.standard_normal((1, length, C)).astype(np.float32)
        want = model.call("w5", params, x=x)["out"][0]
        for w in (4, 6):
            got = steps.run(model.cache(f"w{w}", B=1, T=length), params, {"x": x}, steps.ones([length]))["out"][0]
            cut = length > min(w, 5)
            assert (steps.apart(got, want) > 1e-3) == cut, f"windows {w} and 5 at {length} positions"
    print("windows of one more and one less: something else as soon as they cut")


if __name__ == "__main__":
    main()
