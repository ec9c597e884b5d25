// And in the same pairs.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
inline constexpr Rope pairs{.pairing = Rope::interleaved};

auto model(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, H, D> k) {
  auto result = scores<D>(rope<T, D, pairs>(q), read<T>(rope<T, D>(k)));  // error: scores<D>: query rotated [B,T,H,D] and key rotated [B,Read<T>,H,D] were rotated differently (pairing); use one Rope for both  [N0034]
  return result;
}
