// repeat() over layers that differ: a vector, a number that each layer has, blocks inside of blocks.
// REQUIRES: lowering, cpu-v3
// RUN: naxc check %s --decode=forward --size T=14
// RUN: naxc %s --emit=nax | FileCheck %s
// Bodies of Block differ by the window alone: 3, 5 and none.
// CHECK-COUNT-3: func.func private @Block
// CHECK-NOT: func.func private @Block
#include <array>
#include <nax/nax.h>
#include <vector>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 9> {};
struct F : Axis<"F", 12> {};
using S = Read<T>;

struct Block {
  int size = 0; // of the window; 0: none
  BOOST_HANA_DEFINE_STRUCT(Block, (Param<f32, C, F>, up), (Param<f32, F, C>, down));
  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> x, Tensor<f32, B, C> shift) const {
    auto s = scores<C>(x, read<T>(x));
    auto w = softmax<S>(size ? hide(causal_mask(mask(s, window<T>(size)))) : hide(causal_mask(s)));
    auto y = dot<S>(w, read<T>(x));
    return x + dot<F>(tanh(dot<C>(y + shift, up)), down);
  }
  static Tensor<Scores<f32, T, S, Causally>, B, T, S> hide(auto s) { return s; }
};
struct Pair {
  BOOST_HANA_DEFINE_STRUCT(Pair, (std::array<Block, 2>, blocks), (Param<f32, C>, gain));
  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> x, Tensor<f32, B, C> shift) const {
    return repeat(blocks, x * gain, shift);
  }
};
struct Model {
  Model() : layers(5) {
    for (std::size_t i = 0; i < layers.size(); ++i) layers[i].size = i == 2 ? 0 : i % 2 ? 3 : 5;
    for (Pair& p : pairs) p.blocks[1].size = 3;
  }
  BOOST_HANA_DEFINE_STRUCT(Model, (std::vector<Block>, layers), (std::array<Pair, 2>, pairs));
  auto forward(Tensor<f32, B, T, C> x, Tensor<f32, B, C> shift) const {
    return repeat(pairs, repeat(layers, x, shift), shift);
  }
};
NAX_MODEL(blocks, Model, (forward, (x, shift), (y)));
