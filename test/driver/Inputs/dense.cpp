// SPDX-License-Identifier: Apache-2.0
// One dense layer, whose sizes are multiples of every tile.
#include <nax/nax.h>
using namespace nax;
struct T : Axis<"T"> {};
struct K : Axis<"K", 128> {};
struct N : Axis<"N", 192> {};
struct Dense {
  BOOST_HANA_DEFINE_STRUCT(Dense, (Param<f32, K, N>, w));
  auto forward(Tensor<f32, T, K> x) const { return dot<K>(x, w); }
};
NAX_MODEL(dense, Dense, (forward, (x), (y)));
