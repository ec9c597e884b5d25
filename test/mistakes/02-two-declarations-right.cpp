// One name, two declarations in two namespaces, two sizes.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 8> {};
namespace old {
struct C : Axis<"C", 16> {};
}

struct Model {
  auto forward(Tensor<f32, B, T, C> x, Tensor<f32, C> g) const {
    auto result = x * g;
    return result;
  }
};
NAX_MODEL(model, Model, (forward, (x, g), (result)));
