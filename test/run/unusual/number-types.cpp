// Parameters and values in bf16, f16 and f64, converted where they meet.
// REQUIRES: lowering, cpu-v3
// RUN: naxc check %s --decode=mixed,in_f64,in_bf16,in_f16 --size T=8
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct V : Axis<"V", 18> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 8> {};
struct C : Axis<"C", 16> {};
using S = Read<T>;

template <class E>
struct Block {
  BOOST_HANA_DEFINE_STRUCT(Block, (Param<E, C>, gain), (Param<E, C, H, D>, wq), (Param<E, C, H, D>, wk),
                           (Param<E, C, H, D>, wv), (Param<E, H, D, C>, wo));
  Tensor<E, B, T, C> operator()(Tensor<E, B, T, C> x) const {
    auto y = rms_norm<C>(x, gain, Eps{1e-5});
    auto w = softmax<S>(causal_mask(scores<D>(rope<T, D>(dot<C>(y, wq)), read<T>(rope<T, D>(dot<C>(y, wk))))));
    return x + dot<H, D>(dot<S>(w, read<T>(dot<C>(y, wv))), wo);
  }
};
struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<bf16, V, C>, tokens), (Param<f16, C, V>, head), (Block<f64>, wide),
                           (Block<f32>, plain), (Block<bf16>, narrow), (Block<f16>, half));
  // Values in f32, parameters in what the file has.
  auto mixed(Tensor<Ids<V>, B, T> ids) const {
    auto x = plain(to<f32>(embed<V>(ids, tokens)));
    return std::tuple(dot<C>(x, to<f32>(head)), unembed<V>(x, to<f32>(tokens)));
  }
  auto in_f64(Tensor<Ids<V>, B, T> ids) const { return wide(to<f64>(embed<V>(ids, tokens))); }
  auto in_bf16(Tensor<Ids<V>, B, T> ids) const { return narrow(embed<V>(ids, tokens)); }
  auto in_f16(Tensor<f16, B, T, C> x) const { return to<f32>(half(x)); }
};
NAX_MODEL(types, Model, (mixed, (ids), (logits, tied)), (in_f64, (ids), (y)), (in_bf16, (ids), (y)), (in_f16, (x), (y)));
