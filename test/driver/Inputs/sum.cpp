// SPDX-License-Identifier: Apache-2.0
// The least there can be: no parameters, one run-time size.
#include <nax/nax.h>
using namespace nax;

struct N : Axis<"N"> {};

struct Model {
  auto forward(Tensor<f32, N> x, Tensor<f32, N> y) const { return x + y; }
};
NAX_MODEL(sum, Model, (forward, (x, y), (out)));
