// Labels of another vocabulary or sequence: held in a variable, in a helper, in a nested module, swapped.
// RUN: %python %S/check.py ways %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct P : Causal<"P"> {};
struct V : Axis<"V", 5> {};
struct U : Axis<"U", 7> {};
struct W : Axis<"W", 11> {};
struct C : Axis<"C", 4> {};

auto held(Tensor<f32, B, T, V> x, Tensor<Ids<U>, B, T> ids) {
  auto labels = next<T>(ids);
  return cross_entropy<V>(logits<V>(x), labels);  // error: cross_entropy<V>: the labels index U, the logits are over V  [N0028]
}

template <class A, class S>
auto helper(auto x, auto ids) {
  return mean<B>(cross_entropy<A>(logits<A>(x), next<S>(ids)));  // error: cross_entropy<U>: the labels ids [B,Next<P>] have nothing for T of logits [B,T,U]  [N0028]
}
auto helped(Tensor<f32, B, T, U> x, Tensor<Ids<U>, B, P> ids) { return helper<U, P>(x, ids); }

struct Head {
  BOOST_HANA_DEFINE_STRUCT(Head, (Param<f32, W, C>, table));
  auto operator()(Tensor<f32, B, T, C> x, Tensor<Ids<W>, Next<T>> labels) const {
    return cross_entropy<W>(unembed<W>(x, table), labels);  // error: cross_entropy<W>: the labels ids [Next<T>] have nothing for B of logits [B,T,W]  [N0028]
  }
};
struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Head, head));
  auto operator()(Tensor<f32, B, T, C> x, Tensor<Ids<W>, T> ids) const { return head(x, next<T>(ids)); }
};

auto swapped(Tensor<f32, B, T, U> x, Tensor<Ids<V>, B, T> ids) {
  return cross_entropy<U>(logits<U>(x), next<T>(ids));  // error: cross_entropy<U>: the labels index V, the logits are over U  [N0028]
}
