// A gate chooses among experts, never among the rows of a batch.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 6> {};
struct D : Axis<"D", 4> {};
struct X : Axis<"X", 3> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, C, X>, gate), (Param<f32, X, C, D>, expert));
  auto forward(Tensor<f32, B, T, C> x) const {
    auto gates = dot<C>(x, gate);
    auto w = softmax<B>(gates);  // error: softmax<B>: B of [B,T,X] has no fixed size, as rows of a batch have: write softmax<X>; declare B as Positions only if there is a choice among them  [N0012]
    return dot<X>(w, dot<C>(x, expert));
  }
};
NAX_MODEL(model, Model, (forward, (x), (y)));
