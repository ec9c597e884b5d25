// SPDX-License-Identifier: Apache-2.0
// So many dense layers, one behind the other, that their weights (18.9 MB each pair) are more than a processor's caches
// hold: with T = 1 this is what a step of a decoder does most of the time.
#include <nax/nax.h>
#include <array>
using namespace nax;

#ifndef LAYERS
#define LAYERS 56
#endif

struct T : Axis<"T"> {};
struct C : Axis<"C", 768> {};
struct F : Axis<"F", 3072> {};

struct Layer {
  BOOST_HANA_DEFINE_STRUCT(Layer, (Param<f32, C, F>, up), (Param<f32, F, C>, down));
  Tensor<f32, T, C> operator()(Tensor<f32, T, C> x) const { return dot<F>(dot<C>(x, up), down); }
};

struct Chain {
  BOOST_HANA_DEFINE_STRUCT(Chain, (std::array<Layer, LAYERS>, layers));
  auto forward(Tensor<f32, T, C> x) const { return repeat(layers, x); }
};

NAX_MODEL(chain, Chain, (forward, (x), (y)));
