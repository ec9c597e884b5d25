// SPDX-License-Identifier: Apache-2.0
// Causal attention and nothing else, D = 64: 12 heads, one head (for long sequences), and 9 query heads in groups of 3.
// The steps of two of them read a cache.
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 12> {};
struct U : Axis<"U", 1> {};
struct K : Axis<"K", 3> {};
struct G : Axis<"G", 3> {};
struct D : Axis<"D", 64> {};
using S = Read<T>;

struct Attention {
  auto heads(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, H, D> k, Tensor<f32, B, T, H, D> v) const {
    return dot<S>(softmax<S>(causal_mask(scores<D>(q, read<T>(k)))), read<T>(v));
  }
  auto single(Tensor<f32, B, T, U, D> q, Tensor<f32, B, T, U, D> k, Tensor<f32, B, T, U, D> v) const {
    return dot<S>(softmax<S>(causal_mask(scores<D>(q, read<T>(k)))), read<T>(v));
  }
  auto groups(Tensor<f32, B, T, K, G, D> q, Tensor<f32, B, T, K, D> k, Tensor<f32, B, T, K, D> v) const {
    return dot<S>(softmax<S>(causal_mask(scores<D>(q, read<T>(k)))), read<T>(v));
  }
};

NAX_MODEL(attention, Attention, (heads, (q, k, v), (o)), (single, (q, k, v), (o)), (groups, (q, k, v), (o)));
NAX_DECODE(heads);
NAX_DECODE(groups);
