// What a helper does to scores is checked where it is called with them.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
using S = Read<T>;

auto attend(auto s, auto v) {
  auto w = softmax<T>(s);  // error: softmax<T>: T is the querying axis of scores [B,T,H,Read<T>]; each query normalises over the positions it reads: write softmax<Read<T>>  [N0012]
  return dot<S>(w, read<T>(v));
}
auto model(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, H, D> k) {
  auto result = attend(causal_mask(scores<D>(q, read<T>(k))), k);
  return result;
}
