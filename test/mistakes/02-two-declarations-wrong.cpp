// One name, two declarations in two namespaces, two sizes.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 8> {};
namespace old {
struct C : Axis<"C", 16> {};
}

struct Model {
  auto forward(Tensor<f32, B, T, C> x, Tensor<f32, old::C> g) const {
    auto result = x * g;  // error: operator*: C of [B,T,C] and C of [C] are two declarations of one name (sizes 8 and 16); use one, or give them two names  [N0002]
    return result;
  }
};
NAX_MODEL(model, Model, (forward, (x, g), (result)));
