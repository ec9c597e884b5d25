// Grouped heads: the queries are split into groups first.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct D : Axis<"D", 8> {};
struct K : Axis<"K", 2> {};
struct G : Axis<"G", 2> {};
struct J : Product<"J", K, G> {};

auto model(Tensor<f32, B, T, J, D> q, Tensor<f32, B, T, K, D> k) {
  auto result = scores<D>(q, read<T>(k));  // error: scores<D>: the key [B,Read<T>,K,D] has K but the query [B,T,J,D] has not: write split<J>(q) first  [N0008]
  return result;
}
