// Weights are weights under .values() too.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct V : Axis<"V", 20> {};

struct Model {
  auto loss(Tensor<f32, B, T, V> x, Tensor<Ids<V>, B, T> ids) const {
    auto w = softmax<V>(x);
    auto y = logits<V>(w.values());  // naxc error: logits<V>: weights [B,T,V] are weights, not logits; give the numbers before softmax<V>  [N0042]
    return std::tuple(mean<B, T>(cross_entropy<V>(y, next<T>(ids))), argmax<V>(w));
  }
};
NAX_MODEL(model, Model, (loss, (x, ids), (loss, best)));
