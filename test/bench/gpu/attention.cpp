// SPDX-License-Identifier: Apache-2.0
// Causal attention and nothing else, as measurements of attention have it: bf16 in and out, HEADS heads of WIDTH.
#include <nax/nax.h>
using namespace nax;

#ifndef ELEMENT
#define ELEMENT bf16
#endif
#ifndef HEADS
#define HEADS 2
#endif
#ifndef WIDTH
#define WIDTH 64
#endif
using E = ELEMENT;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", HEADS> {};
struct D : Axis<"D", WIDTH> {};
using S = Read<T>;

struct Attention {
  auto causal(Tensor<E, B, T, H, D> q, Tensor<E, B, T, H, D> k, Tensor<E, B, T, H, D> v) const {
    auto w = softmax<S>(causal_mask(scores<D>(q, read<T>(k)))); // [B,T,H,S]
    return dot<S>(w, read<T>(v));                               // [B,T,H,D]
  }
};

NAX_MODEL(model, Attention, (causal, (q, k, v), (o)));
