// A mask after softmax leaves weights that do not sum to 1.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
using S = Read<T>;

auto model(Tensor<Weights<f32, S>, B, T, H, S> w, Tensor<Mask<Every, S>, B, S> m, Tensor<Scores<f32, T, S, Causally>, B, T, H, S> s) {
  auto result = softmax<S>(mask(s, m));
  return result;
}
