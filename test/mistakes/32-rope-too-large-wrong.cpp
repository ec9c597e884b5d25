// More components rotate than there are.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
inline constexpr Rope wide{.dims = 16};
inline constexpr Rope narrow{.dims = 4};

auto model(Tensor<f32, B, T, H, D> q) {
  auto result = rope<T, D, wide>(q);  // error: rope<T,D>: the rotary size 16 is larger than D (8)  [N0032]
  return result;
}
