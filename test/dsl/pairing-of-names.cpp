// A row of a names table may re-order what a rope rotates, into the pairing of that rope, and nothing else.
// RUN: %nax-cxx %s %build/lib/libnaxemit.a -o %t && %t %t.mlir && FileCheck %s --input-file=%t.mlir
// RUN: %nax-cxx -DPAIRING='"halves_to_interleaved:D"' %s %build/lib/libnaxemit.a -o %t && not %t %t.mlir 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: %nax-cxx -DPARAM='"wv"' %s %build/lib/libnaxemit.a -o %t && not %t %t.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %nax-cxx -DPAIRING='"interleaved_to_halves"' %s %build/lib/libnaxemit.a -o %t && not %t %t.mlir 2>&1 | FileCheck %s --check-prefix=AXIS
// RUN: %nax-cxx -DPAIRING='"interleaved_to_halves:D:2"' %s %build/lib/libnaxemit.a -o %t && not %t %t.mlir 2>&1 | FileCheck %s --check-prefix=PART
// REQUIRES: clang22
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 8> {};
struct K : Axis<"K", 2> {};
struct G : Axis<"G", 1> {};
struct H : Product<"H", K, G> {};
struct D : Axis<"D", 4> {};
using S = Read<T>;
#ifndef PARAM
#define PARAM "wq"
#endif
#ifndef PAIRING
#define PAIRING "interleaved_to_halves:D"
#endif

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, C, H, D>, wq), (Param<f32, C, K, D>, wk), (Param<f32, C, K, D>, wv),
                           (Param<f32, D>, gain));
  auto forward(Tensor<f32, B, T, C> x) const {
    auto q = rope<T, D>(split<H>(rms_norm<D>(dot<C>(x, wq), gain, Eps{1e-6})));
    auto w = softmax<S>(causal_mask(scores<D>(q, read<T>(rope<T, D>(dot<C>(x, wk))))));
    return dot<S>(w, read<T>(dot<C>(x, wv)));
  }
};
NAX_MODEL(model, Model, (forward, (x), (y)));
NAX_NAMES(gguf, {PARAM, "attn_q", "", PAIRING}, {"gain", "attn_q_norm", "", "interleaved_to_halves:D"});

// CHECK: {table = "gguf", param = "wq", file = "attn_q", pairing = "interleaved_to_halves:D"}, {table = "gguf", param = "gain"
// OTHER: pairing-of-names.cpp:[[#@LINE-3]]:{{.*}}: error: names table gguf: "halves_to_interleaved:D" orders wq for interleaved pairs, but its rope is Rope::halves [N0037]
// NONE: pairing-of-names.cpp:[[#@LINE-4]]:{{.*}}: error: names table gguf: "interleaved_to_halves:D" is about wv, which no rope rotates over D [N0037]
// AXIS: error: names table gguf: "interleaved_to_halves" is no change of a rotary pairing: halves_to_interleaved:D or interleaved_to_halves:D [N0037]
// PART: error: names table gguf: "interleaved_to_halves:D:2" re-orders 2 components of D in wq, but its rope turns 4: write interleaved_to_halves:D:4 [N0037]
