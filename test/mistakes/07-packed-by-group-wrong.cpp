// For each key head its queries, then its key and value (Falcon), taken apart as if all queries came first.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct K : Axis<"K", 2> {};
struct G : Axis<"G", 3> {};
struct D : Axis<"D", 4> {};
struct Gq : Product<"Gq", G, D> {};
struct Dk : Product<"Dk", D> {};
struct Dv : Product<"Dv", D> {};
struct Group : Concat<"Group", Gq, Dk, Dv> {};
struct ByGroup : Product<"ByGroup", K, Group> {};
struct H : Product<"H", K, G> {};
struct Qs : Product<"Qs", H, D> {};

struct Model {
  auto forward(Tensor<f32, B, T, ByGroup> x) const {
    auto q = part<Qs>(x);  // error: part<Qs>: Qs is no part of Group = Gq + Dk + Dv, which is inside ByGroup = K x Group: write split<ByGroup> first  [N0007]
    return q;
  }
};
NAX_MODEL(model, Model, (forward, (x), (q)));
