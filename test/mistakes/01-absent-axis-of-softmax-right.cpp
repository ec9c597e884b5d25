// The scores have no axis F.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct F : Axis<"F", 64> {};
using S = Read<T>;

auto model(Tensor<Scores<f32, T, S, Causally>, B, T, H, S> s) {
  auto result = softmax<S>(s);
  return result;
}
