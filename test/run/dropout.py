# SPDX-License-Identifier: Apache-2.0
"""Which values dropout keeps: the rule of the manual, written again in numpy.

    python3 test/run/dropout.py [NAXC]
"""
import sys
import numpy as np
import nax_call

MODEL = """#include <nax/nax.h>
using namespace nax;
struct B : Axis<"B"> {};
struct C : Axis<"C", 37> {};
struct Model {
  auto twice(Training training, Tensor<f32, B, C> x) const {
    return std::tuple(dropout(training, 0.25, x), dropout(training, 0.5, x));
  }
};
NAX_MODEL(drops, Model, (twice, (training, x), (quarter, half)));
"""


def kept(seed, site, count, p):
    """A hash of the seed, the dropout's place in the model and the element's row-major index."""
    with np.errstate(over="ignore"):
        one, index = np.uint64(1), np.arange(count, dtype=np.uint64)
        z = (np.uint64(seed) + np.uint64(0x9E3779B97F4A7C15) * (one + np.uint64(site))
             + np.uint64(0xBF58476D1CE4E5B9) * (index + one))
        z ^= z >> np.uint64(30)
        z *= np.uint64(0xBF58476D1CE4E5B9)
        z ^= z >> np.uint64(27)
        z *= np.uint64(0x94D049BB133111EB)
        z ^= z >> np.uint64(31)
    return (z >> np.uint64(40)).astype(np.float64) * 2.0 ** -24 >= p


def main():
    model = nax_call.compile(MODEL, "drops", sys.argv[1] if len(sys.argv) > 1 else "naxc")
    x = np.random.default_rng(3).standard_normal((300, 37)).astype(np.float32)
    for seed in (0, 1, 2**62 + 12345):
        out = model.call("twice", seed=np.array(seed, np.int64), x=x)
        for site, (name, p) in enumerate((("quarter", 0.25), ("half", 0.5))):
            keep = kept(seed, site, x.size, p).reshape(x.shape)
            want = np.where(keep, x / np.float32(1 - p), np.float32(0))
            assert np.allclose(out[name], want, rtol=1e-6, atol=0), f"seed {seed}, {name}: not what the rule says"
            # Eleven thousand draws: further than this from p would be six standard deviations.
            assert abs(keep.mean() - (1 - p)) < 0.03
    print("dropout keeps what its rule says")


if __name__ == "__main__":
    main()
