// Labels that are shifted twice: held in a variable, in a helper, in a nested module, by the axis they stand on.
// RUN: %python %S/check.py ways %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct V : Axis<"V", 5> {};
struct U : Axis<"U", 7> {};
struct W : Axis<"W", 11> {};
struct C : Axis<"C", 4> {};

auto held(Tensor<Ids<V>, B, T> ids) {
  auto labels = next<T>(ids);
  return next<T>(labels);  // error: next<T>: ids [B,Next<T>] is shifted already; shift once  [N0027]
}

template <class A>
auto helper(auto x, auto labels) {
  return cross_entropy<A>(logits<A>(x), next<T>(labels));  // error: next<T>: ids [B,Next<T>] is shifted already; shift once  [N0027]
}
auto helped(Tensor<f32, B, T, U> x, Tensor<Ids<U>, B, T> ids) { return helper<U>(x, next<T>(ids)); }

struct Head {
  BOOST_HANA_DEFINE_STRUCT(Head, (Param<f32, W, C>, table));
  auto operator()(Tensor<f32, B, T, C> x, Tensor<Ids<W>, B, Next<T>> labels) const {
    return cross_entropy<W>(unembed<W>(x, table), next<T>(labels));  // error: next<T>: ids [B,Next<T>] is shifted already; shift once  [N0027]
  }
};
struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Head, head));
  auto operator()(Tensor<f32, B, T, C> x, Tensor<Ids<W>, B, T> ids) const { return head(x, next<T>(ids)); }
};

auto swapped(Tensor<Ids<V>, T, B> ids) { return next<Next<T>>(next<T>(ids)); }  // error: next<Next<T>>: ids [Next<T>,B] is shifted already; shift once  [N0027]
