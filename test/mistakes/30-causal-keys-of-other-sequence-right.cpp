// Nothing says how the positions of two causal sequences align.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct P : Positions<"P"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
struct N : Causal<"N"> {};

auto model(Tensor<f32, B, T, H, D> q, Tensor<f32, B, N, H, D> k, Tensor<f32, B, P, H, D> e) {
  auto result = scores<D>(q, read<P>(e));
  return result;
}
