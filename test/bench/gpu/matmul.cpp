// SPDX-License-Identifier: Apache-2.0
// A product of a matrix of T rows and one of parameters [INNER,OUTER], plain and as the gate of a feed-forward layer.
#include <nax/nax.h>
using namespace nax;

#ifndef ELEMENT
#define ELEMENT bf16
#endif
#ifndef INNER
#define INNER 104
#endif
#ifndef OUTER
#define OUTER 136
#endif
using E = ELEMENT;

struct T : Axis<"T"> {};
struct C : Axis<"C", INNER> {};
struct N : Axis<"N", OUTER> {};

struct Matmul {
  BOOST_HANA_DEFINE_STRUCT(Matmul, (Param<E, C, N>, weight), (Param<E, C, N>, gate), (Param<E, N>, bias));
  auto plain(Tensor<E, T, C> x) const { return dot<C>(x, weight); }                         // [T,N]
  auto biased(Tensor<E, T, C> x) const { return relu(dot<C>(x, weight) + bias); }           // [T,N]
  auto gated(Tensor<E, T, C> x) const { return silu(dot<C>(x, gate)) * dot<C>(x, weight); } // [T,N]
};

NAX_MODEL(model, Matmul, (plain, (x), (y)), (biased, (x), (y)), (gated, (x), (y)));
