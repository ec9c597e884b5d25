// All queries, then all keys, then all values (GPT-2), taken apart as if packed by head.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};
struct Qs : Product<"Qs", H, D> {};
struct Ks : Product<"Ks", H, D> {};
struct Vs : Product<"Vs", H, D> {};
struct Packed3 : Concat<"Packed3", Qs, Ks, Vs> {};

struct Model {
  auto forward(Tensor<f32, B, T, Packed3> x) const {
    auto q = split<H>(x);  // error: split<H>: [B,T,Packed3] has no axis H; it is inside Packed3 = Qs + Ks + Vs: write part<Qs> first  [N0007]
    return q;
  }
};
NAX_MODEL(model, Model, (forward, (x), (q)));
