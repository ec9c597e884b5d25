// Documents that only a mask knows: rope counts on from one to the next, and so does the loss.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
struct V : Axis<"V", 11> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, V, H, D>, tokens));
  auto loss(Tensor<Ids<V>, B, T> ids, Tensor<i32, B, T> documents) const {
    auto x = embed<V>(ids, tokens);
    auto q = rope<T, D>(x);
    auto s = mask(scores<D>(q, read<T>(q)), same_document<T>(documents));  // error: same_document<T>: rope and the loss would not know the documents of T; declare struct T : Causal<"T", Packed> {}, whose documents all operations take  [N0029]
    auto y = dot<Read<T>>(softmax<Read<T>>(causal_mask(s)), read<T>(x));
    return mean<B, T>(cross_entropy<V>(unembed<V>(y, tokens), next<T>(ids)));
  }
};
NAX_MODEL(model, Model, (loss, (ids, documents), (loss)));
