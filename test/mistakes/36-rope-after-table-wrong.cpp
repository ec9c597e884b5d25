// Positions that a table added are not added by a rope too, in whatever layer, unless the Rope says that both are meant.
// RUN: %python %S/check.py wrong %s
#include <array>
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct P : Axis<"P", 64> {};
struct D : Axis<"D", 8> {};
inline constexpr Rope both{.after_table = true};

struct Block {
  BOOST_HANA_DEFINE_STRUCT(Block, (Param<f32, D>, gain));
  Tensor<f32, B, T, D> operator()(Tensor<f32, B, T, D> x) const {
    auto q = rope<T, D>(x * gain);  // naxc error: rope<T,D>: embed_positions<T> added the positions already; if both are meant, say so in the Rope: .after_table = true  [N0036]
    return x + dot<Read<T>>(softmax<Read<T>>(causal_mask(scores<D>(q, read<T>(q)))), read<T>(x));
  }
};
struct Model {
  using Layers = std::array<Block, 2>;
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, P, D>, places), (Layers, layers));
  auto forward(Tensor<f32, B, T, D> x) const { return repeat(layers, embed_positions<T>(x, places)); }
};
NAX_MODEL(model, Model, (forward, (x), (y)));
