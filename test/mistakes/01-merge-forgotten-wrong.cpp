// The heads are still split; the projection wants them merged.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct K : Axis<"K", 2> {};
struct G : Axis<"G", 2> {};
struct H : Product<"H", K, G> {};
struct D : Axis<"D", 8> {};
struct C : Axis<"C", 32> {};

auto model(Tensor<f32, B, T, K, G, D> mixed, Param<f32, H, D, C> wo) {
  auto result = dot<H, D>(mixed, wo);  // error: dot<H>: [B,T,K,G,D] has no axis H; its factors are there: write merge<H> first  [N0001]
  return result;
}
