// Capping masked scores lets blocked positions back in.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
using S = Read<T>;

auto model(Tensor<Scores<f32, T, S, Causally>, B, T, H, S> s, Tensor<Scores<f32, T, S>, B, T, H, S> r) {
  auto result = softcap(s, 30.0);  // error: softcap: scores [B,T,H,Read<T>] are masked already, and capping would let blocked positions back in; cap before the mask  [N0015]
  return result;
}
