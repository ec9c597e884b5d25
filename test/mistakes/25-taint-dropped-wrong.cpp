// A type that does not say so may not take it.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct P : Positions<"P"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
struct C : Product<"C", H, D> {};

auto model(Tensor<f32, B, T, C> x, Tensor<f32, B, P, C> z) {
  auto result = Tensor<f32, B, C>(mean<T>(x));  // error: passing [B,C] where [B,C] is meant: it has seen every position of the causal T, and the type must say so: auto, or Tensor<Whole<f32,T>, ...>  [N0025]
  return result;
}
