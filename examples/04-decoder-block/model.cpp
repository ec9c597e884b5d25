// SPDX-License-Identifier: Apache-2.0
// One block of a decoder, written once and entered twice: with dropout for training, without for everything else.
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 8> {};
struct C : Axis<"C", 16> {};
struct F : Axis<"F", 64> {};
using S = Read<T>;

struct Norm {
  BOOST_HANA_DEFINE_STRUCT(Norm, (Param<f32, C>, gain), (Param<f32, C>, shift));
  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> x) const { return layer_norm<C>(x, gain, shift, Eps{1e-5}); }
};

struct Attention {
  BOOST_HANA_DEFINE_STRUCT(Attention,
    (Param<f32, C, H, D>, wq), (Param<f32, C, H, D>, wk), (Param<f32, C, H, D>, wv), (Param<f32, H, D, C>, wo));
  auto operator()(Tensor<f32, B, T, C> x) const {
    auto q = dot<C>(x, wq);
    auto k = dot<C>(x, wk);
    auto v = dot<C>(x, wv);
    auto w = softmax<S>(causal_mask(scores<D>(q, read<T>(k))));
    return dot<H, D>(dot<S>(w, read<T>(v)), wo);
  }
};

struct Mlp {
  BOOST_HANA_DEFINE_STRUCT(Mlp,
    (Param<f32, C, F>, up), (Param<f32, F>, up_bias), (Param<f32, F, C>, down), (Param<f32, C>, down_bias));
  auto operator()(Tensor<f32, B, T, C> x) const { return dot<F>(gelu_tanh(dot<C>(x, up) + up_bias), down) + down_bias; }
};

struct Block {
  BOOST_HANA_DEFINE_STRUCT(Block, (Norm, norm1), (Attention, attention), (Norm, norm2), (Mlp, mlp));

  // `drop` is what happens to each branch before it joins x.
  Tensor<f32, B, T, C> block(Tensor<f32, B, T, C> x, auto drop) const {
    x = x + drop(attention(norm1(x)));
    return x + drop(mlp(norm2(x)));
  }

  // Only an entry that takes a Training can drop anything: the seed comes with it.
  auto train(Training training, Tensor<f32, B, T, C> x) const {
    return block(x, [&](auto y) { return dropout(training, 0.1, y); });
  }
  auto infer(Tensor<f32, B, T, C> x) const {
    return block(x, [](auto y) { return y; });
  }
};

NAX_MODEL(decoder_block, Block, (train, (training, x), (out)), (infer, (x), (out)));
