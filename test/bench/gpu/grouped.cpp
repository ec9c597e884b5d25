// SPDX-License-Identifier: Apache-2.0
// What attention.cpp leaves out: heads in groups, a window, a soft cap, widths that fill no tile, values of another one.
#include <nax/nax.h>
using namespace nax;

#ifndef ELEMENT
#define ELEMENT bf16
#endif
using E = ELEMENT;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct K : Axis<"K", 1> {};
struct G : Axis<"G", 2> {};
struct D : Axis<"D", 80> {};
struct W : Axis<"W", 48> {};
using S = Read<T>;

struct Grouped {
  auto windowed(Tensor<E, B, T, K, G, D> q, Tensor<E, B, T, K, D> k, Tensor<E, B, T, K, W> v) const {
    auto s = softcap(scores<D>(q, read<T>(k)), 20.0);          // [B,T,K,G,S]
    auto w = softmax<S>(mask(causal_mask(s), window<T>(100))); // [B,T,K,G,S]
    return dot<S>(w, read<T>(v));                              // [B,T,K,G,W]
  }
};

NAX_MODEL(model, Grouped, (windowed, (q, k, v), (o)));
