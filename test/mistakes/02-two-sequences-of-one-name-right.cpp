// One sequence, declared in two namespaces, is two sequences.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
namespace keys {
struct T : Causal<"T"> {};
}

auto model(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, H, D> k) {
  auto result = scores<D>(q, read<T>(k));
  return result;
}
