// Two sequences one after the other would each count from 0.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct Old : Positions<"Old"> {};
struct New : Causal<"New"> {};
struct Key : Axis<"Key", 4> {};
struct Value : Axis<"Value", 6> {};
struct All : Concat<"All", Key, Value> {};

struct Model {
  auto forward(Tensor<f32, B, New, All> x) const { return gelu(x); }
};
NAX_MODEL(model, Model, (forward, (x), (y)));
