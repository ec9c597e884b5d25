// What meets in scores is re-ordered together.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 8> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, C, H, D>, wq), (Param<f32, C, H, D>, wk));
  auto forward(Tensor<f32, B, T, C> x) const {
    auto q = rope<T, D>(dot<C>(x, wq)), k = rope<T, D>(dot<C>(x, wk));
    return softmax<Read<T>>(causal_mask(scores<D>(q, read<T>(k)))).values();
  }
};
NAX_MODEL(model, Model, (forward, (x), (weights)));
NAX_NAMES(gguf,
          {"wq", "attn_q.weight", "H*D C", "interleaved_to_halves:D"},
          {"wk", "attn_k.weight", "H*D C"});  // naxc error: names table gguf: "interleaved_to_halves:D" re-orders wq, but nothing re-orders wk, which meets it in scores<D>; the pairs of both are in one order  [N0037]
