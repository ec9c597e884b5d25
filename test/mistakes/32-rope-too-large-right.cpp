// More components rotate than there are.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
inline constexpr Rope wide{.dims = 16};
inline constexpr Rope narrow{.dims = 4};

auto model(Tensor<f32, B, T, H, D> q) {
  auto result = rope<T, D, narrow>(q);
  return result;
}
