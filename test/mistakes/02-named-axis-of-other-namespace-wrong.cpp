// The axis in angle brackets is another declaration of the name.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 8> {};
namespace old {
struct C : Axis<"C", 8> {};
}

struct Model {
  auto forward(Tensor<f32, B, T, C> x) const {
    auto result = mean<old::C>(x);  // error: mean<C>: [B,T,C] has no axis C: its C is another declaration of the same name; use one, or give them two names  [N0002]
    return result;
  }
};
NAX_MODEL(model, Model, (forward, (x), (result)));
