// Values are in no pairing.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 8> {};
struct D : Axis<"D", 4> {};
using S = Read<T>;

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, C, D>, wq), (Param<f32, C, D>, wv));
  auto forward(Tensor<f32, B, T, C> x) const {
    auto q = rope<T, D>(dot<C>(x, wq));
    return dot<S>(softmax<S>(causal_mask(scores<D>(q, read<T>(q)))), read<T>(dot<C>(x, wv)));
  }
};
NAX_MODEL(model, Model, (forward, (x), (y)));
NAX_NAMES(gguf,
          {"wq", "attn_q.weight", "D C", "interleaved_to_halves:D"},
          {"wv", "attn_v.weight", "D C", "interleaved_to_halves:D"});  // naxc error: names table gguf: "interleaved_to_halves:D" is about wv, which no rope rotates over D  [N0037]
