// Keys and values made from one small latent that is read; norms with a unit offset, before and after; scaled embeddings.
// REQUIRES: lowering, cpu-v3
// RUN: naxc check %s --size T=21
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct V : Axis<"V", 45> {};
struct H : Axis<"H", 3> {};
struct D : Axis<"D", 8> {};
struct Dv : Axis<"Dv", 5> {};
struct C : Axis<"C", 16> {};
struct L : Axis<"L", 7> {};
using S = Read<T>;

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, V, C>, tokens), (Param<f32, C>, before), (Param<f32, C>, after),
                           (Param<f32, C, L>, down), (Param<f32, L, H, D>, uk), (Param<f32, L, H, Dv>, uv),
                           (Param<f32, C, H, D>, wq), (Param<f32, H, Dv, C>, wo));
  auto forward(Tensor<Ids<V>, B, T> ids) const {
    auto x = embed<V>(ids, tokens) * 4.0; // the root of C
    auto y = rms_norm_unit_offset<C>(x, before, Eps{1e-6});
    auto latent = read<T>(dot<C>(y, down)); // [B,S,L]
    auto s = scores<D>(dot<C>(y, wq), dot<L>(latent, uk), Scale{0.3});
    auto w = softmax<S>(causal_mask(softcap(s, 30.0)));
    auto mixed = dot<H, Dv>(dot<S>(w, dot<L>(latent, uv)), wo);
    x = x + rms_norm_unit_offset<C>(mixed, after, Eps{1e-6});
    auto z = unembed<V>(x, tokens).values();
    return logits<V>(tanh(z / 20.0) * 20.0);
  }
};
NAX_MODEL(latent, Model, (forward, (ids), (logits)));
