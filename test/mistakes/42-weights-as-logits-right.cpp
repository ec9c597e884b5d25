// The loss takes logits.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct V : Axis<"V", 20> {};

struct Model {
  auto loss(Tensor<f32, B, T, V> x, Tensor<Ids<V>, B, T> ids) const {
    auto losses = cross_entropy<V>(logits<V>(x), next<T>(ids));
    return mean<B, T>(losses);
  }
};
NAX_MODEL(model, Model, (loss, (x, ids), (loss)));
