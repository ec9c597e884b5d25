// The loss of a position is one number: the vocabulary is gone.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 8> {};
struct V : Axis<"V", 10> {};

struct Model {
  auto forward(Tensor<f32, B, T, C> x, Tensor<f32, V, C> table, Tensor<Ids<V>, B, T> ids) const {
    auto losses = cross_entropy<V>(unembed<V>(x, table), next<T>(ids));
    auto loss = mean<B, T>(losses);
    return loss;
  }
};
NAX_MODEL(model, Model, (forward, (x, table, ids), (loss)));
