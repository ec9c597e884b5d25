// One sequence, declared in two namespaces, is two sequences.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};
using S = Read<T>;
namespace keys {
struct T : Causal<"T"> {};
}

struct Model {
  auto forward(Tensor<f32, B, T, H, D> q, Tensor<f32, B, Read<T>, H, D> k) const {
    auto s = scores<D>(q, k);
    auto result = softmax<S>(causal_mask(s));
    return result.values();
  }
};
NAX_MODEL(model, Model, (forward, (q, k), (result)));
