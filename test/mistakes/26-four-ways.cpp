// Labels that are not shifted: held in a variable, in a helper, in a nested module, and the logits in their place.
// RUN: %python %S/check.py ways %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct V : Axis<"V", 5> {};
struct U : Axis<"U", 7> {};
struct W : Axis<"W", 11> {};
struct C : Axis<"C", 4> {};

auto held(Tensor<f32, B, T, V> x, Tensor<Ids<V>, B, T> ids) {
  auto labels = ids;
  return cross_entropy<V>(logits<V>(x), labels);  // error: cross_entropy<V>: the labels ids [B,T] stand on T, but position t of logits [B,T,V] predicts what comes next: write next<T>(ids), or declare labels shifted before on Next<T>  [N0026]
}

template <class A>
auto helper(auto x, auto ids) {
  return mean<B, T>(cross_entropy<A>(logits<A>(x), ids));  // error: cross_entropy<U>: the labels ids [B,T] stand on T, but position t of logits [B,T,U] predicts what comes next: write next<T>(ids), or declare labels shifted before on Next<T>  [N0026]
}
auto helped(Tensor<f32, B, T, U> x, Tensor<Ids<U>, B, T> ids) { return helper<U>(x, ids); }

struct Head {
  BOOST_HANA_DEFINE_STRUCT(Head, (Param<f32, W, C>, table));
  auto operator()(Tensor<f32, B, T, C> x, Tensor<Ids<W>, B, T> ids) const {
    return cross_entropy<W>(unembed<W>(x, table), ids);  // error: cross_entropy<W>: the labels ids [B,T] stand on T, but position t of logits [B,T,W] predicts what comes next: write next<T>(ids), or declare labels shifted before on Next<T>  [N0026]
  }
};
struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Head, head));
  auto operator()(Tensor<f32, B, T, C> x, Tensor<Ids<W>, B, T> ids) const { return head(x, ids); }
};

auto swapped(Tensor<f32, B, T, V> x, Tensor<Ids<V>, B, T> ids) {
  return cross_entropy<V>(next<T>(logits<V>(x)), ids);  // error: next<T>: logits [B,T,V] are not ids; labels are next<T>(ids)  [N0026]
}
