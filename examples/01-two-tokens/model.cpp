// SPDX-License-Identifier: Apache-2.0
// Causal attention and nothing else: every token looks back at the tokens it may read.
#include <nax/nax.h>
using namespace nax;

struct T : Causal<"T"> {};   // token positions; position t may read only s <= t
struct D : Axis<"D", 2> {};  // what a query and a key are compared along
using S = Read<T>;           // the same positions, in the role of being read

struct TwoTokens {
  auto attention(Tensor<f32, T, D> q, Tensor<f32, T, D> k, Tensor<f32, T, D> v) const {
    auto s = scores<D>(q, read<T>(k));     // [T,S], already divided by the root of D
    auto w = softmax<S>(causal_mask(s));   // [T,S], each row sums to one
    auto out = dot<S>(w, read<T>(v));      // [T,D]: S is mixed away, the query's T stays
    return std::tuple(out, w);
  }
};

NAX_MODEL(two_tokens, TwoTokens, (attention, (q, k, v), (out, weights)));
