// Positions that a table added are not added by a rope too, in whatever layer, unless the Rope says that both are meant.
// RUN: %nax-cxx %s %build/lib/libnaxemit.a -o %t && not %t %t.mlir 2>&1 | FileCheck %s
// RUN: %nax-cxx -DAFTER_TABLE=true %s %build/lib/libnaxemit.a -o %t && %t %t.mlir
// REQUIRES: clang22
#include <array>
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct P : Axis<"P", 64> {};
struct V : Axis<"V", 50> {};
struct D : Axis<"D", 4> {};
#ifndef AFTER_TABLE
#define AFTER_TABLE false
#endif
inline constexpr Rope rotary{.after_table = AFTER_TABLE};

struct Block {
  BOOST_HANA_DEFINE_STRUCT(Block, (Param<f32, D>, gain));
  Tensor<f32, B, T, D> operator()(Tensor<f32, B, T, D> x) const {
    auto q = rope<T, D, rotary>(x * gain);
    return x + dot<Read<T>>(softmax<Read<T>>(causal_mask(scores<D>(q, read<T>(q)))), read<T>(x));
  }
};
struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, V, D>, tokens), (Param<f32, P, D>, places), (std::array<Block, 2>, layers));
  auto forward(Tensor<Ids<V>, B, T> ids) const {
    return repeat(layers, embed_positions<T>(embed<V>(ids, tokens), places));
  }
};
NAX_MODEL(model, Model, (forward, (ids), (y)));

// CHECK: rope-after-table.cpp:[[#@LINE-12]]:14: error: rope<T,D>: embed_positions<T> added the positions already; if both are meant, say so in the Rope: .after_table = true [N0036]
