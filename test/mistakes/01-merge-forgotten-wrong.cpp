// The heads are still split; the projection wants them merged.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct K : Axis<"K", 2> {};
struct G : Axis<"G", 3> {};
struct H : Product<"H", K, G> {};
struct D : Axis<"D", 4> {};
struct C : Axis<"C", 8> {};

struct Model {
  auto forward(Tensor<f32, B, T, K, G, D> mixed, Tensor<f32, H, D, C> wo) const {
    auto result = dot<H, D>(mixed, wo);  // error: dot<H>: [B,T,K,G,D] has no axis H; its factors are there: write merge<H> first  [N0001]
    return result;
  }
};
NAX_MODEL(model, Model, (forward, (mixed, wo), (result)));
