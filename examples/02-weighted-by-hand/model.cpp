// SPDX-License-Identifier: Apache-2.0
// Softmax of given scores and a weighted sum of values: what attention is once the scores are known.
#include <nax/nax.h>
using namespace nax;

struct N : Axis<"N"> {};     // things to choose among, as many as the caller has
struct E : Axis<"E", 2> {};  // the components of a value

struct Weighted {
  auto mix(Tensor<f32, N> s, Tensor<f32, N, E> values) const {
    auto w = softmax<N>(s);                 // [N], sums to one
    return std::tuple(dot<N>(w, values), w);  // [E], [N]
  }
};

NAX_MODEL(weighted, Weighted, (mix, (scores, values), (out, weights)));
