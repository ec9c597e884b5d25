// Scores are scaled by 1/sqrt(D) already.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
using S = Read<T>;

auto model(Tensor<Scores<f32, T, S>, B, T, H, S> s) {
  auto result = s * 0.125;  // error: operator*: scores [B,T,H,Read<T>] are scaled by 1/sqrt(D) already; another scale is scores<D>(q, k, Scale{s})  [N0016]
  return result;
}
