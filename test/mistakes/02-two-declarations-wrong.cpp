// One name, two declarations in two namespaces, two sizes.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
struct C : Product<"C", H, D> {};
namespace old {
struct C : Axis<"C", 16> {};
}

auto model(Tensor<f32, B, T, C> x, Param<f32, old::C> g, Param<f32, C> h) {
  auto result = x * g;  // error: operator*: C of [B,T,C] and C of [C] are two declarations of one name (sizes 32 and 16); use one, or give them two names  [N0002]
  return result;
}
