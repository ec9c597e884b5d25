// Two sequences one after the other would each count from 0.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct Old : Positions<"Old"> {};
struct New : Causal<"New"> {};
struct Key : Axis<"Key", 4> {};
struct Value : Axis<"Value", 6> {};
struct All : Concat<"All", Old, New> {};  // error: Concat: Old is a sequence; a Concat is made of axes that are none. Old positions and new ones are one sequence, which rope counts as a whole  [N0038]

struct Model {
  auto forward(Tensor<f32, B, New, All> x) const { return gelu(x); }
};
NAX_MODEL(model, Model, (forward, (x), (y)));
