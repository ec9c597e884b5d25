# SPDX-License-Identifier: Apache-2.0
"""A row goes between caches of the same sizes alone, also where others come to as many bytes.

    python3 test/run/decode/row-sizes.py [NAXC]
"""
import os, sys, tempfile
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import nax_call

TEXT = """
#include <nax/nax.h>
using namespace nax;
struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct P : Positions<"P", Ragged> {};
struct Q : Axis<"Q"> {};
struct C : Axis<"C", 8> {};
struct Model {
  auto look(Tensor<f32, B, T, Q, C> x, Tensor<f32, B, P, Q, C> y) const {
    auto k = read<P>(y);
    return dot<Read<P>>(softmax<Read<P>>(scores<C>(x, k)), k);
  }
};
NAX_MODEL(sizes, Model, (look, (x, y), (out)));
NAX_DECODE(look);
"""


def begun(model, p, q):
    cache = model.cache("look", B=1, T=4, P=p, Q=q)
    cache.begin(y=np.ones((1, p, q, 8), np.float32), P_lengths=np.array([p], np.int32))
    return cache


def refused(call):
    try:
        call()
    except Exception as error:
        return str(error)
    return "accepted"


model = nax_call.compile(TEXT, "sizes", sys.argv[1] if len(sys.argv) > 1 else "naxc")
wide, tall, like = begun(model, 6, 2), begun(model, 2, 6), begun(model, 6, 2)
with tempfile.TemporaryDirectory() as folder:
    row = os.path.join(folder, "a.row")
    wide.save(0, row)
    print("copied:", refused(lambda: tall.copy(0, wide, 0)))
    print("restored:", refused(lambda: tall.restore(0, row)).replace(row, "a.row"))
    print("alike:", refused(lambda: like.copy(0, wide, 0)), refused(lambda: like.restore(0, row)))
