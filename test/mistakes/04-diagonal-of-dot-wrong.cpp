// A product over a shared sequence is its diagonal.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
struct C : Product<"C", H, D> {};

auto model(Tensor<f32, B, T, C> x, Tensor<f32, B, T, C> y) {
  auto result = dot<C>(x, y);  // error: dot<C>: both [B,T,C] and [B,T,C] stand on T, so only each position with itself would meet (the diagonal); the second is what is read: dot<C>(x, read<T>(y)), or sum<C>(x * y) if the diagonal is meant  [N0004]
  return result;
}
