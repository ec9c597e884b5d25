// Documents that an operation does not know: held in a variable, in a helper, in a nested module, and a packed axis.
// RUN: %python %S/check.py ways %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct P : Positions<"P"> {};
struct Z : Causal<"Z", Packed> {};
struct D : Axis<"D", 4> {};
using S = Read<T>;

auto held(Tensor<f32, B, T, D> x, Tensor<i32, B, T> documents) {
  auto s = scores<D>(rope<T, D>(x), read<T>(rope<T, D>(x)));
  auto same = same_document<T>(documents);  // error: same_document<T>: rope and the loss would not know the documents of T; declare struct T : Causal<"T", Packed> {}, whose documents all operations take  [N0029]
  return softmax<S>(causal_mask(mask(s, same)));
}

template <class A>
auto helper(auto x, auto documents) {
  return softmax<Read<A>>(mask(scores<D>(x, read<A>(x)), window<A>(4) & same_document<A>(documents)));  // error: same_document<P>: rope and the loss would not know the documents of P; declare struct P : Positions<"P", Packed> {}, whose documents all operations take  [N0029]
}
auto helped(Tensor<f32, B, P, D> x, Tensor<i64, B, P> documents) { return helper<P>(x, documents); }

struct Attention {
  auto operator()(Tensor<f32, T, B, D> x, Tensor<i32, T, B> documents) const {
    auto s = causal_mask(scores<D>(x, read<T>(x)));
    return softmax<S>(mask(s, same_document<T>(documents)));  // error: same_document<T>: rope and the loss would not know the documents of T; declare struct T : Causal<"T", Packed> {}, whose documents all operations take  [N0029]
  }
};
struct Block {
  BOOST_HANA_DEFINE_STRUCT(Block, (Attention, attention));
  auto operator()(Tensor<f32, T, B, D> x, Tensor<i32, T, B> documents) const { return attention(x, documents); }
};

auto swapped(Tensor<f32, B, Z, D> x) {
  auto first_of_each = first<Z>(x);  // error: first<Z>: a row of the packed Z holds several documents, each with its own first position; declare Z as Ragged, one document a row  [N0029]
  return x - first_of_each;
}
