// A boolean does not say what true means.
// RUN: %python %S/check.py ways %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct D : Axis<"D", 8> {};
struct H : Axis<"H", 4> {};
struct K : Axis<"K", 2> {};
using S = Read<T>;
template <class N>
using Heads = Tensor<f32, B, T, N, D>;

// A value held in auto.
auto by_value(Heads<H> q, Tensor<boolean, B, S> m) {
  auto s = scores<D>(q, read<T>(q));
  return mask(s, m);  // error: mask: bool [B,Read<T>] does not say what true means; write allowed_where_true(m) or blocked_where_true(m)  [N0017]
}

// In a helper.
auto helper(auto m) {
  return m & window<T>(3);  // error: operator&: bool [T,Read<T>] does not say what true means; write allowed_where_true(m) or blocked_where_true(m)  [N0017]
}
auto by_helper(Tensor<boolean, T, S> m) { return helper(m); }

// In a module of a module.
struct Inner {
  auto operator()(auto q, auto m) const {
    auto s = scores<D>(q, read<T>(q));
    return mask(s, !m);  // error: operator!: bool [Read<T>] is not a mask; write allowed_where_true(m) or blocked_where_true(m)  [N0017]
  }
};
struct Outer {
  Inner inner;
  auto operator()(Heads<K> q, Tensor<boolean, S> m) const { return inner(q, m); }
};

// The boolean second.
auto turned(Tensor<boolean, B, S> m) {
  return prefix<T>(3) | m;  // error: operator|: bool [B,Read<T>] does not say what true means; write allowed_where_true(m) or blocked_where_true(m)  [N0017]
}
