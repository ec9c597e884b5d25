// SPDX-License-Identifier: Apache-2.0
// Attention with several heads, with every value on the way as a result, so that the axes can be watched.
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};     // rows of a batch
struct T : Causal<"T"> {};   // token positions
struct C : Axis<"C", 8> {};  // the width of a token
struct H : Axis<"H", 2> {};  // heads
struct D : Axis<"D", 4> {};  // the width of a head
using S = Read<T>;

struct Heads {
  BOOST_HANA_DEFINE_STRUCT(Heads,
    (Param<f32, C, H, D>, wq),
    (Param<f32, C, H, D>, wk),
    (Param<f32, C, H, D>, wv),
    (Param<f32, H, D, C>, wo));

  auto forward(Tensor<f32, B, T, C> x) const {
    // The order of axes is chosen where memory has one, at a result; between operations there is none to think about.
    Tensor<f32, B, H, T, D> q = dot<C>(x, wq);
    Tensor<f32, B, H, S, D> k = read<T>(dot<C>(x, wk));
    Tensor<f32, B, H, S, D> v = read<T>(dot<C>(x, wv));
    Tensor<Weights<f32, S>, B, H, T, S> weights = softmax<S>(causal_mask(scores<D>(q, k)));
    Tensor<f32, B, T, H, D> mixed = dot<S>(weights, v);
    Tensor<f32, B, T, C> out = dot<H, D>(mixed, wo);
    return std::tuple(q, k, v, weights, mixed, out);
  }
};

NAX_MODEL(heads, Heads, (forward, (x), (q, k, v, weights, mixed, out)));
