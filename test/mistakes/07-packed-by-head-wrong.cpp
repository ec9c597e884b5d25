// For each head its query, key and value (GPT-NeoX), taken apart as if packed in sections.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};
struct Dq : Product<"Dq", D> {};
struct Dk : Product<"Dk", D> {};
struct Dv : Product<"Dv", D> {};
struct One : Concat<"One", Dq, Dk, Dv> {};
struct ByHead : Product<"ByHead", H, One> {};

struct Model {
  auto forward(Tensor<f32, B, T, ByHead> x) const {
    auto q = part<Dq>(x);  // error: part<Dq>: Dq is a part of One = Dq + Dk + Dv, which is inside ByHead = H x One: write split<ByHead> first  [N0007]
    return q;
  }
};
NAX_MODEL(model, Model, (forward, (x), (q)));
