// Rule 7 on a held value, in a helper, in a nested module, with the parts swapped.
// RUN: %python %S/check.py ways %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct K : Axis<"K", 2> {};
struct G : Axis<"G", 3> {};
struct H : Product<"H", K, G> {};
struct D : Axis<"D", 4> {};
// In sections, by head, by group of heads.
struct Qs : Product<"Qs", H, D> {};
struct Ks : Product<"Ks", K, D> {};
struct Sections : Concat<"Sections", Qs, Ks> {};
struct Dq : Product<"Dq", D> {};
struct Dk : Product<"Dk", D> {};
struct One : Concat<"One", Dq, Dk> {};
struct ByHead : Product<"ByHead", H, One> {};
struct Gq : Product<"Gq", G, D> {};
struct Group : Concat<"Group", Gq, Dk> {};
struct ByGroup : Product<"ByGroup", K, Group> {};

auto on_a_value(Tensor<f32, B, T, Sections> x) {
  auto y = silu(x);
  return split<ByHead>(y);  // error: split<ByHead>: [B,T,Sections] has no axis ByHead = H x One (48), but Sections = Qs + Ks (32): write part<Qs>  [N0007]
}

auto helper(auto x) {
  return part<Dq>(x);  // error: part<Dq>: Dq is a part of One = Dq + Dk, which is inside ByHead = H x One: write split<ByHead> first  [N0007]
}
auto in_a_helper(Tensor<f32, B, T, ByHead> x) { return helper(relu(x)); }

struct Inner {
  auto operator()(Tensor<f32, B, T, ByGroup> x) const {
    return part<Qs>(x);  // error: part<Qs>: Qs is no part of Group = Gq + Dk, which is inside ByGroup = K x Group: write split<ByGroup> first  [N0007]
  }
};
struct Outer {
  Inner inner;
  auto operator()(Tensor<f32, B, T, ByGroup> x) const { return inner(x); }
};

auto swapped(Tensor<f32, B, T, Qs> q, Tensor<f32, B, T, Ks> k) {
  return concat<Sections>(k, q);  // error: concat<Sections>: part 1 of Sections = Qs + Ks is Qs, but [B,T,Ks] has no such axis  [N0007]
}
