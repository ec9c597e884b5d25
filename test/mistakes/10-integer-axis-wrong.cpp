// An integer is no axis.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
struct C : Product<"C", H, D> {};
using S = Read<T>;

auto model(Tensor<Scores<f32, T, S, Causally>, B, T, H, S> s) {
  auto result = softmax<-1>(s);  // error: softmax: an integer or a character is not an axis, which is a struct: softmax<S>(x), where struct C : Axis<"C", 64> {}, struct T : Causal<"T"> {}, using S = Read<T>  [N0010]
  return result;
}
